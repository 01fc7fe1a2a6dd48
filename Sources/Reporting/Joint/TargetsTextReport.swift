import Conformance

/// The terminal report for several targets: a line for each, then the report of each, then the verdict.
struct TargetsTextReport: TargetsRenderer {
    private let options: ReportOptions

    init(_ options: ReportOptions) {
        self.options = options
    }

    func part(_ target: TargetsReport.Target) -> String {
        if options.verbosity == .quiet { return "" }
        var options = options
        options.user = target.user
        var title = TextLayout(options)
        title.paragraph("TARGET \(target.name)")
        return title.text + TextReport(options).render(target.report) + "\n"
    }

    func frame(_ targets: TargetsReport) -> (head: String, tail: String) {
        let outcome = targets.outcome
        var end = TextLayout(options)
        end.unwrapped(VerdictLine.text(outcome), VerdictLine.ink(outcome.gate))
        if options.verbosity == .quiet { return ("", end.text) }
        var head = TextLayout(options)
        head.paragraph("\(Tool.nameAndVersion): \(counted(targets.count, "target"))", hanging: 2)
        head.blank()
        head.answers(
            targets.rows.map { TextLayout.AnswerRow(name: $0.name, answers: $0.answers, gate: $0.gate) },
            isShort: targets.rows.count > 10
        )
        return (head.text + "\n", end.text)
    }
}
