internal import Conformance

/// Synapse: an entry of `oidc_providers` in `homeserver.yaml` (Synapse documentation, OpenID Connect; synapse/config/oidc.py).
extension RegistrationPlatform {
    package static let synapse = signingIn(
        "synapse",
        title: "Synapse oidc_providers, YAML",
        product: "Synapse",
        profile: "synapse",
        comments: .lines("#"),
        callback: ("/_synapse/client/oidc/callback", "https://SYNAPSE/_synapse/client/oidc/callback"),
        text: { context in YAMLText.write(.members(["oidc_providers": .list([Synapse.provider(context)])])) },
        commands: { context, _ in
            ["printf %s \"$OIDC_CLIENT_SECRET\" | install -m 600 /dev/stdin \(Synapse.secretFile(context))"]
        },
        notes: { context in
            ["Add the entry to homeserver.yaml, and let the user of Synapse read \(Synapse.secretFile(context))."]
        }
    )
}

enum Synapse {
    /// The file with the client secret, which Synapse reads when it starts.
    static func secretFile(_ context: RegistrationContext) -> String {
        "/etc/matrix-synapse/\(context.identifier)_client_secret"
    }

    static func provider(_ context: RegistrationContext) -> Node {
        let flow = context.flow
        let templates = [
            ("localpart_template", "preferred_username"), ("display_name_template", "name"),
            ("email_template", "email"),
        ]
        // With user_profile_method auto, the ID Token is the source unless it has no openid scope.
        let mapping = templates.filter { flow.idTokenContains($0.1, .text) }
            .map { Node.Member(name: $0.0, value: .text("{{ user.\($0.1) }}")) }
        var members: [Node.Member] = [
            .init(name: "idp_id", value: .text(context.identifier)),
            .init(name: "idp_name", value: .text(context.name)),
            .init(name: "discover", value: .flag(true)),
            .init(name: "issuer", value: .text(context.target.issuer)),
            .init(name: "client_id", value: .text(flow.clientID)),
            .init(name: "client_secret_path", value: .text(secretFile(context))),
        ]
        if context.client?.authentication == .clientSecretPost {
            members.append(.init(name: "client_auth_method", value: .text("client_secret_post")))
        }
        members.append(.init(name: "scopes", value: .texts(flow.scopes)))
        if !mapping.isEmpty {
            members.append(.init(name: "user_mapping_provider", value: .members(["config": .map(mapping)])))
        }
        return .map(members)
    }
}
