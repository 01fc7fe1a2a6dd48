import Conformance

/// Faults of the revocation endpoint and its effects.
extension Fault {
    static let revocationRequests: [Fault] = [
        .provider("revocation.access-token.is-taken", "access tokens cannot be revoked") { hooks in
            hooks.life.revocationError = { request, error in
                request["token_type_hint"] == "access_token" ? error ?? "unsupported_token_type" : error
            }
        },
        .provider("revocation.refresh-token.is-taken", "every revocation request is rejected") { hooks in
            hooks.life.revocationError = { $1 ?? "unsupported_token_type" }
        },
        .provider("revocation.unknown-token.has-200", "revocation of an unknown token returns an error") { hooks in
            hooks.life.revocationError = { request, error in
                request["token_type_hint"] == nil ? error ?? "invalid_request" : error
            }
        },
        .provider("revocation.no-credentials.is-refused", "revocation without client authentication is accepted") {
            hooks in
            hooks.life.revocationError = { request, error in
                request.method == ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider("revocation.wrong-secret.is-refused", "revocation with a wrong secret is accepted") { hooks in
            hooks.life.revocationError = { request, error in
                request.method != ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
    ]

    static let revocationEffects: [Fault] = [
        .provider("revocation.other-client.revokes-nothing", "a client can revoke the tokens of others") { hooks in
            hooks.life.revokesForAnyClient = true
        },
        .provider("revocation.access-token.opens-nothing-afterwards", "revoked access tokens still work") {
            hooks in
            hooks.life.revokesAccessTokens = false
        },
        .provider("revocation.refresh-token.opens-nothing-afterwards", "revoked refresh tokens still work") {
            hooks in
            hooks.life.revokesRefreshTokens = false
        },
        .provider(
            "revocation.refresh-token.ends-access-tokens",
            "access tokens still work after their refresh token is revoked"
        ) {
            hooks in
            hooks.life.revokesFamilies = false
        },
    ]
}
