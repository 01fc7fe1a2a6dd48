internal import Catalogue
internal import Conformance

/// The committed pages under `Documentation/Catalogue`, made from the declarations.
package enum CataloguePages {
    /// File name and text of every page.
    package static var all: [(file: String, text: String)] {
        [("README.md", index)] + Stage.allCases.map { ("\($0.rawValue).md", page($0)) }
    }

    private static var index: String {
        var lines = [
            "# The catalogue",
            "",
            "Every check, by the part of the conversation that it judges. These pages are made from the checks'",
            "declarations; `make samples` writes them anew.",
            "",
            "| stage | checks | error | warning | notice |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        for stage in Stage.allCases {
            let counts = Level.allCases.reversed()
                .map { level in "\(checks(stage).count { $0.requirement.level == level })" }
            lines.append(
                "| [\(stage.title)](\(stage.rawValue).md) | \(checks(stage).count) | \(counts.joined(separator: " | ")) |"
            )
        }
        lines.append("")
        lines.append("\(Catalogue.all.count) checks. The level is that of a failure, unless a profile says otherwise.")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func page(_ stage: Stage) -> String {
        var lines = ["# \(stage.title)", ""]
        for check in checks(stage) {
            lines += [
                "## `\(check.id)`",
                "",
                "\(escaped(check.title)).",
                "",
                "- **Requirement:** \(check.requirement.word), so a failure is of level \(check.requirement.level.rawValue).",
                "- **Consequence:** \(check.consequence.rawValue): \(check.consequence.phrase).",
                "- **Written in:** [\(escaped(check.citation.description))](\(check.citation.link)): "
                    + (check.citation.isQuotation
                        ? "“\(escaped(check.citation.words))”" : escaped(check.citation.words)),
                "- **Why it matters:** \(escaped(check.why))",
                "- **Reads:** \(escaped(check.reads)); tier \(check.needs.map(\.tier).max()?.rawValue ?? "none, nothing is sent").",
            ]
            lines += example(of: check)
            if !check.excusedBy.isEmpty {
                let names = check.excusedBy.map { "`\($0)`" }.joined(separator: ", ")
                lines.append("- **Says nothing new** when one of these failed: \(names).")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    /// What a failure looks like, and what mends it.
    private static func example(of check: Check) -> [String] {
        guard let example = Example.of(check.id) else { return [] }
        let values = [("expected", example.expected), ("found", example.found)]
            .compactMap { name, value in value.map { "\(name) \(escaped($0))" } }
        let details = values.isEmpty ? "" : " (\(values.joined(separator: "; ")))"
        return [
            "- **For example:** \(escaped(example.message))\(details)", "- **To mend it:** \(escaped(example.fix))",
        ]
    }

    private static func checks(_ stage: Stage) -> [Check] {
        Catalogue.all.filter { $0.id.stage == stage }
    }

    /// Text that Markdown leaves as it is.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\`*_{}[]<>|".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
