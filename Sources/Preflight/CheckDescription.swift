internal import Catalogue
package import Conformance
package import Profiles

/// Everything that is known of one check, section by section.
///
/// `checks explain` and the check's page are two renderings of it, so that neither says what the other does not.
struct CheckDescription {
    /// One thing that is said of a check.
    struct Section {
        let heading: String
        let paragraphs: [Paragraph]
    }

    /// A piece of a section.
    enum Paragraph {
        /// Text for people.
        case prose(String)
        /// Words that somebody else wrote.
        case quotation(String)
        /// Another check.
        case check(CheckID)
        /// Where more is written.
        case link(String, title: String)
    }

    let check: Check
    private let rules: [Profile]

    /// - Returns: `nil` when no check is called that.
    /// - Throws: What is wrong with a built-in profile.
    init?(of id: CheckID) throws(ConfigurationError) {
        guard let check = Catalogue.all.first(where: { $0.id == id }) else { return nil }
        try self.init(of: check)
    }

    /// - Throws: What is wrong with a built-in profile.
    init(of check: Check) throws(ConfigurationError) {
        self.check = check
        rules = try Self.builtIn.get()
    }

    /// The built-in profiles, which need no file; read once, because the pages of all checks ask for them hundreds of times.
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

    /// What is said, in this order; a section without a paragraph is left out.
    ///
    /// A further fact about checks is a line here, and stands on every page and in every explanation.
    var sections: [Section] {
        [
            Section(heading: "Requirement", paragraphs: requirement),
            Section(heading: "Consequence", paragraphs: consequence),
            Section(heading: "Concerns", paragraphs: [.prose(concerns)]),
            Section(heading: "Written in", paragraphs: citation),
            Section(heading: "Why", paragraphs: [.prose(check.why)]),
            Section(heading: "Sends", paragraphs: Asking.sentences(check.needs).map(Paragraph.prose)),
            Section(heading: "Reads", paragraphs: [.prose("\(check.reads) (tier \(tier))")]),
            Section(heading: "Example", paragraphs: example),
            Section(heading: "Fix", paragraphs: Example.of(check.id).map { [.prose($0.fix)] } ?? []),
            Section(heading: "Refused by", paragraphs: refusals),
            Section(heading: "Platforms", paragraphs: platforms.map(Paragraph.prose)),
            Section(heading: "Skipped if", paragraphs: skips),
            Section(heading: "Met in", paragraphs: sightings),
        ]
        .filter { !$0.paragraphs.isEmpty }
    }

    private var requirement: [Paragraph] {
        [.prose("\(check.requirement.word): a failure is \(check.requirement.level.withArticle)")]
    }

    private var consequence: [Paragraph] {
        [.prose("\(check.consequence.rawValue): \(check.consequence.phrase)")]
            + (ConsequenceReason.of(check.id).map { [.prose($0)] } ?? [])
    }

    /// Who meets what is judged.
    private var concerns: String {
        if check.features.isEmpty { return "every relying party" }
        let used = check.features.sorted().map { "\($0.phrase) (\($0.rawValue))" }
        let isEverybodys = check.consequence == .safety && check.endangers == .everybody
        return "relying parties that use \(used.joined(separator: " and "))"
            + (isEverybodys ? "; the danger is everybody's" : "")
    }

    private var tier: String { check.needs.map(\.tier).max()?.rawValue ?? "none" }

    private var citation: [Paragraph] {
        let words = check.citation.words
        return [
            .link(check.citation.link, title: check.citation.description),
            check.citation.isQuotation ? .quotation(words) : .prose(words),
        ]
    }

    /// What a failure looks like.
    private var example: [Paragraph] {
        guard let example = Example.of(check.id) else { return [] }
        let details = [("at", example.pointer), ("expected:", example.expected), ("found:", example.found)]
        return [.quotation(example.message)]
            + details.compactMap { name, value in value.map { .prose("\(name) \($0)") } }
    }

    /// Which real clients keep people out for it; nothing where the check's fault shows in no sign-in.
    private var refusals: [Paragraph] { Refusals.of(check.id).map { .prose($0.sentence) } }

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

    /// The checks whose failure says it already.
    private var skips: [Paragraph] {
        check.excusedBy.isEmpty ? [] : [.prose("one of these failed:")] + check.excusedBy.map(Paragraph.check)
    }

    /// Two threads at the most: enough to see that it happens, and how it looks from the other side.
    private var sightings: [Paragraph] {
        let met = Sighting.of(check.id).prefix(2)
        return met.flatMap { sighting in
            [.prose(sighting.happens + ":")]
                + sighting.issues.prefix(met.count > 1 ? 1 : 2).map { .link(Sighting.link($0), title: $0) }
        }
    }
}

extension Level {
    fileprivate var withArticle: String { self == .error ? "an error" : "a \(rawValue)" }
}
