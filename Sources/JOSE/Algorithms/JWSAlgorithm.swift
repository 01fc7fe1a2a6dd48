/// The signature algorithms that this tool verifies and signs with (RFC 7518 section 3, RFC 8037, RFC 9864).
///
/// `none` is not among them: an unsecured JWS never verifies.
package enum JWSAlgorithm: String, CaseIterable, Sendable, Hashable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    package var keyType: KeyType {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256, .es384, .es512: .ec
        case .edDSA, .ed25519, .ed448: .okp
        case .hs256, .hs384, .hs512: .oct
        }
    }

    /// The one curve that the algorithm uses; nil for RSA, HMAC, and for EdDSA, which leaves it to the key.
    package var curve: Curve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .ed25519: .ed25519
        case .ed448: .ed448
        default: nil
        }
    }

    /// The hash of the algorithm; for EdDSA the one inside the signature, that of Ed25519 if the curve is open.
    package var hash: HashAlgorithm {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .hs512, .edDSA, .ed25519: .sha512
        case .ed448: .shake256
        }
    }

    /// Whether signer and verifier share one secret.
    package var isSymmetric: Bool { keyType == .oct }

    /// Whether the signature is RSASSA-PSS.
    var isPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }

    /// Whether a key of this type and curve can be used.
    package func accepts(_ type: KeyType, _ keyCurve: Curve?) -> Bool {
        guard type == keyType else { return false }
        if let curve { return keyCurve == curve }
        return type != .okp || keyCurve == .ed25519 || keyCurve == .ed448
    }

    /// Whether a key's own `alg` names this algorithm; `EdDSA` and the fully specified names mean one another.
    func agrees(with declared: String, curve: Curve?) -> Bool {
        guard declared != rawValue else { return true }
        guard keyType == .okp, let curve else { return false }
        return declared == JWSAlgorithm.edDSA.rawValue || declared == curve.rawValue
    }
}
