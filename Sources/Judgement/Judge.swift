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
    ///   - chosen: What the plan makes of these checks, where that is known; it is used where it holds for the evidence.
    ///   - now: Seconds since 1970; it decides which waivers have run out, and nothing else.
    ///   - tool: Name and version of the judging tool.
    ///   - notes: Sentences about the run that are known elsewhere; they come before those found here.
    package static func judge(
        _ evidence: Evidence,
        plan: Plan,
        checks: [Check],
        chosen: ChosenChecks? = nil,
        now: Double,
        tool: String,
        notes: [String] = []
    ) -> Report {
        let known = chosen.flatMap { $0.holds(for: evidence.target) ? $0 : nil }
        let chosen = known ?? ChosenChecks(checks, plan, target: evidence.target)
        let facts = Facts(evidence, profile: chosen.profile)
        let waivers = WaiverBook(plan.waivers, now: now)
        var entries = chosen.entries
        for ruling in Excuses.applied(to: chosen.choices.map({ Ruling($0, facts) }), waivers) {
            entries[ruling.place] = entry(ruling, plan: plan, waivers: waivers)
        }
        let coverage = Report.Coverage(entries)
        // The answers are those of the provider as it is: a problem that is known is one all the same.
        let answers = Answers(
            entries,
            evidence,
            facts.ladder,
            needsSignIn: plan.signIns > 0,
            platform: chosen.profile.platform
        )
        let outcome = { (entries: [Report.Entry]) in
            Gate(
                entries: entries,
                causes: facts.ladder.causes,
                coverage: coverage,
                answers: answers,
                skipped: entries.count { $0.skippedBy != nil },
                shortfall: shortfall(plan, evidence, answers, entries)
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
        if plan.baseline != nil,
            let (comparison, marked) = KnownErrors(plan: plan).applied(to: ReportDigest(report), entries)
        {
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

    /// How the run fell short of what its gate needs; `nil` when it did not.
    ///
    /// A sign-in that was tried must have been completed in every flow, and a required tier must have been reached.
    private static func shortfall(
        _ plan: Plan,
        _ evidence: Evidence,
        _ answers: Answers,
        _ entries: [Report.Entry]
    ) -> String? {
        let reached = min(plan.tier, evidence.tier)
        if let required = plan.required, reached < required {
            return "the run had the tier \(reached.rawValue), and \(required.rawValue) is required"
        }
        if answers.signIn.wasTried, let reason = answers.signIn.reason { return reason }
        guard plan.required == .full else { return nil }
        let skipped = entries.indices.count { entries[$0].skippedBy != nil && entries[$0].level >= plan.threshold }
        if skipped > 0 {
            return "\(counted(skipped, "check")) that would close the gate \(skipped == 1 ? "is" : "are") skipped by "
                + "\(answers.skippedBy.joined(separator: " and ")), and the tier full is required"
        }
        if answers.signIn.wasTried { return nil }
        return "nobody signed in, and the tier full is required: \(answers.signIn.reason ?? "no flow is configured")"
    }

    private static func entry(_ ruling: Ruling, plan: Plan, waivers: WaiverBook) -> Report.Entry {
        let weighs = ruling.level >= plan.threshold
        let waiver = ruling.hasFailed ? waivers.valid(for: ruling.check.id) : nil
        var entry = Report.Entry(
            check: ruling.check,
            level: ruling.level,
            levelReason: ruling.levelReason,
            verdict: ruling.verdict,
            waiver: waiver,
            closesGate: ruling.hasFailed && weighs && waiver == nil,
            blocksOpening: ruling.isInconclusive && weighs,
            wasSelected: true
        )
        entry.isProblem = (ruling.hasFailed || ruling.isOfAnotherAnswer) && ruling.answerLevel >= plan.threshold
        return entry
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
        var cited = Set(causes.compactMap(\.exchange))
        for place in entries.indices {
            if case .failed(let findings) = entries[place].verdict { cited.formUnion(findings.compactMap(\.exchange)) }
        }
        return evidence.exchanges.filter { $0.failure != nil || cited.contains($0.id) }
    }
}

/// What one check that takes part says before waivers.
struct Ruling {
    let check: Check
    let level: Level
    /// Why the level is not what the check's requirement says.
    let levelReason: String?
    /// What a failure weighs for its answer.
    let answerLevel: Level
    /// Whether the failure that excuses it counts in another answer than its own.
    var isOfAnotherAnswer = false
    /// Its place in the report.
    let place: Int
    var verdict: Verdict

    init(_ choice: ChosenChecks.Choice, _ facts: Facts) {
        check = choice.check
        place = choice.place
        verdict = check.judge(facts)
        if case .failed(let findings) = verdict {
            (level, levelReason) = facts.profile.weight(of: check, findings: findings)
            answerLevel = facts.profile.answerLevel(of: check, findings: findings)
        } else {
            (level, levelReason) = (choice.level, choice.levelReason)
            answerLevel = level
        }
    }

    var hasFailed: Bool {
        if case .failed = verdict { true } else { false }
    }

    var isInconclusive: Bool {
        if case .inconclusive = verdict { true } else { false }
    }
}
