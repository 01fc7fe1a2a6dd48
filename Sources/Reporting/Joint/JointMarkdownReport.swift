import Conformance

/// The report for a pull request, for several platforms: the table of answers, then the blocking findings.
enum JointMarkdownReport {
    static func render(_ joint: JointReport) -> String {
        let first = joint.reports[0]
        let sections: [String?] = [
            "## \(MarkdownText.prose(joint.outcome.summary, limit: 1_000))",
            "\(MarkdownText.code(first.target.issuer)) · \(first.extent) · "
                + "the gate closes at level \(first.threshold.rawValue)",
            table(joint),
            joint.reports.first { !$0.causes.isEmpty }.flatMap(MarkdownReport.causes),
            notes(joint),
            closing(joint),
            inconclusive(joint),
            "<sub>\(MarkdownText.prose(first.tool)), \(Format.moment(first.timings.startedAt)), "
                + "\(MarkdownText.prose(JointWording.cost(joint)))</sub>",
        ]
        return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
    }

    private static func table(_ joint: JointReport) -> String {
        let rows = joint.reports.map { report in
            let words = report.answers.words + [JointWording.verdict(report.outcome.gate)]
            return "| \(MarkdownText.prose(report.profile.title)) (\(MarkdownText.cell(report.profile.name))) "
                + "| \(words.joined(separator: " | ")) | \(report.coverage.judged) |"
        }
        let headings = ["platform"] + Answers.headings + ["gate", "checks evaluated"]
        return (["| \(headings.joined(separator: " | ")) |", "| --- | --- | --- | --- | --- | ---: |"] + rows)
            .joined(separator: "\n")
    }

    private static func notes(_ joint: JointReport) -> String? {
        let lines = JointWording.notes(joint).prefix(20).map { "- \(MarkdownText.prose($0, limit: 500))" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func closing(_ joint: JointReport) -> String? {
        let closing = JointWording.closing(joint)
        guard !closing.isEmpty else { return nil }
        let blocks = closing.lazy.map { blocker in
            // Its exchanges are in the report of its first platform.
            let report = joint.reports.first { $0.profile.name == blocker.platforms[0] } ?? joint.reports[0]
            return MarkdownReport.failed(blocker.entry, report, for: blocker.platforms)
        }
        return "### Blocking (\(closing.count))\n\n"
            + MarkdownReport.cut(blocks, MarkdownReport.Share.joint, separator: "\n\n")
    }

    private static func inconclusive(_ joint: JointReport) -> String? {
        let unclear = joint.blockers.filter { !$0.entry.closesGate }
        guard !unclear.isEmpty else { return nil }
        let lines = unclear.grouped(by: \.platforms)
            .flatMap { platforms, members in
                MarkdownReport.byReason(members.map(\.entry))
                    .map { "\($0); for \(platforms.map { MarkdownText.code($0) }.joined(separator: ", "))" }
            }
        return "### Inconclusive (\(Set(unclear.map(\.entry.id)).count))\n\n"
            + MarkdownReport.cut(lines, MarkdownReport.Share.inconclusive, separator: "\n")
    }
}
