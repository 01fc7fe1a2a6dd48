internal import CommandTable
internal import Conformance
internal import Console
internal import Profiles
internal import ProviderTable
internal import ReferenceProvider

enum ProviderCommand {
    private static let arguments = ProviderArguments(persona: .word("NAME"), fallback: Persona.standard, fault: .fault)

    static let command = arguments.command(
        objections: { invocation in
            guard let conflict = Fault.conflict(among: invocation[arguments.fault]) else { return [] }
            return [
                "--fault \(conflict.first.id) and --fault \(conflict.second.id) change the same part of the provider "
                    + "(\(conflict.place)): use only one of them"
            ]
        },
        run: run
    )

    private static func run(_ invocation: Invocation) async throws {
        if invocation[arguments.listFaults] {
            return Terminal.print(Fault.all.map { "\($0.id)  \($0.title)" }.joined(separator: "\n"))
        }
        let authority = invocation[arguments.http] ? nil : invocation[arguments.caOut]
        let file = invocation[arguments.configOut]
        for path in [authority, file].compactMap({ $0 }) { try Files.prepare(path) }
        var configuration = ReferenceProviderConfiguration(
            invocation[arguments.persona],
            faults: invocation[arguments.fault],
            scheme: invocation[arguments.http] ? .http : .https
        )
        configuration.variant = SignInVariant(rawValue: invocation[arguments.signIn]) ?? .plain
        configuration.port = invocation[arguments.port]
        configuration.answerDelay = (invocation[arguments.delay] ?? 0) / 1_000
        let provider: ReferenceProvider
        do throws(ReferenceProviderError) {
            provider = try await ReferenceProvider.start(configuration)
        } catch {
            guard error.isOfAddress else { throw error }
            throw ConfigurationError(
                file: "--port \(configuration.port)",
                "\(error.description). Choose another port, or 0 for a free one"
            )
        }
        if let authority { try Files.write(provider.certificateAuthorityPEM, to: authority) }
        let target = provider.target(invocation[arguments.fault])
        for note in notes(invocation[arguments.fault], invocation[arguments.persona]) {
            Terminal.complain("Note: \(note)")
        }
        if let file {
            let keyFile = try writeKey(of: target.client, as: invocation[arguments.persona], beside: file)
            try Files.write(
                Self.configuration(
                    target,
                    persona: invocation[arguments.persona],
                    hasCodes: configuration.variant == .totp,
                    file: file,
                    caFile: authority,
                    keyFile: keyFile.map { Files.naming($0, in: file) }
                ),
                to: file
            )
        }
        let codes = configuration.variant == .totp ? provider.persona.codes : nil
        let introduction = introduction(provider, target, caFile: authority, configuration: file, codes: codes)
        await Interruption.cancellable {
            // Ctrl-C, which the last line mentions, must already be handled.
            Terminal.print(introduction)
            try? await Task.sleep(for: .seconds(1e9))
        }
        await provider.stop()
    }

    /// Faults without an effect here, and why.
    private static func notes(_ faults: [Fault], _ persona: Persona) -> [String] {
        faults.compactMap { fault in
            if fault.isOfThePlatformAlone {
                return "\(fault.id) is a requirement of a platform only: the provider does not change."
            }
            guard fault.persona != persona else { return nil }
            return
                "\(fault.id) is designed for --persona \(fault.persona.rawValue); with \(persona.rawValue) it may have no effect."
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
        configuration: String?,
        codes: AccountCodes?
    ) -> String {
        let account = provider.persona.credentials
        let client = target.client
        let secret = client.flatMap { provider.persona.clientSecret($0.id) }?.reveal()
        let signedIn = configuration.map { file in
            let variables =
                (secret.map { "OIDC_CLIENT_SECRET='\($0)' " } ?? "")
                + (codes.map { "OIDC_TOTP_SECRET='\($0.shown)' " } ?? "")
                + "OIDC_PASSWORD='\(account.password.reveal())'"
            return "\nor    \(variables) \\\n        oidc-preflight check --config \(file)"
        }
        return """
            issuer     \(provider.issuer)
            client     \(client?.id ?? "none"), \(client?.authentication.rawValue ?? "")
            secret     \(secret ?? "none")
            redirect   \(target.redirectURI ?? "none")
            account    \(account.username), password \(account.password.reveal())\(codes.map { ", code of \($0.shown)" } ?? "")
            \(caFile.map { "authority  \($0)\n" } ?? "")
            Try:  oidc-preflight check \(provider.issuer)\(caFile.map { " --ca-file \($0)" } ?? "")\(signedIn ?? "")
            Press Ctrl-C to stop.
            """
    }

    /// A `preflight.yaml` for the running provider; variables supply its secrets, which are valid only on loopback.
    private static func configuration(
        _ target: Target,
        persona: Persona,
        hasCodes: Bool,
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
            lines += client.tokenEndpointAuthSigningAlg.map { ["  token_endpoint_auth_signing_alg: \($0)"] } ?? []
            lines += client.idTokenSignedResponseAlg.map { ["  id_token_signed_response_alg: \($0)"] } ?? []
            lines += client.idTokenEncryptedResponseAlg.map { ["  id_token_encrypted_response_alg: \($0)"] } ?? []
            lines += client.userInfoSignedResponseAlg.map { ["  userinfo_signed_response_alg: \($0)"] } ?? []
            lines += client.assertionAudience.map { ["  assertion_audience: \($0.rawValue)"] } ?? []
            lines += client.requestObjectSigningAlg.map { ["  request_object_signing_alg: \($0)"] } ?? []
            if client.decryptionKeyThumbprint != nil {
                lines += keyFile.map { ["  decryption_key: { file: \($0) }"] } ?? []
            }
            if client.usesDPoP == true { lines.append("  dpop_bound_access_tokens: true") }
            if client.sendsPKCE == false { lines.append("  pkce: false") }
        }
        // Only further clients without a token request, so that one secret is enough.
        let further = target.clients.filter { !$0.responseType.hasCode }
        let flows = target.flows.filter { type in
            further.contains { $0.responseType == type } || !target.clients.contains { $0.responseType == type }
        }
        if !further.isEmpty { lines.append("clients:") }
        lines += further.map { "  \($0.responseType.text): { id: \($0.client.id), authentication: none }" }
        lines += target.redirectURI.map { ["redirect_uri: \($0)"] } ?? []
        let custom = target.customParameters.map { "  \($0.name): '\($0.value)'" }
        lines += custom.isEmpty ? [] : ["custom_parameters:"] + custom
        lines += [
            "scopes: [\(target.scopes.map { "\"\($0)\"" }.joined(separator: ", "))]",
            "flows: [\(flows.map(\.text).joined(separator: ", "))]",
            "sign_in:",
            "  username: \(persona.credentials.username)",
            "  password: { env: OIDC_PASSWORD }",
        ]
        lines += hasCodes ? ["  totp: { secret: { env: OIDC_TOTP_SECRET } }"] : []
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
            return .failure(word.isEmpty ? .empty : .because("unknown fault \(word.quoted)\(hint)"))
        }
    }
}
