import Conformance
import JOSE
import JSONTree
import OtherPrograms
import TestSupport
import Testing
import Transport

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct ProofKeyTests {
    /// Verifies a proof as RFC 9449 section 4.3 says, with the key in its header, and prints header and claims.
    private static let script = """
        import sys, json
        from joserfc import jws
        from joserfc.jwk import import_key
        jws.JWSRegistry.max_header_length = 4096  # an RSA key is longer than its limit
        token = jws.extract_compact(sys.argv[1].encode())
        header = token.headers()
        jws.deserialize_compact(sys.argv[1], import_key(header["jwk"]), algorithms=[header["alg"]])
        print(json.dumps({"header": header, "claims": json.loads(token.payload)}))
        """

    @Test(
        "joserfc verifies a proof for the provider's algorithms",
        .oracle(Oracle.python("joserfc")),
        arguments: [
            (nil, "ES256"), (["RS256", "ES256"], "ES256"), (["RS256"], "RS256"), (["PS256", "RS256"], "PS256"),
            (["ES384"], "ES384"), (["RS256", "EdDSA"], "EdDSA"),
        ]
            as [([String]?, String)]
    )
    func proof(_ algorithms: [String]?, _ expected: String) async throws {
        let python = try await Oracle.python("joserfc").path()
        let key = ProofKey()
        let request = HTTPRequest(method: "GET", url: "https://op.example/userinfo?a=b")
        let make: KeyMaker = { kind throws(JOSEError) in try PrivateKey.generate(kind) }
        let proof = try await key.proof(for: request, algorithms, accessToken: Secret("t"), now: 1_700_000_000, make)
        let outcome = try await OtherProgram.run(python, ["-c", Self.script, proof])
        try #require(outcome.code == 0, "\(outcome.errors)")
        let read = try JSONDocument.parse(outcome.output).root
        #expect(read["header"]?["alg"]?.stringValue == expected)
        #expect(read["header"]?["typ"]?.stringValue == "dpop+jwt")
        // A proof must not contain the private key (section 4.2).
        #expect(read["header"]?["jwk"]?["d"] == nil)
        #expect(read["claims"]?["htm"]?.stringValue == "GET")
        #expect(read["claims"]?["htu"]?.stringValue == "https://op.example/userinfo")
        #expect(read["claims"]?["iat"]?.numberValue == 1_700_000_000)
        // The SHA-256 hash of "t", as `openssl dgst` prints it.
        #expect(read["claims"]?["ath"]?.stringValue == "47mKTaMaEn1L3m5DAz9muidMqw636xxw7EFAK_YnPdg")
        let other = try await key.proof(for: request, algorithms, accessToken: nil, now: 1_700_000_000, make)
        #expect(try JWS.parse(compact: other).header["jwk"] == JWS.parse(compact: proof).header["jwk"])
        #expect(try JSONDocument.parse(JWS.parse(compact: other).payload).root["ath"] == nil)
    }
}
