import Conformance
import Testing

/// Which checks a plan contains.
@Suite(.timeLimit(.minutes(5))) struct PlanTests {
    @Test(arguments: [
        ("keys", "keys.a.b", true), ("keys", "keysmith.a.b", false), ("keys.*", "keys.a.b", true),
        ("*", "anything", true), ("*", "", true), ("", "", true), ("", "a", false), ("a", "", false),
        ("keys.a.b", "keys.a.b", true), ("keys.a.b", "keys.a.b.c", false), ("*.b", "keys.a.b", true),
        ("*a*b*", "keys.a.b", true), ("keys.**.b", "keys.a.b", true), ("*.a", "keys.a.b", false),
        ("k?ys.*", "keys.a.b", false), ("KEYS.*", "keys.a.b", false),
        ("discovery.*.https", "discovery.a.b.https", true),
    ])
    func `a pattern matches whole names`(_ pattern: String, _ id: String, _ matches: Bool) {
        #expect(CheckPattern(pattern).matches(CheckID(id)) == matches)
    }

    @Test func `a pattern full of stars ends soon`() {
        let pattern = CheckPattern(String(repeating: "*a", count: 2_000) + "b")
        #expect(!pattern.matches(CheckID(String(repeating: "a", count: 4_000))))
    }

    private static func check(_ id: CheckID, needs: Set<Need> = []) -> Check {
        let query = Query<Bool>("none", needs: needs) { _ in [] }
        let citation = Citation(.core, "2", "REQUIRED")
        return Check(id, "title", .must, .signIn, citation, why: "why", reads: query) { _, _ in [] }
    }

    private static func plan(_ tier: Tier, _ change: (inout Plan) -> Void = { _ in }) -> Plan {
        var plan = Plan(
            target: Target(issuer: "https://idp.example.com"),
            profile: Profile(name: "openid", title: "OpenID", include: ["keys", "token"]),
            tier: tier
        )
        change(&plan)
        return plan
    }

    @Test func `a check outside the profile is left out`() {
        let plan = Self.plan(.full)
        #expect(plan.exclusion(of: Self.check("platform.a.b"))?.text == "not part of profile openid")
        #expect(plan.exclusion(of: Self.check("keys.a.b")) == nil)
    }

    @Test func `a dropped check says why`() {
        let plan = Self.plan(.full) {
            $0.profile.adjustments = [.init(checks: "keys.a.*", drop: true, because: "it never looks")]
        }
        #expect(plan.exclusion(of: Self.check("keys.a.b"))?.text == "dropped by profile openid: it never looks")
        #expect(!plan.profile.includes("keys.a.b"))
        #expect(plan.profile.includes("keys.b.b"))
    }

    @Test func `the last adjustment wins`() {
        let plan = Self.plan(.full) {
            $0.profile.adjustments = [
                .init(checks: "keys", drop: true, because: "first"), .init(checks: "keys.a.*", because: "second"),
                .init(checks: "keys.b.*", level: .notice, because: "third"),
            ]
        }
        #expect(plan.exclusion(of: Self.check("keys.a.b")) == nil)
        #expect(plan.profile.weight(of: Self.check("keys.a.b")).level == .error)
        #expect(plan.profile.weight(of: Self.check("keys.b.b")).level == .notice)
    }

    @Test func `skip wins over only`() {
        let plan = Self.plan(.full) { $0.selection = Selection(only: ["keys"], skip: ["keys.a.*"]) }
        #expect(plan.exclusion(of: Self.check("keys.a.b"))?.text == "left out by --skip keys.a.*")
        #expect(plan.exclusion(of: Self.check("keys.b.b")) == nil)
        #expect(plan.exclusion(of: Self.check("token.b.b"))?.text == "not chosen by --only")
    }

    @Test(
        arguments: [
            ([Need.discovery, .keys, .again, .hosts], Tier.static), ([.discovery, .flows], .full),
            ([.discovery, .probe(Scenario.promptNone.id)], .unauthenticated),
            ([.probe(Scenario.missingNonce.id)], .full), ([], .static),
        ] as [([Need], Tier)]
    )
    func `a check is left out below the tier of its needs`(_ needs: [Need], _ least: Tier) {
        let check = Self.check("keys.a.b", needs: Set(needs))
        for tier in Tier.allCases {
            let reason = Self.plan(tier).exclusion(of: check)
            let expected = "needs tier \(least.rawValue); this run is \(tier.rawValue)"
            #expect(reason?.text == (tier < least ? expected : nil))
        }
    }
}
