internal import Catalogue
import Conformance
import Profiles

/// The description of one check, section by section.
///
/// `checks explain` and the page of the check render the same sections.
struct CheckDescription {
    /// A heading with its paragraphs.
    struct Section {
        let heading: String
        let paragraphs: [Paragraph]
    }

    /// A piece of a section.
    enum Paragraph {
        /// Text.
        case prose(String)
        /// Quoted text.
        case quotation(String)
        /// Another check.
        case check(CheckID)
        /// A link.
        case link(String, title: String)
    }

    let check: Check
    private let rules: [Profile]

    /// - Returns: `nil` if there is no such check.
    /// - Throws: The problem of an invalid built-in profile.
    init?(of id: CheckID) throws(ConfigurationError) {
        guard let check = Catalogue.all.first(where: { $0.id == id }) else { return nil }
        try self.init(of: check)
    }

    /// - Throws: The problem of an invalid built-in profile.
    init(of check: Check) throws(ConfigurationError) {
        self.check = check
        rules = try Self.builtIn.get()
    }

    /// The built-in profiles, cached because the pages of all checks use them.
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

    /// The sections in order, without empty ones.
    ///
    /// Add further facts about checks here; every page and explanation shows them.
    var sections: [Section] {
        [
            Section(heading: "Requirement", paragraphs: requirement),
            Section(heading: "Consequence", paragraphs: consequence),
            Section(heading: "Concerns", paragraphs: [.prose(concerns)]),
            Section(heading: "Source", paragraphs: citation),
            Section(heading: "Why", paragraphs: [.prose(check.why)]),
            Section(heading: "Sends", paragraphs: RequestSummary.sentences(check.needs).map(Paragraph.prose)),
            Section(heading: "Reads", paragraphs: [.prose("\(check.reads) (tier \(tier))")]),
            Section(heading: "Example", paragraphs: example),
            Section(heading: "Fix", paragraphs: Example.of(check.id).map { [.prose($0.fix)] } ?? []),
            Section(heading: "Rejected by", paragraphs: refusals),
            Section(heading: "Platforms", paragraphs: platforms.map(Paragraph.prose)),
            Section(heading: "Skipped if", paragraphs: skips),
            Section(heading: "Known issues", paragraphs: knownIssues),
        ]
        .filter { !$0.paragraphs.isEmpty }
    }

    private var requirement: [Paragraph] {
        [.prose("\(check.requirement.word): a failure is \(check.requirement.level.withArticle)")]
    }

    private var consequence: [Paragraph] {
        [.prose("\(check.consequence.heading): \(check.consequence.phrase)")]
            + (ConsequenceReason.of(check.id).map { [.prose($0)] } ?? [])
    }

    /// The relying parties that the check is relevant for.
    private var concerns: String {
        if check.features.isEmpty { return "every relying party" }
        let used = check.features.sorted().map(\.phrase)
        let endangersAllUsers = check.consequence == .safety && check.endangers == .allUsers
        return "relying parties that use \(used.joined(separator: ", "))"
            + (endangersAllUsers ? "; a failure endangers every relying party" : "")
    }

    private var tier: String { check.needs.map(\.tier).max()?.rawValue ?? "none" }

    private var citation: [Paragraph] {
        let words = check.citation.words
        return [
            .link(check.citation.link, title: check.citation.description),
            check.citation.isQuotation ? .quotation(words) : .prose(words),
        ]
    }

    /// An example of a failure.
    private var example: [Paragraph] {
        guard let example = Example.of(check.id) else { return [] }
        let details = [("at", example.pointer), ("expected:", example.expected), ("found:", example.found)]
        return [.quotation(example.message)]
            + details.compactMap { name, value in value.map { .prose("\(name) \($0)") } }
    }

    /// The real clients that reject the fault in a sign-in; empty if no sign-in shows it.
    private var refusals: [Paragraph] { Refusals.of(check.id).map { .prose($0.sentence) } }

    /// The levels of the check in built-in profiles, most severe first; a changed level with its reason.
    private var platforms: [String] {
        let holders = rules.filter { $0.includes(check.id) }
        // Profiles with the same level and reason are grouped, in list order.
        var groups: [(level: Level, because: String?, names: [String])] = []
        for profile in holders {
            let weight = profile.weight(of: check)
            // A rule of a profile always has a reason.
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
            + (without.isEmpty ? [] : ["not checked in \(without.joined(separator: ", "))"])
    }

    /// The checks whose failure supersedes this one.
    private var skips: [Paragraph] {
        check.supersededBy.isEmpty ? [] : [.prose("one of these failed:")] + check.supersededBy.map(Paragraph.check)
    }

    /// At most two issue threads.
    private var knownIssues: [Paragraph] {
        let met = KnownIssue.of(check.id).prefix(2)
        return met.flatMap { issue in
            [.prose(issue.happens + ":")]
                + issue.issues.prefix(met.count > 1 ? 1 : 2).map { .link(KnownIssue.link($0), title: $0) }
        }
    }
}

extension Level {
    fileprivate var withArticle: String { self == .error ? "an error" : "a \(rawValue)" }
}
