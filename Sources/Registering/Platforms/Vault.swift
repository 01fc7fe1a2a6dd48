internal import Conformance

/// HashiCorp Vault: `auth/MOUNT/config` and `auth/MOUNT/role/NAME` of the JWT/OIDC method.
///
/// One file contains both, as the members `config` and `role`; each is the body of one request.
extension RegistrationPlatform {
    package static let vault = RegistrationPlatform(
        name: "vault",
        title: "Vault, configuration and role as JSON",
        profiles: Vault.profiles,
        comments: .inside,
        responseTypes: { target in
            // Code first, because only then does Vault itself sign users in.
            target.flows.filter { $0 == "code" } + target.flows.filter { $0 != "code" }
        },
        objections: { _ in [] },
        draft: { context in
            let signsIn = Vault.signsIn(context)
            let mount = signsIn ? Vault.mount(context.target) ?? "oidc" : "jwt"
            let role = TerraformText.identifier(context.name)
            return Draft(
                text: JSONText.write(
                    .members([
                        "//": .texts(context.origin),
                        "config": Vault.config(context, signsIn: signsIn),
                        "role": Vault.role(context, signsIn: signsIn),
                    ])
                ),
                commands: { file in
                    let secret = signsIn ? " | .oidc_client_secret = env.OIDC_CLIENT_SECRET" : ""
                    return [
                        "jq '.config\(secret)' \(file) | vault write auth/\(mount)/config -",
                        "jq .role \(file) | vault write auth/\(mount)/role/\(role) -",
                    ]
                },
                notes: Vault.notes(context, signsIn: signsIn)
            )
        }
    )
}

enum Vault {
    /// A redirect URI of Vault's own means that Vault signs users in.
    static func profiles(_ target: Target) -> [String] {
        let redeems = target.flows.contains("code") && target.client(for: "code")?.hasSecret == true
        return redeems && mount(target) != nil ? ["vault-sign-in", "vault"] : ["vault"]
    }

    /// Whether Vault signs users in; otherwise it verifies ID Tokens that clients send.
    ///
    /// That requires the code flow of a client with a secret, a redirect URI of Vault's own, so that the allowed one is the
    /// tested one, and a profile that checks sign-ins: the profile vault checks only tokens.
    static func signsIn(_ context: RegistrationContext) -> Bool {
        context.flow.responseType == "code" && context.client?.hasSecret == true && mount(context.target) != nil
            && context.checksSignIns
    }

    /// The mount of a redirect URI of Vault's own; `nil` for any other redirect URI.
    ///
    /// The command line listens on a local port (Vault's documentation of the OIDC login flow).
    static func mount(_ target: Target) -> String? {
        guard let uri = target.redirectURI else { return nil }
        if uri == "http://localhost:8250/oidc/callback" { return "oidc" }
        return uri.wholeMatch(of: #/https?://[^/?#\s]+/ui/vault/auth/([A-Za-z0-9_-]+)/oidc/callback/#)
            .map { String($0.1) }
    }

    /// Whether a published key can verify it; the secret of a symmetric algorithm is never in the key set that Vault reads.
    private static func isAsymmetric(_ algorithm: String) -> Bool {
        algorithm.wholeMatch(of: #/(RS|PS|ES)(256|384|512)|EdDSA/#) != nil
    }

    static func config(_ context: RegistrationContext, signsIn: Bool) -> Node {
        let issuer = context.target.issuer
        var members: [Node.Member] = [
            .init(name: "oidc_discovery_url", value: .text(issuer)), .init(name: "bound_issuer", value: .text(issuer)),
        ]
        if let algorithm = context.flow.algorithm, isAsymmetric(algorithm) {
            members.append(.init(name: "jwt_supported_algs", value: .texts([algorithm])))
        }
        if signsIn {
            members += [
                .init(name: "oidc_client_id", value: .text(context.flow.clientID)),
                .init(name: "oidc_client_secret", value: .reference(.clientSecret)),
                .init(name: "oidc_response_types", value: .texts(["code"])),
            ]
        }
        return .map(members + [.init(name: "default_role", value: .text(TerraformText.identifier(context.name)))])
    }

    static func role(_ context: RegistrationContext, signsIn: Bool) -> Node {
        let flow = context.flow
        var members: [Node.Member] = [
            .init(name: "role_type", value: .text(signsIn ? "oidc" : "jwt")),
            .init(name: "user_claim", value: .text("sub")),
            .init(name: "bound_audiences", value: .texts([flow.clientID])),
        ]
        if signsIn {
            // Vault adds openid itself.
            members += [
                .init(name: "allowed_redirect_uris", value: .texts([context.target.redirectURI].compactMap { $0 })),
                .init(name: "oidc_scopes", value: .texts(flow.scopes.filter { $0 != "openid" })),
            ]
        }
        let isSeen = { (name: String) in signsIn ? flow.contains(name, .text) : flow.idTokenContains(name, .text) }
        let claims = ["email", "name", "preferred_username"].filter(isSeen)
        if !claims.isEmpty {
            let mapping = claims.map { Node.Member(name: $0, value: .text($0)) }
            members.append(.init(name: "claim_mappings", value: .map(mapping)))
        }
        if signsIn ? flow.contains("groups", .texts) : flow.idTokenContains("groups", .texts) {
            members.append(.init(name: "groups_claim", value: .text("groups")))
        }
        return .map(members)
    }

    static func notes(_ context: RegistrationContext, signsIn: Bool) -> [String] {
        let way =
            signsIn
            ? "Vault's page and its command line use different redirect URIs; only the tested one is allowed."
            : "The role verifies ID Tokens that clients send; it does not sign users in. A role for sign-ins requires the code"
                + " flow of a client with a secret, Vault's own redirect URI, and a profile that extends vault and includes"
                + " authorization and token."
        return [way] + Note.parameters(context.target)
    }
}
