import Conformance
import JSONTree

/// Faults in how UserInfo accepts tokens and rejects requests.
extension Fault {
    static let userInfoWays: [Fault] = ways + refusals

    private static let ways: [Fault] = [
        .provider("userinfo.post.is-accepted", "UserInfo accepts only GET") { $0.life.userInfoMethods = ["GET"] },
        .provider("userinfo.post-without-body.is-accepted", "UserInfo rejects a POST without a form") {
            $0.life.userInfoNeedsForm = true
        },
        .provider("userinfo.post.has-same-claims", "UserInfo returns no name for POST") { hooks in
            hooks.life.userInfoByPOST = { $0["name"] = nil }
        },
        .provider("userinfo.post-body.is-accepted", "UserInfo rejects an access token in the form body") {
            $0.life.takesTokenInBody = false
        },
        .provider("userinfo.scheme.may-be-in-lower-case", "UserInfo rejects the scheme bearer in lower case") {
            $0.life.takesBearerInLowerCase = false
        },
        .provider("userinfo.query-token.is-refused", "UserInfo accepts an access token in the query") { hooks in
            hooks.life.takesTokenInQuery = true
        },
        .provider("userinfo.id-token.is-refused", "UserInfo accepts an ID Token") { $0.life.takesIDTokens = true },
        .provider("userinfo.altered-token.is-refused", "UserInfo ignores the first character of access tokens") {
            hooks in
            hooks.life.comparedPart = { $0.dropFirst() }
        },
    ]

    private static let refusals: [Fault] = [
        .provider("userinfo.get.is-answered", "UserInfo returns status 405 for GET without a token") { hooks in
            hooks.life.userInfoRefusal = { hadToken, refusal in
                var refusal = refusal
                if !hadToken { refusal.status = 405 }
                return refusal
            }
        },
        .provider("userinfo.no-token.is-refused", "UserInfo accepts requests without a valid token") { hooks in
            hooks.life.userInfoRefusal = { _, _ in nil }
        },
        .refusal("userinfo.no-token.has-401", "UserInfo returns status 403 for a missing token", of: false) {
            $0.status = 403
        },
        .refusal(
            "userinfo.no-token.has-bearer-challenge",
            "UserInfo returns no challenge for a missing token",
            of: false
        ) {
            $0.hasChallenge = false
        },
        .refusal("userinfo.no-token.has-no-error-code", "UserInfo returns invalid_token for a missing token", of: false)
        {
            $0.error = "invalid_token"
        },
        .provider("userinfo.bad-token.is-refused", "UserInfo accepts a bogus token") { hooks in
            hooks.life.userInfoRefusal = { hadToken, refusal in hadToken ? nil : refusal }
        },
        .provider("userinfo.post.bad-token-is-refused", "UserInfo accepts a bogus token in a POST request") {
            $0.life.takesAnyTokenByPOST = true
        },
        .refusal("userinfo.bad-token.has-401", "UserInfo returns status 403 for a bogus token", of: true) {
            $0.status = 403
        },
        .refusal("userinfo.bad-token.has-bearer-challenge", "UserInfo returns no challenge for a bogus token", of: true)
        {
            $0.hasChallenge = false
        },
        .refusal("userinfo.bad-token.has-invalid-token", "UserInfo returns no error code for a bogus token", of: true) {
            $0.error = nil
        },
    ]

    private static func refusal(
        _ trips: CheckID,
        _ title: String,
        of token: Bool,
        _ change: @escaping @Sendable (inout TokenLifecycleHooks.BearerRefusal) -> Void
    ) -> Fault {
        .provider(trips, title) { hooks in
            hooks.life.userInfoRefusal = { hadToken, refusal in
                guard hadToken == token else { return refusal }
                var refusal = refusal
                change(&refusal)
                return refusal
            }
        }
    }
}
