import Conformance
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// Compares the estimated cost of a plan with the cost of the run.
@Suite("Cost", .phase(.runs), .timeLimit(.minutes(20)))
struct CostTests {
    struct Row: Sendable, CustomStringConvertible {
        var persona: Persona
        var tier: Tier
        var description: String { "\(persona), \(tier.rawValue)" }

        static let all =
            // Without a session, more is sent: see NoSessionTests.
            Persona.allCases.filter { $0 != .tara }.map { Row(persona: $0, tier: .full) } + [
                Row(persona: .standard, tier: .static), Row(persona: .standard, tier: .unauthenticated),
                Row(persona: .publicClient, tier: .static), Row(persona: .publicClient, tier: .unauthenticated),
            ]
    }

    /// A provider with few features gets fewer requests than estimated, because its features are not known in advance.
    private static func isClose(_ estimated: Int, _ real: Int, _ row: Row) -> Bool {
        if [.minimal, .apple, .linkedin, .singpass].contains(row.persona) {
            return real <= estimated && estimated <= 2 * real
        }
        return abs(estimated - real) * 5 <= real
    }

    @Test("the estimate is within a fifth of the requests that a run makes", arguments: Row.all)
    func requests(row: Row) async throws {
        let result = try await Laboratory.collect(row.persona, tier: row.tier)
        let (run, evidence, report) = (result.run, result.evidence, result.report)
        let estimate = run.plan.estimate
        let real = evidence.exchanges.count
        // Hydra returns status 500 for each error, and every such request is repeated.
        let counted = row.persona == .hydra ? evidence.exchanges.count { $0.isSuperseded != true } : real
        #expect(Self.isClose(estimate.requests, counted, row), "estimated \(estimate.requests), sent \(real)")
        #expect(report.timings.requests == real)
        #expect(evidence.signIns <= estimate.signIns)
        #expect(report.timings.signIns == evidence.signIns)
    }

    @Test("the full catalogue on a provider with code and id_token costs at most twelve sign-ins")
    func twelve() async throws {
        let result = try await Laboratory.collect(.standard) { $0.flows = ["code", "id_token"] }
        let (run, evidence, report) = (result.run, result.evidence, result.report)
        #expect(run.plan.tier == .full)
        #expect(run.plan.signIns.planned <= 12)
        #expect(evidence.signIns >= 2)
        #expect(evidence.signIns <= 12)
        #expect(report.timings.signIns == evidence.signIns)
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }

    @Test("a sign-in limit is enforced, and the dropped checks are reported and do not pass", arguments: 1...4)
    func limit(_ limit: Int) async throws {
        let whole = try await Laboratory.collect(.standard)
        let result = try await Laboratory.collect(.standard, maxSignIns: limit)
        let (run, evidence, report) = (result.run, result.evidence, result.report)
        #expect(run.plan.signIns.planned <= limit)
        #expect(evidence.signIns <= limit)
        #expect(evidence.signIns >= 1)
        let left = run.plan.leftOut
        #expect(!left.isEmpty)
        #expect(evidence.leftOut == left)
        let isReported = report.notes.contains { note in left.allSatisfy { note.contains($0.title) } }
        #expect(isReported, "\(report.notes)")
        for leftOut in left {
            #expect(evidence.run(leftOut.scenario) == nil)
            #expect(run.planText.contains(leftOut.title))
        }
        let missing = Set(left.map { Need.probe($0.scenario) })
        for check in PreflightRun.checks where !check.needs.isDisjoint(with: missing) {
            let entry = try #require(report.entries.first { $0.id == check.id })
            #expect(entry.verdict.word == "notAttempted", "\(check.id): \(entry.verdict)")
            let wasChosen = whole.report.entries.contains { $0.id == check.id && $0.wasSelected }
            if wasChosen {
                #expect(entry.verdict.reason?.hasPrefix("not tried, because at most \(limit) ") == true)
                #expect(run.planText.contains(check.id.rawValue))
            }
        }
        #expect(!report.entries.contains { !$0.verdict.findings.isEmpty })
    }

    @Test("a provider that requires the password each time does not receive it more often than the limit")
    func stubborn() async throws {
        let forgetful = Fault("authorization.flow.succeeds", "the provider keeps no session") { _ in
        } change: { hooks in
            hooks.session.needs = { needs, _ in needs.signIn = true }
        }
        let result = try await Laboratory.collect(.standard, faults: [forgetful], maxSignIns: 2)
        let (evidence, report) = (result.evidence, result.report)
        #expect(evidence.signIns == 2)
        let reason = "sign-in limit reached (2): raise --max-sign-ins"
        let isReported = report.entries.contains { $0.verdict.reason == reason }
        #expect(isReported, "\(Set(report.entries.compactMap(\.verdict.reason)).sorted())")
    }
}
