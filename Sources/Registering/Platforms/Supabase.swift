internal import Conformance

/// Supabase Auth: `POST /admin/custom-providers` (supabase/auth, `internal/api/custom_oauth_admin.go`).
extension RegistrationPlatform {
    package static let supabase = RegistrationPlatform(
        name: "supabase",
        title: "Supabase custom provider, the body of the REST request",
        profiles: { _ in ["supabase"] },
        comments: .beside,
        responseTypes: { _ in ["code"] },
        demands: { target, reserved in
            ConfigurationRequirement.flow(target, "code", "Supabase")
                + ConfigurationRequirement.secret(target, of: "code", "Supabase")
                + ConfigurationRequirement.reserved(
                    target,
                    Supabase.reserved + reserved.filter { $0 != "scope" },
                    "Supabase"
                )
        },
        objections: { ConfigurationRequirement.issuer($0, "Supabase") },
        draft: { context in
            Draft(
                text: JSONText.write(Supabase.provider(context)),
                commands: { file in
                    [
                        "jq '.client_secret = env.OIDC_CLIENT_SECRET' \(file) | curl --fail-with-body --data @-"
                            + " --header 'Content-Type: application/json' --header \"apikey: $SUPABASE_SERVICE_ROLE_KEY\""
                            + " --header \"Authorization: Bearer $SUPABASE_SERVICE_ROLE_KEY\""
                            + " \"$SUPABASE_URL/auth/v1/admin/custom-providers\""
                    ]
                },
                notes: Note.callback(
                    context.target,
                    "/auth/v1/callback",
                    "https://PROJECT.supabase.co/auth/v1/callback"
                )
            )
        }
    )
}

enum Supabase {
    /// The parameters that the platform rejects in `authorization_params`.
    static let reserved = [
        "client_id", "client_secret", "redirect_uri", "response_type", "state", "code_challenge",
        "code_challenge_method", "code_verifier", "nonce",
    ]

    /// The user's fields that the platform fills from claims of the same name.
    private static let mapped = [
        "email", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "picture",
        "profile", "website", "gender", "birthdate", "zoneinfo", "locale",
    ]

    static func provider(_ context: RegistrationContext) -> Node {
        let target = context.target
        let flow = context.flow
        // The platform reads the ID Token, and uses the UserInfo endpoint only without one.
        let claims = mapped.filter { flow.idTokenContains($0, .text) }
        var members: [Node.Member] = [
            .init(name: "provider_type", value: .text("oidc")),
            .init(name: "identifier", value: .text("custom:" + context.name)),
            .init(name: "name", value: .text(context.name)),
            .init(name: "issuer", value: .text(target.issuer)),
            .init(name: "client_id", value: .text(flow.clientID)),
            .init(name: "client_secret", value: .reference(.clientSecret)),
            .init(name: "scopes", value: .texts(flow.scopes)),
        ]
        // The platform's default is on. The member is written only if the run proved that the provider accepts PKCE, or if
        // the configuration says that it does not.
        if flow.sentPKCE {
            members.append(.init(name: "pkce_enabled", value: .flag(true)))
        } else if target.avoidsPKCE(flow.clientID) {
            members.append(.init(name: "pkce_enabled", value: .flag(false)))
        }
        if !claims.isEmpty {
            let mapping = claims.map { Node.Member(name: $0, value: .text($0)) }
            members.append(.init(name: "attribute_mapping", value: .map(mapping)))
        }
        if !target.customParameters.isEmpty {
            let parameters = target.customParameters.map { Node.Member(name: $0.name, value: .text($0.value)) }
            members.append(.init(name: "authorization_params", value: .map(parameters)))
        }
        // Otherwise a sign-in without an email address is rejected.
        members.append(.init(name: "email_optional", value: .flag(!claims.contains("email"))))
        return .map(members + [.init(name: "enabled", value: .flag(true))])
    }
}
