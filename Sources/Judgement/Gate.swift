import Conformance

/// The one decision at the end: open, closed or undecided, and the sentence that says so.
struct Gate {
    let entries: [Report.Entry]
    let causes: [Cause]
    let coverage: Report.Coverage
    let threshold: Level
    /// A gate that is open for the documents alone says so.
    let answers: Answers
    /// How the run fell short of what was required of it; `nil` when it did not.
    let shortfall: String?

    /// The exit code is 0, 1 or 2 by the gate, and 130 whenever the run was interrupted.
    func outcome(wasInterrupted: Bool) -> Report.Outcome {
        let closing = entries.filter(\.closesGate)
        let blocking = entries.filter(\.blocksOpening)
        if !closing.isEmpty {
            return Report.Outcome(
                gate: .closed,
                exitCode: wasInterrupted ? 130 : 1,
                summary: closed(closing, blocking) + (wasInterrupted ? "; the run was interrupted" : "")
            )
        }
        if wasInterrupted {
            return Report.Outcome(
                gate: .undecided,
                exitCode: 130,
                summary: "Gate undecided: the run was interrupted after \(counted(coverage.judged, "judged check"))"
            )
        }
        if let first = blocking.first {
            return Report.Outcome(gate: .undecided, exitCode: 2, summary: undecided(first, blocking.count))
        }
        if coverage.passed + coverage.failed + coverage.waived == 0 {
            let why =
                entries.contains(where: \.wasSelected)
                ? "no selected check came to a judgement" : "no check was selected"
            return Report.Outcome(gate: .undecided, exitCode: 2, summary: "Gate undecided: \(why)")
        }
        if let shortfall {
            return Report.Outcome(
                gate: .undecided,
                exitCode: 2,
                summary: "Gate undecided: \(shortfall)",
                shortfall: shortfall
            )
        }
        return Report.Outcome(gate: .open, exitCode: 0, summary: open())
    }

    private func closed(_ closing: [Report.Entry], _ blocking: [Report.Entry]) -> String {
        let findings = closing.reduce(0) { $0 + $1.verdict.findings.count }
        let checks = findings == closing.count ? "" : "\(closing.count) of "
        let unclear = blocking.isEmpty ? "" : "; \(counted(blocking.count, "check")) could not be judged"
        return "Gate closed: \(counted(findings, "finding")) in \(checks)\(counted(coverage.judged, "judged check"))"
            + unclear
    }

    private func undecided(_ first: Report.Entry, _ count: Int) -> String {
        if let cause = causes.first(where: \.mayBeOurs) {
            return "Gate undecided: \(cause.message.shown(limit: 500)) \(counted(count, "check")) could not be judged."
        }
        let which = count == 1 ? "\(first.id)" : "\(count) checks, the first \(first.id),"
        return "Gate undecided: \(which) could not be judged because "
            + (first.verdict.reason ?? "of missing evidence").shown()
    }

    private func open() -> String {
        let below = coverage.failed == 0 ? "" : ", \(counted(coverage.failed, "failure")) below \(threshold.rawValue)"
        let waived = coverage.waived == 0 ? "" : ", \(coverage.waived) waived"
        let judged = counted(coverage.judged, "judged check")
        return "Gate open\(answers.signIn.wasTried ? "" : ", sign-in not tried"): \(judged), none closes it" + below
            + waived
    }
}

extension Report.Coverage {
    /// Counts every entry exactly once; a waived failure counts as waived and not as failed.
    init(_ entries: [Report.Entry]) {
        self.init()
        for entry in entries {
            switch entry.verdict {
            case .passed: passed += 1
            case .failed where entry.waiver != nil: waived += 1
            case .failed: failed += 1
            case .excused: excused += 1
            case .notApplicable: notApplicable += 1
            case .inconclusive: inconclusive += 1
            case .notAttempted: notAttempted += 1
            }
        }
    }
}
