internal import Catalogue
package import Conformance
package import Profiles

/// Everything that is known of one check, as text for people.
package struct Explanation: Sendable {
    private let check: Check
    private let rules: [Profile]
    private let width: Int

    /// - Parameters:
    ///   - id: The check's identifier.
    ///   - width: Columns to fill; less than forty are not counted with.
    /// - Returns: `nil` when no check is called that.
    /// - Throws: What is wrong with a built-in profile.
    package init?(of id: CheckID, width: Int) throws(ConfigurationError) {
        guard let check = Catalogue.all.first(where: { $0.id == id }) else { return nil }
        self.check = check
        rules = try Self.builtIn.get()
        self.width = max(40, width)
    }

    /// The built-in profiles, which need no file; read once, because a page of all checks asks for them hundreds of times.
    private static let builtIn = Result { () throws(ConfigurationError) -> [Profile] in
        let library = Environment(
            variable: { _ in nil },
            readFile: { .failure(FileError(path: $0, reason: "a built-in profile needs no file")) }
        )
        .profiles
        var profiles: [Profile] = []
        for builtIn in ProfileLibrary.builtIn { profiles.append(try library.profile(builtIn.name)) }
        return profiles
    }

    package var text: String {
        var lines = Prose.wrapped(check.title, width: width)
        lines.insert(check.id.rawValue, at: 0)
        lines.append("")
        lines += section(
            "Requirement",
            ["\(check.requirement.word): a failure is \(check.requirement.level.withArticle)"]
        )
        lines += section("Consequence", ["\(check.consequence.rawValue): \(check.consequence.phrase)"])
        lines += section("Concerns", [check.concerns])
        let words = check.citation.isQuotation ? "“\(check.citation.words)”" : check.citation.words
        lines += section("Written in", ["\(check.citation)", words, check.citation.link])
        lines += section("Why", [check.why])
        lines += section("Is sent", Asking.sentences(check.needs))
        lines += section("Reads", ["\(check.reads) (tier \(tier))"])
        lines += section("Platforms", platforms)
        lines += section("Excused by", check.excusedBy.map(\.rawValue))
        if let example = Example.of(check.id) { lines += section("For example", Self.example(example)) }
        if let example = Example.of(check.id) { lines += section("To mend it", [example.fix]) }
        lines += section("Met in", sightings)
        return lines.joined(separator: "\n")
    }

    private var tier: String { check.needs.map(\.tier).max()?.rawValue ?? "none" }

    /// The levels at which built-in profiles hold the check, the gravest first; a changed level with its reason.
    private var platforms: [String] {
        let holders = rules.filter { $0.includes(check.id) }
        // Profiles with one level for one reason are named together, in the order in which they are listed.
        var groups: [(level: Level, because: String?, names: [String])] = []
        for profile in holders {
            let weight = profile.weight(of: check)
            // What a profile demands by a rule it always gives a reason for.
            let rule = profile.parameters.rules.first { $0.key.check == check.id }?.value
            let because = weight.because ?? rule?.because
            if let known = groups.firstIndex(where: { $0.level == weight.level && $0.because == because }) {
                groups[known].names.append(profile.name)
            } else {
                groups.append((weight.level, because, [profile.name]))
            }
        }
        let without = rules.filter { !$0.includes(check.id) }.map(\.name)
        return Level.allCases.reversed()
            .flatMap { level in
                groups.filter { $0.level == level }
                    .map { group in
                        "\(level.rawValue) in \(group.names.joined(separator: ", "))"
                            + (group.because.map { ", because \($0)" } ?? "")
                    }
            }
            + (without.isEmpty ? [] : ["not asked in \(without.joined(separator: ", "))"])
    }

    private static func example(_ example: Example) -> [String] {
        [
            example.message, example.pointer.map { "at \($0)" }, example.expected.map { "expected: \($0)" },
            example.found.map { "found: \($0)" },
        ]
        .compactMap { $0 }
    }

    /// Two threads at the most: enough to see that it happens, and how it looks from the other side.
    private var sightings: [String] {
        let met = Sighting.of(check.id).prefix(2)
        return met.flatMap { sighting in
            [sighting.happens + ":"] + sighting.issues.prefix(met.count > 1 ? 1 : 2).map(Sighting.link)
        }
    }

    /// A heading in the margin, or above where there is no room for one; addresses are never broken.
    private func section(_ heading: String, _ paragraphs: [String]) -> [String] {
        guard !paragraphs.isEmpty else { return [] }
        let isNarrow = width < 60
        let margin = isNarrow ? 2 : 13
        let body = paragraphs.flatMap { Prose.wrapped($0, width: width - margin) }
        let indented = body.map { String(repeating: " ", count: margin) + $0 }
        if isNarrow { return [heading] + indented }
        return indented.enumerated().map { $0 == 0 ? CatalogueText.padded(heading, margin) + body[0] : $1 }
    }
}

/// Text set in lines.
enum Prose {
    /// The words in lines of at most `width` characters; a longer word has a line of its own.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Level {
    var withArticle: String { self == .error ? "an error" : "a \(rawValue)" }
}

extension Check {
    /// Who meets what is judged, for people.
    var concerns: String {
        if features.isEmpty { return "every relying party" }
        let used = features.sorted().map { "\($0.phrase) (\($0.rawValue))" }
        let whom = consequence == .safety && endangers == .everybody ? "; the danger is everybody's" : ""
        return "relying parties that use \(used.joined(separator: " and "))\(whom)"
    }
}
