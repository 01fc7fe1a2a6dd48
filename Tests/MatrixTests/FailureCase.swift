import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import Testing

/// A run against a conformant provider under unusual conditions, and its expected results.
struct FailureCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var tier: Tier?
    /// Extra seconds per response.
    var delay = 0.0
    /// Sockets if the case is about time-outs, which use the machine's clock.
    var over = Laboratory.Way.memory
    /// Whether the waits of the run take real time.
    var waits = false
    var persona = Persona.standard
    /// The change to the provider.
    var provide: @Sendable (inout ReferenceProviderConfiguration) -> Void = { _ in }
    /// The change to the user.
    var make: @Sendable (inout Configuration) -> Void = { _ in }
    var exitCode = 2
    /// The step of the only root cause; `nil` if there is none.
    var signInStep: Cause.SignInStep?
    /// Contained in the message of the root cause.
    var message = ""
    /// Contained in its advice.
    var advice = ""
    /// Further root causes, if one does not explain all findings.
    var otherSignInSteps: [Cause.SignInStep] = []
    /// The checks that fail, none of them blocking.
    var reported: Set<CheckID> = []
    /// Checks whose failure depends on the order of requests.
    var mayBeReported: Set<CheckID> = []
    /// The checks that would pass because of an unrelated rejection.
    var unproven: Set<CheckID> = []
    /// Limits: password submissions, requests, and seconds by the run's clock.
    var signIns: Int
    var requests: Int
    var seconds: Double

    /// Runs the case and compares the results.
    @discardableResult
    func run() async throws -> Laboratory.Run {
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
        let causes = report.causes.map { "\($0.signInStep): \($0.message) | \($0.advice)" }
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }
        let seconds = evidence.endedAt - evidence.startedAt
        #expect(report.outcome.exitCode == exitCode, "\(report.outcome.summary)")
        let passwords = evidence.exchanges
            .filter { $0.request.method == "POST" && $0.request.url.contains("/sign-in") }.map(\.step)
        #expect(evidence.signIns <= signIns, "\(evidence.signIns) sign-ins: \(passwords)")
        #expect(evidence.requests <= requests, "\(evidence.requests) requests")
        #expect(seconds <= self.seconds, "\(seconds) s")
        let findings = failed.map { "\($0.id): \($0.verdict.findings.map(\.message))" }
        #expect(Set(failed.map(\.id)).subtracting(mayBeReported) == reported, "\(findings)")
        let passed = report.entries.filter { $0.verdict == .passed && unproven.contains($0.id) }.map(\.id)
        #expect(passed.isEmpty, "\(passed)")
        try expectCause(of: report, causes)
        expectNothingVacuous(result)
        return result
    }

    private func expectCause(of report: Report, _ causes: [String]) throws {
        guard let signInStep else {
            #expect(causes.isEmpty, "\(causes)")
            return
        }
        let cause = try #require(report.causes.first, "no cause")
        #expect(report.causes.map(\.signInStep) == [signInStep] + otherSignInSteps, "\(causes)")
        #expect(cause.message.contains(message), "\(cause.message)")
        #expect(cause.advice.contains(advice), "\(cause.advice)")
        guard exitCode == 2 else { return }
        #expect(report.outcome.alone.contains(cause.message.prefix(40)), "\(report.outcome.summary)")
    }

    /// A rejection proves nothing if the baseline request is rejected too.
    private func expectNothingVacuous(_ result: Laboratory.Run) {
        guard let cause = result.report.causes.first, cause.signInStep <= .signIn else { return }
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        let (target, tier) = (result.evidence.target, result.evidence.tier)
        let vacuous = result.report.entries.filter { entry in
            guard entry.verdict == .passed, let check = checks[entry.id] else { return false }
            return check.needs.contains { need in
                guard case .probe(let scenario) = need else { return false }
                return BaselineScenario.of(scenario, in: target, tier: tier) == cause.scenario
            }
        }
        #expect(vacuous.isEmpty, "\(vacuous.map(\.id))")
    }
}
