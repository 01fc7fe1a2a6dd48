import Conformance

/// The report for a pull request or a step summary: the verdict first, then the blocking findings with their fixes.
///
/// At most 60 KB, whatever the provider sends: each list has a share of bytes, and a list that is cut says how many entries
/// are missing. Headings and the table always have the true counts.
enum MarkdownReport {
    /// Bytes of the lists' contents; together with the fixed parts they stay below 60,000.
    enum Share {
        static let joint = 45_000
        static let notes = 3_000
        static let closing = 21_000
        static let inconclusive = 5_000
        static let below = 7_000
        static let waived = 4_000
        static let known = 4_000
        static let notRun = 3_000
        static let entry = 5_000
    }

    static func render(_ report: Report) -> String {
        let sections: [String?] = [
            "## \(MarkdownText.prose(report.outcome.summary, limit: 1_000))",
            // A key set alone names no issuer.
            (report.target.issuer.isEmpty ? "" : MarkdownText.code(report.target.issuer) + " · ")
                + "\(MarkdownText.prose(report.profileLine)) · "
                + "\(report.extent) · the gate closes at level \(report.threshold.rawValue)",
            report.sentences.map { "- " + MarkdownText.prose($0, limit: 500) }.joined(separator: "\n"),
            causes(report),
            coverage(report),
            notes(report),
            section("Blocking", closing(report.entries(.closes)), Share.closing) { failed($0, report) },
            inconclusive(report.entries(.inconclusive)),
            folded("Known before", report.entries(.known), Share.known) { failed($0, report) },
            section(
                report.entries(.belowThreshold).map(\.level).headingBelow,
                report.entries(.belowThreshold),
                Share.below
            ) { failed($0, report) },
            folded("Waived", report.entries(.waived), Share.waived) { failed($0, report) },
            notRun(report),
            "<sub>\(MarkdownText.prose(report.tool)), \(Format.moment(report.timings.startedAt)), "
                + "\(counted(report.timings.requests, "request")), \(counted(report.timings.signIns, "sign-in")), "
                + "\(Format.seconds(report.timings.duration)) s</sub>",
        ]
        return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
    }

    private static func coverage(_ report: Report) -> String {
        let entries = report.entries.filter { !$0.isForeign }
        let columns: [(String, [CheckState])] = [
            ("checks", CheckState.allCases), ("passed", [.passed]), ("failed", [.closes, .belowThreshold]),
            ("known before", [.known]), ("waived", [.waived]), ("superseded", [.superseded]),
            ("not applicable", [.notApplicable]), ("inconclusive", [.inconclusive]),
            ("skipped", [.notAttempted]),
        ]
        let counts = columns.map { title, states in (title, entries.count { states.contains(CheckState($0)) }) }
            .filter { $0.0 != "known before" || $0.1 > 0 }
        return """
            | \(counts.map(\.0).joined(separator: " | ")) |
            |\(String(repeating: " ---: |", count: counts.count))
            | \(counts.map { String($0.1) }.joined(separator: " | ")) |
            """
    }

    /// The root causes, before their consequences.
    static func causes(_ report: Report) -> String? {
        let blocks = report.causes.map { cause in
            var lines = ["**\(MarkdownText.prose(cause.message, limit: 1_000))**", ""]
            if let words = cause.words { lines.append("- message: \(MarkdownText.code(words, limit: 300))") }
            lines.append("- action: \(MarkdownText.prose(cause.advice, limit: 1_000))")
            if !cause.places.isEmpty { lines.append("- see: \(MarkdownText.prose(cause.shownPlaces, limit: 1_000))") }
            lines.append("- affects: \(report.shownWaiting(for: cause))")
            lines += cause.pages.map { page in
                let screenshot = page.screenshotFile.map { " ([screenshot](\($0)))" } ?? ""
                return "- page \(page.number): \(MarkdownText.prose(page.sentence, limit: 500))\(screenshot)"
            }
            return lines.joined(separator: "\n")
        }
        return blocks.isEmpty ? nil : cut(blocks, Share.notes, separator: "\n\n")
    }

    private static func notes(_ report: Report) -> String? {
        let lines = report.notes.map { "- \(MarkdownText.prose($0, limit: 1_000))" }
        return lines.isEmpty ? nil : cut(lines, Share.notes, separator: "\n")
    }

    // MARK: Lists

    private static func section(
        _ title: String,
        _ entries: [Report.Entry],
        _ share: Int,
        _ write: (Report.Entry) -> String
    ) -> String? {
        guard !entries.isEmpty else { return nil }
        return "### \(title) (\(entries.count))\n\n" + cut(entries.lazy.map(write), share, separator: "\n\n")
    }

    private static func folded(
        _ title: String,
        _ entries: [Report.Entry],
        _ share: Int,
        _ write: (Report.Entry) -> String
    ) -> String? {
        guard !entries.isEmpty else { return nil }
        return details("\(title) (\(entries.count))", cut(entries.lazy.map(write), share, separator: "\n\n"))
    }

    /// The blank lines make the content Markdown again (CommonMark section 4.6).
    private static func details(_ summary: String, _ body: String) -> String {
        "<details><summary>\(summary)</summary>\n\n\(body)\n\n</details>"
    }

    /// As many blocks as fit the share, and the number of the others, which are never rendered.
    static func cut(_ blocks: some Collection<String>, _ share: Int, separator: String) -> String {
        var kept: [String] = []
        var length = 0
        for block in blocks {
            length += block.utf8.count + separator.utf8.count
            if length > share { break }
            kept.append(block)
        }
        if kept.count < blocks.count {
            let beginning = kept.isEmpty ? "" : "and "
            kept.append("- \(beginning)\(blocks.count - kept.count) more, in the JSON report")
        }
        return kept.joined(separator: separator)
    }

    // MARK: Entries

    /// Safety first, conformance last.
    private static func closing(_ entries: [Report.Entry]) -> [Report.Entry] {
        Consequence.inOrderOfReading.flatMap { consequence in entries.filter { $0.consequence == consequence } }
    }

    /// - Parameter platforms: The platforms whose gate it closes, if there are several.
    static func failed(_ entry: Report.Entry, _ report: Report, for platforms: [String] = []) -> String {
        let findings = entry.verdict.findings
        var lines = ["#### \(MarkdownText.code(entry.id.rawValue)): \(MarkdownText.prose(entry.title))", ""]
        lines.append(cut(findings.lazy.map(render), Share.entry, separator: "\n"))
        if let waiver = entry.waiver {
            let end = waiver.until.map { " until \($0)" } ?? ""
            let reason = MarkdownText.prose(waiver.because)
            lines.append("- waived\(end): \(reason) (\(MarkdownText.code(waiver.source)))")
        }
        if let reason = entry.levelReason {
            lines.append("- level \(entry.level.rawValue), because \(MarkdownText.prose(reason))")
        }
        if !platforms.isEmpty {
            lines.append("- blocks: \(platforms.map { MarkdownText.code($0) }.joined(separator: ", "))")
        }
        lines.append("- consequence: \(entry.consequence.heading)")
        lines.append(
            "- rule: [\(MarkdownText.prose(entry.authority))](<\(entry.citation.link)>), [explained](<\(entry.id.link)>)"
        )
        lines += ["", details("Why, and how to reproduce it", background(entry, report))]
        return lines.joined(separator: "\n")
    }

    private static func render(_ finding: Finding) -> String {
        let rows: [(String, String?)] = [
            ("with", finding.subjectText.map { MarkdownText.code($0, limit: 500) }),
            ("at", finding.place.map { MarkdownText.code($0, limit: 500) }),
            ("expected", finding.shownExpected().map { MarkdownText.code($0) }),
            ("found", finding.shownFound().map { MarkdownText.code($0) }),
            ("fix", MarkdownText.prose(finding.fix)),
            ("because", finding.authority.map { MarkdownText.prose($0.sentence) }),
        ]
        return "- \(MarkdownText.prose(finding.message))"
            + rows.map { label, text in text.map { "\n  - \(label): \($0)" } ?? "" }.joined()
    }

    private static func background(_ entry: Report.Entry, _ report: Report) -> String {
        let words = entry.citation.words
        let mark = entry.citation.isQuotation ? "> " : ""
        let quotation = words.isEmpty ? "" : "\n\n\(mark)\(MarkdownText.prose(words))"
        let cited = Set(entry.verdict.findings.compactMap(\.exchange))
        let commands = report.exchanges.filter { cited.contains($0.id) }.prefix(2)
            .compactMap { command($0, report.reach) }
        return MarkdownText.prose(entry.why) + quotation + commands.map { "\n\n" + $0 }.joined()
    }

    /// The request as a command.
    ///
    /// It is one line and begins with `curl`, so nothing in it can end the block.
    private static func command(_ exchange: Exchange, _ reach: ConnectionSettings) -> String? {
        guard let command = Curl.boundedCommand(for: exchange, reach: reach) else { return nil }
        return "\(MarkdownText.prose(exchange.step, limit: 200)):\n\n```sh\n\(command)\n```"
    }

    /// The inconclusive checks, grouped by reason.
    private static func inconclusive(_ entries: [Report.Entry]) -> String? {
        guard !entries.isEmpty else { return nil }
        return "### Inconclusive (\(entries.count))\n\n"
            + cut(byReason(entries), Share.inconclusive, separator: "\n")
    }

    /// A line for each reason: how many checks, why, and the first of them.
    static func byReason(_ entries: [Report.Entry]) -> [String] {
        entries.grouped { ($0.verdict.reason ?? "").shown() }
            .map { reason, members in
                let names = members.prefix(12).map { MarkdownText.code($0.id.rawValue, limit: 200) }
                let more = members.count > 12 ? ["and \(members.count - 12) more"] : []
                let count = members.count == 1 ? "" : "\(members.count) checks: "
                let clause = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
                return "- \(count)\(MarkdownText.prose(clause)): " + (names + more).joined(separator: ", ")
            }
    }

    /// The checks without a result, by reason.
    private static func notRun(_ report: Report) -> String? {
        let parts = [
            ("Superseded", CheckState.superseded), ("Not applicable", .notApplicable), ("Skipped", .notAttempted),
        ]
        let blocks = parts.compactMap { title, state -> String? in
            let entries = report.entries(state).filter { !$0.isForeign }
            let lines = byReason(entries)
            guard !entries.isEmpty else { return nil }
            return details("\(title) (\(entries.count))", cut(lines, Share.notRun, separator: "\n"))
        }
        return blocks.isEmpty ? nil : blocks.joined(separator: "\n\n")
    }
}
