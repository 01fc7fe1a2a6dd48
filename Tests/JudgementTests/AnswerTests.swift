import Conformance
import Testing

/// Waivers, skips, baselines and a profile's levels change the gate, but never the answers.
@Suite(.timeLimit(.minutes(5))) struct AnswerTests {
    private static let checks: [Check] = [
        .fixed("authorization.a.a", .wrong, .must, .safety), .fixed("authorization.b.b", .wrong, .must, .signIn),
        .fixed("idtoken.c.c", .wrong, .must, .conformance), .fixed("keys.d.d", .passed, .must, .safety),
        .fixed("keys.e.e", .passed, .must, .conformance),
    ]

    private static func waiver(_ check: CheckID, until: String? = nil) -> Waiver {
        Waiver(check: check, because: "known", until: until.flatMap { CalendarDay($0) }, source: "preflight.yaml:9")
    }

    private static func problems(_ report: Report) -> [Int] {
        [report.answers.signIn.problems, report.answers.safety.problems, report.answers.conformance.problems]
    }

    @Test func `waived failures are problems of their answers`() {
        var bench = Bench()
        bench.waivers = [
            Self.waiver("authorization.a.a", until: "2027-03-01"), Self.waiver("authorization.b.b"),
            Self.waiver("idtoken.c.c", until: "2027-01-01"),
        ]
        let report = bench.judge(Self.checks)
        #expect(report.outcome.gate == .open)
        #expect(Self.problems(report) == [1, 1, 1])
        #expect(report.answers.signIn.verdict == .fails)
        #expect(report.answers.safety.verdict == .problems)
        #expect(report.answers.conformance.verdict == .problems)
        #expect(report.answers.safety.tally.waived == 1)
        #expect(report.answers.safety.tally.waivedUntil?.description == "2027-03-01")
        #expect(report.answers.safety.belowThreshold == 0)
    }

    @Test func `the earliest end of several waivers is reported`() {
        var bench = Bench()
        bench.waivers = [
            Self.waiver("keys.a.a", until: "2027-03-01"), Self.waiver("keys.b.b"),
            Self.waiver("keys.c.c", until: "2027-01-01"),
        ]
        let report = bench.judge(["keys.a.a", "keys.b.b", "keys.c.c"].map { .fixed($0, .wrong, .must, .safety) })
        #expect(report.answers.safety.tally.waived == 3)
        #expect(report.answers.safety.tally.waivedUntil?.description == "2027-01-01")
    }

    @Test func `a known error still counts as a problem`() {
        var bench = Bench()
        bench.baseline = ReportDigest(bench.judge(Self.checks))
        let report = bench.judge(Self.checks)
        #expect(report.outcome.gate == .open)
        #expect(Self.problems(report) == [1, 1, 1])
    }

    @Test func `a profile's level lowers no problem of safety and conformance`() {
        var bench = Bench()
        bench.profile.adjustments = [.init(checks: "*", level: .notice, because: "it is left to others")]
        let report = bench.judge(Self.checks)
        #expect(report.outcome.gate == .open)
        #expect(Self.problems(report) == [0, 1, 1])
        #expect(report.answers.safety.tally.lowered == 1)
        #expect(report.answers.conformance.tally.lowered == 1)
    }

    @Test(arguments: [("acme", [2, 1, 0]), ("openid", [1, 1, 1])])
    func `a deviation that a platform refuses breaks sign-in there`(_ profile: String, _ problems: [Int]) {
        var bench = Bench()
        bench.profile.name = profile
        bench.profile.uses = [.authorization: .init(because: "always", source: "a test")]
        bench.profile.adjustments = [.init(checks: "idtoken.c.c", level: .error, because: "it refuses this")]
        #expect(Self.problems(bench.judge(Self.checks)) == problems)
    }

    @Test func `skipped checks are counted in their answers and by the option that skipped them`() {
        var bench = Bench()
        bench.selection = Selection(skip: ["authorization.*"])
        bench.selection.skipSource = "OIDC_PREFLIGHT_SKIP"
        let report = bench.judge(Self.checks)
        #expect(report.answers.signIn.tally.skipped == 1)
        #expect(report.answers.safety.tally.skipped == 1)
        #expect(report.answers.conformance.tally.skipped == 0)
        #expect(report.answers.skippedBy == ["OIDC_PREFLIGHT_SKIP"])
        #expect(
            report.outcome.summary
                == "Gate closed, 2 checks skipped by OIDC_PREFLIGHT_SKIP: 1 check failed, 2 passed"
        )
        let skipped = report.entries.filter { $0.skippedBy != nil }
        #expect(skipped.count == 2)
        #expect(skipped.allSatisfy { $0.verdict.reason == "left out by OIDC_PREFLIGHT_SKIP authorization.*" })
    }

    @Test func `checks outside the run do not count as skipped`() {
        var bench = Bench()
        bench.selection = Selection(only: ["keys"])
        bench.profile.include = ["keys", "idtoken"]
        let report = bench.judge(Self.checks)
        #expect(report.skipped.map(\.source) == ["--only"])
        #expect(report.skipped.map(\.count) == [1])
    }

    @Test(arguments: [(Requirement.must, Report.Gate.inconclusive), (.should, .open)])
    func `a required full run must include every check of level error`(_ requirement: Requirement, _ gate: Report.Gate)
    {
        var bench = Bench()
        bench.evidence.target.flows = ["id_token"]
        let redirect = RedirectAnswer(address: "https://app.example/cb", isRedirectURI: true, query: [], fragment: [])
        let answer = AuthorizationAnswer(ending: .redirected(redirect), exchange: 0)
        bench.evidence.runs = [
            ScenarioRun(
                scenario: .flow("id_token"),
                clientID: "c",
                responseType: "id_token",
                outcome: .observed(.authorization(answer))
            )
        ]
        bench.required = .full
        bench.selection = Selection(skip: ["idtoken.*"])
        bench.scenarios = [.flow("id_token")]
        let report = bench.judge([.fixed("keys.a.a", .passed), .fixed("idtoken.b.b", .wrong, requirement)])
        #expect(report.answers.signIn.wasTried)
        #expect(report.outcome.gate == gate, "\(report.outcome.alone)")
        #expect(report.outcome.alone.contains("skipped by --skip"))
    }

    @Test func `a waived root cause supersedes nothing`() {
        let checks: [Check] = [
            .fixed("keys.a.a", .wrong), .fixed("keys.b.b", .wrong, .must, .safety, supersededBy: ["keys.a.a"]),
        ]
        var bench = Bench()
        #expect(bench.judge(checks).entries[1].verdict.supersede == "keys.a.a")
        bench.waivers = [Self.waiver("keys.a.a")]
        let report = bench.judge(checks)
        #expect(report.entries[1].closesGate)
        #expect(report.outcome.gate == .closed)
    }

    @Test(arguments: Consequence.allCases, Consequence.allCases)
    func `a superseded finding stays a problem of its own answer`(_ cause: Consequence, _ effect: Consequence) {
        let report = Bench()
            .judge([
                .fixed("keys.a.a", .wrong, .must, cause),
                .fixed("keys.b.b", .wrong, .must, effect, supersededBy: ["keys.a.a"]),
            ])
        #expect(report.entries[1].verdict.supersede == "keys.a.a")
        #expect(report.entries[1].isProblem == (cause != effect))
        let expected = Consequence.allCases.map { $0 == cause || $0 == effect ? 1 : 0 }
        let found = Consequence.allCases.map { consequence in
            report.entries.count { $0.isProblem && $0.consequence == consequence }
        }
        #expect(found == expected)
        #expect(Self.problems(report).reduce(0, +) == expected.reduce(0, +))
    }
}
