import COpenSSL

extension PrivateKey {
    /// The key as PKCS #8 in DER (RFC 5208), a secret.
    package func der() throws(JOSEError) -> [UInt8] {
        let information = try Owned(EVP_PKEY2PKCS8(handle.pointer), PKCS8_PRIV_KEY_INFO_free, "no key information")
        guard let der = DER.encoded({ i2d_PKCS8_PRIV_KEY_INFO(information.pointer, $0) }) else {
            throw JOSEError(.cryptography, "the key could not be encoded")
        }
        return der
    }

    /// The key as PKCS #8 in PEM, a secret.
    package func pem() throws(JOSEError) -> String { PEM.text(try der(), label: "PRIVATE KEY") }
}

extension PublicKey {
    /// The key as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1).
    func der() throws(JOSEError) -> [UInt8] {
        guard let der = DER.encoded({ i2d_PUBKEY(handle.pointer, $0) }) else {
            throw JOSEError(.cryptography, "the key could not be encoded")
        }
        return der
    }

    package func pem() throws(JOSEError) -> String { PEM.text(try der(), label: "PUBLIC KEY") }
}
