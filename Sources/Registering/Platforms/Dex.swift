internal import Conformance

/// Dex as a relying party: an entry of `connectors` (Dex documentation, OpenID Connect connector).
extension RegistrationPlatform {
    package static let dex = signingIn(
        "dex",
        otherNames: ["dex-connector"],
        title: "Dex connector, YAML",
        product: "Dex",
        profile: "dex-connector",
        comments: .lines("#"),
        callback: ("/callback", "https://DEX/callback"),
        objections: { ConfigurationRequirement.plain($0, "Dex", without: "$", "replaces variables in every value") },
        text: { context in
            let body = context.client?.authentication == .clientSecretPost
            let config: [Node.Member] =
                [
                    .init(name: "issuer", value: .text(context.target.issuer)),
                    .init(name: "clientID", value: .text(context.flow.clientID)),
                    // Dex itself replaces the placeholder by the environment variable.
                    .init(name: "clientSecret", value: .reference(.clientSecret)),
                    .init(name: "redirectURI", value: .text(context.target.redirectURI ?? "")),
                    // Dex adds openid itself.
                    .init(name: "scopes", value: .texts(context.flow.scopes.filter { $0 != "openid" })),
                ] + (body ? [.init(name: "basicAuthUnsupported", value: .flag(true))] : [])
            let connector: Node = .members([
                "type": .text("oidc"), "id": .text(context.identifier), "name": .text(context.name),
                "config": .map(config),
            ])
            return YAMLText.write(.members(["connectors": .list([connector])]))
        },
        commands: { _, _ in [] },
        notes: { _ in ["Add the connector to the configuration of Dex, and set OIDC_CLIENT_SECRET in its environment."]
        }
    )
}
