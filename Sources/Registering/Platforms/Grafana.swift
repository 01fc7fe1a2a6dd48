internal import Conformance

/// Grafana, generic OAuth: `grafana_sso_settings` (Grafana documentation, configure generic OAuth authentication, Terraform).
extension RegistrationPlatform {
    package static let grafana = signingIn(
        "grafana",
        title: "Grafana generic OAuth, Terraform",
        product: "Grafana",
        profile: "grafana",
        comments: .lines("#"),
        endpoints: ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"],
        callback: ("/login/generic_oauth", "https://GRAFANA/login/generic_oauth"),
        text: { context in
            let settings: [(String, Node?)] = [
                ("name", .text(context.name)), ("auth_url", context.endpoint("authorization_endpoint")),
                ("token_url", context.endpoint("token_endpoint")), ("api_url", context.endpoint("userinfo_endpoint")),
                ("client_id", .text(context.flow.clientID)), ("client_secret", .reference(.clientSecret)),
                ("scopes", .text(context.flow.scopes.joined(separator: " "))),
                ("use_pkce", context.flow.sentPKCE ? .flag(true) : nil),
            ]
            return TerraformText(
                "grafana_sso_settings",
                label: context.name,
                ["provider_name": .text("generic_oauth")],
                blocks: [
                    (
                        "oauth2_settings",
                        settings.compactMap { name, value in value.map { Node.Member(name: name, value: $0) } }
                    )
                ]
            )
            .text()
        },
        commands: { _, _ in Terraform.apply },
        notes: { _ in
            ["Grafana does not read the discovery document: change the addresses when the provider moves them."]
        }
    )
}
