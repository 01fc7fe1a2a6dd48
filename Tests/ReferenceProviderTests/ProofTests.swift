import Conformance
import JOSE
import JSONTree
import Testing

@testable import ReferenceProvider

/// The reference provider rejects a proof that is wrong in one way (RFC 9449 section 4.3).
@Suite(.timeLimit(.minutes(5))) struct ProofTests {
    private static let now = 1_700_000_000.0

    @Test(
        "a proof that is wrong in one way is rejected",
        arguments: [
            ("right", nil), ("htm", "GET"), ("htu", "https://provider.example/other"), ("iat", 1_699_999_000),
            ("jti", nil),
            ("ath", "x"), ("typ", "JWT"), ("twice", nil), ("key", nil),
        ] as [(String, JSON?)]
    )
    func wrong(_ part: String, _ value: JSON?) throws {
        let provider = try makeProvider(.singpassFAPI, clock: TestClock(Self.now))
        let key = try PrivateKey.generate(.ec(.p256))
        var claims: JSONObject = [
            "htm": "POST", "htu": .string(provider.address(.token)), "iat": .integer(Int64(Self.now)), "jti": "j",
            "ath": .string(Base64URL.encode(Hashes.sha256(Array("token".utf8)))),
        ]
        if claims.has(part) { claims[part] = value }
        var signer = key
        if part == "key" { signer = try PrivateKey.generate(.ec(.p256)) }
        let header: JSONObject = [
            "alg": "ES256", "typ": part == "typ" ? "JWT" : "dpop+jwt", "jwk": .object(key.publicKey.jwk().object),
        ]
        let proof = try JWS.sign(
            Array(claims.serialized().utf8),
            with: signer,
            algorithm: .es256,
            exactHeader: header
        )
        let headers = [Field("DPoP", proof)]
        if part == "twice" { _ = provider.proved(headers, at: .token, by: "POST", accessToken: "token") }
        let result = provider.proved(headers, at: .token, by: "POST", accessToken: "token")
        let thumbprint = try? result.get()
        #expect(thumbprint == (part == "right" ? key.publicKey.thumbprint : nil))
    }
}
