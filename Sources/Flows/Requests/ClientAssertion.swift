import Conformance
import JOSE
import JSONTree

/// A client's signed statement of who it is (RFC 7523 section 2.2, Core section 9).
struct ClientAssertion: Sendable {
    enum Key: Sendable {
        case secret(Secret)
        case pair(PrivateKey)
    }

    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Seconds that one is good for: long enough for clocks that disagree a little.
    private static let lifetime = 120.0

    var clientID: String
    var audience: String
    var key: Key
    /// As registered; `nil` for what the key is made for.
    var algorithm: JWSAlgorithm?
    /// Seconds since 1970.
    var now: Double

    /// The assertion in compact form, right or wrong in one way.
    func compact(_ kind: EndpointCall.Assertion = .right) throws(JOSEError) -> String {
        let age = kind == .expired ? 3_600 + Self.lifetime : 0
        let claims: JSONObject = [
            "iss": .string(clientID),
            "sub": .string(clientID),
            "aud": .string(kind == .forAnother ? "https://unregistered.invalid/token" : audience),
            "jti": .string(Base64URL.encode(Hashes.randomBytes(16))),
            "iat": .integer(Int64(now - age)),
            "exp": .integer(Int64(now - age + Self.lifetime)),
        ]
        let payload = Array(claims.serialized().utf8)
        if kind == .unsigned { return JWS.unsecured(payload) }
        switch key {
        case .secret(let secret):
            let key = SymmetricKey(Array(secret.reveal().utf8))
            return try JWS.sign(payload, with: key, algorithm: algorithm ?? .hs256, header: ["typ": "JWT"])
        case .pair(let pair):
            guard let algorithm = algorithm ?? pair.usualAlgorithm else {
                throw JOSEError(.unsupported, "the client's key does not sign")
            }
            return try JWS.sign(payload, with: pair, algorithm: algorithm, header: ["typ": "JWT"])
        }
    }

    /// A key of the same kind that is not the client's.
    func wrongKey(_ make: KeyMaker) throws(JOSEError) -> Key {
        switch key {
        case .secret: return .secret(Secret(Base64URL.encode(Hashes.randomBytes(48))))
        case .pair(let pair):
            var other: PrivateKey
            switch pair.curve {
            case .ed448: other = try make(.ed448)
            case let curve? where curve.keyType == .ec: other = try make(.ec(curve))
            case .some: other = try make(.ed25519)
            case nil: other = try make(.rsa(bits: 2_048))
            }
            other.attributes = pair.attributes
            return .pair(other)
        }
    }
}
