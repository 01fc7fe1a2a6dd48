package import CommandTable

/// The command line of the reference provider, parsed by the main program, which accepts any fault name, and by the provider.
package struct ProviderArguments<Persona: Sendable, Fault: Sendable>: Sendable {
    package let persona: Argument<Persona>
    /// One of ``ProviderProgram/variants``.
    package let signIn: Argument<String>
    package let fault: Argument<[Fault]>
    package let listFaults: Argument<Bool>
    package let port: Argument<Int>
    package let http: Argument<Bool>
    /// Milliseconds.
    package let delay: Argument<Double?>
    package let caOut: Argument<String>
    package let configOut: Argument<String?>

    /// - Parameters:
    ///   - persona: Parses a kind of provider; help lists the same words in both programs.
    ///   - fallback: The default kind.
    ///   - fault: Parses a fault.
    package init(persona: Kind<Persona>, fallback: Persona, fault: Kind<Fault>) {
        let (provider, connection, files) = ("PROVIDER", "CONNECTION", "FILES")
        self.persona = .option(
            "--persona",
            persona,
            group: provider,
            default: fallback,
            "The kind of provider to imitate."
        )
        signIn = .option(
            "--sign-in",
            .variant,
            group: provider,
            default: ProviderProgram.variants[0],
            "The variant of the sign-in pages."
        )
        self.fault = .repeated(
            "--fault",
            fault,
            group: provider,
            "A fault of the provider, named by the check that detects it."
        )
        listFaults = .flag("--list-faults", group: provider, "List the faults and exit.")
        port = .option(
            "--port",
            .integer("PORT", in: 0...65_535),
            group: connection,
            default: 0,
            "The port on 127.0.0.1; 0 selects a free one."
        )
        http = .flag("--http", group: connection, "Use http instead of https.")
        delay = .option(
            "--delay",
            .decimal("MILLISECONDS", isAboveZero: false),
            group: connection,
            "Delay of every response."
        )
        caOut = .option(
            "--ca-out",
            .file(),
            group: files,
            default: "oidc-preflight-ca.pem",
            "Write the certificate authority to trust to this PEM file."
        )
        configOut = .option("--config-out", .file(), group: files, "Write a configuration for check to this file.")
    }

    /// The command, for both programs.
    package func command(
        objections: @escaping @Sendable (Invocation) -> [String] = { _ in [] },
        run: @escaping @Sendable (Invocation) async throws -> Void
    ) -> Command {
        Command(
            ProviderProgram.command,
            "Run the reference provider on loopback, with or without faults.",
            examples: [
                .init("oidc-preflight provider"),
                .init("oidc-preflight provider --persona public-client --port 8443"),
                .init("oidc-preflight provider --sign-in totp --config-out preflight.yaml"),
                .init("oidc-preflight provider --fault idtoken.aud.holds-client"),
                .init("oidc-preflight provider --list-faults"),
            ],
            arguments: [persona, signIn, fault, listFaults, port, http, delay, caOut, configOut],
            objections: objections,
            run: run
        )
    }
}

/// The executable of the reference provider.
package enum ProviderProgram {
    package static let name = "oidc-preflight-provider"
    /// Its default command, for users.
    package static let command = "provider"
    /// Its command for the program's `demo`.
    package static let demonstration = "demonstration"

    /// The kinds of provider, the standard one first.
    ///
    /// The main program lists and completes them without the provider; a test compares both lists.
    package static let personas = [
        "standard", "minimal", "public-client", "assertion-client", "implicit-only", "code-only", "many-keys",
        "path-issuer", "pairwise", "public-name", "special-clients", "fapi", "microsoft", "microsoft-tenant",
        "microsoft-consumers", "yahoo", "github", "twitter", "google", "apple", "line", "auth0", "cognito",
        "linkedin", "govuk-one-login", "login-gov", "franceconnect", "singpass", "singpass-fapi", "itsme", "spid",
        "tara", "id-porten", "twitch", "slack", "nhs-login", "okta", "adfs", "salesforce", "keycloak", "uaa", "hydra",
        "kakao", "naver", "discord",
    ]

    /// The variants of the sign-in pages, the plain one first; listed here for the same reason.
    package static let variants = [
        "plain", "two-step", "account-chooser", "account-links", "stay-signed-in", "self-posting", "new-terms", "totp",
        "digit-boxes",
        "other-host", "text-message", "email-link", "passkey", "other-provider", "script-only", "script-fetch",
        "captcha",
        "bot-wall", "blocked-agent", "error-page",
        "endless-redirect",
    ]
}

extension Kind where Value == String {
    /// A variant of the sign-in pages, by its name.
    fileprivate static var variant: Self {
        let names = ProviderProgram.variants
        return Kind("VARIANT", words: names, completion: .words { names.map { Candidate($0) } }) { word in
            if names.contains(word) { return .success(word) }
            return .failure(word.isEmpty ? .empty : .unlisted)
        }
    }
}
