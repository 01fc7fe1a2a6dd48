import JOSE
import JSONTree
import Testing

@Suite(.timeLimit(.minutes(5))) struct SmallOrderTests {
    @Test(arguments: ["x25519_jwk_test.json", "x448_jwk_test.json"])
    func `public keys with which every agreement ends in zeros are of small order, and no others are`(
        _ file: String
    ) async throws {
        var found = 0
        for vector in try await WycheproofVector.all(file) {
            guard let key = vector.test["public"].flatMap(JWK.init) else { continue }
            let agreesOnZeros = vector.flags.contains("ZeroSharedSecret")
            if agreesOnZeros { found += 1 }
            #expect(key.isOfSmallOrder == agreesOnZeros, "\(file) \(vector.id)")
        }
        #expect(found > 0)
    }

    @Test(arguments: [
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA", "7P_______________________________________38",
        "7f_______________________________________38", "JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU",
        "xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA_o",
    ])
    func `an Ed25519 key of small order is known, with either sign`(_ x: String) {
        #expect(JWK(["kty": "OKP", "crv": "Ed25519", "x": .string(x)]).isOfSmallOrder)
    }

    @Test(arguments: [PrivateKey.Kind.ed25519, .ed448, .x25519, .x448])
    func `a generated key is of large order`(_ kind: PrivateKey.Kind) throws {
        #expect(!(try PrivateKey.generate(kind)).publicKey.jwk().isOfSmallOrder)
    }

    @Test func `Ed448 has its own points of small order`() {
        for (x, isSmall) in [
            ("AQ" + String(repeating: "A", count: 74), true), ("Ag" + String(repeating: "A", count: 74), false),
        ] {
            #expect(JWK(["kty": "OKP", "crv": "Ed448", "x": .string(x)]).isOfSmallOrder == isSmall)
        }
    }
}
