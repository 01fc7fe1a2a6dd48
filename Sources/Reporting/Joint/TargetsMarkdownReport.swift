import Conformance

/// The report for a pull request, for several targets: the table of answers, then each target's report, folded if its gate is open.
///
/// At most 60 KB; targets that do not fit are named.
enum TargetsMarkdownReport {
    private static let mostBytes = 55_000

    static func render(_ report: TargetsReport) -> String {
        var room = mostBytes
        let parts = report.targets.map { target -> String in
            let text = ReportFormat.markdown.render(target.report)
            let name = MarkdownText.code(target.name)
            guard text.utf8.count <= room else { return "\(name): omitted for size; see the JSON report." }
            room -= text.utf8.count
            let isOpen = target.report.outcome.gate == .open
            return
                "<details\(isOpen ? "" : " open")><summary>\(MarkdownText.prose(target.name))</summary>\n\n\(text)\n</details>"
        }
        let sections = ["## \(MarkdownText.prose(report.outcome.summary, limit: 1_000))", table(report)] + parts
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ report: TargetsReport) -> String {
        let rows = report.rows.map { name, report in
            let words = report.answers.words + [JointWording.verdict(report.outcome.gate)]
            return "| \(MarkdownText.cell(name)) | \(MarkdownText.cell(report.target.issuer)) "
                + "| \(words.joined(separator: " | ")) | \(report.coverage.judged) |"
        }
        let headings = ["target", "issuer"] + Answers.headings + ["gate", "checks evaluated"]
        return (["| \(headings.joined(separator: " | ")) |", "| --- | --- | --- | --- | --- | --- | ---: |"] + rows)
            .joined(separator: "\n")
    }
}
