package import Conformance
internal import JOSE
internal import JSONTree
internal import Profiles
internal import Transport

/// A commented `preflight.yaml` for an issuer, filled in from its discovery document.
package struct ConfigurationTemplate: Sendable {
    /// The file's text.
    package let text: String
    /// Why there was no discovery document; `nil` when there was one.
    package let failure: String?
    /// The issuer in the document, if it differs from the requested one.
    package let otherIssuer: String?
    /// The default values, for the prompts.
    package let proposals: TemplateProposals

    /// - Parameters:
    ///   - evidence: Of a run that requested the discovery document.
    ///   - run: That run, with its profile and network options.
    ///   - check: The command that checks the written file.
    ///   - path: Converts a file path of `run` to one relative to the written file.
    ///   - answers: The answers so far; the rest must be filled in.
    package init(
        _ evidence: Evidence,
        of run: PreflightRun,
        answers: TemplateAnswers = TemplateAnswers(),
        checkedBy check: String = "\(Tool.name) check --config preflight.yaml",
        naming path: (String) -> String = { $0 }
    ) {
        let profile = run.plan.profile
        let facts = Facts(evidence, profile: profile)
        let metadata = facts.metadata.value
        switch facts.metadata {
        case .observed: failure = nil
        case .notAttempted where !profile.parameters.readsDiscovery: failure = nil
        case .absent, .notAttempted:
            let advice = evidence.wrongIssuerAdvice.map { ".\n" + $0 } ?? ""
            let address = WellKnown.address(of: evidence.target.issuer)
            failure = facts.metadata.whyNot.map { "\(address.shown(limit: 500)): \($0.text)\(advice)" }
        }
        let stated = metadata?.string("issuer")
        otherIssuer = stated == evidence.target.issuer ? nil : stated
        let name = ProfileLibrary.isFile(run.profileName) ? path(run.profileName) : run.profileName
        let choices = TemplateChoices(
            profile: profile,
            metadata: metadata,
            issuer: evidence.target.issuer,
            resource: run.configuration.target.resource,
            answers: answers
        )
        proposals = TemplateProposals(choices)
        let lines = Self.lines(evidence.target.issuer, choices, named: name, checkedBy: check)
        text = (lines + Self.network(run.configuration, path)).joined(separator: "\n") + "\n"
    }

    private static func lines(
        _ asked: String,
        _ choices: TemplateChoices,
        named profileName: String,
        checkedBy check: String
    ) -> [String] {
        let metadata = choices.metadata
        let endpoints = PlainTemplate(choices.profile, issuer: asked)?.endpoints ?? []
        let platform = ["profile: \(quoted(profileName))"] + resource(choices) + webFinger(choices) + [""]
        let lines =
            issuer(asked, stated: metadata?.string("issuer")) + platform + endpoints + client(choices)
            + furtherClients(choices) + means(choices) + registration(choices) + dynamicRegistration(metadata)
            + waivers + logout(metadata)
        let first = isUnfinished(lines) ? "Replace each \(Placeholder.mark), then run the checks" : "Run the checks"
        return [
            "# yaml-language-server: $schema=\(ConfigurationSchema.address)",
            "# The client, the provider and the test user. All keys: Documentation/Configuration.md",
            "# \(first) with:  \(check)",
            "# ${NAME} is replaced by the environment variable NAME, in any value.",
            "",
        ] + lines
    }

    /// Whether a value still has to be filled in; a run rejects such a file.
    package var isUnfinished: Bool { Self.isUnfinished(text.split(separator: "\n").map(String.init)) }

    private static func isUnfinished(_ lines: [String]) -> Bool {
        lines.contains { $0.contains(Placeholder.mark) && $0.drop { $0 == " " }.first != "#" }
    }

    /// Redirect URI, flows and test user; as comments if the platform does not need them.
    private static func means(_ choices: TemplateChoices) -> [String] {
        let address = [
            "",
            "# Exactly as registered at the provider. It is never fetched, so a production address is safe.",
            "redirect_uri: \(choices.redirectURI)",
        ]
        let rest = address + requests(choices)
        if choices.signsIn {
            guard !choices.answers.leavesOutUser else {
                return rest + ["", "# No sign-in. Uncomment these lines to sign in a test user:"]
                    + commented(signIn(choices))
            }
            return rest + signIn(choices)
        }
        return [
            "",
            "# This platform only reads documents and verifies ID Tokens. Uncomment these lines to sign in a test user, and to",
            "# check the ID Token:",
        ] + commented(rest + signIn(choices))
    }

    private static func commented(_ lines: [String]) -> [String] {
        lines.map { $0.isEmpty || $0.hasPrefix("#") ? $0 : "# " + $0 }
    }

    /// The requested issuer: a document with another issuer must not redirect the password to its host.
    private static func issuer(_ asked: String, stated: String?) -> [String] {
        guard let stated, stated != asked else { return ["issuer: \(quoted(asked))"] }
        let what = stated.contains("{") ? ", which is a template; the requested issuer is kept." : " as its issuer."
        return ["# The document has \(stated.shown())\(what)", "issuer: \(quoted(asked))"]
    }

    /// The protected resource, if the platform names one in its requests.
    private static func resource(_ choices: TemplateChoices) -> [String] {
        guard let resource = choices.namedResource else { return [] }
        return [
            "", "# The protected resource for which tokens are requested: the URL of the MCP server.",
            "resource: \(resource)",
        ]
    }

    /// The address of a user, if the platform finds the issuer by it.
    private static func webFinger(_ choices: TemplateChoices) -> [String] {
        guard choices.profile.adjustment(for: "discovery.webfinger.names-the-issuer") != nil else { return [] }
        return [
            "", "# The address of a user, for which WebFinger at its domain must name the issuer.",
            "# webfinger: alice@example.com",
        ]
    }

    private static func client(_ choices: TemplateChoices) -> [String] {
        let head = [
            "# The client registered at the provider. Secrets come from environment variables or files, never from here.",
            "client:",
            "  id: \(choices.clientID)",
        ]
        let secret = "  secret: { env: \(choices.answers.secretVariable ?? "OIDC_CLIENT_SECRET") }"
        guard let method = choices.authentication else { return head + [secret] }
        let credentials =
            switch method {
            case .none: ["  # a public client: it has no secret and uses PKCE"]
            case .privateKeyJWT: ["  private_key: { file: client-key.pem }"]
            case .clientSecretBasic, .clientSecretPost, .clientSecretJWT: [secret]
            }
        let offered = choices.offeredMethods
        let means =
            credentials + (offered.isEmpty ? [] : ["  # offered: \(comment(offered))"])
            + ["  authentication: \(method.rawValue)"]
        return head
            + (choices.needsCredentials ? means : means.map { $0.contains("#") ? $0 : "  # " + $0.dropFirst(2) })
            + (choices.idTokenAlgorithm.map { ["  id_token_signed_response_alg: \(quoted($0))"] } ?? [])
            + requirements(choices, method)
    }

    /// What the document requires of the client's requests, and what it offers to encrypt.
    private static func requirements(_ choices: TemplateChoices, _ method: ClientAuthentication) -> [String] {
        guard let metadata = choices.metadata, choices.signsIn else { return [] }
        var lines: [String] = []
        let algorithms = metadata.strings("token_endpoint_auth_signing_alg_values_supported") ?? []
        if method == .privateKeyJWT, algorithms.count == 1 {
            lines.append("  token_endpoint_auth_signing_alg: \(quoted(algorithms[0]))")
        }
        if metadata["require_signed_request_object"]?.boolValue == true {
            let algorithm = metadata.strings("request_object_signing_alg_values_supported")?.first { $0 != "none" }
            lines += method == .privateKeyJWT ? [] : ["  private_key: { file: client-key.pem }"]
            lines += [
                "  # The document has require_signed_request_object: every request is a signed request object.",
                "  request_object_signing_alg: \(quoted(algorithm ?? "RS256"))",
            ]
        }
        if metadata["require_pushed_authorization_requests"]?.boolValue == true {
            lines.append("  # The document has require_pushed_authorization_requests: every request is pushed.")
        }
        let encryption = metadata.strings("id_token_encryption_alg_values_supported") ?? []
        if let offered = encryption.first(where: { KeyManagementAlgorithm(rawValue: $0) != nil }) ?? encryption.first {
            lines += [
                "  # If the client is registered for encrypted ID Tokens:",
                "  # id_token_encrypted_response_alg: \(quoted(offered))",
                "  # decryption_key: { file: client-key.pem }",
            ]
        }
        if metadata.has("dpop_signing_alg_values_supported") {
            lines += ["  # If the client is registered for DPoP:", "  # dpop_bound_access_tokens: true"]
        }
        return lines
    }

    /// Parameters that a provider requires of its clients, which no document states.
    private static func customParameters(_ choices: TemplateChoices) -> [String] {
        let classes = choices.metadata?.strings("acr_values_supported") ?? []
        let example = classes.first { !$0.isEmpty }.map { "acr_values: \(quoted($0))" } ?? "NAME: VALUE"
        return [
            "",
            "# Further parameters of the authorization request, if the provider requires any, which its document does not state.",
        ] + (classes.isEmpty ? [] : ["# acr_values offered: \(comment(classes))"])
            + ["# custom_parameters: { \(example) }"]
    }

    /// Further clients: for other response types, and one to test codes of the first with.
    private static func furtherClients(_ choices: TemplateChoices) -> [String] {
        guard !choices.parameters.usesOAuth1, choices.parameters.readsDiscovery, choices.signsIn else { return [] }
        let types =
            choices.furtherFlows.first.map { type in
                [
                    "# A separate client for a response type that the first is not registered for:",
                    "# clients: { \(quoted(type)): { id: another-client } }",
                ]
            } ?? []
        return [""] + types + [
            "# A second client, which tries codes and tokens of the first; the provider must reject them:",
            "# other_client: { id: second-client, secret: { env: OIDC_OTHER_CLIENT_SECRET } }",
        ]
    }

    /// Scopes and flows; OAuth 1.0a has neither.
    private static func requests(_ choices: TemplateChoices) -> [String] {
        guard !choices.parameters.usesOAuth1 else { return [] }
        let further = choices.signsIn ? choices.furtherFlows : []
        return [
            "",
            "# offered: \(comment(choices.metadata?.strings("scopes_supported") ?? []))",
            "scopes: [\(choices.scopes.map(quoted).joined(separator: ", "))]",
        ] + choices.unlistedScopes + (choices.signsIn ? customParameters(choices) : []) + [
            "",
            "# One sign-in per flow. offered: \(comment(choices.metadata?.strings("response_types_supported") ?? []))",
            "flows: [\(choices.flows.joined(separator: ", "))]",
        ]
            + (further.isEmpty
                ? []
                : [
                    "# Further flows, if the client is registered for them:",
                    "# flows: [\((choices.flows + further).joined(separator: ", "))]",
                ])
    }

    private static func registration(_ choices: TemplateChoices) -> [String] {
        guard let providerID = choices.providerID else { return [] }
        return [
            "",
            "# The settings at the platform.",
            "registration:",
            "  provider_id: \(providerID)",
        ] + (choices.switchedOn.map { ["  response_types: [\($0)]"] } ?? [])
    }

    private static func logout(_ metadata: Metadata?) -> [String] {
        guard metadata?.has("end_session_endpoint") == true else { return [] }
        return [
            "",
            "# The redirect URI after logout, exactly as registered. Adds two sign-ins.",
            "# logout:",
            "#   post_logout_redirect_uri: https://app.example.com/signed-out",
            "#   # The local address that receives requests to the client's backchannel_logout_uri.",
            "#   back_channel_listener: 127.0.0.1:8765",
        ]
    }

    private static func signIn(_ choices: TemplateChoices) -> [String] {
        let head = [
            "",
            "# A test user of the provider. Ordinary sign-in and consent forms are detected; other forms need steps:",
            "sign_in:",
            "  username: \(choices.answers.username.map(quoted) ?? Placeholder.mark)",
            "  password: { env: \(choices.answers.passwordVariable ?? "OIDC_PASSWORD") }",
        ]
        return head + furtherSignIn
    }

    private static let furtherSignIn = [
        "  # A second user; the provider must not confuse its tokens with the first user's:",
        "  # other: { username: bob, password: { env: OIDC_OTHER_PASSWORD } }",
        "  # steps:",
        "  #   - { form_has: [login], fill: { login: \"{username}\" } }",
        "  #   - { form_has: [password], fill: { password: \"{password}\" } }",
        "  #   - { form_has: [answer], press: { answer: accept } }",
        "  # For a page that needs JavaScript, the requests that its script sends:",
        "  #   - when: { path: /login }",
        "  #     request: { url: /api/login, json: { username: \"{username}\", password: \"{password}\" } }",
        "  #     then: retry",
    ]

    private static func dynamicRegistration(_ metadata: Metadata?) -> [String] {
        guard metadata?.has("registration_endpoint") == true else { return [] }
        return [
            "",
            "# Register temporary clients at registration_endpoint, use them, and delete them again. This changes the state of",
            "# the provider, so it must be enabled here.",
            "# dynamic_registration: { enabled: true, initial_access_token: { env: OIDC_INITIAL_ACCESS_TOKEN } }",
        ]
    }

    private static let waivers = [
        "",
        "# Known findings that are accepted until a date.",
        "# waivers:",
        "#   - { check: discovery.issuer.uses-https, because: test issuer inside the cluster, until: 2027-03-31 }",
    ]

    /// The network options, if there are any.
    private static func network(_ configuration: Configuration, _ path: (String) -> String) -> [String] {
        let file = configuration.network.certificateAuthorityFile.map { ["  ca_file: \(quoted(path($0)))"] } ?? []
        let overrides = configuration.network.resolve
        let lines =
            file + routes("resolve", overrides.filter { $0.actualPort == nil })
            + routes("connect_to", overrides.filter { $0.actualPort != nil })
        return lines.isEmpty ? [] : ["", "network:"] + lines
    }

    private static func routes(_ key: String, _ overrides: [HostOverride]) -> [String] {
        let entries = overrides.map { override in
            let address =
                override.actualPort != nil && override.address.contains(":")
                ? "[\(override.address)]" : override.address
            return quoted("\(override.host):\(override.port):\(address)" + (override.actualPort.map { ":\($0)" } ?? ""))
        }
        return entries.isEmpty ? [] : ["  \(key): [\(entries.joined(separator: ", "))]"]
    }

    private static func comment(_ words: [String]) -> String {
        words.isEmpty ? "not stated" : words.joined(separator: ", ").shown(limit: 200)
    }

    /// A YAML double-quoted scalar.
    static func quoted(_ text: String) -> String {
        "\"" + text.shown(limit: 2_000).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
