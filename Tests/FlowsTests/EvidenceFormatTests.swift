import Conformance
import Flows
import Testing

@Suite(.timeLimit(.minutes(1))) struct EvidenceFormatTests {
    private static func evidence() -> Evidence {
        Evidence(
            tool: "oidc-preflight 0.1.0",
            startedAt: 1_789_999_990,
            target: Target(issuer: "https://idp.example.com"),
            tier: .full,
            because: "not asked for"
        )
    }

    /// Checks of served documents read this count: without it, saved evidence fails checks that the run passed.
    @Test func `a run keeps how often the provider fetched what was served for it`() throws {
        var run = ScenarioRun(
            scenario: .flow("code"),
            clientID: "client",
            responseType: "code",
            outcome: .notAttempted("invented")
        )
        run.fetches = [.keys: 2, .requestObject: 0]
        var evidence = Self.evidence()
        evidence.runs = [run]
        #expect(try Evidence.decode(evidence.encoded()).runs.first?.fetches == run.fetches)
    }

    @Test(arguments: [2, Evidence.currentFormat + 1])
    func `evidence in another format is refused`(format: Int) throws {
        var evidence = Self.evidence()
        evidence.format = format
        let octets = try evidence.encoded()
        #expect(throws: EvidenceFormatError.otherFormat(found: format)) { try Evidence.decode(octets) }
    }
}
