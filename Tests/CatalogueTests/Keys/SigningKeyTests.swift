import Conformance
import JSONTree
import Testing

@Suite("Keys for the advertised algorithms", .timeLimit(.minutes(5)))
struct SigningKeyTests {
    private static let isPresent: CheckID = "keys.signing-key.is-present"
    private static let fitsAll: CheckID = "keys.signing-key.fits-every-algorithm"

    private func failures(_ algorithms: [JSON], keys: [JSON], registered: String? = nil) -> Set<CheckID> {
        var provider = DocumentProvider()
        provider.target.client?.idTokenSignedResponseAlg = registered
        provider.discovery["id_token_signing_alg_values_supported"] = .array(algorithms)
        provider.keySet["keys"] = .array(keys)
        return provider.failures(of: StaticChecks.all.filter { [Self.isPresent, Self.fitsAll].contains($0.id) })
    }

    @Test("RS256 without an RSA key is an error, whatever other keys there are")
    func noRSA() {
        #expect(failures(["RS256", "ES256"], keys: [DocumentProvider.ecKey]) == [Self.isPresent])
    }

    @Test("the registered algorithm needs a key, and RS256 is then like any other algorithm")
    func registered() {
        let keys = [DocumentProvider.ecKey]
        #expect(failures(["RS256", "ES256"], keys: keys, registered: "ES256") == [Self.fitsAll])
        #expect(failures(["RS256", "ES256"], keys: keys, registered: "RS256") == [Self.isPresent])
        #expect(failures(["RS256", "ES256"], keys: [DocumentProvider.rsaKey], registered: "ES256") == [Self.isPresent])
        #expect(failures(["RS256", "HS256"], keys: [], registered: "HS256") == [Self.fitsAll])
    }

    @Test("tokens with ES256 need a key for ES256 alone if no algorithm is registered", arguments: [true, false])
    func ofTokens(isVerified: Bool) throws {
        var model = RunModel.conformant
        model.target.client?.idTokenSignedResponseAlg = nil
        model.discovery["id_token_signing_alg_values_supported"] = ["RS256", "ES256"]
        model.eachToken { token in
            token.header["alg"] = "ES256"
            if !isVerified { token.trials = [SignatureTrial(key: .published(0), isVerified: false, reason: "no")] }
        }
        let check = try #require(StaticChecks.check(Self.isPresent))
        model.keySet = .observed(["keys": [DocumentProvider.ecKey]])
        #expect(check.judge(model.facts) == .passed)
        model.keySet = .observed(["keys": [DocumentProvider.rsaKey]])
        let findings = check.judge(model.facts).findings
        #expect(findings.isEmpty == isVerified)
        #expect(findings.allSatisfy { $0.message.contains("ES256") && !$0.message.contains("RS256") })
    }

    @Test("an algorithm list without any matching key is a single error")
    func nothingFits() {
        #expect(failures(["ES384", "ES512"], keys: [DocumentProvider.ecKey]) == [Self.isPresent])
        #expect(failures(["RS256"], keys: []) == [Self.isPresent])
    }

    @Test("a further algorithm without a key is a warning")
    func oneWithout() {
        let keys = [DocumentProvider.rsaKey]
        #expect(failures(["RS256", "ES256", "EdDSA"], keys: keys) == [Self.fitsAll])
    }

    @Test("several algorithms without a key are one finding, which names keys with another alg")
    func oneFinding() throws {
        var provider = DocumentProvider()
        provider.discovery["id_token_signing_alg_values_supported"] = ["RS256", "PS384", "RS512", "ES256", "EdDSA"]
        let check = try #require(StaticChecks.check(Self.fitsAll))
        let found = provider.judge(check).findings
        #expect(found.count == 1)
        let finding = try #require(found.first)
        for name in ["PS384", "RS512", "ES256", "EdDSA"] { #expect(finding.message.contains(name)) }
        #expect(finding.message.contains("has alg “RS256”"), "\(finding.message)")
    }

    @Test(
        "unknown algorithms and those that need no published key are ignored",
        arguments: ["HS256", "none", "X1"]
    )
    func noPublishedKey(algorithm: String) {
        #expect(failures([.string(algorithm)], keys: []).isEmpty)
        #expect(failures([.string(algorithm), "RS256"], keys: [DocumentProvider.rsaKey]).isEmpty)
    }

    @Test("one RSA key without alg fits all algorithms of its type")
    func withoutAlg() throws {
        var key = try #require(DocumentProvider.rsaKey.objectValue)
        key["alg"] = nil
        #expect(failures(["RS256", "RS512", "PS256"], keys: [.object(key)]).isEmpty)
        key["alg"] = "PS256"
        #expect(failures(["RS256", "PS256"], keys: [.object(key)]) == [Self.isPresent])
    }

    @Test("a key that may only sign or encrypt verifies no ID Token")
    func unsuitable() throws {
        for (member, value) in [("use", "enc"), ("key_ops", ["sign"])] as [(String, JSON)] {
            var key = try #require(DocumentProvider.rsaKey.objectValue)
            key["alg"] = nil
            key["use"] = nil
            key[member] = value
            #expect(failures(["RS256"], keys: [.object(key)]) == [Self.isPresent], "\(member)")
        }
    }

    @Test("the order of keys and a kid shared by keys of different types do not matter")
    func kidAcrossTypes() throws {
        var key = try #require(DocumentProvider.ecKey.objectValue)
        key["kid"] = DocumentProvider.rsaKey["kid"]
        var provider = DocumentProvider()
        provider.keySet["keys"] = [.object(key), DocumentProvider.rsaKey]
        #expect(provider.failures(of: StaticChecks.all).isEmpty)
    }
}
