/// An X.509 certificate, read (RFC 5280); the values are Swift's, nothing of OpenSSL is kept but the key.
package struct Certificate: Sendable {
    /// The certificate itself.
    package let der: [UInt8]
    /// The names on one line, as in `CN=op.example,O=Example` (RFC 2253).
    package let subject: String
    package let issuer: String
    /// The serial number, in hexadecimal digits.
    package let serial: String
    /// The period of validity, in seconds since 1970.
    package let notBefore: Double
    package let notAfter: Double
    /// The DNS names and IP addresses that it is for.
    package let dnsNames: [String]
    package let ipAddresses: [String]
    package let isCertificateAuthority: Bool
    /// Whether the subject issued it to itself and its own key verifies it.
    package let isSelfSigned: Bool
    /// The signature algorithm by OpenSSL's name, as in `ecdsa-with-SHA256`.
    let signatureAlgorithm: String
    /// The key it certifies; nil if it is of a type or curve that JOSE does not know.
    package let publicKey: PublicKey?

    var sha1Fingerprint: [UInt8] { Hashes.sha1(der) }
    package var sha256Fingerprint: [UInt8] { Hashes.sha256(der) }
    /// The value of `x5t` (RFC 7517 section 4.8).
    package var x5t: String { Base64URL.encode(sha1Fingerprint) }
    /// The value of `x5t#S256` (RFC 7517 section 4.9).
    package var x5tS256: String { Base64URL.encode(sha256Fingerprint) }
    /// An element of `x5c` (RFC 7517 section 4.7).
    package var x5c: String { Base64.encode(der) }
    package var pem: String { PEM.text(der, label: "CERTIFICATE") }

    /// Whether it certifies the key.
    package func certifies(_ key: PublicKey) -> Bool { publicKey?.isSameKey(as: key) ?? false }

    package func isValid(at time: Double) -> Bool { notBefore <= time && time <= notAfter }

    /// Reads an element of `x5c`.
    package static func parse(x5c text: String) throws(JOSEError) -> Certificate {
        do {
            return try parse(der: try Base64.decode(text))
        } catch let error as Base64Error {
            throw JOSEError(.encoding, "the certificate is not padded base64: \(error)")
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.certificate, "the certificate could not be read")
        }
    }
}

extension Certificate: Hashable {
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// The textual encoding of RFC 7468.
package enum PEM {
    package static func text(_ der: [UInt8], label: String) -> String {
        var lines = ["-----BEGIN \(label)-----"]
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END \(label)-----")
        return lines.joined(separator: "\n") + "\n"
    }
}
