package import JSONTree

/// A JSON Web Key Set as it was received (RFC 7517 section 5).
package struct JWKSet: Sendable, Hashable {
    /// One element of `keys`: a key, or another value.
    package enum Element: Sendable, Hashable {
        case key(JWK)
        case notAnObject(JSON)

        package var jwk: JWK? {
            if case .key(let jwk) = self { jwk } else { nil }
        }
    }

    package let object: JSONObject
    package let elements: [Element]

    init(_ object: JSONObject) throws(JOSEError) {
        guard let value = object["keys"] else { throw JOSEError(.malformed, "the key set has no member keys") }
        guard let array = value.arrayValue else {
            throw JOSEError(.malformed, "the member keys is \(value.kind.phrase), not an array")
        }
        self.object = object
        elements = array.map { value in JWK(value).map(Element.key) ?? .notAnObject(value) }
    }

    /// A key set from a JSON value.
    package init(_ value: JSON) throws(JOSEError) {
        guard let object = value.objectValue else {
            throw JOSEError(.malformed, "the key set is \(value.kind.phrase), not an object")
        }
        try self.init(object)
    }

    package init(keys: [JWK]) {
        object = ["keys": .array(keys.map { .object($0.object) })]
        elements = keys.map(Element.key)
    }

    /// The keys, in order; elements that are not objects are left out.
    package var keys: [JWK] { elements.compactMap(\.jwk) }

    /// The keys that could have made a signature with this header: type, curve, `alg`, `use` and `kid` match, `kid` byte by
    /// byte (RFC 7515 section 5.3).
    ///
    /// A header without `kid` leaves every suitable key; more than one then means that the choice is not clear.
    package func candidates(kid: String?, algorithm: JWSAlgorithm) -> [JWK] {
        keys.filter { jwk in
            // The most selective condition comes first.
            if let kid, !(jwk.kid?.isIdenticalText(to: kid) ?? false) { return false }
            guard let type = jwk.keyType, algorithm.accepts(type, jwk.curve) else { return false }
            if let declared = jwk.alg, !algorithm.agrees(with: declared, curve: jwk.curve) { return false }
            return jwk.use.map { $0 == "sig" } ?? true
        }
    }
}
