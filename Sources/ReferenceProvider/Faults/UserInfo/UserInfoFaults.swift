import Conformance
import JOSE
import JSONTree

/// The faults that mirror `Catalogue/UserInfo`.
extension Fault {
    static let userInfo: [Fault] =
        userInfoAnswers + userInfoClaims + userInfoScopes + userInfoWays + specialUserInfo

    private static let userInfoAnswers: [Fault] = [
        .provider("userinfo.status.is-200", "UserInfo returns status 403") { hooks in
            hooks.onAnswer(.userInfo, 200...200) { $0.status = 403 }
        },
        .provider("userinfo.response.is-not-redirected", "UserInfo redirects requests") { $0.movedPath = "/userinfo" },
        .provider("userinfo.content-type.is-right", "UserInfo is served as text/html") { hooks in
            hooks.onAnswer(.userInfo, 200...200) { $0.setHeader("Content-Type", "text/html") }
        },
        .provider("userinfo.body.is-plain-json", "UserInfo is signed although plain JSON is expected") {
            $0.userInfoAlgorithm = .rs256
        },
        .provider("userinfo.body.is-utf-8", "UserInfo is encoded in Latin-1") { hooks in
            hooks.onAnswer(.userInfo, 200...200) {
                $0.body = Array("{\"sub\":\"248289761001\",\"name\":\"Zo".utf8) + [0xEB, 0x22, 0x7D]
            }
        },
        .provider("userinfo.body.has-no-byte-order-mark", "UserInfo begins with a byte order mark") { hooks in
            hooks.onAnswer(.userInfo, 200...200) { $0.body = [0xEF, 0xBB, 0xBF] + $0.body }
        },
        .provider("userinfo.body.is-json-object", "UserInfo is a JSON array") { hooks in
            hooks.onAnswer(.userInfo, 200...200) { $0.text = "[\($0.text)]" }
        },
        .provider("userinfo.members.are-unique", "UserInfo has sub twice") { hooks in
            hooks.onAnswer(.userInfo, 200...200) { $0.text = "{\"sub\":\"somebody\"," + $0.text.dropFirst() }
        },
    ]

    private static let userInfoClaims: [Fault] = [
        .provider("userinfo.sub.is-present", "UserInfo has no sub") { $0.setUserInfo("sub", nil) },
        .provider("userinfo.sub.matches-id-token", "UserInfo has another sub") {
            $0.setUserInfo("sub", "somebody-else")
        },
        .provider("userinfo.sub.is-of-the-second-user", "UserInfo returns the first user's sub for every user") {
            hooks in
            hooks.userInfo = { if $0["sub"] == "248289761002" { $0["sub"] = "248289761001" } }
        },
        .provider("userinfo.sub.is-the-same-by-one-scope", "sub at UserInfo depends on the scope email") { hooks in
            hooks.userInfo = { if !$0.has("email") { $0["sub"] = "somebody-else" } }
        },
        .provider("userinfo.claims.have-right-types", "name at UserInfo is a number") {
            $0.changeUserInfo("name", 7)
        },
        .provider("userinfo.email-verified.is-a-boolean", "email_verified at UserInfo is a string") {
            $0.changeUserInfo("email_verified", "true")
        },
        .provider("userinfo.updated-at.is-a-number", "updated_at at UserInfo is a date") {
            $0.changeUserInfo("updated_at", "2026-01-31")
        },
        .provider("userinfo.email.is-an-address", "email at UserInfo is a user name") {
            $0.changeUserInfo("email", "alice")
        },
        .provider("userinfo.claims.have-values", "locale at UserInfo is empty") {
            $0.changeUserInfo("locale", "")
        },
        .provider("userinfo.email.is-present", "UserInfo has no email although the scope email is granted") {
            $0.setUserInfo("email", nil)
        },
        .provider(
            "userinfo.profile-claims.are-present",
            "UserInfo has no profile claims although the scope profile is granted"
        ) { hooks in
            hooks.userInfo = { claims in
                claims = JSONObject(claims.members.filter { ["sub", "email", "email_verified"].contains($0.name) })
            }
        },
        .provider("userinfo.nonce.is-absent", "UserInfo has a nonce") { $0.setUserInfo("nonce", "n-0S6_WzA2Mj") },
    ]
}
