import COpenSSL

extension PublicKey {
    /// Whether the signature over the bytes is this key's, by the algorithm; only the mathematics is checked.
    ///
    /// Throws only if the key cannot be used with the algorithm at all, or OpenSSL fails.
    package func isValid(
        _ signature: [UInt8],
        over bytes: [UInt8],
        algorithm: JWSAlgorithm
    ) throws(JOSEError) -> Bool {
        guard algorithm.accepts(type, curve) else { throw unsuitable(algorithm, type, curve) }
        guard let encoded = try Self.encoded(signature, algorithm) else { return false }
        let context = try Owned(EVP_MD_CTX_new(), EVP_MD_CTX_free, "no signature context")
        var keyContext: OpaquePointer?
        let digest = algorithm.keyType == .okp ? nil : algorithm.hash.openSSLName
        let started = EVP_DigestVerifyInit_ex(context.pointer, &keyContext, digest, nil, nil, handle.pointer, nil)
        try OpenSSLError.check(started, "the verification could not start")
        try algorithm.configure(keyContext)
        let result = EVP_DigestVerify(context.pointer, encoded, encoded.count, bytes, bytes.count)
        if result != 1 { OpenSSLError.discard() }
        return result == 1
    }

    /// The signature as OpenSSL reads it; nil if its length is wrong.
    ///
    /// ECDSA is r and s side by side in JOSE (RFC 7518 section 3.4), a DER sequence in OpenSSL.
    private static func encoded(_ signature: [UInt8], _ algorithm: JWSAlgorithm) throws(JOSEError) -> [UInt8]? {
        guard algorithm.keyType == .ec, let length = algorithm.curve?.length else { return signature }
        guard signature.count == 2 * length else { return nil }
        let pair = try Owned(ECDSA_SIG_new(), ECDSA_SIG_free, "no signature")
        let r = try BigNumber.make(Array(signature.prefix(length)))
        let s = try BigNumber.make(Array(signature.suffix(length)))
        try OpenSSLError.check(ECDSA_SIG_set0(pair.pointer, r, s), "no signature")
        return DER.encoded { i2d_ECDSA_SIG(pair.pointer, $0) }
    }
}

extension PrivateKey {
    /// The signature over the bytes, in JOSE's form.
    package func signature(over bytes: [UInt8], algorithm: JWSAlgorithm) throws(JOSEError) -> [UInt8] {
        guard algorithm.accepts(type, curve) else { throw unsuitable(algorithm, type, curve) }
        let context = try Owned(EVP_MD_CTX_new(), EVP_MD_CTX_free, "no signature context")
        var keyContext: OpaquePointer?
        let digest = algorithm.keyType == .okp ? nil : algorithm.hash.openSSLName
        let started = EVP_DigestSignInit_ex(context.pointer, &keyContext, digest, nil, nil, handle.pointer, nil)
        try OpenSSLError.check(started, "the signature could not start")
        try algorithm.configure(keyContext)
        var length = 0
        try OpenSSLError.check(
            EVP_DigestSign(context.pointer, nil, &length, bytes, bytes.count),
            "the signature could not be made"
        )
        var output = [UInt8](repeating: 0, count: length)
        try OpenSSLError.check(
            EVP_DigestSign(context.pointer, &output, &length, bytes, bytes.count),
            "the signature could not be made"
        )
        output.removeLast(output.count - length)
        return try Self.raw(output, algorithm)
    }

    /// The signature as JOSE carries it; see `PublicKey.encoded`.
    private static func raw(_ signature: [UInt8], _ algorithm: JWSAlgorithm) throws(JOSEError) -> [UInt8] {
        guard algorithm.keyType == .ec, let length = algorithm.curve?.length else { return signature }
        let decoded = signature.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, buffer.count)
        }
        let pair = try Owned(decoded, ECDSA_SIG_free, "the signature could not be read")
        guard let r = ECDSA_SIG_get0_r(pair.pointer), let s = ECDSA_SIG_get0_s(pair.pointer) else {
            throw JOSEError(.cryptography, "the signature could not be read")
        }
        return BigNumber.bytes(r, length: length) + BigNumber.bytes(s, length: length)
    }
}

extension SymmetricKey {
    /// Whether the message authentication code over the bytes is this key's.
    package func isValid(_ code: [UInt8], over bytes: [UInt8], algorithm: JWSAlgorithm) throws(JOSEError) -> Bool {
        Hashes.areEqual(code, try signature(over: bytes, algorithm: algorithm))
    }

    /// The message authentication code over the bytes.
    package func signature(over bytes: [UInt8], algorithm: JWSAlgorithm) throws(JOSEError) -> [UInt8] {
        guard algorithm.isSymmetric else { throw unsuitable(algorithm, .oct, nil) }
        return try Hashes.hmac(bytes, key: self.bytes, hash: algorithm.hash)
    }
}

extension JWSAlgorithm {
    /// Sets padding and salt length for RSASSA-PSS (RFC 7518 section 3.5: the salt is as long as the hash).
    fileprivate func configure(_ context: OpaquePointer?) throws(JOSEError) {
        guard isPSS else { return }
        let padding = EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING)
        try OpenSSLError.check(padding, "the padding was rejected")
        let salt = EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST)
        try OpenSSLError.check(salt, "the salt length was rejected")
    }
}

func unsuitable(_ algorithm: JWSAlgorithm, _ type: KeyType, _ curve: Curve?) -> JOSEError {
    let key = curve.map { "\(type.rawValue) key on \($0.rawValue)" } ?? "\(type.rawValue) key"
    return JOSEError(.unsuitableKey, "\(algorithm.rawValue) cannot be used with an \(key)")
}
