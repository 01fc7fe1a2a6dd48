import JOSE

/// The keys that sign ID Tokens: created once per process, shared by all its providers.
struct SigningKeys: Sendable {
    let rsa: PrivateKey
    let p256: PrivateKey
    let ed25519: PrivateKey

    private static let publishedKeys = Result { () throws(JOSEError) in try SigningKeys() }
    private static let unpublishedKeys = Result { () throws(JOSEError) in try SigningKeys() }
    private static let rsaCertificate = Result { () throws(JOSEError) in
        let year = 365 * 86_400.0
        let key = try published().rsa
        let now = Clock.now()
        return
            try CertificateAuthority.selfSigned(
                commonName: "Reference provider signing key",
                validity: (now - 86_400)...(now + year),
                key: key
            )
            .certificate
    }

    /// The keys of the key set.
    static func published() throws(JOSEError) -> SigningKeys { try publishedKeys.get() }

    /// Keys of the same kinds that are in no key set; created on first use.
    static func unpublished() throws(JOSEError) -> SigningKeys { try unpublishedKeys.get() }

    /// A certificate of the published RSA key.
    static func certificate() throws(JOSEError) -> Certificate { try rsaCertificate.get() }

    private init() throws(JOSEError) {
        rsa = try PrivateKey.generate(.rsa(bits: 2_048))
        p256 = try PrivateKey.generate(.ec(.p256))
        ed25519 = try PrivateKey.generate(.ed25519)
    }

    /// The key for an algorithm.
    func key(_ algorithm: JWSAlgorithm) -> PrivateKey {
        switch algorithm.keyType {
        case .ec: p256
        case .okp: ed25519
        case .rsa, .oct: rsa
        }
    }
}
