import Conformance
import JOSE
import JSONTree
import Transport

/// The key whose possession the client proves with every request for tokens and every use of one (RFC 9449).
///
/// It is generated for the run. Each server's latest nonce goes with the proofs for that server (RFC 9449 sections 8 and 9).
actor ProofKey {
    private var key: PrivateKey?
    private var nonces: [String: String] = [:]

    /// A proof for a request (RFC 9449 section 4.2).
    ///
    /// - Parameters:
    ///   - algorithms: The provider's `dpop_signing_alg_values_supported`; `nil` if it states none.
    ///   - accessToken: The token that the request presents; `nil` for none.
    ///   - now: Seconds since 1970.
    func proof(
        for request: HTTPRequest,
        _ algorithms: [String]?,
        accessToken: Secret?,
        now: Double,
        _ makeKey: KeyMaker
    ) throws(JOSEError) -> String {
        let algorithm = Self.preferred.first { algorithms?.contains($0.rawValue) ?? true } ?? .es256
        let key: PrivateKey
        if let made = self.key { key = made } else { key = try makeKey(Self.kind(for: algorithm)) }
        self.key = key
        var claims: JSONObject = [
            "jti": .string(Base64URL.encode(Hashes.randomBytes(16))),
            "htm": .string(request.method),
            // Without query and fragment.
            "htu": .string(String(request.url.prefix { $0 != "?" && $0 != "#" })),
            "iat": .integer(Int64(now)),
        ]
        claims["nonce"] = nonces[Self.origin(of: request.url)].map(JSON.string)
        claims["ath"] = accessToken.map { .string(Base64URL.encode(Hashes.sha256(Array($0.reveal().utf8)))) }
        let header: JSONObject = [
            "typ": "dpop+jwt", "alg": .string(algorithm.rawValue), "jwk": .object(key.publicKey.jwk().object),
        ]
        return try JWS.sign(Array(claims.serialized().utf8), with: key, algorithm: algorithm, exactHeader: header)
    }

    /// The algorithms in the order in which one is chosen: ES256 is what most clients use.
    private static let preferred: [JWSAlgorithm] = [
        .es256, .ed25519, .edDSA, .es384, .es512, .ps256, .rs256, .ps384, .rs384, .ps512, .rs512,
    ]

    private static func kind(for algorithm: JWSAlgorithm) -> PrivateKey.Kind {
        switch algorithm.keyType {
        case .rsa: .rsa(bits: 2_048)
        case .okp: .ed25519
        case .ec, .oct: .ec(algorithm.curve ?? .p256)
        }
    }

    /// Takes the nonce of a response.
    ///
    /// - Returns: Whether the server rejected the request for want of that nonce, so that the same request can succeed with it.
    func takeNonce(of exchange: HTTPExchange, at url: String) -> Bool {
        guard let response = exchange.response, let nonce = response.header("DPoP-Nonce") else { return false }
        nonces[Self.origin(of: url)] = nonce
        let error = (try? JSONDocument.parse(response.body))?.root["error"]?.stringValue
        let challenge = response.header("WWW-Authenticate") ?? ""
        return response.status == 400 && error == "use_dpop_nonce"
            || response.status == 401 && challenge.contains("use_dpop_nonce")
    }

    private static func origin(of url: String) -> String { WebURL(url)?.origin ?? url }
}
