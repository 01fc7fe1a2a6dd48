import COpenSSL
import JSONTree

/// A public key, built once and usable from any number of tasks at a time.
package struct PublicKey: Sendable {
    let handle: KeyHandle
    package let type: KeyType
    package let curve: Curve?
    package var attributes: KeyAttributes

    /// The length of the modulus, or of the curve's order.
    var bits: Int { handle.bits }

    /// Whether both are the same key, whatever they say about themselves.
    package func isSameKey(as other: PublicKey) -> Bool {
        type == other.type && curve == other.curve && handle.hasSamePublicKey(as: other.handle)
    }

    /// The key's required public members, the input of a thumbprint.
    var members: JSONObject {
        func encoded(_ bytes: [UInt8]?) -> JSON { .string(Base64URL.encode(bytes ?? [])) }
        switch type {
        case .rsa:
            return [
                "kty": "RSA", "n": encoded(handle.integer(OSSL_PKEY_PARAM_RSA_N)),
                "e": encoded(handle.integer(OSSL_PKEY_PARAM_RSA_E)),
            ]
        case .ec:
            let length = curve?.length
            return [
                "kty": "EC", "crv": .string(curve?.rawValue ?? ""),
                "x": encoded(handle.integer(OSSL_PKEY_PARAM_EC_PUB_X, length: length)),
                "y": encoded(handle.integer(OSSL_PKEY_PARAM_EC_PUB_Y, length: length)),
            ]
        case .okp, .oct:
            let bytes = curve.flatMap { handle.rawPublicKey(length: $0.length) }
            return ["kty": "OKP", "crv": .string(curve?.rawValue ?? ""), "x": encoded(bytes)]
        }
    }

    /// The key as a JWK, `kid`, `alg` and `use` as given or as the key has them.
    package func jwk(kid: String? = nil, alg: String? = nil, use: String? = nil) -> JWK {
        JWK(members.described(kid ?? attributes.kid, alg ?? attributes.algorithm, use ?? attributes.use))
    }

    /// The SHA-256 thumbprint in base64url (RFC 7638 section 3, RFC 8037 section 2).
    package var thumbprint: String { Thumbprint.of(members) }
}

/// A key pair, built once and usable from any number of tasks at a time; it prints without its secret.
package struct PrivateKey: Sendable, CustomStringConvertible {
    let handle: KeyHandle
    package let type: KeyType
    package let curve: Curve?
    package var attributes: KeyAttributes

    package var description: String { "private \(curve?.rawValue ?? type.rawValue) key" }

    package var publicKey: PublicKey {
        PublicKey(handle: handle, type: type, curve: curve, attributes: attributes.ofPublicHalf)
    }

    /// The kinds of keys that can be generated.
    package enum Kind: Sendable, Hashable {
        case rsa(bits: Int)
        /// An elliptic-curve key; the curve must be P-256, P-384 or P-521.
        case ec(Curve)
        case ed25519
        case ed448
        case x25519
        case x448
    }

    /// A fresh key pair without attributes.
    package static let fresh: KeyMaker = { kind throws(JOSEError) in try generate(kind) }

    /// A fresh key pair.
    package static func generate(
        _ kind: Kind,
        attributes: KeyAttributes = KeyAttributes()
    ) throws(JOSEError) -> PrivateKey {
        func make(_ curve: Curve) throws(JOSEError) -> PrivateKey {
            let group = curve.keyType == .ec ? curve.openSSLName : nil
            let type = curve.keyType == .ec ? "EC" : curve.openSSLName
            let handle = try KeyHandle.generate(type, group: group)
            return PrivateKey(handle: handle, type: curve.keyType, curve: curve, attributes: attributes)
        }
        switch kind {
        case .rsa(let bits):
            let handle = try KeyHandle.generate("RSA", bits: bits)
            return PrivateKey(handle: handle, type: .rsa, curve: nil, attributes: attributes)
        case .ec(let curve):
            guard curve.keyType == .ec else { throw JOSEError(.unsupported, "\(curve.rawValue) is not an EC curve") }
            return try make(curve)
        case .ed25519: return try make(.ed25519)
        case .ed448: return try make(.ed448)
        case .x25519: return try make(.x25519)
        case .x448: return try make(.x448)
        }
    }

    /// The whole pair as a JWK, which is a secret; for the public half ask `publicKey`.
    package func jwk(kid: String? = nil, alg: String? = nil, use: String? = nil) -> JWK {
        var object = publicKey.members
        func set(_ member: String, _ bytes: [UInt8]?) {
            if let bytes { object[member] = .string(Base64URL.encode(bytes)) }
        }
        switch type {
        case .rsa:
            set("d", handle.integer(OSSL_PKEY_PARAM_RSA_D))
            set("p", handle.integer(KeyParameter.factor1))
            set("q", handle.integer(KeyParameter.factor2))
            set("dp", handle.integer(KeyParameter.exponent1))
            set("dq", handle.integer(KeyParameter.exponent2))
            set("qi", handle.integer(KeyParameter.coefficient1))
        case .ec: set("d", handle.integer(OSSL_PKEY_PARAM_PRIV_KEY, length: curve?.length))
        case .okp, .oct: set("d", curve.flatMap { handle.rawPrivateKey(length: $0.length) })
        }
        return JWK(object.described(kid ?? attributes.kid, alg ?? attributes.algorithm, use ?? attributes.use))
    }
}

/// A secret shared by two sides, such as a client secret; it prints as its length.
package struct SymmetricKey: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]
    package var attributes: KeyAttributes

    package init(_ bytes: [UInt8], attributes: KeyAttributes = KeyAttributes()) {
        self.bytes = bytes
        self.attributes = attributes
    }

    var bits: Int { bytes.count * 8 }
    package var description: String { "symmetric key of \(bytes.count) bytes" }
    package var customMirror: Mirror { Mirror(self, children: ["bits": bits]) }

    /// The key as a JWK; what is returned is a secret.
    package func jwk(kid: String? = nil, alg: String? = nil, use: String? = nil) -> JWK {
        let object: JSONObject = ["kty": "oct", "k": .string(Base64URL.encode(bytes))]
        return JWK(object.described(kid ?? attributes.kid, alg ?? attributes.algorithm, use ?? attributes.use))
    }
}

extension JSONObject {
    fileprivate func described(_ kid: String?, _ alg: String?, _ use: String?) -> JSONObject {
        var object = self
        if let kid { object["kid"] = .string(kid) }
        if let use { object["use"] = .string(use) }
        if let alg { object["alg"] = .string(alg) }
        return object
    }
}

/// Makes a key pair that no other call of the run has returned.
package typealias KeyMaker = @Sendable (PrivateKey.Kind) throws(JOSEError) -> PrivateKey
