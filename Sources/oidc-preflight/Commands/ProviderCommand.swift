internal import CommandTable
internal import Conformance
internal import Preflight
internal import Profiles
internal import ReferenceProvider

enum ProviderCommand {
    static let command = Command(
        "provider",
        "Run the reference provider on loopback: correct, or with faults.",
        examples: [
            .init("oidc-preflight provider"),
            .init("oidc-preflight provider --persona public-client --port 8443"),
            .init("oidc-preflight provider --fault idtoken.aud.holds-client"),
            .init("oidc-preflight provider --list-faults"),
        ],
        arguments: [persona, fault, listFaults, port, http, delay, caOut, configOut],
        objections: { invocation in
            guard let conflict = Fault.conflict(among: invocation[fault]) else { return [] }
            return [
                "--fault \(conflict.first.id) and --fault \(conflict.second.id) change the same thing in the provider "
                    + "(\(conflict.place)), which can do one of them only: leave one out"
            ]
        },
        run: run
    )

    private static let provider = "THE PROVIDER"
    static let persona: Argument<Persona> = .option(
        "--persona",
        .word("NAME"),
        group: provider,
        default: .standard,
        "What kind of provider."
    )
    private static let fault: Argument<[Fault]> = .repeated(
        "--fault",
        .fault,
        group: provider,
        "What it does wrong, by the check that sees it."
    )
    private static let listFaults: Argument<Bool> = .flag("--list-faults", group: provider, "List the faults and end.")
    private static let port: Argument<Int> = .option(
        "--port",
        .integer("PORT", in: 0...65_535),
        group: Heading.connection,
        default: 0,
        "The port on 127.0.0.1; 0 takes a free one."
    )
    private static let http: Argument<Bool> = .flag("--http", group: Heading.connection, "Plain http.")
    private static let delay: Argument<Double?> = .option(
        "--delay",
        .decimal("MILLISECONDS", isAboveZero: false),
        group: Heading.connection,
        "Added to every answer."
    )
    private static let files = "FILES"
    private static let caOut: Argument<String> = .option(
        "--ca-out",
        .file(),
        group: files,
        default: "oidc-preflight-ca.pem",
        "Where to write the certificate authority to trust, as PEM."
    )
    private static let configOut: Argument<String?> = .option(
        "--config-out",
        .file(),
        group: files,
        "Write a configuration for check."
    )

    private static func run(_ invocation: Invocation) async throws {
        if invocation[listFaults] {
            return Terminal.print(Fault.all.map { "\($0.id)  \($0.title)" }.joined(separator: "\n"))
        }
        let authority = invocation[http] ? nil : invocation[caOut]
        let file = invocation[configOut]
        for path in [authority, file].compactMap({ $0 }) { try Files.prepare(path) }
        var configuration = ReferenceProviderConfiguration(
            invocation[persona],
            faults: invocation[fault],
            scheme: invocation[http] ? .http : .https
        )
        configuration.port = invocation[port]
        configuration.answerDelay = (invocation[delay] ?? 0) / 1_000
        let provider = try await ReferenceProvider.start(configuration)
        if let authority { try Files.write(provider.certificateAuthorityPEM, to: authority) }
        let target = provider.target(invocation[fault])
        for note in notes(invocation[fault], invocation[persona]) { Terminal.complain("Note: \(note)") }
        if let file {
            let keyFile = try writeKey(of: target.client, as: invocation[persona], beside: file)
            try Files.write(
                Self.configuration(
                    target,
                    persona: invocation[persona],
                    file: file,
                    caFile: authority,
                    keyFile: keyFile.map { Files.naming($0, in: file) }
                ),
                to: file
            )
        }
        Terminal.print(introduction(provider, target, caFile: authority, configuration: file))
        await Interruption.cancellable { try? await Task.sleep(for: .seconds(1e9)) }
        await provider.stop()
    }

    /// Faults that nobody will see here, and why.
    private static func notes(_ faults: [Fault], _ persona: Persona) -> [String] {
        faults.compactMap { fault in
            if fault.isOfThePlatformAlone {
                return "\(fault.id) is what a platform demands beyond this provider: nothing in the provider changes."
            }
            guard fault.persona != persona else { return nil }
            return
                "\(fault.id) is made for --persona \(fault.persona.rawValue); with \(persona.rawValue) it may show nothing."
        }
    }

    /// The key that the client signs with, beside the configuration that names it; `nil` for a client without one.
    private static func writeKey(of client: Client?, as persona: Persona, beside file: String) throws -> String? {
        guard let client, let key = persona.clientKeyPEM(client.id) else { return nil }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined()
        let path = folder + "client-key.pem"
        try Files.write(key, to: path)
        return path
    }

    private static func introduction(
        _ provider: ReferenceProvider,
        _ target: Target,
        caFile: String?,
        configuration: String?
    ) -> String {
        let account = provider.persona.credentials
        let client = target.client
        let secret = client.flatMap { provider.persona.clientSecret($0.id) }?.reveal()
        let signedIn = configuration.map { file in
            let variables =
                (secret.map { "OIDC_CLIENT_SECRET='\($0)' " } ?? "") + "OIDC_PASSWORD='\(account.password.reveal())'"
            return "\nor    \(variables) \\\n        oidc-preflight check --config \(file)"
        }
        return """
            issuer     \(provider.issuer)
            client     \(client?.id ?? "none"), \(client?.authentication.rawValue ?? "")
            secret     \(secret ?? "none")
            redirect   \(target.redirectURI ?? "none")
            account    \(account.username), password \(account.password.reveal())
            \(caFile.map { "authority  \($0)\n" } ?? "")
            Try:  oidc-preflight check \(provider.issuer)\(caFile.map { " --ca-file \($0)" } ?? "")\(signedIn ?? "")
            Ctrl-C ends it.
            """
    }

    /// A `preflight.yaml` for the running provider; its secrets are made-up ones for loopback, named by variables.
    private static func configuration(
        _ target: Target,
        persona: Persona,
        file: String,
        caFile: String?,
        keyFile: String?
    ) -> String {
        var lines = ["issuer: \(target.issuer)", "profile: \(persona.profile)"]
        let endpoints = (target.endpoints ?? [:]).sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        lines += endpoints.isEmpty ? [] : ["endpoints:"] + endpoints
        if let client = target.client {
            lines += ["client:", "  id: \(client.id)"]
            lines += client.hasSecret ? ["  secret: { env: OIDC_CLIENT_SECRET }"] : []
            lines += keyFile.map { ["  private_key: { file: \($0) }"] } ?? []
            lines.append("  authentication: \(client.authentication.rawValue)")
            lines += client.idTokenSignedResponseAlg.map { ["  id_token_signed_response_alg: \($0)"] } ?? []
        }
        // Of further clients only those that the authorization endpoint gives everything: one secret is enough here.
        let further = target.clients.filter { !$0.responseType.hasCode }
        let flows = target.flows.filter { type in
            further.contains { $0.responseType == type } || !target.clients.contains { $0.responseType == type }
        }
        if !further.isEmpty { lines.append("clients:") }
        lines += further.map { "  \($0.responseType.text): { id: \($0.client.id), authentication: none }" }
        lines += target.redirectURI.map { ["redirect_uri: \($0)"] } ?? []
        let custom = target.customParameters.map { "  \($0.name): \"\($0.value)\"" }
        lines += custom.isEmpty ? [] : ["custom_parameters:"] + custom
        lines += [
            "scopes: [\(target.scopes.map { "\"\($0)\"" }.joined(separator: ", "))]",
            "flows: [\(flows.map(\.text).joined(separator: ", "))]",
            "sign_in:",
            "  username: \(persona.credentials.username)",
            "  password: { env: OIDC_PASSWORD }",
        ]
        lines +=
            target.registration.providerID.map { id in
                [
                    "registration:",
                    "  provider_id: \(id)",
                    "  response_types: [\(target.registration.responseTypes.map(\.text).joined(separator: ", "))]",
                ]
            } ?? []
        lines += caFile.map { ["network:", "  ca_file: \(Files.naming($0, in: file))"] } ?? []
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Kind where Value == Fault {
    static var fault: Self {
        Kind("ID", completion: .words { Fault.all.map { Candidate($0.id, $0.title) } }) { word in
            if let fault = Fault.all.first(where: { $0.id == word }) { return .success(fault) }
            let hint = NearestWord.hint(for: word, among: Fault.all.map(\.id))
            return .failure(word.isEmpty ? .empty : .because("no fault is called \(word.quoted)\(hint)"))
        }
    }
}
