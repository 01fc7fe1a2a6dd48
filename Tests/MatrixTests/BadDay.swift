import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import Testing

/// A run at a sound provider under odd circumstances, and all that is expected of it.
struct BadDay: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var tier: Tier?
    /// Seconds that every answer takes longer.
    var delay = 0.0
    /// Over sockets where time-outs are the subject, which only the machine's clock ends.
    var over = Laboratory.Way.memory
    /// Whether the run's waits take time.
    var waits = false
    var persona = Persona.standard
    /// What is odd at the provider.
    var provide: @Sendable (inout ReferenceProviderConfiguration) -> Void = { _ in }
    /// What is odd at the user.
    var make: @Sendable (inout Configuration) -> Void = { _ in }
    var exitCode = 2
    /// The rung of the one cause; `nil` for no cause at all.
    var rung: Cause.Rung?
    /// In the cause's sentence.
    var message = ""
    /// In what is to be done.
    var advice = ""
    /// Further causes, where one does not account for all.
    var otherRungs: [Cause.Rung] = []
    /// The checks that fail, none of which closes the gate.
    var told: Set<CheckID> = []
    /// Those that fail in one run and not in another, by who came first.
    var mayBeTold: Set<CheckID> = []
    /// The checks that would pass by a refusal that says nothing.
    var unproven: Set<CheckID> = []
    /// At most: how often the password is sent, how many requests go out, and how long it takes by the run's clock.
    var signIns: Int
    var requests: Int
    var seconds: Double

    /// Holds the run and compares.
    @discardableResult
    func hold() async throws -> Laboratory.Run {
        let result = try await Laboratory.collect(
            persona,
            profile: "openid",
            over: over,
            tier: tier,
            delay: delay,
            waits: waits,
            mistake: make,
            provide: provide
        )
        let (evidence, report) = (result.evidence, result.report)
        let causes = report.causes.map { "\($0.rung): \($0.message) | \($0.advice)" }
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }
        let seconds = evidence.endedAt - evidence.startedAt
        #expect(report.outcome.exitCode == exitCode, "\(report.outcome.summary)")
        #expect(evidence.signIns <= signIns, "\(evidence.signIns) sign-ins")
        #expect(evidence.requests <= requests, "\(evidence.requests) requests")
        #expect(seconds <= self.seconds, "\(seconds) s")
        let findings = failed.map { "\($0.id): \($0.verdict.findings.map(\.message))" }
        #expect(Set(failed.map(\.id)).subtracting(mayBeTold) == told, "\(findings)")
        let passed = report.entries.filter { $0.verdict == .passed && unproven.contains($0.id) }.map(\.id)
        #expect(passed.isEmpty, "\(passed)")
        try expectCause(of: report, causes)
        expectNothingVacuous(result)
        return result
    }

    private func expectCause(of report: Report, _ causes: [String]) throws {
        guard let rung else {
            #expect(causes.isEmpty, "\(causes)")
            return
        }
        let cause = try #require(report.causes.first, "no cause")
        #expect(report.causes.map(\.rung) == [rung] + otherRungs, "\(causes)")
        #expect(cause.message.contains(message), "\(cause.message)")
        #expect(cause.advice.contains(advice), "\(cause.advice)")
        guard exitCode == 2 else { return }
        #expect(report.outcome.alone.contains(cause.message.prefix(40)), "\(report.outcome.summary)")
    }

    /// A refusal proves nothing where the good request is refused too.
    private func expectNothingVacuous(_ result: Laboratory.Run) {
        guard let cause = result.report.causes.first, cause.rung <= .signIn else { return }
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        let (target, tier) = (result.evidence.target, result.evidence.tier)
        let vacuous = result.report.entries.filter { entry in
            guard entry.verdict == .passed, let check = checks[entry.id] else { return false }
            return check.needs.contains { need in
                guard case .probe(let scenario) = need else { return false }
                return Control.of(scenario, in: target, tier: tier) == cause.scenario
            }
        }
        #expect(vacuous.isEmpty, "\(vacuous.map(\.id))")
    }
}
