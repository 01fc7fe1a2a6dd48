internal import Conformance

/// Keycloak as a broker: `IdentityProviderRepresentation` of the provider `oidc` (Keycloak, OIDCIdentityProviderConfig and
/// OAuth2IdentityProviderConfig), created by `kcadm.sh`.
extension RegistrationPlatform {
    package static let keycloak = signingIn(
        "keycloak",
        otherNames: ["keycloak-broker"],
        title: "Keycloak identity provider, the body of the REST request",
        product: "Keycloak",
        profile: "keycloak-broker",
        comments: .beside,
        endpoints: ["authorization_endpoint", "token_endpoint", "jwks_uri"],
        callback: ("/endpoint", "https://KEYCLOAK/realms/REALM/broker/ALIAS/endpoint"),
        text: { JSONText.write(Keycloak.provider($0)) },
        commands: { _, file in
            [
                "jq '.config.clientSecret = env.OIDC_CLIENT_SECRET' \(file)"
                    + " | kcadm.sh create identity-provider/instances -r \"$REALM\" -f -"
            ]
        },
        notes: { _ in
            ["Keycloak stores the addresses: import the discovery document again when the provider moves them."]
        }
    )
}

enum Keycloak {
    static func provider(_ context: RegistrationContext) -> Node {
        let flow = context.flow
        let text = { (text: String) in Node.text(text) }
        let config: [(String, Node?)] = [
            ("issuer", text(context.target.issuer)),
            ("authorizationUrl", context.endpoint("authorization_endpoint")),
            ("tokenUrl", context.endpoint("token_endpoint")), ("userInfoUrl", context.endpoint("userinfo_endpoint")),
            // Without both, Keycloak verifies no signature.
            ("validateSignature", text("true")), ("useJwksUrl", text("true")),
            ("jwksUrl", context.endpoint("jwks_uri")),
            ("clientId", text(flow.clientID)), ("clientSecret", .reference(.clientSecret)),
            ("clientAuthMethod", (context.client?.authentication.rawValue).map(text)),
            ("defaultScope", text(flow.scopes.joined(separator: " "))),
            ("pkceEnabled", flow.sentPKCE ? text("true") : nil), ("pkceMethod", flow.sentPKCE ? text("S256") : nil),
        ]
        return .members([
            "alias": .text(alias(context)),
            "displayName": .text(context.name),
            "providerId": .text("oidc"),
            "enabled": .flag(true),
            "trustEmail": .flag(false),
            "config": .map(config.compactMap { name, value in value.map { Node.Member(name: name, value: $0) } }),
        ])
    }

    /// The alias is part of the redirect URI, so that of the tested one comes first.
    private static func alias(_ context: RegistrationContext) -> String {
        let tested = context.target.redirectURI?
            .wholeMatch(of: #/https?://[^?#]+/realms/[^/?#]+/broker/([^/?#%]+)/endpoint/#)
        return tested.map { String($0.1) } ?? context.identifier
    }
}
