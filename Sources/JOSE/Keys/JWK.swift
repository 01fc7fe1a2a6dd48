package import JSONTree

/// A JSON Web Key as it was received (RFC 7517): every member readable, nothing checked.
///
/// `publicKey()`, `privateKey()` and `key()` build a key from it, strictly.
package struct JWK: Sendable, Hashable {
    package let object: JSONObject

    package init(_ object: JSONObject) {
        self.object = object
    }

    /// A key from a JSON value; nil unless it is an object.
    package init?(_ value: JSON) {
        guard let object = value.objectValue else { return nil }
        self.object = object
    }

    package var kty: String? { text("kty") }
    package var crv: String? { text("crv") }
    package var alg: String? { text("alg") }
    package var use: String? { text("use") }
    package var kid: String? { text("kid") }
    package var keyOps: [String]? { object["key_ops"]?.strings }
    package var x5u: String? { text("x5u") }
    package var x5tS256: String? { text("x5t#S256") }
    /// The certificates as they are written, padded base64 of DER, the key's own first.
    package var x5c: [String]? { object["x5c"]?.strings }

    package var keyType: KeyType? { kty.flatMap(KeyType.init(rawValue:)) }
    package var curve: Curve? { crv.flatMap(Curve.init(rawValue:)) }

    package var n: [UInt8]? { lenientBytes(of: "n") }
    package var e: [UInt8]? { lenientBytes(of: "e") }
    package var x: [UInt8]? { lenientBytes(of: "x") }

    /// The members that contain private or symmetric material, by key type; all candidates for an unknown type.
    package var privateMembers: [String] {
        let candidates: [String] =
            switch keyType {
            case .rsa: ["d", "p", "q", "dp", "dq", "qi", "oth"]
            case .ec, .okp: ["d"]
            case .oct: ["k"]
            case nil: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
            }
        return candidates.filter(object.has)
    }

    /// Whether the key contains what only its owner may know; an `oct` key always does.
    package var isPrivateOrSymmetric: Bool { keyType == .oct || !privateMembers.isEmpty }

    /// The bytes of a member, strictly base64url.
    package func bytes(of member: String) throws(JOSEError) -> [UInt8] {
        guard let value = object[member] else { throw JOSEError(.invalidKey, "the key has no member \(member)") }
        guard let text = value.stringValue else {
            throw JOSEError(.invalidKey, "the member \(member) is \(value.kind.phrase), not a string")
        }
        do {
            return try Base64URL.decode(text)
        } catch {
            throw JOSEError(.encoding, "the member \(member) is not base64url: \(error)")
        }
    }

    /// The bytes of a member in a lenient decoding, with padding and the standard alphabet allowed; for checks.
    package func lenientBytes(of member: String) -> [UInt8]? {
        text(member).flatMap { Base64URL.decodeLeniently($0) }
    }

    private func text(_ member: String) -> String? { object[member]?.stringValue }
}

/// The metadata of a key.
package struct KeyAttributes: Sendable, Hashable {
    package var kid: String?
    package var algorithm: String?
    package var use: String?
    var operations: [String]?

    package init(kid: String? = nil, algorithm: String? = nil, use: String? = nil, operations: [String]? = nil) {
        self.kid = kid
        self.algorithm = algorithm
        self.use = use
        self.operations = operations
    }

    init(_ jwk: JWK) {
        self.init(kid: jwk.kid, algorithm: jwk.alg, use: jwk.use, operations: jwk.keyOps)
    }

    /// The same, said of the public half.
    var ofPublicHalf: KeyAttributes {
        let counterparts = ["sign": "verify", "decrypt": "encrypt", "unwrapKey": "wrapKey"]
        var attributes = self
        attributes.operations = operations?.map { counterparts[$0] ?? $0 }
        return attributes
    }

    /// Throws if `use` or `key_ops` forbids the purpose; absent members allow everything (RFC 7517 section 4).
    func allow(_ purpose: Purpose) throws(JOSEError) {
        if let use, use != purpose.use {
            throw JOSEError(.unsuitableKey, "the key is for use \"\(use)\", not \"\(purpose.use)\"")
        }
        if let operations, !operations.contains(where: purpose.operations.contains) {
            throw JOSEError(.unsuitableKey, "the key's key_ops do not include \"\(purpose.operations[0])\"")
        }
    }

    enum Purpose {
        case sign
        case verify
        case encrypt
        case decrypt

        var use: String {
            switch self {
            case .sign, .verify: "sig"
            case .encrypt, .decrypt: "enc"
            }
        }

        var operations: [String] {
            switch self {
            case .sign: ["sign"]
            case .verify: ["verify"]
            case .encrypt: ["encrypt", "wrapKey", "deriveKey", "deriveBits"]
            case .decrypt: ["decrypt", "unwrapKey", "deriveKey", "deriveBits"]
            }
        }
    }
}
