import Conformance

/// Faults of the revocation endpoint and of what it does.
extension Fault {
    static let revocationRequests: [Fault] = [
        .provider("revocation.access-token.is-taken", "access tokens cannot be revoked") { seams in
            seams.life.revocationError = { request, error in
                request["token_type_hint"] == "access_token" ? error ?? "unsupported_token_type" : error
            }
        },
        .provider("revocation.refresh-token.is-taken", "nothing can be revoked") { seams in
            seams.life.revocationError = { $1 ?? "unsupported_token_type" }
        },
        .provider("revocation.unknown-token.has-200", "an unknown token is an error") { seams in
            seams.life.revocationError = { request, error in
                request["token_type_hint"] == nil ? error ?? "invalid_request" : error
            }
        },
        .provider("revocation.no-credentials.is-refused", "the client need not authenticate to revoke") { seams in
            seams.life.revocationError = { request, error in
                request.method == ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider("revocation.wrong-secret.is-refused", "any secret will do to revoke") { seams in
            seams.life.revocationError = { request, error in
                request.method != ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
    ]

    static let revocationEffects: [Fault] = [
        .provider("revocation.access-token.opens-nothing-afterwards", "access tokens outlive their revocation") {
            seams in
            seams.life.revokesAccessTokens = false
        },
        .provider("revocation.refresh-token.opens-nothing-afterwards", "refresh tokens outlive their revocation") {
            seams in
            seams.life.revokesRefreshTokens = false
        },
        .provider("revocation.refresh-token.ends-access-tokens", "access tokens outlive their refresh token") {
            seams in
            seams.life.revokesFamilies = false
        },
    ]
}
