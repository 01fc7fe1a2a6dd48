package import JSONTree

extension JWE {
    /// A compact JWE for one recipient: `alg`, `enc`, the key's `kid` if it has one, and the further members given.
    package static func encrypt(
        _ plaintext: [UInt8],
        to key: KeyMaterial,
        algorithm: KeyManagementAlgorithm,
        encryption: ContentEncryptionAlgorithm,
        header further: JSONObject = [:]
    ) throws(JOSEError) -> String {
        var header: JSONObject = ["alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue)]
        let attributes: KeyAttributes =
            switch key {
            case .public(let key): key.attributes
            case .private(let key): key.attributes.ofPublicHalf
            case .symmetric(let key): key.attributes
            }
        if let kid = attributes.kid { header["kid"] = .string(kid) }
        header = header.merging(further)
        try attributes.agree(algorithm, encryption, .encrypt)
        var contentKey = Hashes.randomBytes(encryption.keyLength)
        let encryptedKey = try seal(&contentKey, to: key, algorithm, encryption, &header)
        let protectedText = Base64URL.encode(Array(header.serialized().utf8))
        let iv = Hashes.randomBytes(encryption.ivLength)
        let sealed = try Ciphers.seal(
            plaintext,
            key: contentKey,
            iv: iv,
            aad: Array(protectedText.utf8),
            algorithm: encryption
        )
        return [
            protectedText, Base64URL.encode(encryptedKey), Base64URL.encode(iv), Base64URL.encode(sealed.ciphertext),
            Base64URL.encode(sealed.tag),
        ]
        .joined(separator: ".")
    }

    /// The encrypted key; where the key itself is the content key or is agreed upon, `contentKey` becomes it.
    private static func seal(
        _ contentKey: inout [UInt8],
        to key: KeyMaterial,
        _ algorithm: KeyManagementAlgorithm,
        _ encryption: ContentEncryptionAlgorithm,
        _ header: inout JSONObject
    ) throws(JOSEError) -> [UInt8] {
        switch (algorithm.family, key, key.publicKey) {
        case (.rsa(let hash), _, let key?) where key.type == .rsa:
            return try OAEP.encrypt(contentKey, to: key, hash: hash)
        case (.agreement, _, let key?) where key.curve?.agrees == true:
            let ephemeral = try PrivateKey.ephemeral(for: key)
            header["epk"] = .object(ephemeral.publicKey.members)
            let secret = try ephemeral.sharedSecret(with: key)
            let agreed = try Agreement(header).key(secret, algorithm, encryption)
            guard algorithm.wrappingKeyLength != nil else {
                contentKey = agreed
                return []
            }
            return try Ciphers.wrap(contentKey, with: agreed)
        case (.wrap, .symmetric(let key), _):
            return try Ciphers.wrap(contentKey, with: try key.bytes(of: algorithm))
        case (.gcmWrap, .symmetric(let key), _):
            let iv = Hashes.randomBytes(12)
            let sealed = try Ciphers.sealGCM(contentKey, key: try key.bytes(of: algorithm), iv: iv, aad: [])
            header["iv"] = .string(Base64URL.encode(iv))
            header["tag"] = .string(Base64URL.encode(sealed.tag))
            return sealed.ciphertext
        case (.direct, .symmetric(let key), _):
            guard key.bytes.count == encryption.keyLength else {
                throw JOSEError(.unsuitableKey, "\(encryption.rawValue) needs \(encryption.keyLength) bytes")
            }
            contentKey = key.bytes
            return []
        default:
            throw JOSEError(.unsuitableKey, "\(algorithm.rawValue) cannot be used with this kind of key")
        }
    }
}

extension PrivateKey {
    /// A fresh key on the curve of another.
    fileprivate static func ephemeral(for key: PublicKey) throws(JOSEError) -> PrivateKey {
        switch key.curve {
        case .x25519: try generate(.x25519)
        case .x448: try generate(.x448)
        case let curve?: try generate(.ec(curve))
        case nil: throw JOSEError(.unsuitableKey, "the key has no curve")
        }
    }
}
