internal import Conformance

/// HashiCorp Vault: `auth/MOUNT/config` and `auth/MOUNT/role/NAME` of the JWT/OIDC method.
///
/// One file holds both, as the members `config` and `role`; each is what one request takes.
extension PlatformForm {
    static let vault = PlatformForm(
        comments: .inside,
        responseTypes: { target in
            // The code first: only then does Vault itself sign people in.
            target.flows.filter { $0 == "code" } + target.flows.filter { $0 != "code" }
        },
        objections: { _ in [] },
        draft: { context in
            let signsIn = Vault.signsIn(context)
            let mount = signsIn ? "oidc" : "jwt"
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
    /// Whether Vault signs people in, which takes a client with a secret and the code flow; otherwise it verifies ID Tokens
    /// that it is given.
    static func signsIn(_ context: RegistrationContext) -> Bool {
        context.flow.responseType == "code" && context.client?.hasSecret == true && context.target.redirectURI != nil
    }

    static func config(_ context: RegistrationContext, signsIn: Bool) -> Node {
        let issuer = context.target.issuer
        var members: [Node.Member] = [
            .init(name: "oidc_discovery_url", value: .text(issuer)), .init(name: "bound_issuer", value: .text(issuer)),
        ]
        if let algorithm = context.flow.algorithm {
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
            // Vault asks for openid by itself.
            members += [
                .init(name: "allowed_redirect_uris", value: .texts([context.target.redirectURI].compactMap { $0 })),
                .init(name: "oidc_scopes", value: .texts(flow.scopes.filter { $0 != "openid" })),
            ]
        }
        let isSeen = { (name: String) in signsIn ? flow.holds(name, .text) : flow.idTokenHolds(name, .text) }
        let claims = ["email", "name", "preferred_username"].filter(isSeen)
        if !claims.isEmpty {
            let mapping = claims.map { Node.Member(name: $0, value: .text($0)) }
            members.append(.init(name: "claim_mappings", value: .map(mapping)))
        }
        if signsIn ? flow.holds("groups", .texts) : flow.idTokenHolds("groups", .texts) {
            members.append(.init(name: "groups_claim", value: .text("groups")))
        }
        return .map(members)
    }

    static func notes(_ context: RegistrationContext, signsIn: Bool) -> [String] {
        let callback = Note.callback(
            context.target,
            "/oidc/callback",
            "https://VAULT/ui/vault/auth/oidc/oidc/callback and http://localhost:8250/oidc/callback"
        )
        let way =
            signsIn
            ? [] : ["Without a secret and the code flow Vault signs nobody in; it verifies ID Tokens that it is given."]
        return way + (signsIn ? callback : []) + Note.parameters(context.target)
    }
}
