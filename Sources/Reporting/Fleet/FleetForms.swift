package import Conformance

/// The formats of a batch report.
package enum FleetReportFormat: String, CaseIterable, Sendable {
    case markdown
    case html
    case openmetrics

    package var fileExtension: String {
        switch self {
        case .markdown: "md"
        case .html: "html"
        case .openmetrics: "txt"
        }
    }

    /// Renders the report; pure and total like every format.
    ///
    /// - Parameter now: Seconds since 1970, the base of the days until certificates expire.
    package func render(_ report: FleetReport, now: Double) -> String {
        switch self {
        case .markdown: FleetMarkdown(report, now: now).text
        case .html: FleetPage(report, now: now).text
        case .openmetrics: FleetMetrics(report).text
        }
    }
}

/// Words that the formats share.
enum FleetWords {
    static func days(until moment: Double, from now: Double) -> String {
        let days = Int(((moment - now) / 86_400).rounded(.down))
        return days < 0 ? "expired" : days == 0 ? "expires today" : "expires in \(counted(days, "day"))"
    }

    static func left(_ count: Int) -> String? { count == 0 ? nil : "and \(count) more" }
}

/// The format for wikis, merge requests and job summaries.
struct FleetMarkdown {
    private let report: FleetReport
    private let now: Double

    init(_ report: FleetReport, now: Double) {
        self.report = report
        self.now = now
    }

    var text: String {
        let parts = [heading, platforms, worst, changes, endings, checks].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var heading: [String] {
        let before = report.before.map { ", compared with \(MarkdownText.code($0, limit: 200))" } ?? ""
        return [
            "# \(MarkdownText.prose(report.summary))", "",
            "Run \(MarkdownText.code(report.run, limit: 200)), \(Format.moment(report.startedAt)) to "
                + "\(Format.moment(report.endedAt))\(before).",
        ]
    }

    private var platforms: [String] {
        if report.platforms.isEmpty { return [] }
        return [
            "## Gates by platform", "", "| platform | open | closed | inconclusive |",
            "| --- | ---: | ---: | ---: |",
        ]
            + report.platforms.map { platform in
                "| \(MarkdownText.cell(platform.profile)) | \(platform.counts.open) | \(platform.counts.closed) | "
                    + "\(platform.counts.inconclusive) |"
            }
    }

    private var worst: [String] {
        if report.worst.items.isEmpty { return [] }
        var lines = ["## Issuers, worst first", ""]
        for issuer in report.worst.items {
            let rules = issuer.rules.isEmpty ? "" : " (\(MarkdownText.prose(issuer.rules, limit: 200)))"
            lines.append("- **\(issuer.gate.word)** \(MarkdownText.code(issuer.issuer))\(rules)")
            lines += issuer.findings.map { finding in
                "  - \(MarkdownText.code(finding.check, limit: 120)) for \(MarkdownText.prose(finding.profile, limit: 80)): "
                    + MarkdownText.prose(finding.message)
            }
        }
        return lines + (FleetWords.left(report.worst.left).map { ["- \($0)"] } ?? [])
    }

    private var changes: [String] {
        guard report.before != nil else { return [] }
        if report.changes.items.isEmpty { return ["## Changes since the previous run", "", "No changes."] }
        return ["## Changes since the previous run", "", "| issuer | change | from → to |", "| --- | --- | --- |"]
            + report.changes.items.map { change in
                let words = change.words.isEmpty ? "" : MarkdownText.cell(change.words)
                return "| \(MarkdownText.cell(change.issuer)) | \(change.kind.title) | \(words) |"
            } + (FleetWords.left(report.changes.left).map { ["", "\($0)"] } ?? [])
    }

    private var endings: [String] {
        if report.endings.items.isEmpty { return [] }
        return [
            "## Certificates that expire within \(FleetReport.endingDays) days", "", "| host | when | issuers |",
            "| --- | --- | ---: |",
        ]
            + report.endings.items.map { ending in
                "| \(MarkdownText.cell(ending.host)) | \(FleetWords.days(until: ending.notAfter, from: now)): "
                    + "\(Format.moment(ending.notAfter)) | \(ending.issuers) |"
            } + (FleetWords.left(report.endings.left).map { ["", "\($0)"] } ?? [])
    }

    private var checks: [String] {
        if report.checks.isEmpty { return [] }
        return ["## Most frequent blocking checks", "", "| check | issuers |", "| --- | ---: |"]
            + report.checks.map { "| \(MarkdownText.cell($0.check)) | \($0.issuers) |" }
    }
}

/// The format for monitoring: OpenMetrics 1.0, with series per platform and kind but none per issuer, to bound their number.
struct FleetMetrics {
    private let report: FleetReport

    init(_ report: FleetReport) { self.report = report }

    var text: String {
        var lines: [String] = []
        family("issuers", "Issuers of the run by their gate.", &lines) {
            gates(report.counts).map { ([("gate", $0)], $1) } + [([("gate", "missing")], report.missing)]
        }
        family("platform_issuers", "Issuers by platform and gate.", &lines) {
            report.platforms.flatMap { platform in
                gates(platform.counts).map { ([("profile", platform.profile), ("gate", $0)], $1) }
            }
        }
        family("changes", "Changes since the previous run.", &lines) {
            FleetReport.Change.Kind.allCases.map { kind in
                ([("kind", kind.rawValue)], report.changes.items.count { $0.kind == kind })
            } + [([("kind", "untold")], report.changes.left)]
        }
        family("certificates_ending", "Certificates that expire within \(FleetReport.endingDays) days.", &lines) {
            [([], report.endings.all)]
        }
        for (name, help, moment) in [
            ("start", "When the first issuer was checked.", report.startedAt),
            ("end", "When the last issuer was checked.", report.endedAt),
        ] {
            let metric = "oidc_preflight_fleet_\(name)_timestamp_seconds"
            lines += [
                "# TYPE \(metric) gauge", "# UNIT \(metric) seconds", "# HELP \(metric) \(help)",
                "\(metric) \(Format.seconds(moment))",
            ]
        }
        return (lines + ["# EOF"]).joined(separator: "\n") + "\n"
    }

    private func gates(_ counts: FleetReport.Counts) -> [(String, Int)] {
        [("open", counts.open), ("closed", counts.closed), ("undecided", counts.inconclusive)]
    }

    private func family(
        _ name: String,
        _ help: String,
        _ lines: inout [String],
        _ samples: () -> [(labels: [(String, String)], value: Int)]
    ) {
        let metric = "oidc_preflight_fleet_\(name)"
        let samples = samples()
        if samples.isEmpty { return }
        lines += ["# TYPE \(metric) gauge", "# HELP \(metric) \(help)"]
        for (labels, value) in samples {
            let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            lines.append("\(metric)\(list.isEmpty ? "" : "{\(list)}") \(value)")
        }
    }

    private static func escaped(_ text: String) -> String {
        LogText.defused(text.shown(limit: 300)).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
