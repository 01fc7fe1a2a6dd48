import Conformance
import JSONTree

/// Social providers that answer in their own formats.
extension NamedProvider {
    /// Twitch: only `client_secret_post`, `scope` as a JSON array, and errors with `status` and `message`.
    ///
    /// See dev.twitch.tv/docs/authentication/getting-tokens-oidc.
    static let twitch = ordinary { provider in
        provider.offer.issuerPath = "/oauth2"
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.scopes = ["openid"]
        provider.offer.hasClaimsParameter = true
        provider.authentication = .clientSecretPost
        provider.scopes = ["openid"]
        provider.habits = { hooks in
            hooks.tokenResponse = { body in
                if let scope = body["scope"]?.stringValue {
                    body["scope"] = .array(scope.split(separator: " ").map { .string(String($0)) })
                }
            }
            hooks.tokenErrorResponse = { body in
                body = ["status": 400, "message": body["error_description"] ?? body["error"] ?? .null]
            }
        }
        provider.failures = ["token.scope.is-legal", "token.error.has-error-member"]
    }

    /// Slack: `ok` in every response, and errors with status 200.
    ///
    /// See docs.slack.dev/authentication/sign-in-with-slack and api.slack.com/methods/openid.connect.userInfo.
    static let slack = ordinary { provider in
        provider.offer.grantTypes = ["authorization_code"]
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.scopes = ["openid", "profile", "email"]
        provider.offer.hasFormPost = true
        provider.authentication = .clientSecretPost
        provider.habits = { hooks in
            hooks.tokenResponse = { $0["ok"] = true }
            hooks.userInfo = { $0["ok"] = true }
            hooks.answer = { endpoint, answer in
                guard endpoint == .token || endpoint == .userInfo, answer.status >= 400, answer.status != 405 else {
                    return
                }
                let error = (try? JSONDocument.parse(answer.body).root["error"]?.stringValue) ?? "not_authed"
                answer.status = 200
                answer.setHeader("WWW-Authenticate", nil)
                answer.setHeader("Content-Type", "application/json")
                answer.text = JSON.object(["ok": false, "error": .string(error)]).serialized()
            }
        }
        provider.expectedWarnings = ["userinfo.no-token.has-401"]
        provider.failures = ["token.error.status-is-400-or-401", "userinfo.no-token.has-bearer-challenge"]
    }

    /// Kakao: only `client_secret_post`, scopes of its own, and `email_verified` at UserInfo alone.
    ///
    /// See developers.kakao.com/docs/latest/en/kakaologin/rest-api, “OIDC: Retrieve user information”.
    static let kakao = ordinary { provider in
        provider.offer.isKorean(userInfo: "kapi.kakao.com", "/v1/oidc/userinfo")
        provider.offer.scopes = ["openid", "profile_nickname", "account_email"]
        provider.authentication = .clientSecretPost
        provider.scopes = provider.offer.scopes
        provider.accounts = Account.both { account in
            account.tokenClaims = [
                "profile_nickname": ["nickname": account.claims["given_name"] ?? .null],
                "account_email": ["email": account.claims["email"] ?? .null],
            ]
        }
        provider.habits = { hooks in
            hooks.userInfoScopes = { $0.map { $0 == "account_email" ? "email" : $0 } }
            hooks.discovery = { document, _ in document["scopes_supported"] = nil }
        }
        // The claims belong to scopes of its own, not to those of OpenID Connect.
        provider.expectedWarnings = [
            "discovery.scopes-supported.is-present", "discovery.endpoints.are-on-the-issuers-host",
            "idtoken.claims.were-asked-for", "userinfo.claims.were-asked-for",
        ]
    }

    /// Naver: `state` is required, and UserInfo returns its claims in another object, without `sub`.
    ///
    /// See developers.naver.com/docs/login/devguide, section 3.5, and developers.naver.com/docs/login/profile.
    static let naver = ordinary { provider in
        provider.offer.isKorean(userInfo: "openapi.naver.com", "/v1/nid/me")
        provider.offer.authenticationMethods.append(.none)
        provider.offer.scopes = ["openid", "profile"]
        provider.offer.subjectTypes = ["pairwise"]
        provider.authentication = .clientSecretPost
        provider.scopes = ["openid", "profile"]
        provider.habits = { hooks in
            hooks.require([RequestRequirement("state", "state is missing")])
            hooks.userInfo = { claims in
                claims["id"] = claims["sub"]
                claims["sub"] = nil
                claims = ["resultcode": "00", "message": "success", "response": .object(claims)]
            }
            hooks.discovery = { document, _ in
                document["grant_types_supported"] = ["authorization_code"]
                for member in ["claims_supported", "response_modes_supported"] { document[member] = nil }
            }
        }
        provider.expectedWarnings = [
            "discovery.endpoints.are-on-the-issuers-host", "discovery.claims-supported.is-present",
            "discovery.response-modes-supported.is-stated", "token.refresh.grant-is-listed",
            "authorization.state.may-be-absent", "userinfo.profile-claims.are-present",
        ]
        provider.failures = ["userinfo.sub.is-present"]
    }

    /// Discord: a document of seven members, scopes of its own, a snowflake as `sub`, unknown scopes are rejected.
    ///
    /// See discord.com/developers/docs/topics/oauth2, and discord/discord-api-docs issues 7377 and 8534.
    static let discord = ordinary { provider in
        provider.offer.responseTypes = ["code", "token"]
        provider.offer.scopes = ["openid", "identify", "email"]
        provider.offer.hasFormPost = false
        provider.offer.statedMembers = [
            "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "response_types_supported",
            "subject_types_supported", "id_token_signing_alg_values_supported",
        ]
        provider.scopes = provider.offer.scopes
        provider.accounts = Account.both { $0.subject = "803511" + $0.subject }
        provider.habits = { [scopes = provider.offer.scopes] hooks in
            hooks.require([.known(scopes, "The requested scope is invalid, unknown, or malformed.")])
        }
        provider.expectedWarnings = [
            "discovery.userinfo-endpoint.is-present", "discovery.scopes-supported.is-present",
            "discovery.claims-supported.is-present", "discovery.code-challenge-methods-supported.is-present",
            "discovery.token-endpoint-auth-methods-supported.is-stated", "discovery.grant-types-supported.is-stated",
            "discovery.response-modes-supported.is-stated", "discovery.request-uri-parameter-supported.is-stated",
            "authorization.scope.unknown-is-ignored", "token.refresh.grant-is-listed",
        ]
    }
}

extension Offer {
    /// The secret in the body, no other response mode than the query, and UserInfo on another host.
    fileprivate mutating func isKorean(userInfo host: String, _ path: String) {
        paths[.userInfo] = path
        endpointHosts[.userInfo] = host
        authenticationMethods = [.clientSecretPost]
        hasFormPost = false
    }
}
