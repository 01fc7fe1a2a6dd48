import COpenSSL

/// Hashes, comparison in constant time, and randomness.
package enum Hashes {
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] { HashAlgorithm.sha1.hash(bytes) }
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { HashAlgorithm.sha256.hash(bytes) }
    package static func sha384(_ bytes: [UInt8]) -> [UInt8] { HashAlgorithm.sha384.hash(bytes) }
    package static func sha512(_ bytes: [UInt8]) -> [UInt8] { HashAlgorithm.sha512.hash(bytes) }

    /// The value of `at_hash` or `c_hash` (OpenID Connect Core 1.0 section 3.1.3.6): the left-most half of the hash
    /// of the ASCII bytes, by the hash of the ID Token's algorithm, in base64url.
    ///
    /// For EdDSA the section names no hash. Implementations agree on SHA-512 for Ed25519 and 114 bytes of SHAKE256
    /// for Ed448, the hashes inside the signatures; `EdDSA` alone means Ed25519 unless the key's curve is given.
    package static func leftmostHalfHash(
        of text: some StringProtocol,
        algorithm: JWSAlgorithm,
        curve: Curve? = nil
    ) -> String {
        let hash = (curve ?? algorithm.curve) == .ed448 ? HashAlgorithm.shake256 : algorithm.hash
        let bytes = hash.hash(Array(text.utf8))
        return Base64URL.encode(bytes.prefix(bytes.count / 2))
    }

    /// Whether both are equal, in a time that depends on their lengths only.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Bytes from OpenSSL's random generator.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        if RAND_bytes(&bytes, Int32(count)) != 1 {
            // Without OpenSSL's generator the system's own, which Swift draws from, is as good.
            OpenSSLError.discard()
            var generator = SystemRandomNumberGenerator()
            for index in bytes.indices { bytes[index] = generator.next() }
        }
        return bytes
    }

    /// HMAC-SHA1, for the signatures of OAuth 1.0 (RFC 5849 section 3.4.2); empty where OpenSSL's policy forbids SHA-1.
    package static func hmacSHA1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        (try? hmac(bytes, key: key, hash: .sha1)) ?? []
    }

    /// The message authentication code of the bytes (RFC 2104).
    package static func hmac(_ bytes: [UInt8], key: [UInt8], hash: HashAlgorithm) throws(JOSEError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: hash.length)
        var length: UInt32 = 0
        // An empty key needs an address all the same.
        let material = key.isEmpty ? [0] : key
        guard HMAC(hash.digest, material, Int32(key.count), bytes, bytes.count, &code, &length) != nil else {
            throw OpenSSLError.take("the message authentication code could not be computed")
        }
        return code
    }
}
