import Conformance
import Preflight
import Profiles
import ReferenceProvider
import Testing

/// A claim may be in a UserInfo response that did not arrive, because the run was cut off or the connection was lost; and without a
/// discovery document nothing is known.
@Suite(.timeLimit(.minutes(5))) struct MissingResponseTests {
    @Test func `no gate opens without a discovery document, even if the platform does not read one`() async throws {
        let fault = try #require(Fault.all.first { $0.id == "discovery.response.status-is-200" })
        let run = try await Laboratory.collect(.codeOnly, faults: [fault], profile: "relying-party", tier: .static)
        for profile in ProfileLibrary.builtIn.map(\.name) {
            let judging = try PreflightRun(
                configuration: run.run.configuration,
                profile: profile,
                tier: .static,
                environment: Laboratory.environment
            )
            guard judging.plan.profile.parameters.readsDiscovery else { continue }
            let outcome = judging.judge(run.evidence, now: run.evidence.endedAt).outcome
            #expect(outcome.gate != .open, "\(profile): \(outcome.summary)")
        }
    }

    @Test(
        arguments: [
            ("vaultwarden", "platform.user.claims-are-present", true),
            ("gitea", "platform.user.claims-are-present", true),
            // The ID Token decides, or has the claim.
            ("synapse", "platform.id-token.claims-are-present", false),
        ]
    )
    func `no platform misses a claim of a response that did not arrive`(
        profile: String,
        check: CheckID,
        isOpen: Bool
    ) async throws {
        let run = try await Laboratory.collect(.codeOnly, profile: profile)
        var evidence = run.evidence
        for place in evidence.runs.indices { evidence.runs[place].userInfo = .absent("the run was interrupted") }
        let report = try PreflightRun(
            configuration: run.run.configuration,
            profile: profile,
            environment: Laboratory.environment
        )
        .judge(evidence, now: evidence.endedAt)
        let entry = try #require(report.entries.first { $0.id == check })
        #expect(entry.closesGate != isOpen, "\(entry.verdict)")
        #expect(entry.blocksOpening == isOpen, "\(entry.verdict)")
        if isOpen { #expect(report.outcome.gate == .inconclusive, "\(report.outcome.summary)") }
    }
}
