internal import Conformance

/// A problem: what happened, where, why it matters, and what to change.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The main effect of a failure.
    public enum Consequence: String, Sendable {
        /// Sign-in fails with clients that check this.
        case signIn
        /// An attacker gains access, or a secret is exposed.
        case safety
        /// A specification is violated, without the effects above.
        case conformance
    }

    /// The severity.
    public enum Level: String, Sendable {
        /// Closes the gate, unless the profile's platform does not use the feature.
        case error
        /// Is reported, but does not close the gate.
        case warning
        /// Useful information.
        case notice
    }

    /// The check's identifier, a statement that is true when it passes: `discovery.issuer.matches-request`.
    public let check: String
    /// The check's title.
    public let title: String
    /// The main effect of the failure.
    public let consequence: Consequence
    /// The severity.
    public let level: Level
    /// Whether it closes the gate.
    public let closesGate: Bool
    /// The observed behaviour, in one sentence.
    public let message: String
    /// A JSON pointer (`/token_endpoint`), a header, a parameter or a claim; `nil` for none.
    public let pointer: String?
    /// The expected value; `nil` if the message contains it.
    public let expected: String?
    /// The actual value; `nil` if the message contains it.
    public let found: String?
    /// The affected flows, keys or hosts, in one text with at most eight.
    public let subject: String?
    /// The same as a list, at most 1,000.
    public let subjects: [String]
    /// The value to register, or the member to change.
    public let fix: String
    /// Why it matters.
    public let why: String
    /// The source of the rule: `OpenID Connect Core 1.0, section 3.1.3.7`.
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

    /// A summary in a few lines, as a failing test shows it.
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
