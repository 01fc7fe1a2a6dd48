import Conformance
import JSONTree

/// Faults in the life of refresh tokens.
extension Fault {
    static let refreshTokens: [Fault] = refreshAnswers + refreshedIDTokens + refusedRefreshTokens

    private static let refreshAnswers: [Fault] = [
        .provider("token.refresh.succeeds", "refresh tokens are issued and never taken") { seams in
            seams.tokenError = { request, error in
                request["grant_type"] == "refresh_token" ? error ?? "invalid_grant" : error
            }
        },
        .provider("token.refresh.content-type-is-json", "refreshed tokens come as text/plain") { seams in
            seams.life.refreshAnswer = { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider("token.refresh.has-no-store", "refreshed tokens may be stored") { seams in
            seams.life.refreshAnswer = { $0.setHeader("Cache-Control", nil) }
        },
        .provider("token.refresh.token-type-is-bearer", "a refreshed token has no type") { seams in
            seams.life.refreshed = { $0["token_type"] = nil }
        },
        .provider("token.refresh.access-token-is-new", "refreshing brings the access token again") { seams in
            seams.life.repeatsAccessToken = true
        },
        .provider("token.refresh.access-token-is-usable", "a refreshed access token opens nothing") { seams in
            seams.life.remembersRefreshed = false
        },
    ]

    private static let refreshedIDTokens: [Fault] = [
        .refreshedClaim("issuer-is-same", "iss", "https://another.example.com"),
        .refreshedClaim("subject-is-same", "sub", "somebody-else"),
        .refreshedClaim("audience-is-same", "aud", "another-client"),
        .refreshedClaim("authorized-party-is-same", "azp", "another-client"),
        .refreshedClaim("nonce-is-same", "nonce", "another-nonce"),
        .refreshedClaim("at-hash-is-correct", "at_hash", "MTIzNDU2Nzg5MDEyMzQ1Ng"),
        .provider("token.refresh.id-token.issued-at-is-its-own", "iat is an hour before the sign-in") { seams in
            seams.life.refreshedClaims = { $0["iat"] = .integer(($0["iat"]?.integerValue ?? 0) - 3_600) }
        },
        .provider("token.refresh.id-token.auth-time-is-same", "auth_time moves with the refresh") { seams in
            seams.life.refreshedClaims = { $0["auth_time"] = .integer(($0["auth_time"]?.integerValue ?? 0) + 3_600) }
        },
        .provider("token.refresh.id-token.is-valid", "the ID Token of a refresh has expired") { seams in
            seams.life.refreshedClaims = { $0["exp"] = .integer(($0["iat"]?.integerValue ?? 0) - 3_600) }
        },
        .provider(
            "token.refresh.id-token.is-valid",
            variant: "no-exp",
            "the ID Token of a refresh never ends"
        ) { seams in
            seams.life.refreshedClaims = { $0["exp"] = nil }
        },
        .provider(
            "token.refresh.id-token.is-valid",
            variant: "signature",
            "the signature of the ID Token of a refresh is spoilt"
        ) { seams in
            seams.life.refreshedIDToken = \.withSpoiltSignature
        },
        .provider("token.refresh.id-token.has-no-nonce", "the nonce comes with every refresh") { seams in
            seams.life.repeatsNonce = true
        },
    ]

    private static let refusedRefreshTokens: [Fault] = [
        .provider("token.refresh.made-up-is-refused", "any refresh token is taken") { seams in
            seams.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.text == "it was never issued, or was revoked"
                    ? nil : error
            }
        },
        .provider("token.refresh.made-up-has-invalid-grant", "an unknown refresh token is invalid_request") { seams in
            seams.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.code == "invalid_grant" ? "invalid_request" : error
            }
        },
        .provider("token.refresh.wider-scope-is-refused", "a refresh token gives whatever scope is asked for") {
            seams in
            seams.life.widensScope = true
        },
        .provider("token.refresh.other-client-is-refused", "a refresh token is good for every client") { seams in
            seams.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.text == "it belongs to another client" ? nil : error
            }
        },
        Fault(
            "token.refresh.rotates-for-public-clients",
            "a public client keeps its refresh token for ever",
            persona: .publicClient,
            change: { $0.life.rotates = false }
        ),
        Fault(
            "token.refresh.replaced-is-refused",
            "replaced refresh tokens are still taken",
            persona: .publicClient,
            change: { seams in
                seams.tokenError = { _, error in error?.text == "it was replaced by another" ? nil : error }
            }
        ),
    ]

    private static func refreshedClaim(_ check: String, _ claim: String, _ value: JSON) -> Fault {
        .provider(CheckID("token.refresh.id-token." + check), "\(claim) changes with the refresh") { seams in
            seams.life.refreshedClaims = { $0[claim] = value }
        }
    }
}
