import Conformance

extension Answers {
    /// - Parameters:
    ///   - entries: All checks with their verdicts.
    ///   - evidence: The collected evidence.
    ///   - signInSequence: The failed steps of ordinary scenarios.
    ///   - needsSignIn: Whether the plan of these checks includes a sign-in.
    ///   - platform: The platform whose rules apply, if any.
    init(
        _ entries: [Report.Entry],
        _ evidence: Evidence,
        _ signInSequence: SignInSequence,
        needsSignIn: Bool,
        platform: String? = nil
    ) {
        self.init(
            signIn: Self.signIn(entries, evidence, signInSequence, needsSignIn: needsSignIn),
            safety: Answer(entries, of: .safety),
            conformance: Answer(entries, of: .conformance),
            hasOtherDeviations: entries.indices.contains { place in
                entries[place].isProblem && entries[place].consequence != .conformance
                    && entries[place].requirement.isOfAText
            }
        )
        self.platform = platform
        skippedBy = Set(entries.compactMap(\.skippedBy)).sorted()
    }

    private static func signIn(
        _ entries: [Report.Entry],
        _ evidence: Evidence,
        _ signInSequence: SignInSequence,
        needsSignIn: Bool
    ) -> SignIn {
        var outcomes = flows(evidence, signInSequence)
        if !needsSignIn, outcomes.contains(where: { $0.flow.verdict != .works }) {
            // Another platform of the same run, or a larger selection, needed the sign-in.
            let reason = "no selected check needs a sign-in"
            outcomes = outcomes.map { FlowOutcome(flow: Flow($0.flow.name, .notTried), reason: reason) }
        }
        let flows = outcomes.map(\.flow)
        let (problems, tally) = Tally.counted(entries, of: .signIn)
        guard SignIn(.works, flows: flows).wasTried else {
            // A problem that breaks sign-in is known without an attempt.
            return SignIn(
                problems > 0 ? .fails : .notTried,
                flows: flows,
                problems: problems,
                tally,
                because: whyNotTried(evidence, outcomes.compactMap(\.reason))
            )
        }
        // The worst flow counts, because a client may use exactly that one.
        for verdict in [SignInVerdict.fails, .inconclusive, .notTried] {
            guard let worst = outcomes.first(where: { $0.flow.verdict == verdict }) else { continue }
            // A problem that breaks sign-in counts whatever else stopped the test user.
            return SignIn(
                verdict == .fails || problems > 0 ? .fails : .inconclusive,
                flows: flows,
                problems: problems,
                tally,
                because: worst.reason
            )
        }
        return SignIn(problems > 0 ? .fails : .works, flows: flows, problems: problems, tally)
    }

    private struct FlowOutcome {
        var flow: Flow
        var reason: String?
    }

    private static func flows(_ evidence: Evidence, _ signInSequence: SignInSequence) -> [FlowOutcome] {
        if let oauth1 = evidence.oauth1 {
            let outcome = outcome("OAuth 1.0", evidence.arrival(by: oauth1.first), nil)
            return [outcome]
        }
        return evidence.target.flows.map { type in
            outcome(type.text, evidence.arrival(by: type), signInSequence.cause(against: .flow(type)))
        }
    }

    private static func outcome<Value>(
        _ name: String,
        _ arrival: Observation<Value>,
        _ cause: Cause?
    ) -> FlowOutcome {
        if let cause {
            return FlowOutcome(
                flow: Flow(name, cause.mayBeConfiguration ? .inconclusive : .fails),
                reason: cause.message
            )
        }
        switch arrival {
        case .observed: return FlowOutcome(flow: Flow(name, .works))
        case .absent(let why): return FlowOutcome(flow: Flow(name, .inconclusive), reason: why.text)
        case .notAttempted(let why): return FlowOutcome(flow: Flow(name, .notTried), reason: why.text)
        }
    }

    private static func whyNotTried(_ evidence: Evidence, _ reasons: [String]) -> String {
        if evidence.target.client == nil, evidence.oauth1 == nil { return "no client is configured" }
        if evidence.tier < .full { return "the run used tier \(evidence.tier.rawValue), which has no sign-in" }
        return reasons.first ?? "no flow is configured"
    }
}

extension Answers.Answer {
    fileprivate init(_ entries: [Report.Entry], of consequence: Consequence) {
        var (notJudged, belowThreshold) = (0, 0)
        let (problems, tally) = Answers.Tally.counted(entries, of: consequence)
        var coverage = Report.Coverage()
        // By index, because access by value copies entries, and each issuer of a batch has hundreds.
        for place in entries.indices where entries[place].consequence == consequence {
            if entries[place].blocksOpening, entries[place].level == .error { notJudged += 1 }
            coverage.count(entries[place].verdict, isWaived: entries[place].waiver != nil)
            if case .failed = entries[place].verdict, !entries[place].isProblem { belowThreshold += 1 }
        }
        let hasResult = coverage.passed + coverage.failed + coverage.waived + coverage.superseded > 0
        self.init(
            verdict: problems > 0 ? .problems : notJudged > 0 ? .inconclusive : hasResult ? .sound : .notTried,
            problems: problems,
            belowThreshold: belowThreshold,
            judged: coverage.judged,
            notJudged: notJudged
        )
        inconclusive = coverage.inconclusive
        self.tally = tally
    }
}

extension Answers.Tally {
    /// The problems of one answer, and their effect on the gate.
    fileprivate static func counted(_ entries: [Report.Entry], of consequence: Consequence) -> (problems: Int, Self) {
        var problems = 0
        var tally = Self()
        for place in entries.indices where entries[place].consequence == consequence {
            if entries[place].skippedBy != nil { tally.skipped += 1 }
            guard entries[place].isProblem else {
                if entries[place].closesGate { tally.raised += 1 }
                continue
            }
            problems += 1
            if let waiver = entries[place].waiver {
                tally.waived += 1
                tally.waivedUntil = [tally.waivedUntil, waiver.until].compactMap(\.self)
                    .min { $0.endSecondsSince1970 < $1.endSecondsSince1970 }
            } else if case .superseded(let cause) = entries[place].verdict {
                tally.caused += 1
                if !tally.causes.contains(cause) { tally.causes.append(cause) }
            } else if !entries[place].closesGate {
                tally.lowered += 1
            }
        }
        return (problems, tally)
    }
}
