import JOSE
import JSONTree

/// Responses in the format that a client registered: signed, encrypted.
extension Provider {
    /// The algorithm that signs ID Tokens for a client.
    func idTokenAlgorithm(for client: RegisteredClient) -> JWSAlgorithm {
        client.wishes.idTokenAlgorithm ?? offer.idTokenAlgorithm
    }

    /// The key that signs tokens for a client.
    func signing(for client: RegisteredClient) -> Hooks.Signing {
        let isSpecial = client.wishes.idTokenAlgorithm.map { $0 != offer.idTokenAlgorithm } ?? false
        return isSpecial ? hooks.registration.signing ?? hooks.signing : hooks.signing
    }

    /// A JWT in a JWE, if the client registered encryption (RFC 7519 section 11.2: signed, then encrypted).
    func encrypted(
        _ token: String,
        for client: RegisteredClient,
        as answer: EncryptedAnswer
    ) throws(JOSEError) -> String {
        let wished = answer == .userInfo ? client.wishes.userInfoEncryption : client.wishes.idTokenEncryption
        guard let recipient = wished else { return token }
        return try encrypted(Array(token.utf8), ["cty": "JWT"], recipient, answer)
    }

    private func encrypted(
        _ content: [UInt8],
        _ header: JSONObject,
        _ recipient: ResponseEncryption,
        _ answer: EncryptedAnswer
    ) throws(JOSEError) -> String {
        var draft = EncryptionDraft(content: content, header: header, recipient: recipient)
        hooks.registration.encryption(&draft, answer)
        if draft.isLeftOut { return String(decoding: draft.content, as: UTF8.self) }
        return try JWE.encrypt(
            draft.content,
            to: .public(draft.recipient.key),
            algorithm: draft.recipient.algorithm,
            encryption: draft.recipient.encryption,
            header: draft.header
        )
    }

    /// UserInfo in the format that a client registered (Core section 5.3.2); `nil` for plain JSON.
    func userInfoJWT(_ claims: JSONObject, for client: RegisteredClient) throws(JOSEError) -> String? {
        let wishes = client.wishes
        var token: String?
        if let algorithm = wishes.userInfoAlgorithm ?? hooks.userInfoAlgorithm {
            var claims = claims.merging(["iss": .string(issuer), "aud": .string(client.id)])
            hooks.registration.signedUserInfo(&claims)
            let keys = try hooks.registration.signsUserInfoWithOtherKey ? SigningKeys.unpublished() : keys
            let key = keys.key(algorithm)
            var header: JSONObject = [
                "alg": .string(algorithm.rawValue), "kid": .string(key.publicKey.thumbprint),
            ]
            hooks.registration.userInfoHeader(&header)
            let bytes = Array(claims.serialized().utf8)
            token = try JWS.sign(bytes, with: key, algorithm: algorithm, exactHeader: header)
        }
        guard let recipient = wishes.userInfoEncryption else { return token }
        if let token { return try encrypted(token, for: client, as: .userInfo) }
        // Core section 5.3.2: it may be encrypted without being signed.
        return try encrypted(Array(claims.serialized().utf8), [:], recipient, .userInfo)
    }
}
