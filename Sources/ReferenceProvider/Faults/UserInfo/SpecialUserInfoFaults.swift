import Conformance
import JOSE
import JSONTree

/// Faults of UserInfo for clients that registered for a signed or encrypted response.
extension Fault {
    static let specialUserInfo: [Fault] = userInfoTokens + signedUserInfo + encryptedUserInfo

    /// For clients that were registered manually.
    private static let userInfoTokens: [Fault] = [
        Fault(
            "userinfo.jwt.is-as-registered",
            "UserInfo is plain JSON although signing was registered",
            configure: { $0.registerSignedUserInfo() }
        ),
        .signedByHand(
            "userinfo.jwt.is-as-registered",
            variant: "other-algorithm",
            "UserInfo is signed with PS256 instead of the registered RS256"
        ) {
            $0.userInfoAlgorithm = .ps256
        },
        .signedByHand("userinfo.jwt.signature-verifies", "UserInfo is signed with a key that is not published") {
            $0.registration.signsUserInfoWithOtherKey = true
        },
        .signedByHand(
            "userinfo.jwt.signature-verifies",
            variant: "other-key",
            "kid of UserInfo names another published key"
        ) { hooks in
            hooks.keySet = { $0.append(.object(KeySample.rsa), to: "keys") }
            hooks.registration.userInfoHeader = { $0["kid"] = KeySample.rsa["kid"] }
        },
        .signedByHand("userinfo.jwt.names-issuer-and-client", "signed UserInfo has no iss") {
            $0.registration.signedUserInfo = { $0["iss"] = nil }
        },
        .signedByHand("userinfo.sub.matches-id-token", variant: "signed", "signed UserInfo has another sub") {
            $0.registration.signedUserInfo = { $0["sub"] = "somebody-else" }
        },
        .signedByHand("userinfo.sub.is-present", variant: "signed", "signed UserInfo has no sub") {
            $0.registration.signedUserInfo = { $0["sub"] = nil }
        },
    ]

    private static func signedByHand(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        change: @escaping @Sendable (inout Hooks) -> Void
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            configure: { $0.registerSignedUserInfo() },
            change: { hooks in
                hooks.userInfoAlgorithm = .rs256
                change(&hooks)
            }
        )
    }

    private static let signedUserInfo: [Fault] = [
        .special("userinfo.signed.is-a-jwt", "UserInfo is never signed") { hooks in
            hooks.registration.wishes = { $0.userInfoAlgorithm = nil }
        },
        .special("userinfo.signed.has-the-algorithm", "the registered signing algorithm is ignored, and ES256 is used")
        {
            hooks in
            hooks.registration.wishes = { wishes in
                wishes.userInfoAlgorithm = wishes.userInfoAlgorithm.map { _ in .es256 }
            }
        },
        .special("userinfo.signed.verifies", "UserInfo is signed with a key that is not published") { hooks in
            hooks.registration.signsUserInfoWithOtherKey = true
        },
        .special(
            "userinfo.signed.verifies",
            variant: "other-key",
            "kid of signed UserInfo names another published key"
        ) { hooks in
            hooks.keySet = { $0.append(.object(KeySample.rsa), to: "keys") }
            hooks.registration.userInfoHeader = { $0["kid"] = KeySample.rsa["kid"] }
        },
        .signing("userinfo.signed.has-issuer", "signed UserInfo has no iss") { $0["iss"] = nil },
        .signing("userinfo.signed.has-audience", "signed UserInfo has another client in aud") { $0["aud"] = "another" },
        .signing("userinfo.signed.sub-matches-id-token", "signed UserInfo has the sub of another user") {
            $0["sub"] = "somebody-else"
        },
        .signing("userinfo.signed.has-no-nonce", "signed UserInfo has a nonce") { $0["nonce"] = "n-0S6_WzA2Mj" },
    ]

    private static let encryptedUserInfo: [Fault] = [
        .encrypting("userinfo.encrypted.is-a-jwe", .userInfo, "UserInfo is not encrypted") { $0.isLeftOut = true },
        .encrypting(
            "userinfo.encrypted.has-the-algorithms",
            .userInfo,
            "the registered content encryption is ignored, and A192GCM is used"
        ) {
            $0.recipient.encryption = .a192GCM
        },
        .encrypting("userinfo.encrypted.decrypts", .userInfo, "UserInfo is encrypted to another key") { draft in
            if let key = try? SigningKeys.unpublished().key(.es256) { draft.recipient.key = key.publicKey }
        },
        .encrypting(
            "userinfo.encrypted.sub-matches-id-token",
            .userInfo,
            "encrypted UserInfo has the sub of another user"
        ) {
            $0.content = Array("{\"sub\":\"somebody-else\"}".utf8)
        },
    ]

    private static func signing(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .special(trips, title) { $0.registration.signedUserInfo = edit }
    }
}

extension Target {
    /// Configures all clients as registered for signed UserInfo.
    fileprivate mutating func registerSignedUserInfo() {
        client?.userInfoSignedResponseAlg = "RS256"
        for index in clients.indices { clients[index].client.userInfoSignedResponseAlg = "RS256" }
    }
}
