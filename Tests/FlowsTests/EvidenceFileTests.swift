import Conformance
import JOSE
import JSONTree
import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct EvidenceFileTests {
    @Test func `evidence survives its file, and the same evidence is the same file`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again],
            scenarios: [.flow("code"), .promptNone],
            target: provider.target(flows: ["code"])
        )
        let bytes = try evidence.encoded()
        let read = try Evidence.decode(bytes)
        #expect(try read.encoded() == bytes)
        #expect(read.exchanges == evidence.exchanges)
        #expect(read.runs.map(\.scenario) == evidence.runs.map(\.scenario))
    }

    @Test(arguments: [
        (#"{"format":99}"#, "format 99"), ("[]", "not an evidence file"), ("", "not an evidence file"),
        (#"{"format":2}"#, "format 2"), (#"{"format":3}"#, "has no member"), (#"{"format":"1"}"#, "/format"),
    ])
    func `a file without evidence is rejected with a reason`(text: String, reason: String) {
        #expect {
            _ = try Evidence.decode(Array(text.utf8))
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    @Test(
        arguments: [
            (String(repeating: "[", count: 65), "deeper than 64 levels"),
            (
                #"{"format":3,"runs":["# + String(repeating: #"{},"#, count: EvidenceBounds.elements) + "{}]}",
                "a list has more than"
            ),
            ("[" + String(repeating: "1,", count: EvidenceBounds.numbers) + "1]", "a list has more than"),
            ("\"" + String(repeating: "x", count: EvidenceBounds.string + 1) + "\"", "a text is longer than 16 MiB"),
            (#"{"startedAt":1e300}"#, "beyond 2^53"), (#"{"startedAt":-9007199254740993000}"#, "beyond 2^53"),
            (#"{"startedAt":0."# + String(repeating: "1", count: 50) + "}", "more than 40 characters"),
        ]
    )
    func `evidence beyond the bounds is not decoded`(text: String, reason: String) {
        #expect {
            _ = try Evidence.decode(Array(text.utf8))
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    @Test(arguments: [
        String(repeating: "[", count: 64), #"{"a":"[[1e300,\"1e300"}"#, "[9007199254740992, -1.5e3, true, null]",
        #""\"#,
        "[1,2", "]]]", "",
    ])
    func `evidence within the bounds is passed to the decoder`(text: String) {
        #expect(EvidenceBounds.excess(of: Array(text.utf8)) == nil)
    }

    /// Checks of served documents read this count: without it, saved evidence fails checks that the run passed.
    @Test func `a run keeps how often the provider fetched what was served for it`() throws {
        let target = Target(issuer: "https://op.example")
        var evidence = Evidence(tool: "t", startedAt: 1, target: target, tier: .full, because: "not requested")
        var run = ScenarioRun(
            scenario: .flow("code"),
            clientID: "c",
            responseType: "code",
            outcome: .notAttempted("not requested")
        )
        run.fetches = [.keys: 2, .requestObject: 0]
        evidence.runs = [run]
        #expect(try Evidence.decode(evidence.encoded()).runs.first?.fetches == run.fetches)
    }

    @Test func `documents from files need no network`() {
        let evidence = lintEvidence(
            discovery: DocumentFile(name: "d.json", bytes: Array(#"{"issuer":"https://op.example"}"#.utf8)),
            keys: nil,
            issuer: nil,
            tool: "t",
            now: 1
        )
        #expect(evidence.target.issuer == "https://op.example")
        #expect(evidence.discovery.value?.origin == .file("d.json"))
        #expect(evidence.keys == .notAttempted("no key set was given"))
        #expect(evidence.exchanges.isEmpty)
    }

    @Test func `a token from the user is parsed, and verified with every key`() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "="
        let signed = header + "." + Base64URL.encode(Array(#"{"sub":"1"}"#.utf8))
        let signature = Base64URL.encode(try key.signature(over: Array(signed.utf8), algorithm: .es256))
        let keys = JWKSet(keys: [try PrivateKey.generate(.ec(.p256)).publicKey.jwk(), key.publicKey.jwk()])
        let evidence = tokenEvidence(
            OfflineToken(
                idToken: Secret(signed + "." + signature),
                issuer: "https://op.example",
                clientID: "c",
                nonce: "n",
                accessToken: Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
            ),
            keys: DocumentFile(name: "k.json", bytes: Array(keys.object.serialized().utf8)),
            tool: "t",
            now: 7
        )
        let run = try #require(evidence.runs.first)
        #expect(run.scenario == StepResults.offlineInput)
        #expect(run.sentParameter("nonce") == "n")
        let facts = try #require(run.token.value?.idToken)
        #expect(facts.partFaults == ["it is padded with =", nil, nil])
        #expect(facts.trials.map(\.isVerified) == [false, true])
        #expect(facts.claims == .text(#"{"sub":"1"}"#))
        // The value of OpenID Connect Core 1.0 appendix A.3 for this access token.
        #expect(facts.expectedAccessTokenHash == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(facts.expectedCodeHash == nil)
        #expect(facts.receivedAt == 7)
    }

    @Test(arguments: ["", "opaque", "a.b", "a.b.c.d.e", "..", "e30.e30."])
    func `any text is accepted in place of an ID Token`(text: String) throws {
        let evidence = tokenEvidence(
            OfflineToken(idToken: Secret(text), issuer: "i", clientID: "c", clientSecret: Secret("s")),
            keys: nil,
            tool: "t",
            now: 0
        )
        let facts = try #require(evidence.runs.first?.token.value?.idToken)
        #expect(facts.partCount == text.split(separator: ".", omittingEmptySubsequences: false).count)
        #expect(facts.trials.isEmpty)
    }

    @Test func `waiting ends when the issuer answers, or when the time is over`() async throws {
        let provider = try ScriptedProvider()
        let options = CollectorOptions(tool: "t")
        let ready = await waitForIssuer(Target(issuer: provider.issuer), seconds: 5, options: options) { _ in }
        guard case .ready = ready else {
            Issue.record("unexpected: \(ready)")
            return
        }
        let late = await waitForIssuer(Target(issuer: provider.issuer + "/nowhere"), seconds: 0.2, options: options) {
            _ in
        }
        guard case .notReady(let reason) = late else {
            Issue.record("unexpected: \(late)")
            return
        }
        #expect(reason.contains("HTTP status 404"))
    }
}
