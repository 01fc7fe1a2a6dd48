package import CommandTable

/// The command line of the reference provider, read twice: by the program, which links no provider and takes names as they
/// are, and by the provider, which knows what they mean.
package struct ProviderArguments<Persona: Sendable, Fault: Sendable>: Sendable {
    package let persona: Argument<Persona>
    /// One of ``ProviderProgram/manners``.
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
    ///   - persona: How a kind of provider is read; help lists the same words for each reader.
    ///   - standing: The kind where none is named.
    ///   - fault: How a fault is read.
    package init(persona: Kind<Persona>, standing: Persona, fault: Kind<Fault>) {
        let (provider, connection, files) = ("THE PROVIDER", "CONNECTION", "FILES")
        self.persona = .option(
            "--persona",
            persona,
            group: provider,
            default: standing,
            "What kind of provider."
        )
        signIn = .option(
            "--sign-in",
            .manner,
            group: provider,
            default: ProviderProgram.manners[0],
            "What the pages are like at which people sign in."
        )
        self.fault = .repeated("--fault", fault, group: provider, "What it does wrong, by the check that sees it.")
        listFaults = .flag("--list-faults", group: provider, "List the faults and end.")
        port = .option(
            "--port",
            .integer("PORT", in: 0...65_535),
            group: connection,
            default: 0,
            "The port on 127.0.0.1; 0 takes a free one."
        )
        http = .flag("--http", group: connection, "Plain http.")
        delay = .option(
            "--delay",
            .decimal("MILLISECONDS", isAboveZero: false),
            group: connection,
            "Added to every answer."
        )
        caOut = .option(
            "--ca-out",
            .file(),
            group: files,
            default: "oidc-preflight-ca.pem",
            "Where to write the certificate authority to trust, as PEM."
        )
        configOut = .option("--config-out", .file(), group: files, "Write a configuration for check.")
    }

    /// The command, whoever obeys it.
    package func command(
        objections: @escaping @Sendable (Invocation) -> [String] = { _ in [] },
        run: @escaping @Sendable (Invocation) async throws -> Void
    ) -> Command {
        Command(
            ProviderProgram.command,
            "Run the reference provider on loopback: correct, or with faults.",
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

/// The executable that is the reference provider.
package enum ProviderProgram {
    package static let name = "oidc-preflight-provider"
    /// Its command for people, which is meant where none is named.
    package static let command = "provider"
    /// Its command for the program's `demo`.
    package static let demonstration = "demonstration"

    /// The kinds of provider, the standard one first.
    ///
    /// The program lists them in help and completes them without asking the provider; a test compares.
    package static let personas = [
        "standard", "minimal", "public-client", "assertion-client", "implicit-only", "code-only", "many-keys",
        "path-issuer", "pairwise", "public-name", "special-clients", "fapi", "microsoft", "microsoft-tenant",
        "microsoft-consumers", "yahoo", "github", "twitter", "google", "apple", "line", "auth0", "cognito",
        "linkedin",
    ]

    /// The manners of signing in, the plain one first; listed here for the same reason.
    package static let manners = [
        "plain", "two-step", "account-chooser", "account-links", "stay-signed-in", "self-posting", "new-terms", "totp",
        "digit-boxes",
        "other-host", "text-message", "email-link", "passkey", "other-provider", "script-only", "script-fetch",
        "captcha",
        "bot-wall", "blocked-agent", "error-page",
        "endless-redirect",
    ]
}

extension Kind where Value == String {
    /// A manner of signing in, by its name.
    fileprivate static var manner: Self {
        let names = ProviderProgram.manners
        return Kind("MANNER", words: names, completion: .words { names.map { Candidate($0) } }) { word in
            if names.contains(word) { return .success(word) }
            return .failure(word.isEmpty ? .empty : .unlisted)
        }
    }
}
