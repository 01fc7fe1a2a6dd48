package import JSONTree

/// A signing key: a private key, or a symmetric one.
package protocol JWSSigner: Sendable {
    var attributes: KeyAttributes { get }

    /// The signature over the bytes, in JOSE's form.
    func signature(over bytes: [UInt8], algorithm: JWSAlgorithm) throws(JOSEError) -> [UInt8]
}

extension PrivateKey: JWSSigner {}
extension SymmetricKey: JWSSigner {}

extension JWS {
    /// A compact JWS with `alg`, the key's `kid` if it has one, and the further members given.
    package static func sign(
        _ payload: [UInt8],
        with key: some JWSSigner,
        algorithm: JWSAlgorithm,
        header: JSONObject = [:]
    ) throws(JOSEError) -> String {
        var full: JSONObject = ["alg": .string(algorithm.rawValue)]
        if let kid = key.attributes.kid { full["kid"] = .string(kid) }
        return try sign(payload, with: key, algorithm: algorithm, exactHeader: full.merging(header))
    }

    /// A compact JWS with exactly this header, even if it contradicts the algorithm; made for faulty tokens too.
    package static func sign(
        _ payload: [UInt8],
        with key: some JWSSigner,
        algorithm: JWSAlgorithm,
        exactHeader header: JSONObject
    ) throws(JOSEError) -> String {
        let input = signingInput(header, payload)
        let signature = try key.signature(over: Array(input.utf8), algorithm: algorithm)
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// A compact JWS without a signature (RFC 7515 appendix A.5), which nothing here will verify.
    package static func unsecured(_ payload: [UInt8], header: JSONObject = ["alg": "none"]) -> String {
        signingInput(header, payload) + "."
    }

    private static func signingInput(_ header: JSONObject, _ payload: [UInt8]) -> String {
        let protected = Base64URL.encode(Array(header.serialized().utf8))
        return "\(protected).\(CompactJWS.text(ofPayload: payload, .object(header)))"
    }
}
