import Foundation
import JOSE
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// Tokens exchanged both ways with joserfc, a Python library that shares no code with ours but OpenSSL's arithmetic.
@Suite(.timeLimit(.minutes(5))) struct InteropTests {
    private static let joserfc = Oracle.python("joserfc")
    private static let payload = "{\"iss\":\"https://op.example\"}"

    private struct Row {
        var name: String
        var question: JSON
        /// Verifies the token that the other side created.
        var judge: (String) throws -> Void
    }

    private func jwsRow(_ algorithm: JWSAlgorithm) throws -> Row {
        let publicJWK: JWK
        let privateJWK: JWK
        let token: String
        let payload = Array(Self.payload.utf8)
        let key: KeyMaterial
        if algorithm.isSymmetric {
            let secret = SymmetricKey(Hashes.randomBytes(64))
            (publicJWK, privateJWK, key) = (secret.jwk(), secret.jwk(), .symmetric(secret))
            token = try JWS.sign(payload, with: secret, algorithm: algorithm)
        } else {
            let kind: PrivateKey.Kind =
                switch algorithm.keyType {
                case .rsa: .rsa(bits: 2_048)
                case .ec: .ec(algorithm.curve ?? .p256)
                case .okp, .oct: algorithm == .ed448 ? .ed448 : .ed25519
                }
            let pair = try algorithm.keyType == .rsa ? SharedKeys.rsa() : PrivateKey.generate(kind)
            (publicJWK, privateJWK, key) = (pair.publicKey.jwk(), pair.jwk(), .public(pair.publicKey))
            token = try JWS.sign(payload, with: pair, algorithm: algorithm)
        }
        let question: JSON = [
            "alg": .string(algorithm.rawValue), "public": .object(publicJWK.object),
            "private": .object(privateJWK.object), "token": .string(token), "payload": .string(Self.payload),
        ]
        return Row(name: algorithm.rawValue, question: question) { token in
            let jws = try JWS.parse(compact: token)
            try jws.verify(with: key, algorithm: algorithm)
            #expect(jws.payload == payload)
        }
    }

    private func jweRow(_ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryptionAlgorithm) throws -> Row {
        let key: KeyMaterial
        switch algorithm {
        case .rsaOAEP, .rsaOAEP256: key = .private(try SharedKeys.rsa())
        case .ecdhES: key = .private(try PrivateKey.generate(.x25519))
        case .ecdhESA128KW: key = .private(try PrivateKey.generate(.ec(.p256)))
        case .ecdhESA192KW: key = .private(try PrivateKey.generate(.ec(.p384)))
        case .ecdhESA256KW: key = .private(try PrivateKey.generate(.ec(.p521)))
        case .a128KW, .a128GCMKW: key = .symmetric(SymmetricKey(Hashes.randomBytes(16)))
        case .a192KW, .a192GCMKW: key = .symmetric(SymmetricKey(Hashes.randomBytes(24)))
        case .a256KW, .a256GCMKW: key = .symmetric(SymmetricKey(Hashes.randomBytes(32)))
        case .direct: key = .symmetric(SymmetricKey(Hashes.randomBytes(encryption.keyLength)))
        }
        let jwks: (public: JWK, private: JWK)
        switch key {
        case .private(let pair): jwks = (pair.publicKey.jwk(), pair.jwk())
        case .symmetric(let secret): jwks = (secret.jwk(), secret.jwk())
        case .public(let key): jwks = (key.jwk(), key.jwk())
        }
        let plaintext = Array(Self.payload.utf8)
        let token = try JWE.encrypt(plaintext, to: key, algorithm: algorithm, encryption: encryption)
        let question: JSON = [
            "alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue),
            "public": .object(jwks.public.object), "private": .object(jwks.private.object), "token": .string(token),
            "plaintext": .string(Self.payload),
        ]
        return Row(name: "\(algorithm.rawValue) \(encryption.rawValue)", question: question) { token in
            let opened = try JWE.parse(compact: token).decrypt(with: key)
            #expect(opened == plaintext)
        }
    }

    @Test(.oracle(joserfc)) func `joserfc and we accept each other's tokens`() async throws {
        let python = try await Self.joserfc.path()
        let jws = try JWSAlgorithm.allCases.map(jwsRow)
        let jwe = try KeyManagementAlgorithm.allCases.flatMap { algorithm in
            try ContentEncryptionAlgorithm.allCases.map { try jweRow(algorithm, $0) }
        }
        let task: JSON = ["jws": .array(jws.map(\.question)), "jwe": .array(jwe.map(\.question))]
        let script = Fixtures.folder.appending(path: "joserfc_oracle.py").path()
        let output = try await OtherProgram.run(python, ["-W", "ignore", script], input: task.serialized())
        #expect(output.code == 0, "\(output.errors)")
        let answers = try JSONDocument.parse(output.text).root
        var exchanged = 0
        for (kind, rows) in [("jws", jws), ("jwe", jwe)] {
            let given = try #require(answers[kind]?.arrayValue)
            #expect(given.count == rows.count)
            for (row, answer) in zip(rows, given) {
                #expect(answer["accepted"] == true, "\(row.name): \(answer["accepted"]?.serialized() ?? "")")
                let token = try #require(answer["token"]?.stringValue)
                #expect(throws: Never.self, "\(row.name): \(token)") { try row.judge(token) }
                exchanged += 1
            }
        }
        print("interop: \(exchanged) kinds of token exchanged with joserfc, both ways")
        #expect(exchanged == JWSAlgorithm.allCases.count + 78)
    }
}
