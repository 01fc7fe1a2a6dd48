import Conformance

/// The form for a pull request, for several platforms: the table of gates, then what closes them.
enum JointMarkdownReport {
    static func render(_ joint: JointReport) -> String {
        let first = joint.reports[0]
        let sections: [String?] = [
            "## \(MarkdownText.prose(joint.outcome.summary, limit: 1_000))",
            "\(MarkdownText.code(first.target.issuer)) · \(first.extent) · "
                + "the gate closes at level \(first.threshold.rawValue)",
            table(joint),
            notes(joint),
            obstacles(joint),
            "<sub>\(MarkdownText.prose(first.tool)), \(Format.moment(first.timings.startedAt)), "
                + "\(MarkdownText.prose(JointWording.cost(joint)))</sub>",
        ]
        return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
    }

    private static func table(_ joint: JointReport) -> String {
        let rows = joint.reports.map { report in
            let coverage = report.coverage
            let blocking = report.entries.filter { $0.closesGate || $0.blocksOpening }.map(\.id.rawValue)
            let named = blocking.prefix(5).map { MarkdownText.code($0, limit: 200) }
            let more = blocking.count > 5 ? ["and \(blocking.count - 5) more"] : []
            return "| \(MarkdownText.prose(report.profile.title)) (\(MarkdownText.code(report.profile.name))) "
                + "| \(JointWording.verdict(report.outcome.gate)) | \(coverage.judged) "
                + "| \((named + more).joined(separator: ", ")) |"
        }
        return (["| platform | gate | checks judged | what stands in the way |", "| --- | --- | ---: | --- |"] + rows)
            .joined(separator: "\n")
    }

    private static func notes(_ joint: JointReport) -> String? {
        let lines = JointWording.notes(joint).prefix(20).map { "- \(MarkdownText.prose($0, limit: 500))" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func obstacles(_ joint: JointReport) -> String? {
        let obstacles = joint.obstacles
        guard !obstacles.isEmpty else { return nil }
        let blocks = obstacles.lazy.map { obstacle in
            let platforms = obstacle.platforms.map { MarkdownText.code($0) }.joined(separator: ", ")
            return MarkdownReport.standing(obstacle.entry, joint.reports[0]) + "\n- platforms: \(platforms)"
        }
        return "### What stands in the way (\(obstacles.count))\n\n"
            + MarkdownReport.cut(blocks, MarkdownReport.Share.joint, separator: "\n\n")
    }
}
