import Conformance
import JSONTree

/// The type of an access token (RFC 6749 sections 5.1 and 7.1), wherever one is returned.
///
/// The rule is one: Bearer, in any letter case. The law is each place's own: what a missing type means there, and which
/// sentence demands it.
struct TokenType: Sendable {
    /// As it was stated; `nil` where there is none, or none that is a string.
    let text: String?
    /// What a report shows of it.
    private let shown: String?

    init(_ member: JSON?) {
        text = member?.stringValue
        shown = member?.stringValue?.shown() ?? member?.shown
    }

    init(_ parameter: String?) {
        text = parameter
        shown = parameter?.shown()
    }

    var isMissing: Bool { text?.isEmpty ?? true }

    /// In any letter case (RFC 6749 section 5.1).
    var isBearer: Bool { text?.lowercased() == "bearer" }

    /// What is told of any other type, a missing one among them.
    func finding(_ message: String, at place: String, fix: String) -> Finding? {
        if isBearer { return nil }
        return Finding(
            message,
            at: place,
            expected: "Bearer, in any letter case",
            found: shown ?? "missing",
            fix: fix
        )
    }
}
