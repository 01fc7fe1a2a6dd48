import JSONTree

/// The JWK thumbprint (RFC 7638): the hash of the required members, in the order of their names, without white space.
enum Thumbprint {
    static func of(_ object: JSONObject) -> String {
        let members = object.members.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        return Base64URL.encode(Hashes.sha256(Array(JSONObject(members).serialized().utf8)))
    }
}

extension JWK {
    /// The SHA-256 thumbprint in base64url of the members as they are written; nil if a required one is missing.
    ///
    /// Required are e, kty, n for RSA; crv, kty, x, y for EC; k, kty for oct (RFC 7638 section 3.2); crv, kty, x for
    /// OKP (RFC 8037 section 2).
    package var thumbprint: String? {
        let required: [String] =
            switch keyType {
            case .rsa: ["e", "kty", "n"]
            case .ec: ["crv", "kty", "x", "y"]
            case .okp: ["crv", "kty", "x"]
            case .oct: ["k", "kty"]
            case nil: []
            }
        var members = JSONObject()
        for name in required {
            guard let value = object[name], value.stringValue != nil else { return nil }
            members[name] = value
        }
        return members.isEmpty ? nil : Thumbprint.of(members)
    }
}
