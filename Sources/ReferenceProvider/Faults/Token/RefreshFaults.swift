import Conformance
import JSONTree

/// Faults in the life cycle of refresh tokens.
extension Fault {
    static let refreshTokens: [Fault] = refreshAnswers + refreshedIDTokens + refusedRefreshTokens

    private static let refreshAnswers: [Fault] = [
        .provider("token.refresh.succeeds", "refresh tokens are issued but always rejected") { hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" ? error ?? "invalid_grant" : error
            }
        },
        .provider("token.refresh.succeeds-again", "the refresh token of a refresh response does not work") { hooks in
            hooks.life.remembersRotated = false
        },
        .provider("token.refresh.content-type-is-json", "the refresh response is text/plain") { hooks in
            hooks.life.refreshAnswer = { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider("token.refresh.has-no-store", "the refresh response has no Cache-Control: no-store") { hooks in
            hooks.life.refreshAnswer = { $0.setHeader("Cache-Control", nil) }
        },
        .provider("token.refresh.token-type-is-bearer", "the refresh response has no token_type") { hooks in
            hooks.life.refreshed = { $0["token_type"] = nil }
        },
        .provider("token.refresh.members-are-valid", "expires_in in the refresh response is negative") { hooks in
            hooks.life.refreshed = { $0["expires_in"] = -1 }
        },
        .provider(
            "token.refresh.members-are-valid",
            variant: "refresh-token",
            "refresh_token in the refresh response is empty"
        ) { hooks in
            hooks.life.refreshed = { if $0.has("refresh_token") { $0["refresh_token"] = "" } }
        },
        .provider("token.refresh.members-are-valid", variant: "scope", "scope in the refresh response is a list") {
            hooks in
            hooks.life.refreshed = { $0["scope"] = ["openid"] }
        },
        .provider("token.refresh.members-are-valid", variant: "status", "the refresh response has status 201") {
            hooks in
            hooks.life.refreshAnswer = { if $0.status == 200 { $0.status = 201 } }
        },
        .provider("token.refresh.access-token-is-new", "a refresh returns the same access token") { hooks in
            hooks.life.repeatsAccessToken = true
        },
        .provider("token.refresh.access-token-is-usable", "a refreshed access token does not work") { hooks in
            hooks.life.remembersRefreshed = false
        },
        .provider("token.refresh.userinfo-has-the-same-sub", "a refreshed access token belongs to another user") {
            hooks in
            hooks.life.refreshedAccount = .bob
        },
    ]

    private static let refreshedIDTokens: [Fault] = [
        .provider("token.refresh.id-token.is-a-text", "id_token in the refresh response is null") { hooks in
            hooks.life.refreshed = { $0["id_token"] = .null }
        },
        .refreshedClaim("issuer-is-same", "iss", "https://another.example.com"),
        .refreshedClaim("subject-is-same", "sub", "somebody-else"),
        .refreshedClaim("audience-is-same", "aud", "another-client"),
        .refreshedClaim("authorized-party-is-same", "azp", "another-client"),
        .refreshedClaim("nonce-is-same", "nonce", "another-nonce"),
        .refreshedClaim("at-hash-is-correct", "at_hash", "MTIzNDU2Nzg5MDEyMzQ1Ng"),
        .provider("token.refresh.id-token.issued-at-is-its-own", "iat of a refreshed ID Token is an hour early") {
            hooks in
            hooks.life.refreshedClaims = { $0["iat"] = .integer(($0["iat"]?.integerValue ?? 0) - 3_600) }
        },
        .provider("token.refresh.id-token.auth-time-is-same", "auth_time changes with the refresh") { hooks in
            hooks.life.refreshedClaims = { $0["auth_time"] = .integer(($0["auth_time"]?.integerValue ?? 0) + 3_600) }
        },
        .provider(
            "token.refresh.id-token.groups-are-kept",
            "groups is only in the ID Token of the sign-in"
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in claims["groups"] = ["staff"] }
            hooks.life.refreshedClaims = { $0["groups"] = nil }
        },
        .provider("token.refresh.id-token.is-valid", "a refreshed ID Token has expired") { hooks in
            hooks.life.refreshedClaims = { $0["exp"] = .integer(($0["iat"]?.integerValue ?? 0) - 3_600) }
        },
        .provider(
            "token.refresh.id-token.is-valid",
            variant: "no-exp",
            "a refreshed ID Token has no exp"
        ) { hooks in
            hooks.life.refreshedClaims = { $0["exp"] = nil }
        },
        .provider(
            "token.refresh.id-token.is-valid",
            variant: "signature",
            "a refreshed ID Token has an invalid signature"
        ) { hooks in
            hooks.life.refreshedIDToken = \.withSpoiltSignature
        },
        .provider(
            "token.refresh.id-token.is-valid",
            variant: "algorithm",
            "a refreshed ID Token is signed with the client secret"
        ) { hooks in
            hooks.life.refreshedSigning = .clientSecret
        },
        .provider("token.refresh.id-token.has-no-nonce", "a refreshed ID Token contains nonce") { hooks in
            hooks.life.repeatsNonce = true
        },
    ]

    private static let refusedRefreshTokens: [Fault] = [
        .provider("token.refresh.made-up-is-refused", "a bogus refresh token is accepted") { hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.rejection == .unknownGrant
                    ? nil : error
            }
        },
        .provider("token.refresh.made-up-has-invalid-grant", "an unknown refresh token returns invalid_request") {
            hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.code == "invalid_grant" ? "invalid_request" : error
            }
        },
        .provider("token.refresh.wider-scope-is-refused", "a refresh grants scopes that were not granted before") {
            hooks in
            hooks.life.widensScope = true
        },
        .provider("token.refresh.other-client-is-refused", "a refresh token of another client is accepted") { hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && error?.rejection == .otherClient ? nil : error
            }
        },
        .provider(
            "token.refresh.needs-client-authentication",
            "a refresh token is accepted with a wrong secret"
        ) { hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && request.method == .clientSecretBasic
                    && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider(
            "token.refresh.needs-client-authentication",
            variant: "without",
            "a refresh token is accepted without client authentication"
        ) { hooks in
            hooks.tokenError = { request, error in
                request["grant_type"] == "refresh_token" && request.method == ClientAuthentication.none
                    && error?.code == "invalid_client" ? nil : error
            }
        },
        Fault(
            "token.refresh.rotates-for-public-clients",
            "the refresh token of a public client is not rotated",
            persona: .publicClient,
            change: { $0.life.rotates = false }
        ),
        Fault(
            "token.refresh.replaced-is-refused",
            "replaced refresh tokens are still accepted",
            persona: .publicClient,
            change: { hooks in
                hooks.tokenError = { _, error in error?.rejection == .tokenWasReplaced ? nil : error }
            }
        ),
    ]

    private static func refreshedClaim(_ check: String, _ claim: String, _ value: JSON) -> Fault {
        .provider(CheckID("token.refresh.id-token." + check), "\(claim) changes with the refresh") { hooks in
            hooks.life.refreshedClaims = { $0[claim] = value }
        }
    }
}
