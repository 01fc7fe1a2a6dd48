import Conformance
import JOSE
import JSONTree
import Testing

@testable import Flows

/// The results for the signature of an ID Token.
@Suite(.timeLimit(.minutes(5))) struct TokenTrialsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var algorithm: JWSAlgorithm
        /// The changes of R and S.
        var change: @Sendable ([UInt8]) -> [UInt8]
        var isVerified = false
        var isInDER: Bool?
    }

    /// An ECDSA-Sig-Value (RFC 3279 section 2.2.3): what openssl writes, and WebCrypto and JWS do not.
    @Sendable private static func der(_ raw: [UInt8]) -> [UInt8] {
        let numbers = [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)]
            .flatMap { half -> [UInt8] in
                var number = Array(half.drop { $0 == 0 })
                if number.first.map({ $0 > 0x7F }) ?? true { number.insert(0, at: 0) }
                return [0x02, UInt8(number.count)] + number
            }
        return [0x30] + (numbers.count > 127 ? [0x81] : []) + [UInt8(numbers.count)] + numbers
    }

    private static let cases = [
        Case(testDescription: "side by side", algorithm: .es256, change: { $0 }, isVerified: true),
        Case(testDescription: "DER, P-256", algorithm: .es256, change: der, isInDER: true),
        Case(testDescription: "DER, P-384", algorithm: .es384, change: der, isInDER: true),
        Case(testDescription: "DER, P-521", algorithm: .es512, change: der, isInDER: true),
        Case(testDescription: "DER of another signature", algorithm: .es256) { der(Array($0.reversed())) },
        Case(testDescription: "DER, cut off", algorithm: .es256) { der($0).dropLast() },
        Case(testDescription: "spoilt", algorithm: .es256) { $0.dropLast() + [$0[63] ^ 1] },
    ]

    @Test(arguments: cases) func `a signature in DER is reported from any other`(example: Case) throws {
        let curve = try #require(example.algorithm.curve)
        let key = try PrivateKey.generate(.ec(curve))
        let compact = try JWS.sign(Array("{}".utf8), with: key, algorithm: example.algorithm)
        let parts = compact.split(separator: ".").map(String.init)
        let signature = Base64URL.encode(example.change(try Base64URL.decode(parts[2])))
        let set: JSONObject = ["keys": [.object(key.publicKey.jwk().object)]]
        let trials = TokenTrials(keySet: Array(set.serialized().utf8), redactor: Redactor(keepsTokens: false))
        let facts = trials.facts(
            about: CollectedRun.PendingToken(
                step: .token,
                compact: Secret("\(parts[0]).\(parts[1]).\(signature)"),
                receivedAt: 0
            )
        )
        #expect(facts.trials.contains(where: \.isVerified) == example.isVerified)
        #expect(facts.isSignedInDER == example.isInDER)
    }

    /// The kid of the token, of the key of the first set and of the key that signs; whether a client that requests the set again
    /// verifies it.
    @Test(
        arguments: [
            ("new", "old", "new", true), ("old", "old", "new", false), ("old", "old", "old", false),
            (nil, "old", "new", false),
            (nil, nil, nil, false),
        ] as [(String?, String?, String?, Bool)]
    )
    func `a key that is published later counts for a token that names it`(
        named: String?,
        first: String?,
        later: String?,
        isVerified: Bool
    ) throws {
        let keys = try (0..<2).map { _ in try PrivateKey.generate(.ec(.p256)) }
        let set = { (keys: [JSONObject]) in
            Array(JSON.object(["keys": .array(keys.map(JSON.object))]).serialized().utf8)
        }
        let jwks = zip(keys, [first, later]).map { $0.publicKey.jwk(kid: $1).object }
        var header: JSONObject = ["alg": "ES256"]
        header["kid"] = named.map(JSON.string)
        let compact = try JWS.sign(Array("{}".utf8), with: keys[1], algorithm: .es256, exactHeader: header)
        let redactor = Redactor(keepsTokens: false)
        let token = CollectedRun.PendingToken(step: .token, compact: Secret(compact), receivedAt: 0)
        for sets in [[jwks[1]], jwks] {
            let trials = TokenTrials(keySet: set([jwks[0]]), later: set(sets), redactor: redactor)
            #expect(trials.facts(about: token).trials.contains(where: \.isVerified) == isVerified)
        }
    }

    @Test(arguments: [(1, 1), (3, 3), (5, 5), (6, 6), (7, 6), (100_001, 6)])
    func `of a text with many dots only the first parts are read`(parts: Int, read: Int) {
        let facts = TokenTrials(keySet: nil, redactor: Redactor(keepsTokens: false))
            .facts(
                about: CollectedRun.PendingToken(
                    step: .token,
                    compact: Secret(String(repeating: ".", count: parts - 1)),
                    receivedAt: 0
                )
            )
        #expect(facts.partCount == parts)
        #expect(facts.partFaults.count == read)
    }
}
