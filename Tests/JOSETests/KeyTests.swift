import JOSE
import JSONTree
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeyTests {
    private static let ec: JSONObject = [
        "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    ]
    private static let rsa: JSONObject = [
        "kty": "RSA", "e": "AQAB",
        "n": """
        0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj\
        hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ\
        vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzK\
        nqDKgw
        """,
    ]
    private static let ed25519: JSONObject = [
        "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ]

    @Test(arguments: [
        (rsa, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"), (ed25519, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
    ])
    func `thumbprints of RFC 7638 section 3.1 and RFC 8037 appendix A.3`(_ key: JSONObject, _ thumbprint: String) throws
    {
        var described = key
        described["kid"] = "2011-04-29"
        #expect(JWK(described).thumbprint == thumbprint)
        #expect(try JWK(described).publicKey().thumbprint == thumbprint)
    }

    /// One change to a valid key, and the expected error.
    struct Damage: Sendable, CustomStringConvertible {
        var key: JSONObject
        var member: String
        var value: JSON?
        var code: JOSEError.Code
        var description: String { "\(member): \(value?.serialized() ?? "absent") gives \(code)" }
    }

    @Test(arguments: [
        Damage(key: ec, member: "kty", value: nil, code: .invalidKey),
        Damage(key: ec, member: "kty", value: 7, code: .invalidKey),
        Damage(key: ec, member: "kty", value: "ec", code: .unsupported),
        Damage(key: ec, member: "kty", value: "AKP", code: .unsupported),
        Damage(key: ec, member: "crv", value: nil, code: .invalidKey),
        Damage(key: ec, member: "crv", value: "secp256k1", code: .unsupported),
        Damage(key: ec, member: "crv", value: "P-384", code: .invalidKey),
        Damage(key: ec, member: "crv", value: "Ed25519", code: .invalidKey),
        Damage(key: ec, member: "x", value: nil, code: .invalidKey),
        Damage(key: ec, member: "x", value: ["a"], code: .invalidKey),
        Damage(key: ec, member: "x", value: "AAAA", code: .invalidKey),
        Damage(key: ec, member: "x", value: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4=", code: .encoding),
        Damage(key: ec, member: "x", value: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D5", code: .encoding),
        Damage(key: ec, member: "x", value: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D8", code: .notOnCurve),
        Damage(key: rsa, member: "e", value: "AQ", code: .invalidKey),
        Damage(key: rsa, member: "e", value: "Ag", code: .invalidKey),
        Damage(key: rsa, member: "e", value: "AAEAAQ", code: .encoding),
        Damage(key: rsa, member: "e", value: "", code: .encoding),
        Damage(key: rsa, member: "n", value: "AQAB", code: .invalidKey),
        Damage(key: ed25519, member: "x", value: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ", code: .encoding),
        Damage(key: ed25519, member: "x", value: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", code: .encoding),
        Damage(key: ed25519, member: "crv", value: "P-256", code: .invalidKey),
        Damage(key: ["kty": "oct", "k": "AAAA"], member: "k", value: "", code: .invalidKey),
    ])
    func `a damaged key is refused with its reason`(_ damage: Damage) {
        var object = damage.key
        object[damage.member] = damage.value
        let error = #expect(throws: JOSEError.self) { try JWK(object).key() }
        #expect(error?.code == damage.code || damage.member == "x" && error?.code == .invalidKey, "\(damage)")
    }

    @Test func `leniency reads what strictness refuses, and yields the same key`() throws {
        var padded = Self.rsa
        padded["e"] = "AAEAAQ=="
        #expect(throws: JOSEError.self) { try JWK(padded).publicKey() }
        #expect(try JWK(padded).publicKey(leniently: true).isSameKey(as: JWK(Self.rsa).publicKey()))
    }

    @Test func `private and symmetric members are named`() {
        var leaking = Self.ec
        leaking["d"] = "AA"
        #expect(JWK(leaking).privateMembers == ["d"])
        #expect(!JWK(Self.ec).isPrivateOrSymmetric)
        #expect(JWK(["kty": "oct", "k": "AA"]).isPrivateOrSymmetric)
        #expect(JWK(["kty": "AKP", "priv": "AA"]).isPrivateOrSymmetric)
    }

    static let kinds: [PrivateKey.Kind] = [
        .rsa(bits: 2_048), .ec(.p256), .ec(.p384), .ec(.p521), .ed25519, .ed448, .x25519, .x448,
    ]

    @Test(arguments: kinds)
    func `a generated key survives its JWK`(_ kind: PrivateKey.Kind) throws {
        let key = try PrivateKey.generate(kind)
        let exported = key.jwk(kid: "one", use: "sig")
        let again = try exported.privateKey()
        #expect(again.publicKey.isSameKey(as: key.publicKey))
        #expect(again.attributes.kid == "one")
        #expect(again.jwk().object == exported.object)
        let publicJWK = key.publicKey.jwk(alg: "X")
        #expect(!publicJWK.isPrivateOrSymmetric && publicJWK.alg == "X")
        #expect(try publicJWK.publicKey().isSameKey(as: key.publicKey))
        #expect(publicJWK.thumbprint == key.publicKey.thumbprint)
        #expect(try !PrivateKey.generate(kind).publicKey.isSameKey(as: key.publicKey))
    }

    @Test(arguments: [PrivateKey.Kind.ec(.p256), .ed25519, .x448])
    func `a private value of another key is refused`(_ kind: PrivateKey.Kind) throws {
        var mixed = try PrivateKey.generate(kind).jwk().object
        mixed["d"] = try PrivateKey.generate(kind).jwk().object["d"]
        #expect(throws: JOSEError.self) { try JWK(mixed).privateKey() }
    }

    @Test func `secrets do not print`() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let secret = SymmetricKey(Array("a very secret secret".utf8))
        #expect("\(key) \(secret)" == "private P-256 key symmetric key of 20 bytes")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("97"))
    }

    @Test func `a key set is read element by element`() throws {
        let set = try JWKSet(["keys": [.object(Self.ec), 3, .object(Self.rsa)]] as JSON)
        #expect(set.elements.count == 3 && set.keys.count == 2)
        #expect(set.candidates(kid: nil, algorithm: .rs256).count == 1)
        #expect(set.candidates(kid: "x", algorithm: .rs256).isEmpty)
        for value: JSON in [[:], ["keys": [:]], [1]] {
            #expect(throws: JOSEError.self) { try JWKSet(value) }
        }
    }
}
