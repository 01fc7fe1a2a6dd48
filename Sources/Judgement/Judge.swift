package import Conformance

/// Evidence, rules and a moment in; a report out.
///
/// Pure and total: no clock, no network, no error. The same arguments give the same report.
package enum Judge {
    /// Judges every check that is handed in; none vanishes from the report.
    ///
    /// - Parameters:
    ///   - evidence: What was collected; certificates and clocks are judged at its own time.
    ///   - plan: Profile, tier, threshold, selection and waivers.
    ///   - checks: The catalogue.
    ///   - now: Seconds since 1970; it decides which waivers have run out, and nothing else.
    ///   - tool: Name and version of the judging tool.
    ///   - notes: Sentences about the run that are known elsewhere; they come before those found here.
    package static func judge(
        _ evidence: Evidence,
        plan: Plan,
        checks: [Check],
        now: Double,
        tool: String,
        notes: [String] = []
    ) -> Report {
        let facts = Facts(evidence, profile: plan.profile.used(with: evidence.target))
        let verdicts = Excuses.applied(
            to: checks.map { check in Ruling(check: check, facts: facts, plan: plan) }
        )
        let waivers = WaiverBook(plan.waivers, now: now)
        // By stage, and within one as they were declared.
        let byStage = Dictionary(grouping: verdicts.map { entry($0, plan: plan, waivers: waivers) }, by: \.stage)
        let entries = Stage.allCases.flatMap { byStage[$0] ?? [] }
        let coverage = Report.Coverage(entries)
        // The answers are those of the provider as it is: a problem that is known is one all the same.
        let answers = Answers(entries, evidence, facts.ladder)
        let outcome = { (entries: [Report.Entry]) in
            Gate(
                entries: entries,
                causes: facts.ladder.causes,
                coverage: coverage,
                answers: answers,
                shortfall: shortfall(plan, evidence, answers)
            )
            .outcome(wasInterrupted: evidence.wasInterrupted)
        }
        var report = Report(
            tool: tool,
            target: evidence.target,
            profile: Report.ProfileSummary(plan.profile),
            tier: min(plan.tier, evidence.tier),
            threshold: plan.threshold,
            outcome: outcome(entries),
            coverage: coverage,
            answers: answers,
            causes: facts.ladder.causes,
            entries: entries,
            timings: timings(evidence),
            notes: notes + Notes.about(evidence) + waivers.notes(on: entries),
            exchanges: exchanges(evidence, cited: entries, facts.ladder.causes)
        )
        if let (comparison, marked) = KnownErrors(plan: plan).applied(to: ReportDigest(report), entries) {
            report.comparison = comparison
            report.notes += KnownErrors(plan: plan).notes
            report.entries = marked
            report.coverage = Report.Coverage(marked)
            report.outcome = outcome(marked)
        }
        report.handedIn = evidence.handedIn
        report.recorded = evidence.exchanges
        report.reach = Reach(evidence)
        report.isByHand = evidence.isByHand == true
        report.rungs = evidence.handedIn == nil ? facts.rungs : []
        return report
    }

    /// How the run fell short of the tier that was required of it; `nil` when it did not.
    private static func shortfall(_ plan: Plan, _ evidence: Evidence, _ answers: Answers) -> String? {
        guard let required = plan.required else { return nil }
        let reached = min(plan.tier, evidence.tier)
        if reached < required {
            return "the run had the tier \(reached.rawValue), and \(required.rawValue) is required"
        }
        guard required == .full, !answers.signIn.wasTried else { return nil }
        return "nobody signed in, and the tier full is required: \(answers.signIn.reason ?? "no flow is configured")"
    }

    private static func entry(_ ruling: Ruling, plan: Plan, waivers: WaiverBook) -> Report.Entry {
        let weighs = ruling.level >= plan.threshold
        let waiver = ruling.hasFailed ? waivers.valid(for: ruling.check.id) : nil
        return Report.Entry(
            check: ruling.check,
            level: ruling.level,
            levelReason: ruling.levelReason,
            verdict: ruling.verdict,
            waiver: waiver,
            closesGate: ruling.hasFailed && weighs && waiver == nil,
            blocksOpening: ruling.isSelected && ruling.isInconclusive && weighs,
            wasSelected: ruling.isSelected
        )
    }

    private static func timings(_ evidence: Evidence) -> Report.Timings {
        Report.Timings(
            startedAt: evidence.startedAt,
            duration: max(0, evidence.endedAt - evidence.startedAt),
            requests: evidence.requests,
            signIns: evidence.signIns
        )
    }

    /// The exchanges that findings point at, and those that failed: what a reader needs to see for himself.
    private static func exchanges(_ evidence: Evidence, cited entries: [Report.Entry], _ causes: [Cause]) -> [Exchange]
    {
        let cited = Set(entries.flatMap { $0.verdict.findings.compactMap(\.exchange) } + causes.compactMap(\.exchange))
        return evidence.exchanges.filter { $0.failure != nil || cited.contains($0.id) }
    }
}

/// What one check says before waivers.
struct Ruling {
    let check: Check
    let level: Level
    /// Why the level is not what the check's requirement says.
    let levelReason: String?
    let isSelected: Bool
    var verdict: Verdict

    init(check: Check, facts: Facts, plan: Plan) {
        self.check = check
        if let reason = plan.exclusion(of: check) {
            self.isSelected = false
            self.verdict = .notAttempted(reason)
        } else {
            self.isSelected = true
            self.verdict = check.judge(facts)
        }
        let weight = facts.profile.weight(of: check, findings: verdict.findings)
        self.level = weight.level
        self.levelReason = weight.because
    }

    var hasFailed: Bool {
        if case .failed = verdict { true } else { false }
    }

    var isInconclusive: Bool {
        if case .inconclusive = verdict { true } else { false }
    }
}
