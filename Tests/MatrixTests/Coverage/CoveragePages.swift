import Catalogue
import Conformance
import Preflight

/// The committed pages under `Documentation/Coverage`, generated from the tables, the catalogue and the faults.
enum CoveragePages {
    /// File name and text of every page.
    static var all: [(file: String, text: String)] {
        [("README.md", index)] + CoverageTable.all.filter(\.hasPage).map { ("\($0.name).md", page($0)) }
    }

    /// The known issues that `checks explain` shows: one line per check and misconfiguration.
    static var knownIssues: String {
        let met = CoverageTable.misconfigurations.rows.filter { !$0.issues.isEmpty }
            .flatMap { row in row.checks.map { KnownIssue(check: $0, happens: row.text, issues: row.issues) } }
        let lines = Catalogue.all.flatMap { check in met.filter { $0.check == check.id }.map(\.line) }
        return ([KnownIssue.heading] + lines).joined(separator: "\n") + "\n"
    }

    private static var index: String {
        var lines = [
            "# Coverage",
            "",
            "Rules and misconfigurations that others test or reported, and the checks for them here. A row is covered if a fault of the",
            "reference provider implements it and fails one of the checks of the row. These pages are generated from the",
            "tables in `Tests/Fixtures/coverage`, the catalogue and the faults; `make samples` regenerates them.",
            "",
            "| table | rows | about the provider | covered | open | share | other rows, with the reason |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for table in CoverageTable.all {
            let judging = table.judging
            let cells = [
                "[\(table.title)](\(table.link))", "\(table.rows.count)", "\(judging.count)",
                "\(judging.count { $0.status == .covered })", "\(judging.count { $0.status == .open })",
                percent(table.share), "\(table.rows.count - judging.count)",
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        lines += ["", "Rows that a client cannot check at a provider:", ""]
        lines += ["| kind | modules | conditions |", "| --- | ---: | ---: |"]
        for kind in CoverageTable.Kind.allCases where kind != .provider {
            let counts = [CoverageTable.modules, .conditions].map { "\($0.rows.count { $0.kind == kind })" }
            lines.append("| \(kind.words) | \(counts.joined(separator: " | ")) |")
        }
        if let counts = try? FaultErrors.all() { lines += [""] + FaultErrors.page(counts) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func page(_ table: CoverageTable) -> String {
        var lines = ["# \(table.title)", "", summary(table), ""]
        let hasIssues = table.rows.contains { !$0.issues.isEmpty }
        let heading = [table.noun, "subject", "checks"] + (hasIssues ? ["reported in"] : [])
        var section: String?
        for row in table.rows {
            if row.section != section {
                section = row.section
                if let title = sections[row.section] { lines += (lines.last == "" ? [] : [""]) + ["## \(title)", ""] }
                lines.append("| \(heading.joined(separator: " | ")) |")
                lines.append("|\(heading.map { _ in " --- |" }.joined())")
            }
            let cells = [name(row), row.text, judgement(row)] + (hasIssues ? [issues(row)] : [])
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func summary(_ table: CoverageTable) -> String {
        let covered = table.judging.count { $0.status == .covered }
        return "\(table.rows.count) rows, \(table.judging.count) of which are about the provider; \(covered) of these, "
            + "\(percent(table.share)), are covered."
    }

    /// The sections of the conditions' table, by their letters.
    private static let sections = [
        "A": "Discovery document", "B": "Key set", "C": "Authorization response", "D": "Token response",
        "E": "ID Token", "F": "UserInfo", "G": "Registration", "H": "Logout and sessions",
    ]

    private static func name(_ row: CoverageTable.Row) -> String {
        row.citation.isEmpty ? row.name : "\(row.name) (\(row.citation))"
    }

    /// Links to the checks, with the named faults that implement the row; or the reason why there are none.
    private static func judgement(_ row: CoverageTable.Row) -> String {
        let links = row.checks.map { check -> String in
            let faults = row.faults.filter { $0.hasPrefix(check.rawValue + "#") }
            let link = "[`\(check)`](\(check.page.replacing("Documentation/", with: "../")))"
            return faults.isEmpty ? link : "\(link) (\(faults.map { "`\($0)`" }.joined(separator: ", ")))"
        }
        let reason = row.reason.isEmpty ? [] : [row.reason]
        return links.isEmpty
            ? (["*\(row.status.rawValue)*"] + reason.map { $0.replacing("open: ", with: "") }).joined(separator: ": ")
            : (links + reason).joined(separator: "<br>")
    }

    private static func issues(_ row: CoverageTable.Row) -> String {
        row.issues.map { "[\($0)](\(KnownIssue.link($0)))" }.joined(separator: "<br>")
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1_000).rounded(.down))
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
