import COpenSSL

/// Public keys by their hash, as RFC 7469 section 2.4 pins them.
package enum PublicKeyPin {
    /// The SHA-256 of a certificate's SubjectPublicKeyInfo in base64; `nil` for what is no certificate in DER.
    package static func of(certificate der: [UInt8]) -> String? {
        let certificate = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_X509(nil, &start, buffer.count)
        }
        guard let certificate else { return nil }
        defer { X509_free(certificate) }
        var key: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key)
        guard length > 0, let key else { return nil }
        defer { CRYPTO_free(key, "", 0) }
        var hash = [UInt8](repeating: 0, count: 32)
        guard EVP_Digest(key, Int(length), &hash, nil, EVP_sha256(), nil) == 1 else { return nil }
        // Three bytes become four characters, and C adds the end of the text.
        var text = [UInt8](repeating: 0, count: 45)
        let count = EVP_EncodeBlock(&text, hash, Int32(hash.count))
        return String(decoding: text[..<Int(count)], as: UTF8.self)
    }
}
