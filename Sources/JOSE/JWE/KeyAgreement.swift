import COpenSSL

extension PrivateKey {
    /// The secret shared with another key of the same curve; an all-zero one is rejected (RFC 8037 section 5).
    package func sharedSecret(with other: PublicKey) throws(JOSEError) -> [UInt8] {
        guard let curve, curve.agrees, other.curve == curve else {
            throw JOSEError(.unsuitableKey, "the two keys are not of one curve that agrees on secrets")
        }
        let context = try Owned(EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil), EVP_PKEY_CTX_free, "no context")
        try OpenSSLError.check(EVP_PKEY_derive_init(context.pointer), "the key agreement could not start")
        let set = EVP_PKEY_derive_set_peer(context.pointer, other.handle.pointer)
        try OpenSSLError.check(set, "the other key was rejected", code: .invalidKey)
        var length = curve.length
        var secret = [UInt8](repeating: 0, count: length)
        let derived = EVP_PKEY_derive(context.pointer, &secret, &length)
        try OpenSSLError.check(derived, "the keys share no secret", code: .invalidKey)
        guard secret.contains(where: { $0 != 0 }) || curve.keyType == .ec else {
            throw JOSEError(.invalidKey, "the keys share an all-zero secret")
        }
        return secret
    }
}

/// The Concat KDF of RFC 7518 section 4.6.2, with SHA-256.
enum ConcatKDF {
    static func key(
        from secret: [UInt8],
        length: Int,
        algorithm: String,
        apu: [UInt8],
        apv: [UInt8]
    ) -> [UInt8] {
        func bigEndian(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
        func counted(_ bytes: [UInt8]) -> [UInt8] { bigEndian(bytes.count) + bytes }
        let information = counted(Array(algorithm.utf8)) + counted(apu) + counted(apv) + bigEndian(length * 8)
        var key: [UInt8] = []
        var round = 1
        while key.count < length {
            key += Hashes.sha256(bigEndian(round) + secret + information)
            round += 1
        }
        return Array(key.prefix(length))
    }
}

/// RSAES-OAEP (RFC 7518 section 4.3).
enum OAEP {
    static func encrypt(_ bytes: [UInt8], to key: PublicKey, hash: HashAlgorithm) throws(JOSEError) -> [UInt8] {
        let context = try context(key.handle, hash, EVP_PKEY_encrypt_init)
        var length = 0
        let asked = EVP_PKEY_encrypt(context.pointer, nil, &length, bytes, bytes.count)
        try OpenSSLError.check(asked, "the key could not be encrypted")
        var output = [UInt8](repeating: 0, count: length)
        let done = EVP_PKEY_encrypt(context.pointer, &output, &length, bytes, bytes.count)
        try OpenSSLError.check(done, "the key could not be encrypted")
        return Array(output.prefix(length))
    }

    static func decrypt(_ bytes: [UInt8], with key: PrivateKey, hash: HashAlgorithm) throws(JOSEError) -> [UInt8] {
        let context = try context(key.handle, hash, EVP_PKEY_decrypt_init)
        var length = Int(EVP_PKEY_get_size(key.handle.pointer))
        var output = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_decrypt(context.pointer, &output, &length, bytes, bytes.count) == 1 else {
            OpenSSLError.discard()
            throw Ciphers.failure
        }
        return Array(output.prefix(length))
    }

    private static func context(
        _ key: KeyHandle,
        _ hash: HashAlgorithm,
        _ start: (OpaquePointer?) -> Int32
    ) throws(JOSEError) -> Owned {
        let context = try Owned(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil), EVP_PKEY_CTX_free, "no context")
        try OpenSSLError.check(start(context.pointer), "the RSA operation could not start")
        let padding = EVP_PKEY_CTX_set_rsa_padding(context.pointer, RSA_PKCS1_OAEP_PADDING)
        try OpenSSLError.check(padding, "the padding was rejected")
        let set = EVP_PKEY_CTX_set_rsa_oaep_md_name(context.pointer, hash.openSSLName, nil)
        try OpenSSLError.check(set, "the hash was rejected")
        let mask = EVP_PKEY_CTX_set_rsa_mgf1_md_name(context.pointer, hash.openSSLName, nil)
        try OpenSSLError.check(mask, "the hash was rejected")
        return context
    }
}
