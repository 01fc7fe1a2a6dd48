import Catalogue
import Conformance
import Judgement
import Preflight
import ReferenceProvider
import Testing

/// No verdict depends on the words of a check's identifier.
@Suite("Renamed checks", .timeLimit(.minutes(5)))
struct RenamedTests {
    private static let names = Dictionary(
        uniqueKeysWithValues: Catalogue.all.enumerated().map { ($1.id, CheckID("renamed.n\($0).check")) }
    )

    private static func name(_ id: CheckID) -> CheckID { names[id] ?? id }

    private static let renamed = Catalogue.all.map { check in
        Check(check, id: name(check.id), supersededBy: check.supersededBy.map(name))
    }

    /// The plan with every pattern of its profile expanded to the new names.
    private static func renamed(_ plan: Plan) -> Plan {
        var plan = plan
        let profile = plan.profile
        let ids = Catalogue.all.map(\.id)
        plan.profile.include = ids.filter(profile.contains).map { CheckPattern(name($0).rawValue) }
        plan.profile.adjustments = ids.compactMap { id in
            profile.adjustment(for: id)
                .map { old in
                    var adjustment = old
                    adjustment.checks = CheckPattern(name(id).rawValue)
                    return adjustment
                }
        }
        return plan
    }

    private static let faults = ["token", "idtoken", "discovery", "keys", "userinfo", "authorization"]
        .flatMap { stage in
            Fault.all.filter { $0.persona == .standard && $0.trips.stage?.rawValue == stage }.prefix(2)
        }

    @Test("a renamed check has the same result", arguments: ["openid", "aws-cognito", "kubernetes", "supabase"])
    func names(profile: String) async throws {
        for faults in [[], Self.faults] {
            let result = try await Laboratory.collect(.standard, faults: faults, profile: profile)
            let (evidence, plan) = (result.evidence, result.run.plan)
            let judge = { (plan: Plan, checks: [Check]) in
                Judge.judge(evidence, plan: plan, checks: checks, now: evidence.endedAt, tool: "test")
            }
            let (before, after) = (judge(plan, Catalogue.all), judge(Self.renamed(plan), Self.renamed))
            #expect(before.entries.count(where: \.wasSelected) > 50)
            #expect(faults.isEmpty || before.entries.contains { !$0.verdict.findings.isEmpty }, "nothing failed")
            #expect(before.entries.count == after.entries.count)
            for (old, new) in zip(before.entries, after.entries) {
                #expect(Self.name(old.id) == new.id)
                #expect(old.verdict.word == new.verdict.word, "\(old.id)")
                #expect(old.verdict.supersede.map(Self.name) == new.verdict.supersede, "\(old.id)")
                #expect(old.verdict.findings == new.verdict.findings, "\(old.id)")
                #expect((old.level, old.levelReason) == (new.level, new.levelReason), "\(old.id)")
                #expect((old.stage, old.features) == (new.stage, new.features), "\(old.id)")
                #expect((old.isProblem, old.closesGate) == (new.isProblem, new.closesGate), "\(old.id)")
            }
            #expect(before.outcome.gate == after.outcome.gate)
            #expect(before.coverage == after.coverage)
            #expect(before.answers.safety.verdict == after.answers.safety.verdict)
            #expect(before.answers.conformance.verdict == after.answers.conformance.verdict)
            #expect(before.answers.signIn.verdict == after.answers.signIn.verdict)
        }
    }

    @Test("the catalogue places every check in the stage that its identifier begins with")
    func stages() {
        for check in Catalogue.all { #expect(check.stage == check.id.stage, "\(check.id)") }
    }
}
