import COpenSSL

/// The AES modes of RFC 7518, each in one call.
enum Ciphers {
    struct Sealed {
        var ciphertext: [UInt8]
        var tag: [UInt8]
    }

    // MARK: Content encryption

    /// Encrypts and authenticates (RFC 7518 sections 5.2 and 5.3).
    static func seal(
        _ plaintext: [UInt8],
        key: [UInt8],
        iv: [UInt8],
        aad: [UInt8],
        algorithm: ContentEncryptionAlgorithm
    ) throws(JOSEError) -> Sealed {
        guard let hash = algorithm.hash else { return try sealGCM(plaintext, key: key, iv: iv, aad: aad) }
        let half = key.count / 2
        let name = "AES-\(half * 8)-CBC"
        let ciphertext = try run(name, key: Array(key.suffix(half)), iv: iv, input: plaintext, encrypt: true)
        let tag = try compositeTag(ciphertext, key: Array(key.prefix(half)), iv: iv, aad: aad, hash: hash)
        return Sealed(ciphertext: ciphertext, tag: tag)
    }

    /// Checks the tag, then decrypts; every failure looks the same.
    static func open(
        _ sealed: Sealed,
        key: [UInt8],
        iv: [UInt8],
        aad: [UInt8],
        algorithm: ContentEncryptionAlgorithm
    ) throws(JOSEError) -> [UInt8] {
        guard key.count == algorithm.keyLength, iv.count == algorithm.ivLength, sealed.tag.count == algorithm.tagLength
        else { throw failure }
        guard let hash = algorithm.hash else { return try openGCM(sealed, key: key, iv: iv, aad: aad) }
        let half = key.count / 2
        let tag = try compositeTag(sealed.ciphertext, key: Array(key.prefix(half)), iv: iv, aad: aad, hash: hash)
        guard Hashes.areEqual(tag, sealed.tag) else { throw failure }
        let name = "AES-\(half * 8)-CBC"
        return try run(name, key: Array(key.suffix(half)), iv: iv, input: sealed.ciphertext, encrypt: false)
    }

    static func sealGCM(_ plaintext: [UInt8], key: [UInt8], iv: [UInt8], aad: [UInt8]) throws(JOSEError) -> Sealed {
        var tag = [UInt8](repeating: 0, count: 16)
        let ciphertext = try run(
            "AES-\(key.count * 8)-GCM",
            key: key,
            iv: iv,
            aad: aad,
            input: plaintext,
            encrypt: true,
            tag: &tag
        )
        return Sealed(ciphertext: ciphertext, tag: tag)
    }

    static func openGCM(_ sealed: Sealed, key: [UInt8], iv: [UInt8], aad: [UInt8]) throws(JOSEError) -> [UInt8] {
        // Sections 4.7.1 and 5.3: the IV has 96 bits and the tag 128; OpenSSL would accept shorter ones.
        guard iv.count == 12, sealed.tag.count == 16 else { throw failure }
        var tag = sealed.tag
        return try run(
            "AES-\(key.count * 8)-GCM",
            key: key,
            iv: iv,
            aad: aad,
            input: sealed.ciphertext,
            encrypt: false,
            tag: &tag
        )
    }

    // MARK: Key wrapping (RFC 3394)

    static func wrap(_ contentKey: [UInt8], with key: [UInt8]) throws(JOSEError) -> [UInt8] {
        try run("AES-\(key.count * 8)-WRAP", key: key, iv: nil, input: contentKey, encrypt: true)
    }

    static func unwrap(_ encryptedKey: [UInt8], with key: [UInt8]) throws(JOSEError) -> [UInt8] {
        guard encryptedKey.count >= 24, encryptedKey.count.isMultiple(of: 8) else { throw failure }
        return try run("AES-\(key.count * 8)-WRAP", key: key, iv: nil, input: encryptedKey, encrypt: false)
    }

    // MARK: -

    static var failure: JOSEError { JOSEError(.decryptionFailed, "the content does not open with the key") }

    /// The tag of AES_CBC_HMAC_SHA2 (RFC 7518 section 5.2.2.1).
    private static func compositeTag(
        _ ciphertext: [UInt8],
        key: [UInt8],
        iv: [UInt8],
        aad: [UInt8],
        hash: HashAlgorithm
    ) throws(JOSEError) -> [UInt8] {
        let length = withUnsafeBytes(of: (UInt64(aad.count) * 8).bigEndian, Array.init)
        let code = try Hashes.hmac(aad + iv + ciphertext + length, key: key, hash: hash)
        return Array(code.prefix(key.count))
    }

    private static func run(
        _ name: String,
        key: [UInt8],
        iv: [UInt8]?,
        input: [UInt8],
        encrypt: Bool
    ) throws(JOSEError) -> [UInt8] {
        var tag: [UInt8] = []
        return try run(name, key: key, iv: iv, aad: [], input: input, encrypt: encrypt, tag: &tag)
    }

    /// Runs one cipher over one input; `tag` is checked or filled if it is not empty.
    private static func run(
        _ name: String,
        key: [UInt8],
        iv: [UInt8]?,
        aad: [UInt8],
        input: [UInt8],
        encrypt: Bool,
        tag: inout [UInt8]
    ) throws(JOSEError) -> [UInt8] {
        let cipher = try Owned(EVP_CIPHER_fetch(nil, name, nil), EVP_CIPHER_free, "\(name) is not available")
        let context = try Owned(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free, "no cipher context")
        guard key.count == Int(EVP_CIPHER_get_key_length(cipher.pointer)) else { throw failure }
        EVP_CIPHER_CTX_set_flags(context.pointer, Int32(EVP_CIPHER_CTX_FLAG_WRAP_ALLOW))
        let direction: Int32 = encrypt ? 1 : 0
        var output = [UInt8](repeating: 0, count: input.count + 32)
        var count: Int32 = 0
        var rest: Int32 = 0
        func succeeded(_ result: Int32) throws(JOSEError) {
            guard result == 1 else {
                OpenSSLError.discard()
                throw encrypt ? JOSEError(.cryptography, "\(name) failed") : failure
            }
        }
        try succeeded(EVP_CipherInit_ex2(context.pointer, cipher.pointer, key, iv, direction, nil))
        if !aad.isEmpty { try succeeded(EVP_CipherUpdate(context.pointer, nil, &count, aad, Int32(aad.count))) }
        count = 0
        if !input.isEmpty {
            try succeeded(EVP_CipherUpdate(context.pointer, &output, &count, input, Int32(input.count)))
        }
        if !encrypt, !tag.isEmpty {
            let set = EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
            try succeeded(set)
        }
        let written = Int(count)
        let finished = output.withUnsafeMutableBufferPointer { buffer in
            EVP_CipherFinal_ex(context.pointer, buffer.baseAddress.map { $0 + written }, &rest)
        }
        try succeeded(finished)
        if encrypt, !tag.isEmpty {
            let got = EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag)
            try succeeded(got)
        }
        output.removeLast(output.count - written - Int(rest))
        return output
    }
}
