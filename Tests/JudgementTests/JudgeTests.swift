import Conformance
import Judgement
import Testing

/// From verdicts to entries and the gate.
@Suite(.timeLimit(.minutes(5))) struct JudgeTests {
    @Test func `the gate is open if all checks passed`() {
        let report = Bench().judge([.fixed("keys.a.b", .passed), .fixed("keys.a.c", .notApplicable("no such key"))])
        #expect(report.outcome.gate == .open)
        #expect(report.outcome.exitCode == 0)
        #expect(report.coverage.passed == 1)
        #expect(report.coverage.notApplicable == 1)
        #expect(report.coverage.total == 2)
        #expect(report.outcome.summary == "Gate open, sign-in not tried: 1 check passed")
    }

    @Test(arguments: [
        (Requirement.must, Level.error, true), (.platform, .error, true), (.should, .error, false),
        (.risk, .error, false), (.may, .error, false), (.should, .warning, true), (.may, .warning, false),
        (.may, .notice, true),
    ])
    func `a failure closes the gate from the threshold on`(
        _ requirement: Requirement,
        _ threshold: Level,
        _ closes: Bool
    ) {
        var bench = Bench()
        bench.threshold = threshold
        let report = bench.judge([.fixed("keys.a.b", .wrong, requirement), .fixed("keys.a.c", .passed)])
        #expect(report.entries[0].closesGate == closes)
        #expect(report.outcome.gate == (closes ? .closed : .open))
        #expect(report.outcome.exitCode == (closes ? 1 : 0))
        #expect(report.coverage.failed == 1)
        // The threshold decides about the gate, not about the provider.
        #expect(report.entries[0].isProblem == (report.entries[0].level == .error))
    }

    @Test func `an inconclusive check keeps the gate from opening if its level is high enough`() {
        let unclear = Verdict.inconclusive("the token endpoint did not answer")
        let heavy = Bench().judge([.fixed("keys.a.b", unclear), .fixed("keys.a.c", .passed)])
        #expect(heavy.outcome.gate == .inconclusive)
        #expect(heavy.outcome.exitCode == 2)
        #expect(heavy.entries[0].blocksOpening)
        #expect(heavy.outcome.summary == "Inconclusive: 1 check inconclusive, 1 passed")
        #expect(
            heavy.outcome.alone == "Inconclusive: keys.a.b: the token endpoint did not answer. "
                + "1 check inconclusive, 1 passed"
        )
        let light = Bench().judge([.fixed("keys.a.b", unclear, .should), .fixed("keys.a.c", .passed)])
        #expect(light.outcome.gate == .open)
        #expect(!light.entries[0].blocksOpening)
        #expect(light.coverage.inconclusive == 1)
    }

    @Test func `a failure closes the gate despite inconclusive checks`() {
        let report = Bench().judge([.fixed("keys.a.b", .inconclusive("no answer")), .fixed("keys.a.c", .wrong)])
        #expect(report.outcome.gate == .closed)
        #expect(report.outcome.summary == "Gate closed: 1 check failed, 1 inconclusive")
    }

    @Test(arguments: [[], [Verdict.notAttempted("lower tier")], [.notApplicable("no key")]])
    func `the gate is never open without a result`(_ verdicts: [Verdict]) {
        let checks = verdicts.map { Check.fixed("keys.a.b", $0) }
        let report = Bench().judge(checks)
        #expect(report.outcome.gate == .inconclusive)
        #expect(report.outcome.exitCode == 2)
    }

    @Test(arguments: [(Verdict.passed, Report.Gate.inconclusive), (.wrong, .closed)])
    func `an interrupted run exits with 130`(_ verdict: Verdict, _ gate: Report.Gate) {
        var bench = Bench()
        bench.evidence.wasInterrupted = true
        let report = bench.judge([.fixed("keys.a.b", verdict)])
        #expect(report.outcome.gate == gate)
        #expect(report.outcome.exitCode == 130)
        #expect(report.notes.contains { $0.hasPrefix("The run was interrupted") })
    }

    @Test func `excluded checks are named with the reason`() {
        var bench = Bench()
        bench.selection = Selection(only: ["keys"], skip: ["keys.a.skipped"])
        let report = bench.judge([
            .fixed("keys.a.b", .passed), .fixed("keys.a.skipped", .wrong), .fixed("token.a.b", .wrong),
        ])
        #expect(report.outcome.gate == .open)
        #expect(report.entries.map(\.wasSelected) == [true, false, false])
        #expect(report.entries[1].verdict == .notAttempted(Reason("left out by --skip keys.a.skipped", .skipped)))
        #expect(report.entries[2].verdict == .notAttempted(Reason("not chosen by --only", .notChosen)))
    }

    @Test(arguments: [(true, Report.Gate.inconclusive, 2), (false, .open, 0)])
    func `a gate opens without a completed sign-in only if none was planned`(
        isPlanned: Bool,
        gate: Report.Gate,
        exitCode: Int
    ) {
        var bench = Bench()
        bench.evidence.tier = .full
        bench.evidence.target.flows = ["code"]
        let why = "the page requires a CAPTCHA"
        bench.evidence.runs = [
            ScenarioRun(scenario: .flow("code"), clientID: "c", responseType: "code", outcome: .absent(why))
        ]
        if isPlanned { bench.scenarios = [.flow("code")] }
        let report = bench.judge([.fixed("keys.a.b", .passed)])
        #expect(report.outcome.gate == gate, "\(report.outcome.alone)")
        #expect(report.outcome.exitCode == exitCode)
        #expect(report.answers.signIn.verdict == (isPlanned ? .inconclusive : .notTried))
        #expect(report.outcome.shortfall == (isPlanned ? report.answers.signIn.reason : nil))
        #expect(report.outcome.alone.contains(isPlanned ? "CAPTCHA" : "sign-in not tried"), "\(report.outcome.alone)")
    }

    @Test func `a profile's level reaches the entry with its reason`() {
        var bench = Bench()
        bench.profile.adjustments = [
            .init(checks: "keys.*", level: .warning, because: "the platform does not care"),
            .init(checks: "token.*", level: .error, because: "says nothing new"),
        ]
        let report = bench.judge([.fixed("keys.a.b", .wrong), .fixed("token.a.b", .passed)])
        #expect(report.entries[0].level == .warning)
        #expect(report.entries[0].levelReason == "the platform does not care")
        #expect(!report.entries[0].closesGate)
        #expect(report.entries[1].levelReason == nil)
    }

    @Test func `entries are ordered by stage, then by declaration`() {
        let report = Bench()
            .judge([
                .fixed("token.z.z", .passed), .fixed("discovery.z.z", .passed), .fixed("token.a.a", .passed),
                .fixed("discovery.a.a", .passed),
            ])
        #expect(report.entries.map(\.id) == ["discovery.z.z", "discovery.a.a", "token.z.z", "token.a.a"])
    }

    @Test func `only cited and failed exchanges are kept`() {
        var bench = Bench()
        bench.evidence.exchanges = (0..<4)
            .map { id in
                Exchange(
                    id: id,
                    step: "step",
                    request: .init(method: "GET", url: "https://idp.example.com/\(id)"),
                    failure: id == 3 ? .init(kind: .refused, message: "refused") : nil,
                    startedAt: 0
                )
            }
        let report = bench.judge([.fixed("keys.a.b", .failed([Finding("wrong", fix: "mend", exchange: 1)]))])
        #expect(report.exchanges.map(\.id) == [1, 3])
        #expect(report.timings.requests == 4)
    }

    @Test func `sign-ins are counted if a password was sent`() {
        var bench = Bench()
        bench.evidence.endedAt = 12.5
        bench.evidence.startedAt = 10
        bench.evidence.exchanges = (0..<4)
            .map { id in
                Exchange(id: id, step: "s", request: .init(method: "POST", url: "https://a.example"), startedAt: 10)
            }
        bench.evidence.exchanges[1].isSignIn = true
        bench.evidence.exchanges[3].isSignIn = true
        let report = bench.judge([])
        #expect(report.timings.signIns == 2)
        #expect(report.timings.duration == 2.5)
    }

    @Test func `scenarios beyond the sign-in limit are reported, and their checks do not pass`() {
        var bench = Bench()
        bench.evidence.tier = .full
        bench.evidence.leftOut = [DroppedScenario(.codeTwice, signIns: 1, limit: 1)]
        let check = Check(
            "token.a.b",
            "title",
            .must,
            .signIn,
            Citation(.core, "1", "words"),
            why: "why",
            reads: StepResults.run(.codeTwice)
        ) { _, _ in [] }
        let report = bench.judge([check])
        let title = Scenario.codeTwice.title
        let why = "not tried, because at most 1 sign-in was allowed: \(title)"
        #expect(report.entries.map(\.verdict) == [.notAttempted(why)])
        #expect(report.notes == ["Not tried, because the limit is 1 sign-in: \(title)."])
    }

    @Test func `suggested issuers and a private authority become notes`() {
        var bench = Bench()
        bench.evidence.suggestions = [IssuerSuggestion(address: "https://a/x", issuer: "https://a\u{1B}")]
        bench.evidence.hosts = [
            HostObservation(
                host: "idp.example.com",
                port: 443,
                members: ["issuer"],
                tls: .observed(
                    TLSFacts(version: "TLSv1.3", chain: [], verification: .verified, usedPrivateAuthority: true)
                )
            )
        ]
        let notes = bench.judge([], notes: ["first"]).notes
        #expect(notes.count == 3)
        #expect(notes.first == "first")
        #expect(notes[1].contains(#"use “https://a\u{1B}” as the issuer"#))
        #expect(notes[2].contains("idp.example.com:443"))
    }
}

/// A plan and evidence for tests of verdicts.
struct Bench {
    var evidence = Evidence(
        tool: "t",
        startedAt: 0,
        target: Target(issuer: "https://idp.example.com"),
        tier: .full,
        because: "nothing was asked"
    )
    var profile = Profile(name: "openid", title: "OpenID", include: ["*"])
    var threshold = Level.error
    var selection = Selection()
    var waivers: [Waiver] = []
    var baseline: ReportDigest?
    var scenarios: [Scenario] = []
    var required: Tier?
    /// 2026-11-21.
    var now = 1_795_219_200.0

    func judge(_ checks: [Check], notes: [String] = []) -> Report {
        var plan = Plan(
            target: evidence.target,
            profile: profile,
            tier: .full,
            threshold: threshold,
            selection: selection,
            waivers: waivers,
            scenarios: scenarios
        )
        plan.baseline = baseline
        plan.required = required
        return Judge.judge(evidence, plan: plan, checks: checks, now: now, tool: "t", notes: notes)
    }
}

extension Verdict {
    static let wrong = Verdict.failed([Finding("wrong", fix: "mend it")])
}

extension Check {
    /// A check with the same verdict for every provider.
    static func fixed(
        _ id: CheckID,
        _ verdict: Verdict,
        _ requirement: Requirement = .must,
        _ consequence: Consequence = .signIn,
        supersededBy: [CheckID] = []
    ) -> Check {
        let query = Query<Bool>("a fixed verdict", needs: []) { _ in
            switch verdict {
            case .passed, .failed, .superseded, .notApplicable: [Sample(.observed(true))]
            case .inconclusive(let why): [Sample(.absent(why))]
            case .notAttempted(let why): [Sample(.notAttempted(why))]
            }
        }
        let check = Check(
            id,
            "title",
            requirement,
            consequence,
            Citation(.core, "2", "REQUIRED"),
            why: "Sign-in breaks.",
            reads: query,
            supersededBy: supersededBy,
            exempt: { _, _ in
                if case .notApplicable(let why) = verdict { why } else { nil }
            },
            rule: { _, _ in verdict.findings }
        )
        return Check(check, in: id.stage)
    }
}
