internal import Catalogue
internal import Conformance
package import Profiles

/// The pages of `Documentation/Catalogue`: a committed index and page per stage, and a page per check that `make site` writes.
package enum CataloguePages {
    /// A page: its path below the folder, and its text.
    package struct Page: Sendable, CustomStringConvertible {
        package let file: String
        package let text: String

        package var description: String { file }
    }

    /// The index, and a page for each stage with a row for each check.
    package static var stages: [Page] { pages(linkingChecks: false) }

    /// The same with links to a page for each check, and these pages.
    ///
    /// - Throws: The problem of an invalid built-in profile.
    package static func site() throws(ConfigurationError) -> [Page] {
        var pages = pages(linkingChecks: true)
        for check in Catalogue.all {
            pages.append(Page(file: "checks/\(check.id).md", text: page(try CheckDescription(of: check))))
        }
        return pages
    }

    private static func pages(linkingChecks: Bool) -> [Page] {
        [Page(file: "README.md", text: index)]
            + Stage.allCases.map { Page(file: "\($0.rawValue).md", text: list($0, linkingChecks: linkingChecks)) }
    }

    private static var index: String {
        var lines = [
            "# The catalogue",
            "",
            "Every check, grouped by the part of the protocol that it tests, with requirement, level and citation.",
            "`oidc-preflight checks explain ID` prints the details: the impact, an example failure, the fix, the client libraries that",
            "reject it, and the level for each platform. `make samples` generates these pages from the declarations of",
            "the checks; `make site` adds a page for each check.",
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
        lines += [
            "", "\(Catalogue.all.count) checks. The level applies to a failure unless a profile changes it.",
            "", "The consequence is the main effect of a failure:", "",
        ]
        lines += Consequence.allCases.map { consequence in
            let count = Catalogue.all.count { $0.consequence == consequence }
            return "- `\(consequence.rawValue)` (\(count) checks): \(consequence.phrase)"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ stage: Stage, linkingChecks: Bool) -> String {
        var lines = [
            "# \(stage.title)", "",
            "\(checks(stage).count) checks; [all stages](README.md). `oidc-preflight checks explain ID` prints the details of one.",
            "",
            "| check | rule | requirement | level | consequence | source |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        lines += checks(stage)
            .map { check in
                let name = linkingChecks ? "[`\(check.id)`](checks/\(check.id).md)" : "`\(check.id)`"
                let cells = [
                    "<a id=\"\(check.id)\"></a>\(name)", escaped(check.title), check.requirement.word,
                    check.requirement.level.rawValue, check.consequence.rawValue,
                    "[\(escaped(check.citation.description))](\(check.citation.link))",
                ]
                return "| \(cells.joined(separator: " | ")) |"
            }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func page(_ description: CheckDescription) -> String {
        let check = description.check
        var lines = ["# `\(check.id)`", "", "\(escaped(check.title)).", ""]
        for section in description.sections {
            let body = section.paragraphs.map(markdown)
            if body.count == 1 {
                lines.append("- **\(section.heading):** \(body[0])")
            } else {
                lines.append("- **\(section.heading):**")
                lines += body.map { "  - \($0)" }
            }
        }
        let stage = check.id.stage.map { "All checks of this stage: [\($0.title)](../\($0.rawValue).md)." }
        let clients = "*Rejected by* lists clients from [Client libraries](../../Client-Libraries.md)."
        let links = [stage, Refusals.of(check.id).isEmpty ? nil : clients]
        lines += ["", links.compactMap(\.self).joined(separator: " ")]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func markdown(_ paragraph: CheckDescription.Paragraph) -> String {
        switch paragraph {
        case .prose(let text): escaped(text)
        case .quotation(let words): "“\(escaped(words))”"
        case .check(let id): "[`\(id)`](\(id).md)"
        case .link(let address, let title): "[\(escaped(title))](\(address))"
        }
    }

    private static func checks(_ stage: Stage) -> [Check] {
        Catalogue.all.filter { $0.stage == stage }
    }

    /// Text escaped for Markdown.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\`*_{}[]<>|".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
