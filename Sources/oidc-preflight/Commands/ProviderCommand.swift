internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles
internal import ReferenceProvider

struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Run the reference provider on loopback: correct, or with faults.",
        discussion: """
            EXAMPLES
              oidc-preflight provider
              oidc-preflight provider --persona public-client --port 8443
              oidc-preflight provider --fault idtoken.nonce.matches-request
              oidc-preflight provider --list-faults
            """
    )

    @Option(
        help: ArgumentHelp("What kind of provider.", valueName: Persona.allCases.map(\.rawValue).joined(separator: "|"))
    )
    var persona: Persona = .standard

    @Option(help: ArgumentHelp("What it does wrong, by the check that sees it. Repeatable.", valueName: "id"))
    var fault: [String] = []

    @Option(help: "The port on 127.0.0.1; 0 takes a free one.")
    var port = 0

    @Flag(help: "Plain http.")
    var http = false

    @Option(help: ArgumentHelp("Added to every answer.", valueName: "milliseconds"))
    var delay = 0.0

    @Option(help: ArgumentHelp("Where to write the certificate authority to trust.", valueName: "pem"))
    var caOut = "oidc-preflight-ca.pem"

    @Option(help: ArgumentHelp("Write a configuration for check.", valueName: "preflight.yaml"))
    var configOut: String?

    @Flag(help: "List the faults and end.")
    var listFaults = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
    }

    func run() async throws {
        try await Ending.guarding {
            if listFaults {
                Terminal.print(Fault.all.map { "\($0.id)  \($0.title)" }.joined(separator: "\n"))
                return
            }
            for path in [http ? nil : caOut, configOut].compactMap({ $0 }) { try Files.prepare(path) }
            let provider = try await start()
            if !http { try Files.write(provider.certificateAuthorityPEM, to: caOut) }
            let target = provider.target()
            if let configOut {
                let keyFile = try writeKey(of: target.client, beside: configOut)
                try Files.write(
                    Self.configuration(target, persona: persona, caFile: http ? nil : caOut, keyFile: keyFile),
                    to: configOut
                )
            }
            Terminal.print(Self.introduction(provider, target, caFile: http ? nil : caOut, configuration: configOut))
            await Interruption.cancellable { try? await Task.sleep(for: .seconds(1e9)) }
            await provider.stop()
        }
    }

    private func start() async throws -> ReferenceProvider {
        let faults = try fault.map(Self.fault)
        var configuration = ReferenceProviderConfiguration(persona, faults: faults, scheme: http ? .http : .https)
        configuration.port = port
        configuration.answerDelay = delay / 1_000
        return try await ReferenceProvider.start(configuration)
    }

    /// The key that the client signs with, beside the configuration that names it; `nil` for a client without one.
    private func writeKey(of client: Client?, beside file: String) throws -> String? {
        guard let client, let key = persona.clientKeyPEM(client.id) else { return nil }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined()
        let path = folder + "client-key.pem"
        try Files.write(key, to: path)
        return path
    }

    /// The fault of that identifier, or an error with the nearest one.
    static func fault(_ id: String) throws -> Fault {
        if let fault = Fault.all.first(where: { $0.id == id }) { return fault }
        throw ConfigurationError(
            file: "--fault",
            "no fault is called “\(id)”" + NearestWord.hint(for: id, among: Fault.all.map(\.id))
        )
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
        lines += caFile.map { ["network:", "  ca_file: \($0)"] } ?? []
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Persona: ExpressibleByArgument {}
