import Conformance

/// The form for the terminal: short, or with every check; the verdict is its last line in either.
struct TextReport {
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
        case .full: return FullTextReport(options).render(report)
        }
    }

    func render(_ joint: JointReport) -> String {
        guard joint.reports.count > 1 else { return render(joint.reports[0]) }
        guard options.verbosity == .quiet else { return JointTextReport(options).render(joint) }
        var layout = TextLayout(options)
        layout.unwrapped(VerdictLine.text(joint), VerdictLine.ink(joint.outcome.gate))
        return layout.text
    }
}
