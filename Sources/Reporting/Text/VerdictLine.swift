import Conformance

/// The last line of every text: open, closed or undecided, the counts, and the exit code.
enum VerdictLine {
    /// - Parameter isAlone: Whether nothing stands above it, so that it names what broke as well.
    static func text(_ report: Report, isAlone: Bool) -> String {
        (isAlone ? report.outcome.alone : report.outcome.summary) + ending(report.outcome)
    }

    /// Several platforms or targets: for which the gate is open.
    static func text(_ outcome: Report.Outcome) -> String { outcome.summary.shown(limit: 1_000) + ending(outcome) }

    static func ink(_ gate: Report.Gate) -> Ink {
        switch gate {
        case .open: .green
        case .closed: .red
        case .undecided: .yellow
        }
    }

    private static func ending(_ outcome: Report.Outcome) -> String { "; exit code \(outcome.exitCode)" }
}
