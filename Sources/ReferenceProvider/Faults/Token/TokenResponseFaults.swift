import Conformance
import JSONTree

/// Faults of successful token responses.
extension Fault {
    static let tokenResponses: [Fault] = answers + members + scopes

    private static let answers: [Fault] = [
        .provider("token.status.is-200", "the token endpoint returns status 404 for a valid code") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.status = 404 }
        },
        .provider("token.success.status-is-200", "the token response has status 201") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.status = 201 }
        },
        .provider(
            "token.response.is-not-redirected",
            "the token endpoint redirects requests",
            also: ["token.get.has-an-error-status"]
        ) { $0.movedPath = "/token" },
        .provider("token.content-type.is-json", "the token response is text/plain") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider("token.body.is-json-object", "the token response is a JSON array") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.text = "[\($0.text)]" }
        },
        .provider("token.body.has-no-byte-order-mark", "the token response begins with a byte order mark") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.body = [0xEF, 0xBB, 0xBF] + $0.body }
        },
        .provider("token.cache-control.has-no-store", "the token response has no Cache-Control: no-store") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.setHeader("Cache-Control", "private") }
        },
        .provider("token.pragma.has-no-cache", "the token response has no Pragma") { hooks in
            hooks.onAnswer(.token, 200...200) { $0.setHeader("Pragma", nil) }
        },
    ]

    private static let members: [Fault] = [
        .provider("token.access-token.is-present", "access_token is missing") { hooks in
            hooks.tokenResponse = { $0["access_token"] = nil }
        },
        .provider(
            "token.access-token.has-legal-characters",
            "the access token contains an accented letter",
            also: ["idtoken.at-hash.is-correct", "userinfo.status.is-200"]
        ) { hooks in
            hooks.tokenResponse = { $0["access_token"] = "accès-accès-accès-accès" }
        },
        .provider("token.refresh-token.has-legal-characters", "the refresh token contains an accented letter") {
            hooks in
            hooks.tokenResponse = { $0["refresh_token"] = "accès-accès-accès-accès" }
        },
        .provider("token.access-token.is-varied", "access tokens are consecutive numbers") { hooks in
            let counter = Counter()
            hooks.life.makeAccessToken = { counter.next() }
        },
        .document("token.refresh.grant-is-listed", "refresh tokens are issued, but refresh_token is not listed") {
            $0["grant_types_supported"] = ["authorization_code", "implicit"]
        },
        .provider("token.refresh.listed-grant-is-used", "refresh_token is listed, but no refresh token is issued") {
            hooks in
            hooks.tokenResponse = { $0["refresh_token"] = nil }
        },
        .provider("token.refresh-token.is-long-enough", "refresh tokens are short numbers") { hooks in
            let counter = Counter(width: 0)
            hooks.life.makeRefreshToken = { counter.next() }
        },
        .provider("token.refresh-token.is-varied", "refresh tokens are consecutive numbers") { hooks in
            let counter = Counter()
            hooks.life.makeRefreshToken = { counter.next() }
        },
        .provider("token.token-type.is-present", "token_type is missing") { hooks in
            hooks.tokenResponse = { $0["token_type"] = nil }
        },
        .provider("token.token-type.is-bearer", "token_type is mac") { hooks in
            hooks.tokenResponse = { $0["token_type"] = "mac" }
        },
        .provider("token.refresh-token.is-a-text", "refresh_token is null") { hooks in
            hooks.tokenResponse = { $0["refresh_token"] = .null }
        },
        .provider("token.response.has-no-error-beside-tokens", "the token response contains error with the value null")
        { hooks in
            hooks.tokenResponse = { $0["error"] = .null }
        },
        .provider("token.expires-in.is-present", "expires_in is missing") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = nil }
        },
        .provider("token.expires-in.is-a-number", "expires_in is a string") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = "3600" }
        },
        .provider("token.expires-in.has-no-fraction", "expires_in has a decimal point") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = .real(43_200) }
        },
        .provider("token.expires-in.is-readable", "expires_in has a unit") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = "1h" }
        },
        .provider("token.expires-in.is-readable", variant: "huge", "expires_in needs more than 64 bits") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = .bigInteger("9223372036854775808") }
        },
        .provider("token.expires-in.is-plausible", "expires_in is more than a century") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = 3_600_000_000 }
        },
        .provider("token.expires-in.is-not-negative", "expires_in is negative") { hooks in
            hooks.tokenResponse = { $0["expires_in"] = -1 }
        },
        .provider("token.access-token.fits-the-bearer-header", "the access token contains a space") { hooks in
            hooks.life.makeAccessToken = { "access " + Store.random() }
        },
        .provider("token.id-token.is-present", "id_token is missing") { hooks in
            hooks.tokenResponse = { $0["id_token"] = nil }
        },
    ]

    private static let scopes: [Fault] = [
        .provider("token.scope.is-legal", "scope is a JSON array") { hooks in
            hooks.tokenResponse = { $0["scope"] = ["openid", "profile", "email"] }
        },
        .provider("token.scope.holds-openid", "openid is not in the granted scope") { hooks in
            hooks.tokenResponse = { $0["scope"] = "profile email" }
        },
        .provider("token.scope.holds-what-was-asked", "email is not granted") { hooks in
            hooks.tokenResponse = { $0["scope"] = "openid profile" }
        },
    ]
}
