import Conformance

/// The last line of every text: open, closed or undecided, the counts, and the exit code.
enum VerdictLine {
    /// - Parameter isAlone: Whether nothing stands above it, so that it names what broke as well.
    static func text(_ report: Report, isAlone: Bool) -> String {
        let selected = report.entries.filter(\.wasSelected)
        let count = { (fate: Fate) in selected.count { Fate($0) == fate } }
        let reason =
            report.causes.first?.message
            ?? selected.first { Fate($0) == .closes }?.verdict.findings.first?.sentence(limit: 300)
            ?? selected.first(where: \.blocksOpening)?.verdict.reason
        let told = report.outcome.shortfall ?? (isAlone ? reason : nil)
        let broken = told.map(Self.sentence) ?? ""
        let judged = [
            (count(.closes), "failed"), (count(.undecided), "could not be judged"), (count(.passed), "passed"),
        ]
        let remarks = count(.belowThreshold)
        let parts =
            judged.filter { $0.0 > 0 }.enumerated()
            .map { place, number in "\(place == 0 ? counted(number.0, "check") : "\(number.0)") \(number.1)" }
            + (remarks == 0 ? [] : [counted(remarks, "remark")])
            + (count(.waived) == 0 ? [] : ["\(count(.waived)) waived"])
        let counts = parts.isEmpty ? "nothing was judged" : parts.joined(separator: ", ")
        return "\(headline(report)): \(broken)\(counts)\(ending(report.outcome))"
    }

    private static func sentence(_ reason: String) -> String {
        let text = reason.shown(limit: 300)
        return text + (text.last.map { ".!?".contains($0) } == true ? " " : ". ")
    }

    /// Several platforms: for which the gate is open.
    static func text(_ joint: JointReport) -> String {
        joint.outcome.summary.shown(limit: 1_000) + ending(joint.outcome)
    }

    static func ink(_ gate: Report.Gate) -> Ink {
        switch gate {
        case .open: .green
        case .closed: .red
        case .undecided: .yellow
        }
    }

    /// An open gate alone would promise that sign-in works, also where nobody tried.
    private static func headline(_ report: Report) -> String {
        let interrupted = report.outcome.exitCode == 130 ? ", the run was interrupted" : ""
        switch report.outcome.gate {
        case .open: return "Gate open" + (report.answers.signIn.wasTried ? "" : ", sign-in not tried")
        case .closed: return "Gate closed" + interrupted
        case .undecided: return "Gate undecided" + interrupted
        }
    }

    private static func ending(_ outcome: Report.Outcome) -> String { "; exit code \(outcome.exitCode)" }
}
