import Catalogue
import Conformance
import Judgement
import Testing

/// A superseded finding still counts in its own answer of the report.
@Suite(.timeLimit(.minutes(5))) struct SupersessionAnswerTests {
    private static let all = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
    private static let pairs = Catalogue.all.flatMap { effect in
        effect.supersededBy.compactMap { all[$0] }.map { (cause: $0, effect: effect) }
    }

    /// The check with another rule, which always fails.
    private static func failing(_ check: Check) -> Check {
        let failing = Check(
            check.id,
            check.metadata.title,
            check.requirement,
            check.consequence,
            check.metadata.citation,
            why: check.metadata.why,
            reads: Query<Bool>("a fixed verdict", needs: []) { _ in [Sample(.observed(true))] },
            supersededBy: check.supersededBy,
            rule: { _, _ in [Finding("wrong", fix: "fix it")] }
        )
        return Check(failing, in: check.stage)
    }

    @Test func `a superseded error counts in its own answer, and a waived root cause supersedes nothing`() {
        #expect(Self.pairs.count { $0.cause.consequence != $0.effect.consequence } >= 28)
        for (cause, effect) in Self.pairs {
            let checks = [cause, effect].map(Self.failing)
            let answers = Self.judged(checks).answers
            for check in [cause, effect] where check.requirement.level == .error {
                switch check.consequence {
                case .signIn: #expect(answers.signIn.verdict == .fails, "\(cause) \(effect)")
                case .safety: #expect(answers.safety.verdict == .problems, "\(cause) \(effect)")
                case .conformance: #expect(answers.conformance.verdict == .problems, "\(cause) \(effect)")
                }
            }
            let waived = Self.judged(checks, waivers: [Waiver(check: cause.id, because: "known", source: "p.yaml:1")])
            #expect(!waived.entries.contains { $0.verdict.supersede != nil }, "\(cause) \(effect)")
            #expect((waived.outcome.gate == .closed) == (effect.requirement.level == .error), "\(cause) \(effect)")
        }
    }

    private static func judged(_ checks: [Check], waivers: [Waiver] = []) -> Report {
        let target = Target(issuer: "https://idp.example.com")
        let plan = Plan(
            target: target,
            profile: Profile(name: "openid", title: "OpenID", include: ["*"]),
            tier: .full,
            waivers: waivers
        )
        let evidence = Evidence(tool: "t", startedAt: 0, target: target, tier: .full, because: "nothing was asked")
        return Judge.judge(evidence, plan: plan, checks: checks, now: 0, tool: "t")
    }
}
