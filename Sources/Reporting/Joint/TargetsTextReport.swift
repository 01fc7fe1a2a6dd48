import Conformance

/// The terminal report for several targets: a line for each, then the report of each, then the verdict.
struct TargetsTextReport {
    private let options: ReportOptions

    init(_ options: ReportOptions) {
        self.options = options
    }

    func render(_ report: TargetsReport) -> String {
        let outcome = report.outcome
        var end = TextLayout(options)
        end.unwrapped(VerdictLine.text(outcome), VerdictLine.ink(outcome.gate))
        guard options.verbosity != .quiet else { return end.text }
        var head = TextLayout(options)
        head.paragraph(
            "\(report.targets[0].report.reports[0].tool): \(counted(report.targets.count, "target"))",
            hanging: 2
        )
        head.blank()
        head.answers(
            report.rows.map { TextLayout.AnswerRow(name: $0.name, report: $0.report) },
            isShort: report.rows.count > 10
        )
        let parts = report.targets.map { target in
            var options = options
            options.user = target.user
            var title = TextLayout(options)
            title.paragraph("TARGET \(target.name)")
            return title.text + TextReport(options).render(target.report)
        }
        return ([head.text] + parts + [end.text]).joined(separator: "\n")
    }
}

extension TargetsReport {
    /// A target at a platform, named by both if the target is checked for several platforms.
    var rows: [(name: String, report: Report)] {
        targets.flatMap { target in
            target.report.reports.map { report in
                let isAlone = target.report.reports.count == 1
                return (isAlone ? target.name : "\(target.name) at \(report.profile.name)", report)
            }
        }
    }
}
