import Conformance

/// The terminal report, short or with every check; its last line is the verdict.
///
/// At most 2,000 lines, whatever the provider sent and whatever the width of the terminal.
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

    /// The text; if too long, without lines from the middle, because coverage and verdict are at the end.
    private static func bounded(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > mostLines else { return text }
        let end = lines.suffix(30)
        let start = lines.prefix(mostLines - end.count - 1)
        let left = lines.count - start.count - end.count
        return (start + ["  … \(left) lines omitted; see the JSON report"] + end)
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
