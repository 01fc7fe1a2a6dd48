import Conformance

/// The decision at the end: open, closed or inconclusive, with the sentence that every format begins or ends with.
struct Gate {
    let entries: [Report.Entry]
    let causes: [Cause]
    let coverage: Report.Coverage
    /// An open gate without an attempted sign-in says so.
    let answers: Answers
    /// How many checks the user skipped.
    let skipped: Int
    /// Why the run did not reach what the gate requires; `nil` if it did.
    let shortfall: String?

    /// The exit code is 0, 1 or 2 by the gate, and 130 whenever the run was interrupted.
    func outcome(wasInterrupted: Bool) -> Report.Outcome {
        if let closing = gravest {
            let first = entries[closing].verdict.findings.first
            return outcome(.closed, 1, because: first.map(sentence), wasInterrupted: wasInterrupted)
        }
        if wasInterrupted { return outcome(.inconclusive, 130, because: nil, wasInterrupted: true) }
        if let place = entries.indices.first(where: { entries[$0].blocksOpening }) {
            let first = entries[place]
            return outcome(.inconclusive, 2, because: "\(first.id): \(first.verdict.reason ?? "no evidence")")
        }
        if coverage.passed + coverage.failed + coverage.waived == 0 {
            let isEmpty = !entries.indices.contains { entries[$0].wasSelected }
            return outcome(.inconclusive, 2, because: isEmpty ? "no check was selected" : nil)
        }
        if let shortfall { return outcome(.inconclusive, 2, because: shortfall, shortfall: shortfall) }
        return outcome(.open, 0, because: nil)
    }

    /// The first blocking entry in reading order: one that endangers users comes before one that breaks a rule.
    private var gravest: Int? {
        let closing = entries.indices.filter { entries[$0].closesGate }
        return Consequence.inOrderOfReading.lazy
            .compactMap { consequence in closing.first { entries[$0].consequence == consequence } }.first
    }

    private func outcome(
        _ gate: Report.Gate,
        _ exitCode: Int,
        because reason: String?,
        shortfall: String? = nil,
        wasInterrupted: Bool = false
    ) -> Report.Outcome {
        let sources = answers.skippedBy.joined(separator: " and ")
        let left = skipped == 0 ? "" : ", \(counted(skipped, "check")) skipped by \(sources)"
        let headline = Self.headline(gate, answers) + left + (wasInterrupted ? ", run interrupted" : "")
        // A closed gate has a finding of its own, which an unrelated root cause does not explain.
        let reason = gate == .closed ? reason ?? causes.first?.message : causes.first?.message ?? reason
        let counts = counts
        return Report.Outcome(
            gate: gate,
            exitCode: wasInterrupted ? 130 : exitCode,
            summary: "\(headline): \(Self.ended(shortfall))\(counts)",
            alone: "\(headline): \(Self.ended(shortfall ?? reason))\(counts)",
            shortfall: shortfall
        )
    }

    /// “Gate open” alone would suggest that sign-in works even if none was attempted.
    private static func headline(_ gate: Report.Gate, _ answers: Answers) -> String {
        switch gate {
        case .open: "Gate open" + (answers.signIn.wasTried ? "" : ", sign-in not tried")
        case .closed: "Gate closed"
        case .inconclusive: "Inconclusive"
        }
    }

    private func sentence(_ finding: Finding) -> String {
        guard let subject = finding.subjectText else { return finding.message }
        // The sentence names the defect first, then its subject.
        let (message, isEnded) = (finding.message, finding.message.last == ".")
        return (isEnded ? String(message.dropLast()) : message) + " (with \(subject.shown(limit: 300)))"
            + (isEnded ? "." : "")
    }

    /// A sentence before the counts, with its full stop; empty without a reason.
    private static func ended(_ reason: String?) -> String {
        guard let text = reason?.shown(limit: 300), let last = text.last else { return "" }
        return text + (".!?".contains(last) ? " " : ". ")
    }

    /// `3 checks failed, 2 inconclusive, 120 passed, 4 warnings, 1 notice`.
    private var counts: String {
        var (closing, unclear, passed) = (0, 0, 0)
        var failed: [Report.Entry] = []
        for place in entries.indices where entries[place].wasSelected {
            if entries[place].closesGate { closing += 1 }
            switch entries[place].verdict {
            case .passed: passed += 1
            case .inconclusive: unclear += 1
            case .failed: failed.append(entries[place])
            case .superseded, .notApplicable, .notAttempted: break
            }
        }
        let judged = [(closing, "failed"), (unclear, "inconclusive"), (passed, "passed")]
        let below = failed.filter { !$0.closesGate && $0.waiver == nil && !$0.isKnown }
        let (warnings, notices) = (below.count { $0.level == .warning }, below.count { $0.level == .notice })
        let waived = failed.count { $0.waiver != nil }
        let known = failed.count(where: \.isKnown)
        let others: [String?] = [
            known == 0 ? nil : counted(known, "known error"),
            warnings == 0 ? nil : counted(warnings, "warning"),
            notices == 0 ? nil : counted(notices, "notice"),
            waived == 0 ? nil : "\(waived) waived",
        ]
        let parts =
            judged.filter { $0.0 > 0 }.enumerated()
            .map { place, number in "\(place == 0 ? counted(number.0, "check") : "\(number.0)") \(number.1)" }
            + others.compactMap(\.self)
        return parts.isEmpty ? "no check has a result" : parts.joined(separator: ", ")
    }
}

extension Report.Coverage {
    /// Counts every entry exactly once; a waived failure counts as waived, not as failed.
    init(_ entries: [Report.Entry]) {
        self.init()
        for place in entries.indices { count(entries[place].verdict, isWaived: entries[place].waiver != nil) }
    }

    mutating func count(_ verdict: Verdict, isWaived: Bool) {
        switch verdict {
        case .passed: passed += 1
        case .failed where isWaived: waived += 1
        case .failed: failed += 1
        case .superseded: superseded += 1
        case .notApplicable: notApplicable += 1
        case .inconclusive: inconclusive += 1
        case .notAttempted: notAttempted += 1
        }
    }
}
