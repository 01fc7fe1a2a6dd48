package import Conformance

/// Turns evidence, rules and a point in time into a report.
///
/// Pure and total: it uses no clock and no network, and never fails. The same arguments give the same report.
package enum Judge {
    /// Evaluates every given check; the report lists all of them.
    ///
    /// - Parameters:
    ///   - evidence: The collected evidence; certificates and clocks are checked at the time of collection.
    ///   - plan: Profile, tier, threshold, selection and waivers.
    ///   - checks: The catalogue.
    ///   - chosen: The checks that the plan selects, if already known; used only if valid for the evidence.
    ///   - facts: Those of the same evidence for another profile, if already known.
    ///   - now: Seconds since 1970; decides only which waivers have expired.
    ///   - tool: Name and version of the program.
    ///   - notes: Notes on the run from the caller; they precede those added here.
    package static func judge(
        _ evidence: Evidence,
        plan: Plan,
        checks: [Check],
        chosen: ChosenChecks? = nil,
        facts: Facts? = nil,
        now: Double,
        tool: String,
        notes: [String] = []
    ) -> Report {
        let known = chosen.flatMap { $0.applies(to: evidence.target) ? $0 : nil }
        let chosen = known ?? ChosenChecks(checks, plan, target: evidence.target)
        let facts = facts.map { Facts($0, profile: chosen.profile) } ?? Facts(evidence, profile: chosen.profile)
        let sequence = facts.signInSequence.restricted(to: chosen.profile)
        let waivers = WaiverBook(plan.waivers, now: now)
        let product = facts.metadata.value.flatMap { Product(of: $0.object) }
        let causes = sequence.causes.map { product?.naming($0) ?? $0 }
        var entries = chosen.entries
        for decision in Supersession.applied(
            to: chosen.choices.map({ CheckDecision($0, facts, chosen.profile) }),
            waivers
        ) {
            var entry = entry(decision, plan: plan, waivers: waivers, profile: chosen.profile)
            if let product { entry.verdict = product.naming(entry.verdict, of: entry.id) }
            entries[decision.place] = entry
        }
        let coverage = Report.Coverage(entries)
        // Known problems count in the answers: they describe the provider as it is.
        let answers = Answers(
            entries,
            evidence,
            sequence,
            needsSignIn: plan.hasSignIn,
            platform: chosen.profile.platform
        )
        let outcome = { (entries: [Report.Entry]) in
            Gate(
                entries: entries,
                causes: causes,
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
            causes: causes,
            entries: entries,
            timings: timings(evidence),
            notes: notes + Notes.about(evidence) + waivers.notes(on: entries),
            exchanges: exchanges(evidence, cited: entries, causes)
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
        report.offlineInput = evidence.offlineInput ?? plan.offlineInput
        report.recorded = evidence.exchanges
        report.reach = ConnectionSettings(evidence)
        report.isByHand = evidence.isByHand == true
        report.signInSteps = report.offlineInput == nil ? facts.signInSteps : []
        return report
    }

    /// Why the run did not reach what its gate requires; `nil` if it did.
    ///
    /// An attempted sign-in must have been completed in every flow, and a required tier must have been reached.
    private static func shortfall(
        _ plan: Plan,
        _ evidence: Evidence,
        _ answers: Answers,
        _ entries: [Report.Entry]
    ) -> String? {
        let reached = min(plan.tier, evidence.tier)
        if let required = plan.required, reached < required {
            return "the run used tier \(reached.rawValue), but tier \(required.rawValue) is required"
        }
        if answers.signIn.wasTried, let reason = answers.signIn.reason { return reason }
        guard plan.required == .full else { return nil }
        let skipped = entries.indices.count { entries[$0].skippedBy != nil && entries[$0].level >= plan.threshold }
        if skipped > 0 {
            return "\(counted(skipped, "check")) that can close the gate \(skipped == 1 ? "is" : "are") skipped by "
                + "\(answers.skippedBy.joined(separator: " and ")), but tier full is required"
        }
        if answers.signIn.wasTried { return nil }
        return "no user signed in, but tier full is required: \(answers.signIn.reason ?? "no flow is configured")"
    }

    private static func entry(
        _ decision: CheckDecision,
        plan: Plan,
        waivers: WaiverBook,
        profile: Profile
    ) -> Report.Entry {
        let weighs = decision.level >= plan.threshold
        let waiver = decision.hasFailed ? waivers.valid(for: decision.check.id) : nil
        var entry = Report.Entry(
            check: decision.check,
            level: decision.level,
            levelReason: decision.levelReason,
            verdict: decision.verdict,
            waiver: waiver,
            closesGate: decision.hasFailed && weighs && waiver == nil,
            // Nothing is missing where the platform does not look; but without addresses nothing is known at all.
            blocksOpening: decision.isInconclusive && weighs
                && (decision.check.stage == .discovery || !profile.ignores(decision.check.stage))
                && !decision.isWaiting(for: profile.ignoredSteps),
            wasSelected: true
        )
        entry.consequence = decision.consequence
        entry.isProblem = (decision.hasFailed || decision.isOfAnotherAnswer) && decision.answerLevel == .error
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

    /// The exchanges that findings refer to, and those that failed, so that readers can verify the report.
    private static func exchanges(_ evidence: Evidence, cited entries: [Report.Entry], _ causes: [Cause]) -> [Exchange]
    {
        var cited = Set(causes.compactMap(\.exchange))
        for place in entries.indices {
            if case .failed(let findings) = entries[place].verdict { cited.formUnion(findings.compactMap(\.exchange)) }
        }
        return evidence.exchanges.filter { $0.failure != nil || cited.contains($0.id) }
    }
}

/// The verdict of one selected check before waivers.
struct CheckDecision {
    let check: Check
    let level: Level
    /// Why the level differs from the check's requirement.
    let levelReason: String?
    /// The answer that a failure belongs to.
    let consequence: Consequence
    /// The level of a failure for its answer.
    let answerLevel: Level
    /// Whether the failure that supersedes it counts in a different answer.
    var isOfAnotherAnswer = false
    /// Its place in the report.
    let place: Int
    var verdict: Verdict

    init(_ choice: ChosenChecks.Choice, _ facts: Facts, _ profile: Profile) {
        check = choice.check
        place = choice.place
        consequence = profile.consequence(of: check)
        verdict = facts.verdict(of: check)
        if case .failed(let findings) = verdict {
            (level, levelReason) = profile.weight(of: check, findings: findings)
            answerLevel = profile.answerLevel(of: check, findings: findings)
        } else {
            (level, levelReason) = (choice.level, choice.levelReason)
            answerLevel = level
        }
    }

    var hasFailed: Bool {
        if case .failed = verdict { true } else { false }
    }

    /// Whether it is inconclusive because of a failure at one of the steps.
    func isWaiting(for steps: Set<Cause.SignInStep>) -> Bool {
        guard case .inconclusive(let why) = verdict, let step = why.cause?.signInStep else { return false }
        return steps.contains(step)
    }

    var isInconclusive: Bool {
        if case .inconclusive = verdict { true } else { false }
    }
}
