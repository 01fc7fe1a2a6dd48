/// The key types of RFC 7518 section 6.1 and RFC 8037 section 2.
package enum KeyType: String, Sendable, Hashable, CaseIterable {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct = "oct"
}

/// The curves of RFC 7518 section 6.2.1.1 and RFC 8037 section 2 that this tool computes with.
package enum Curve: String, Sendable, Hashable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    case x25519 = "X25519"
    case x448 = "X448"

    package var keyType: KeyType {
        switch self {
        case .p256, .p384, .p521: .ec
        case .ed25519, .ed448, .x25519, .x448: .okp
        }
    }

    /// The bytes of a coordinate or of the whole public key, which is also the length of a private key.
    package var length: Int {
        switch self {
        case .p256, .ed25519, .x25519: 32
        case .p384: 48
        case .p521: 66
        case .ed448: 57
        case .x448: 56
        }
    }

    /// Whether keys of the curve sign; otherwise they only agree on secrets.
    package var signs: Bool { self != .x25519 && self != .x448 }

    /// Whether keys of the curve agree on secrets (ECDH-ES).
    var agrees: Bool { keyType == .ec || !signs }

    var openSSLName: String {
        switch self {
        case .p256, .p384, .p521: rawValue
        case .ed25519, .ed448, .x25519, .x448: rawValue.uppercased()
        }
    }
}
