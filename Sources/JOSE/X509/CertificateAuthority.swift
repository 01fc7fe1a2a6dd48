/// A certificate authority for tests and for the reference provider; it issues, and revokes nothing.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    let key: PrivateKey
    /// The certificates between a leaf and the root, nearest first; empty for the root.
    let intermediates: [Certificate]

    /// A self-signed root with a fresh P-256 key.
    /// - Parameters:
    ///   - commonName: the subject.
    ///   - validity: seconds since 1970.
    package static func make(
        commonName: String,
        validity: ClosedRange<Double>
    ) throws(JOSEError) -> CertificateAuthority {
        let key = try PrivateKey.generate(.ec(.p256))
        let request = CertificateRequest(commonName: commonName, validity: validity, isAuthority: true)
        let certificate = try request.issue(for: key.publicKey, by: nil, signer: key)
        return CertificateAuthority(certificate: certificate, key: key, intermediates: [])
    }

    /// An authority below this one; what it issues carries its certificate.
    package func intermediate(
        commonName: String,
        validity: ClosedRange<Double>
    ) throws(JOSEError) -> CertificateAuthority {
        let key = try PrivateKey.generate(.ec(.p256))
        let request = CertificateRequest(commonName: commonName, validity: validity, isAuthority: true)
        let below = try request.issue(for: key.publicKey, by: certificate, signer: self.key)
        return CertificateAuthority(certificate: below, key: key, intermediates: [below] + intermediates)
    }

    /// A server certificate for the names and addresses, with a fresh P-256 key unless one is given.
    package func issue(
        dnsNames: [String] = [],
        ipAddresses: [String] = [],
        commonName: String? = nil,
        validity: ClosedRange<Double>,
        key: PrivateKey? = nil
    ) throws(JOSEError) -> IssuedCertificate {
        let key = if let key { key } else { try PrivateKey.generate(.ec(.p256)) }
        let request = CertificateRequest(leaf: commonName, validity, dnsNames, ipAddresses)
        let leaf = try request.issue(for: key.publicKey, by: certificate, signer: self.key)
        return IssuedCertificate(certificate: leaf, key: key, intermediates: intermediates)
    }

    /// A server certificate that vouches for itself; no authority is asked.
    package static func selfSigned(
        dnsNames: [String] = [],
        ipAddresses: [String] = [],
        commonName: String? = nil,
        validity: ClosedRange<Double>,
        key: PrivateKey? = nil
    ) throws(JOSEError) -> IssuedCertificate {
        let key = if let key { key } else { try PrivateKey.generate(.ec(.p256)) }
        let request = CertificateRequest(leaf: commonName, validity, dnsNames, ipAddresses)
        let leaf = try request.issue(for: key.publicKey, by: nil, signer: key)
        return IssuedCertificate(certificate: leaf, key: key, intermediates: [])
    }
}

/// A certificate with its private key and the certificates that lead to its root.
package struct IssuedCertificate: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey
    /// Nearest first, the root left out.
    let intermediates: [Certificate]

    /// The chain that a server sends: its own certificate first, then the intermediates.
    package var chain: [Certificate] { [certificate] + intermediates }
}

extension CertificateRequest {
    fileprivate init(leaf name: String?, _ validity: ClosedRange<Double>, _ dnsNames: [String], _ ipAddresses: [String])
    {
        self.init(
            commonName: name ?? dnsNames.first ?? ipAddresses.first ?? "leaf",
            validity: validity,
            isAuthority: false,
            dnsNames: dnsNames,
            ipAddresses: ipAddresses
        )
    }
}
