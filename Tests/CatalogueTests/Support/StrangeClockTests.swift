import Conformance
import Testing

/// Saved evidence may state any time, and the clock of a machine may be wrong.
@Suite("Impossible times", .timeLimit(.minutes(5)))
struct StrangeClockTests {
    @Test(
        "every check has a verdict whenever the run ended",
        arguments: [0, -1, 631_151_000, 9_007_199_254_740_992, -9_007_199_254_740_992]
    )
    func anyTime(seconds: Double) {
        var evidence = RunModel.conformant.evidence
        evidence.endedAt = seconds
        let profile = Profile(name: "test", title: "Test", lineage: ["test"], include: ["*"], adjustments: [])
        let facts = Facts(evidence, profile: profile)
        #expect(ModelledChecks.all.allSatisfy { !$0.judge(facts).word.isEmpty })
    }
}
