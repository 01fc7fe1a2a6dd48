import Conformance

/// The last line of every text: open, closed or inconclusive, the counts, and the exit code.
enum VerdictLine {
    /// - Parameter isAlone: Whether it is the only line, so that it also names the root cause.
    static func text(_ report: Report, isAlone: Bool) -> String {
        (isAlone ? report.outcome.alone : report.outcome.summary) + ending(report.outcome)
    }

    /// For several platforms or targets: those with an open gate.
    static func text(_ outcome: Report.Outcome) -> String { outcome.summary.shown(limit: 1_000) + ending(outcome) }

    static func ink(_ gate: Report.Gate) -> TerminalColor {
        switch gate {
        case .open: .green
        case .closed: .red
        case .inconclusive: .yellow
        }
    }

    private static func ending(_ outcome: Report.Outcome) -> String { "; exit code \(outcome.exitCode)" }
}
