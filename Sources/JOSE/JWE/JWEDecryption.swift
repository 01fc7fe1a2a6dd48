import JSONTree

extension JWE {
    /// The plaintext, opened with the recipient's key.
    ///
    /// The algorithm must be implemented and agree with the key's type, curve, `alg`, `use` and `key_ops`. Compressed
    /// content is rejected, because what it expands to cannot be known before.
    package func decrypt(with key: KeyMaterial) throws(JOSEError) -> [UInt8] {
        guard !header.has("crit") else {
            throw JOSEError(.unsupported, "the header has critical members, none of which is supported")
        }
        guard !header.has("zip") else { throw JOSEError(.unsupported, "compressed content is rejected") }
        guard let name = algorithmName, let algorithm = KeyManagementAlgorithm(rawValue: name) else {
            throw JOSEError(.unsupported, "the algorithm \"\(algorithmName ?? "")\" is not supported")
        }
        guard let enc = encryptionName, let encryption = ContentEncryptionAlgorithm(rawValue: enc) else {
            throw JOSEError(.unsupported, "the encryption \"\(encryptionName ?? "")\" is not supported")
        }
        let contentKey = try contentKey(with: key, algorithm, encryption)
        return try Ciphers.open(
            Ciphers.Sealed(ciphertext: ciphertext, tag: tag),
            key: contentKey,
            iv: iv,
            aad: Array(protectedText.utf8),
            algorithm: encryption
        )
    }

    private var algorithmName: String? { header["alg"]?.stringValue }
    private var encryptionName: String? { header["enc"]?.stringValue }

    private func contentKey(
        with key: KeyMaterial,
        _ algorithm: KeyManagementAlgorithm,
        _ encryption: ContentEncryptionAlgorithm
    ) throws(JOSEError) -> [UInt8] {
        switch (algorithm.family, key) {
        case (.rsa(let hash), .private(let key)) where key.type == .rsa:
            try key.attributes.agree(algorithm, encryption, .decrypt)
            return try OAEP.decrypt(encryptedKey, with: key, hash: hash)
        case (.agreement, .private(let key)) where key.curve?.agrees == true:
            try key.attributes.agree(algorithm, encryption, .decrypt)
            guard let epk = header["epk"].flatMap({ JWK($0) }) else {
                throw JOSEError(.malformed, "the header has no epk that is an object")
            }
            let secret = try key.sharedSecret(with: try epk.publicKey())
            let agreed = try Agreement(header).key(secret, algorithm, encryption)
            guard algorithm.wrappingKeyLength != nil else {
                try requireNoEncryptedKey()
                return agreed
            }
            return try Ciphers.unwrap(encryptedKey, with: agreed)
        case (.wrap, .symmetric(let key)):
            try key.attributes.agree(algorithm, encryption, .decrypt)
            return try Ciphers.unwrap(encryptedKey, with: try key.bytes(of: algorithm))
        case (.gcmWrap, .symmetric(let key)):
            try key.attributes.agree(algorithm, encryption, .decrypt)
            let sealed = Ciphers.Sealed(ciphertext: encryptedKey, tag: try bytes(of: "tag"))
            return try Ciphers.openGCM(sealed, key: try key.bytes(of: algorithm), iv: try bytes(of: "iv"), aad: [])
        case (.direct, .symmetric(let key)):
            try key.attributes.agree(algorithm, encryption, .decrypt)
            try requireNoEncryptedKey()
            return key.bytes
        default:
            throw JOSEError(.unsuitableKey, "\(algorithm.rawValue) cannot be used with this kind of key")
        }
    }

    private func requireNoEncryptedKey() throws(JOSEError) {
        guard encryptedKey.isEmpty else {
            throw JOSEError(.malformed, "there is an encrypted key, which must be empty")
        }
    }

    private func bytes(of name: String) throws(JOSEError) -> [UInt8] {
        guard let text = header[name]?.stringValue else { throw JOSEError(.malformed, "the header has no \(name)") }
        return try CompactJWS.bytes(text, name).get()
    }
}

extension SymmetricKey {
    /// The bytes, which must have the length of the algorithm's AES key.
    func bytes(of algorithm: KeyManagementAlgorithm) throws(JOSEError) -> [UInt8] {
        guard bytes.count == algorithm.wrappingKeyLength else {
            throw JOSEError(.unsuitableKey, "\(algorithm.rawValue) cannot be used with \(bytes.count) bytes")
        }
        return bytes
    }
}

extension KeyAttributes {
    /// Throws if the key says that it is for something else.
    ///
    /// With `dir` its `alg` may name the encryption, whose key it then is (RFC 7520 section 5.6.1).
    func agree(
        _ algorithm: KeyManagementAlgorithm,
        _ encryption: ContentEncryptionAlgorithm,
        _ purpose: Purpose
    ) throws(JOSEError) {
        let names = algorithm == .direct ? [algorithm.rawValue, encryption.rawValue] : [algorithm.rawValue]
        if let declared = self.algorithm, !names.contains(declared) {
            throw JOSEError(.unsuitableKey, "the header says \(algorithm.rawValue), the key is for \"\(declared)\"")
        }
        try allow(purpose)
    }
}

/// The parties of a key agreement, as the header names them.
struct Agreement {
    let apu: [UInt8]
    let apv: [UInt8]

    init(_ header: JSONObject) throws(JOSEError) {
        func bytes(_ name: String) throws(JOSEError) -> [UInt8] {
            guard let value = header[name] else { return [] }
            guard let text = value.stringValue else { throw JOSEError(.malformed, "\(name) is not a string") }
            return try CompactJWS.bytes(text, name).get()
        }
        apu = try bytes("apu")
        apv = try bytes("apv")
    }

    /// The agreed key: the content key itself, or the one that wraps it.
    func key(
        _ secret: [UInt8],
        _ algorithm: KeyManagementAlgorithm,
        _ encryption: ContentEncryptionAlgorithm
    ) -> [UInt8] {
        guard let length = algorithm.wrappingKeyLength else {
            let length = encryption.keyLength
            return ConcatKDF.key(from: secret, length: length, algorithm: encryption.rawValue, apu: apu, apv: apv)
        }
        return ConcatKDF.key(from: secret, length: length, algorithm: algorithm.rawValue, apu: apu, apv: apv)
    }
}
