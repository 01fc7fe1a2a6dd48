import Conformance
import JOSE
import JSONTree
import Preflight

extension FuzzTarget {
    private static let document = """
        {"issuer":"https://op.example","jwks_uri":"https://op.example/jwks","response_types_supported":["code"],
        "subject_types_supported":["public"],"claims_parameter_supported":true,"n":[1,-2.5e3,null,{"a":{"b":[]}}],"é":"\\u00e9\\ud83d\\ude00"}
        """
    private static let keys = """
        {"keys":[{"kty":"RSA","kid":"1","use":"sig","alg":"RS256","n":"AMLKZmBmzQ","e":"AQAB","x5c":["MIIB"],"x5t#S256":"AA"},
        {"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"},
        {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"AA"},{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMko"}]}
        """
    private static let jsonPieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\u0000", "\\ud800", "\\\"", "true", "null", "{\"a\":", "[[", "\"keys\":",
        "\"kty\":\"RSA\",",
        "\"d\":\"", "\"issuer\":", "//", "NaN", "-", ".", "e+", "\t",
    ]

    static let json = FuzzTarget("json", texts: [document, keys, "[]", "1"], pieces: jsonPieces) { bytes in
        guard let root = try? JSONDocument.parse(bytes).root else { return nil }
        let text = root.serialized()
        guard let again = try? JSONDocument.parse(text).root else { return "the value is serialised as invalid JSON" }
        return again == root ? nil : "the value changes when it is serialised"
    }

    static let jwk = FuzzTarget(
        "jwk",
        texts: [keys],
        pieces: jsonPieces + ["\"crv\":\"P-521\",", "\"x\":\"\",", "AQAB"]
    ) { bytes in
        guard let set = try? JSONDocument.parse(bytes).root["keys"]?.arrayValue else { return nil }
        for element in set {
            guard let key = JWK(element) else { continue }
            _ = try? key.publicKey()
            _ = try? key.privateKey()
            _ = key.x5c?.map { try? Certificate.parse(x5c: $0) }
        }
        return nil
    }

    private static let token =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEiLCJjcml0IjpbImI2NCJdLCJiNjQiOmZhbHNlfQ.eyJpc3MiOiJodHRwczovL29wLmV4YW1wbGUifQ.AAEC"

    static let jws = FuzzTarget("jws", texts: [token, "a.b.c"], pieces: [".", "..", "eyJ", "=", "-", "_", "+", "e30"]) {
        bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? JWS.parse(compact: text)
        _ = try? JWS.parse(compact: text, detachedPayload: bytes)
        return nil
    }

    static let jwe = FuzzTarget(
        "jwe",
        texts: ["eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", document],
        pieces: [".", "..", "eyJ", "=", "-", "_", "{\"recipients\":[", "\"protected\":\"", "\"ciphertext\":\""]
    ) { bytes in
        _ = try? JWE.parse(compact: String(decoding: bytes, as: UTF8.self))
        return nil
    }

    /// DER is written in hexadecimal, so that it is mutated like the other texts.
    static let certificate = FuzzTarget(
        "certificate",
        texts: [
            "3082010a30819ba003020102020101300506032b6570300c310a300806035504030c0141301e170d3236303130313030303030305a"
        ],
        pieces: ["30", "82", "ff", "00", "03", "a0", "06", "0c", "17", "180f", "84ffffffff", "0303", "a303"]
    ) { bytes in
        let digits = bytes.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        _ = try? Certificate.parse(der: pairs)
        return nil
    }

    static let yaml = FuzzTarget(
        "yaml",
        texts: [
            "issuer: https://op.example\nclient:\n  id: a\n  secret: { env: SECRET }\nflows: [code, id_token]\n",
            "- &a [*a]\n",
        ],
        pieces: YAMLReading.pieces
    ) { bytes in
        YAMLReading.contradiction(bytes) ?? YAMLReading.contradiction(bytes, YAMLReading.tight)
    }

    /// The complete processing of documents from files: read and checked, with every finding.
    static let documents = FuzzTarget("documents", texts: [document, keys], pieces: jsonPieces) { bytes in
        guard let documents = try? LintDocuments(others: [("document.json", bytes)]) else { return nil }
        let evidence = PreflightRun.lintEvidence(documents, issuer: nil, now: 1_800_000_000)
        let environment = Environment(
            variable: { _ in nil },
            readFile: { .failure(FileError(path: $0, reason: "no such file")) }
        )
        guard
            let run = try? PreflightRun(
                configuration: Configuration(judging: evidence),
                tier: .static,
                environment: environment
            )
        else { return "no run could be created" }
        let report = run.judge(evidence, now: 1_800_000_000)
        return report.entries.isEmpty ? "no check was evaluated" : nil
    }

    static let evidence = FuzzTarget(
        "evidence",
        texts: ["{\"format\":3,\"tool\":\"x\",\"target\":{\"issuer\":\"https://op.example\"}}", "{\"format\":2}"],
        pieces: jsonPieces + ["\"format\":3,", "\"runs\":[", "\"observed\":", "\"exchanges\":["]
    ) { bytes in
        _ = try? PreflightRun.evidence(from: bytes)
        return nil
    }
}
