import Conformance

/// The report for a pull request, for several targets: the table of answers, then each target's report, folded if its gate is open.
///
/// At most 60 KB beside the table; targets that do not fit are named.
struct TargetsMarkdownReport: TargetsRenderer {
    /// The bytes that are left for reports.
    private var space = 55_000

    mutating func part(_ target: TargetsReport.Target) -> String {
        let text = ReportFormat.markdown.render(target.report)
        guard text.utf8.count <= space else {
            return "\n\(MarkdownText.code(target.name)): omitted for size; see the JSON report.\n"
        }
        space -= text.utf8.count
        let isOpen = target.report.outcome.gate == .open
        let summary = "<summary>\(MarkdownText.prose(target.name))</summary>"
        return "\n<details\(isOpen ? "" : " open")>\(summary)\n\n\(text)\n</details>\n"
    }

    func frame(_ targets: TargetsReport) -> (head: String, tail: String) {
        let rows = targets.rows.map { row in
            let words = row.answers.words + [JointWording.verdict(row.gate)]
            return "| \(MarkdownText.cell(row.name)) | \(MarkdownText.cell(row.issuer)) "
                + "| \(words.joined(separator: " | ")) | \(row.judged) |"
        }
        let headings = ["target", "issuer"] + Answers.headings + ["gate", "checks evaluated"]
        let table = ["| \(headings.joined(separator: " | ")) |", "| --- | --- | --- | --- | --- | --- | ---: |"] + rows
        let heading = "## \(MarkdownText.prose(targets.outcome.summary, limit: 1_000))"
        return ("\(heading)\n\n\(table.joined(separator: "\n"))\n", "")
    }
}
