import Conformance
import Preflight
import Profiles
import ReferenceProvider
import TestSupport
import Testing

/// Evidence is read once for all platforms.
@Suite("Facts for several platforms", .phase(.runs), .timeLimit(.minutes(20)))
struct SharedFactsTests {
    private static let lying: [Fault] = [
        "idtoken.nonce.is-echoed", "keys.signing-key.is-present", "userinfo.status.is-200",
    ]
    .flatMap { id in Fault.all.filter { $0.trips == id && $0.persona == .standard }.prefix(1) }

    @Test("a check has the verdict that it has for one platform alone", arguments: [[], lying])
    func verdicts(faults: [Fault]) async throws {
        let collected = try await Laboratory.collect(.standard, faults: faults, profile: "relying-party")
        let (evidence, configuration) = (collected.evidence, collected.run.configuration)
        let rows = try ProfileLibrary.builtIn.map { profile in
            let run = try PreflightRun(
                configuration: configuration,
                profile: profile.name,
                environment: Laboratory.environment
            )
            return (run: run, alone: run.judge(evidence, now: evidence.endedAt))
        }
        // In both orders: each platform's rules are read before those of each other one.
        for rows in [rows, rows.reversed()] {
            let facts = Facts(evidence, profile: collected.run.plan.profile)
            for (run, alone) in rows {
                let shared = run.judge(evidence, facts, now: evidence.endedAt)
                #expect(shared.entries == alone.entries, "\(run.plan.profile.name)")
                #expect(shared.outcome == alone.outcome, "\(run.plan.profile.name)")
            }
        }
    }
}
