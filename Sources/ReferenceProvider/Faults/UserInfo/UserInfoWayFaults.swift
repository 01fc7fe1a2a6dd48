import Conformance
import JSONTree

/// Faults in how UserInfo is asked and how it refuses.
extension Fault {
    static let userInfoWays: [Fault] = ways + refusals

    private static let ways: [Fault] = [
        .provider("userinfo.post.is-accepted", "UserInfo takes GET alone") { $0.life.userInfoMethods = ["GET"] },
        .provider("userinfo.post.has-same-claims", "a POST to UserInfo gets no name") { seams in
            seams.life.userInfoByPOST = { $0["name"] = nil }
        },
        .provider("userinfo.post-body.is-accepted", "UserInfo reads no forms") { $0.life.takesTokenInBody = false },
        .provider("userinfo.scheme.may-be-in-lower-case", "Bearer has to be written so") {
            $0.life.takesBearerInLowerCase = false
        },
        .provider("userinfo.query-token.is-refused", "UserInfo takes a token in its address") { seams in
            seams.life.takesTokenInQuery = true
        },
    ]

    private static let refusals: [Fault] = [
        .provider("userinfo.get.is-answered", "UserInfo takes a GET with a token, and knows of no other") { seams in
            seams.life.userInfoRefusal = { hadToken, refusal in
                var refusal = refusal
                if !hadToken { refusal.status = 405 }
                return refusal
            }
        },
        .provider("userinfo.no-token.is-refused", "UserInfo answers everybody") { seams in
            seams.life.userInfoRefusal = { _, _ in nil }
        },
        .refusal("userinfo.no-token.has-401", "a missing token is forbidden", of: false) { $0.status = 403 },
        .refusal("userinfo.no-token.has-bearer-challenge", "a missing token has no challenge", of: false) {
            $0.hasChallenge = false
        },
        .refusal("userinfo.no-token.has-no-error-code", "a missing token is invalid", of: false) {
            $0.error = "invalid_token"
        },
        .provider("userinfo.bad-token.is-refused", "UserInfo does not look tokens up") { seams in
            seams.life.userInfoRefusal = { hadToken, refusal in hadToken ? nil : refusal }
        },
        .refusal("userinfo.bad-token.has-401", "a bad token is forbidden", of: true) { $0.status = 403 },
        .refusal("userinfo.bad-token.has-bearer-challenge", "a bad token has no challenge", of: true) {
            $0.hasChallenge = false
        },
        .refusal("userinfo.bad-token.has-invalid-token", "a bad token is not said to be one", of: true) {
            $0.error = nil
        },
    ]

    private static func refusal(
        _ trips: CheckID,
        _ title: String,
        of token: Bool,
        _ change: @escaping @Sendable (inout LifeSeams.BearerRefusal) -> Void
    ) -> Fault {
        .provider(trips, title) { seams in
            seams.life.userInfoRefusal = { hadToken, refusal in
                guard hadToken == token else { return refusal }
                var refusal = refusal
                change(&refusal)
                return refusal
            }
        }
    }
}
