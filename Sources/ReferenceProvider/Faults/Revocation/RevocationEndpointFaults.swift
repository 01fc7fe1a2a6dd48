import Conformance

/// Faults of the revocation endpoint and its effects.
extension Fault {
    static let revocationRequests: [Fault] = [
        .provider("revocation.access-token.is-taken", "access tokens cannot be revoked") { seams in
            seams.life.revocationError = { request, error in
                request["token_type_hint"] == "access_token" ? error ?? "unsupported_token_type" : error
            }
        },
        .provider("revocation.refresh-token.is-taken", "every revocation request is rejected") { seams in
            seams.life.revocationError = { $1 ?? "unsupported_token_type" }
        },
        .provider("revocation.unknown-token.has-200", "revocation of an unknown token returns an error") { seams in
            seams.life.revocationError = { request, error in
                request["token_type_hint"] == nil ? error ?? "invalid_request" : error
            }
        },
        .provider("revocation.no-credentials.is-refused", "revocation without client authentication is accepted") {
            seams in
            seams.life.revocationError = { request, error in
                request.method == ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider("revocation.wrong-secret.is-refused", "revocation with a wrong secret is accepted") { seams in
            seams.life.revocationError = { request, error in
                request.method != ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
    ]

    static let revocationEffects: [Fault] = [
        .provider("revocation.access-token.opens-nothing-afterwards", "revoked access tokens still work") {
            seams in
            seams.life.revokesAccessTokens = false
        },
        .provider("revocation.refresh-token.opens-nothing-afterwards", "revoked refresh tokens still work") {
            seams in
            seams.life.revokesRefreshTokens = false
        },
        .provider(
            "revocation.refresh-token.ends-access-tokens",
            "access tokens still work after their refresh token is revoked"
        ) {
            seams in
            seams.life.revokesFamilies = false
        },
    ]
}
