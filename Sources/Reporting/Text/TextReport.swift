import Conformance

/// The form for the terminal: short, or with every check; the verdict is its last line in either.
///
/// At most 2,000 lines, whatever the provider sent and however narrow the terminal.
struct TextReport {
    static let mostLines = 2_000

    let options: ReportOptions

    init(_ options: ReportOptions) {
        self.options = options
    }

    func render(_ report: Report) -> String {
        switch options.verbosity {
        case .quiet:
            var layout = TextLayout(options)
            layout.unwrapped(VerdictLine.text(report, isAlone: true), VerdictLine.ink(report.outcome.gate))
            return layout.text
        case .brief: return BriefTextReport(report, options).text
        case .full: return Self.bounded(FullTextReport(options).render(report))
        }
    }

    /// The text without lines of its middle where there are too many: coverage and verdict are at its end.
    private static func bounded(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > mostLines else { return text }
        let end = lines.suffix(30)
        let start = lines.prefix(mostLines - end.count - 1)
        let left = lines.count - start.count - end.count
        return (start + ["  … \(left) lines are left out here; the JSON report has what they say"] + end)
            .joined(separator: "\n")
    }

    func render(_ joint: JointReport) -> String {
        guard joint.reports.count > 1 else { return render(joint.reports[0]) }
        guard options.verbosity == .quiet else { return Self.bounded(JointTextReport(options).render(joint)) }
        var layout = TextLayout(options)
        layout.unwrapped(VerdictLine.text(joint.outcome), VerdictLine.ink(joint.outcome.gate))
        return layout.text
    }
}
