import JOSE
import JSONTree
import Testing

@Suite(.timeLimit(.minutes(5))) struct TokenTests {
    private static func key(for algorithm: JWSAlgorithm, other: Bool = false) throws -> PrivateKey {
        switch algorithm.keyType {
        case .rsa: try other ? SharedKeys.otherRSA() : SharedKeys.rsa()
        case .ec: try PrivateKey.generate(.ec(algorithm.curve ?? .p256))
        case .okp, .oct: try PrivateKey.generate(algorithm == .ed448 ? .ed448 : .ed25519)
        }
    }

    private let payload = Array("{\"sub\":\"é\"}".utf8)

    @Test(arguments: JWSAlgorithm.allCases.filter { !$0.isSymmetric })
    func `a signed token verifies, and nothing else does`(_ algorithm: JWSAlgorithm) throws {
        let key = try Self.key(for: algorithm)
        let other = try Self.key(for: algorithm, other: true)
        let token = try JWS.sign(payload, with: key, algorithm: algorithm, header: ["typ": "JWT"])
        let jws = try JWS.parse(compact: token)
        #expect(jws.algorithm == algorithm && jws.typ == "JWT" && jws.payload == payload)
        try jws.verify(with: key.publicKey, algorithm: algorithm)
        #expect(throws: JOSEError(.signatureMismatch, "the signature does not match")) {
            try jws.verify(with: other.publicKey)
        }
        let parts = token.split(separator: ".")
        let tampered = try JWS.parse(compact: "\(parts[0]).\(Base64URL.encode([1, 2, 3])).\(parts[2])")
        let error = #expect(throws: JOSEError.self) { try tampered.verify(with: key.publicKey) }
        #expect(error?.code == .signatureMismatch)
    }

    @Test(arguments: [JWSAlgorithm.hs256, .hs384, .hs512])
    func `a shared secret signs and verifies`(_ algorithm: JWSAlgorithm) throws {
        let key = SymmetricKey(Hashes.randomBytes(64), attributes: KeyAttributes(kid: "s"))
        let jws = try JWS.parse(compact: try JWS.sign(payload, with: key, algorithm: algorithm))
        #expect(jws.kid == "s")
        try jws.verify(with: key)
        #expect(throws: JOSEError.self) { try jws.verify(with: SymmetricKey(Hashes.randomBytes(64))) }
    }

    @Test func `no key verifies an unsecured token`() throws {
        let jws = try JWS.parse(compact: JWS.unsecured(payload))
        #expect(jws.algorithm == nil && jws.algorithmName == "none")
        let keys = [KeyMaterial.private(try PrivateKey.generate(.ec(.p256))), .symmetric(SymmetricKey(payload))]
        for key in keys {
            let error = #expect(throws: JOSEError.self) { try jws.verify(with: key) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func `an algorithm that disagrees is refused`() throws {
        let key = try SharedKeys.rsa()
        let jws = try JWS.parse(compact: try JWS.sign(payload, with: key, algorithm: .ps256))
        let expected = #expect(throws: JOSEError.self) { try jws.verify(with: key.publicKey, algorithm: .rs256) }
        #expect(expected?.code == .unsuitableKey)
        var declared = key.publicKey
        declared.attributes.algorithm = "RS256"
        let own = #expect(throws: JOSEError.self) { try jws.verify(with: declared) }
        #expect(own?.code == .unsuitableKey)
        let confused = SymmetricKey(Array(try key.publicKey.pem().utf8))
        #expect(throws: JOSEError.self) { try jws.verify(with: confused) }
    }

    @Test(arguments: [
        #"{"alg":"ES256","crit":["exp"],"exp":1}"#, #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","crit":["b64"]}"#,
        #"{"alg":"ES256","b64":true}"#, #"{"alg":"ES256","crit":"b64","b64":true}"#,
        #"{"alg":"ES256","crit":["b64","b64"],"b64":true}"#, #"{"alg":"ES256","crit":["b64"],"b64":1}"#,
    ])
    func `critical members that are not understood or not right are refused`(_ header: String) throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let object = try #require(try JSONDocument.parse(header).root.objectValue)
        let token = try JWS.sign(payload, with: key, algorithm: .es256, exactHeader: object)
        #expect(throws: JOSEError.self) { try JWS.parse(compact: token).verify(with: key.publicKey) }
    }

    @Test(
        arguments: [
            ("a.b", .malformed), ("a.b.c.d", .malformed), ("", .malformed), ("e30.e30.e30", .malformed),
            ("e30=.e30.e30", .encoding), ("W10.e30.e30", .json), ("bm90.e30.e30", .json),
            ("\(Base64URL.encode(Array(#"{"alg":"HS256","alg":"none"}"#.utf8))).e30.e30", .json),
            ("\(Base64URL.encode(Array(#"{"alg":7}"#.utf8))).e30.e30", .malformed),
            ("\(Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))).e31.e30", .encoding),
            ("\(Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))).e30.e3=", .encoding),
        ] as [(String, JOSEError.Code)]
    )
    func `a broken token is refused with its reason`(_ token: String, _ code: JOSEError.Code) {
        let error = #expect(throws: JOSEError.self) { try JWS.parse(compact: token) }
        #expect(error?.code == code)
    }

    @Test func `one broken part does not hide the others`() throws {
        let parts = try CompactJWS("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.x=")
        #expect(try parts.header.get().root["alg"] == "RS256")
        #expect(try parts.claims.get().root["sub"] == "a")
        let error = #expect(throws: JOSEError.self) { try parts.signature.get() }
        #expect(error?.code == .encoding)
    }

    @Test func `one key verifies from many tasks at a time`() async throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let publicKey = key.publicKey
        let jws = try JWS.parse(compact: try JWS.sign(payload, with: key, algorithm: .es256))
        let verified = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<50).count { _ in (try? jws.verify(with: publicKey)) != nil } }
            }
            return await group.reduce(0, +)
        }
        #expect(verified == 400)
    }

    @Test(arguments: KeyManagementAlgorithm.allCases, ContentEncryptionAlgorithm.allCases)
    func `an encrypted text opens with its key only`(
        _ algorithm: KeyManagementAlgorithm,
        _ encryption: ContentEncryptionAlgorithm
    ) throws {
        func keys(other: Bool) throws -> [KeyMaterial] {
            switch algorithm {
            case .rsaOAEP, .rsaOAEP256: [.private(try other ? SharedKeys.otherRSA() : SharedKeys.rsa())]
            case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
                try [.ec(.p256), .ec(.p384), .ec(.p521), .x25519, .x448].map { .private(try PrivateKey.generate($0)) }
            case .a128KW, .a128GCMKW: [.symmetric(SymmetricKey(Hashes.randomBytes(16)))]
            case .a192KW, .a192GCMKW: [.symmetric(SymmetricKey(Hashes.randomBytes(24)))]
            case .a256KW, .a256GCMKW: [.symmetric(SymmetricKey(Hashes.randomBytes(32)))]
            case .direct: [.symmetric(SymmetricKey(Hashes.randomBytes(encryption.keyLength)))]
            }
        }
        for (key, other) in zip(try keys(other: false), try keys(other: true)) {
            for plaintext in [[], payload, Hashes.randomBytes(1_000)] {
                let recipient = key.publicKey.map(KeyMaterial.public) ?? key
                let token = try JWE.encrypt(plaintext, to: recipient, algorithm: algorithm, encryption: encryption)
                let jwe = try JWE.parse(compact: token)
                #expect(try jwe.decrypt(with: key) == plaintext)
                #expect(throws: JOSEError.self) { try jwe.decrypt(with: other) }
            }
        }
    }

    @Test func `compressed content and critical members are refused`() throws {
        let key = KeyMaterial.symmetric(SymmetricKey(Hashes.randomBytes(16)))
        for header: JSONObject in [["zip": "DEF"], ["crit": ["x"], "x": 1]] {
            let token = try JWE.encrypt([1], to: key, algorithm: .a128KW, encryption: .a128GCM, header: header)
            let error = #expect(throws: JOSEError.self) { try JWE.parse(compact: token).decrypt(with: key) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func `hashes of tokens are those of OpenID Connect Core appendices A.3 and A.4`() {
        let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
        let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
        #expect(Hashes.leftmostHalfHash(of: accessToken, algorithm: .rs256) == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(Hashes.leftmostHalfHash(of: code, algorithm: .rs256) == "LDktKdoQak3Pk0cnXxCltA")
        #expect(Hashes.leftmostHalfHash(of: code, algorithm: .ed448).utf8.count == 76)
        #expect(
            Hashes.leftmostHalfHash(of: code, algorithm: .edDSA)
                == Hashes.leftmostHalfHash(of: code, algorithm: .hs512)
        )
    }

    @Test(arguments: [
        (HashAlgorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
    ])
    func `hashes of abc (FIPS 180-4 examples)`(_ algorithm: HashAlgorithm, _ digits: String) {
        #expect(algorithm.hash(Array("abc".utf8)) == [UInt8](hex: digits))
    }

    @Test func `the library reports its version`() {
        #expect(OpenSSLVersion.text.hasPrefix("OpenSSL 3"))
    }
}
