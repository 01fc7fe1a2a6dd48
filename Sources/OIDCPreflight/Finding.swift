internal import Conformance

/// One thing that is wrong: what happened, where, why it matters, and what to change.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What a failure keeps a user from.
    public enum Consequence: String, Sendable {
        /// People are kept out of clients that look.
        case signIn
        /// Somebody gains what is not theirs, or a secret is exposed.
        case safety
        /// A specification is not kept, and neither of the above follows.
        case conformance
    }

    /// How much it weighs.
    public enum Level: String, Sendable {
        /// Closes the gate, unless the profile's platform does not use what it is about.
        case error
        /// Is told, and closes nothing.
        case warning
        /// Worth knowing.
        case notice
    }

    /// The check's identifier, a statement that is true when it passes: `discovery.issuer.matches-request`.
    public let check: String
    /// The check's title.
    public let title: String
    /// What the failure keeps a user from.
    public let consequence: Consequence
    /// How much it weighs.
    public let level: Level
    /// Whether the provider is not to be registered because of it.
    public let closesGate: Bool
    /// What happened, in one sentence.
    public let message: String
    /// A JSON pointer (`/token_endpoint`), a header, a parameter or a claim; `nil` where it is about none.
    public let pointer: String?
    /// What should have been there; `nil` where the message says it.
    public let expected: String?
    /// What was there instead; `nil` where the message says it.
    public let found: String?
    /// Which of several flows, keys or hosts it is about, in one text that names at most eight.
    public let subject: String?
    /// The same, each by itself; at most 1,000.
    public let subjects: [String]
    /// The value to register, or the member to change.
    public let fix: String
    /// Why it matters.
    public let why: String
    /// Where the rule is written: `OpenID Connect Core 1.0, section 3.1.3.7`.
    public let rule: String
    /// The address of that section.
    public let link: String

    init(_ entry: Conformance.Report.Entry, _ finding: Conformance.Finding, _ clean: (String) -> String) {
        check = entry.id.rawValue
        title = entry.title
        consequence = Consequence(rawValue: entry.consequence.rawValue) ?? .conformance
        level = Level(rawValue: entry.level.rawValue) ?? .error
        closesGate = entry.closesGate
        message = clean(finding.message)
        pointer = finding.pointer.map(clean)
        expected = finding.expected.map(clean)
        found = finding.found.map(clean)
        subject = finding.subjectText.map(clean)
        subjects = finding.subjects.map(clean)
        fix = clean(finding.fix)
        why = entry.why
        rule = finding.authority?.sentence ?? "\(entry.citation)"
        link = finding.authority?.link ?? entry.citation.link
    }

    /// All of it in a few lines, as a failing test shows it.
    public var description: String {
        var lines = ["\(check): \(message)"]
        if let subject { lines.append("  of: \(subject)") }
        if let pointer { lines.append("  at: \(pointer)") }
        if let expected { lines.append("  expected: \(expected)") }
        if let found { lines.append("  found: \(found)") }
        lines += ["  fix: \(fix)", "  why: \(why)", "  rule: \(rule) (\(link))"]
        return lines.joined(separator: "\n")
    }
}
