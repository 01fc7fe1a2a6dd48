import Conformance
import JOSE
import JSONTree

/// The key with which a client signs.
enum ClientKey: Sendable {
    case secret(Secret)
    case pair(PrivateKey)

    /// A JWT in compact form.
    ///
    /// - Parameters:
    ///   - algorithm: As registered; `nil` for that of the key.
    ///   - type: The `typ` of its header.
    func sign(_ claims: JSONObject, algorithm: JWSAlgorithm?, type: String) throws(JOSEError) -> String {
        let payload = Array(claims.serialized().utf8)
        switch self {
        case .secret(let secret):
            let key = SymmetricKey(Array(secret.reveal().utf8))
            return try JWS.sign(payload, with: key, algorithm: algorithm ?? .hs256, header: ["typ": .string(type)])
        case .pair(let pair):
            guard let algorithm = algorithm ?? pair.usualAlgorithm else {
                throw JOSEError(.unsupported, "the client's key does not sign")
            }
            return try JWS.sign(payload, with: pair, algorithm: algorithm, header: ["typ": .string(type)])
        }
    }

    /// A key of the same kind that is not the client's.
    func another(_ make: KeyMaker) throws(JOSEError) -> ClientKey {
        switch self {
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

/// A signed JWT with which a client authenticates (RFC 7523 section 2.2, Core section 9).
struct ClientAssertion: Sendable {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Seconds that one is good for: long enough for clocks that disagree a little.
    private static let lifetime = 120.0

    var clientID: String
    var audience: String
    var key: ClientKey
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
        if kind == .unsigned { return JWS.unsecured(Array(claims.serialized().utf8)) }
        return try key.sign(claims, algorithm: algorithm, type: "JWT")
    }
}
