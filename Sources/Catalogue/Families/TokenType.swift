import Conformance
import JSONTree

/// The type of an access token (RFC 6749 sections 5.1 and 7.1), wherever one is returned.
///
/// The rule is the same everywhere: Bearer, in any letter case, or the type for which the client is registered. The check of each
/// endpoint adds the citation and the meaning of a missing type.
struct TokenType: Sendable {
    /// The value as received; `nil` if it is absent or not a string.
    let text: String?
    /// The value as a report shows it.
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

    /// Whether the type is DPoP, the client is registered for it (RFC 9449 section 5), and the platform sends proofs.
    func isAgreed(_ facts: Facts) -> Bool {
        text?.lowercased() == "dpop" && facts.target.client?.usesDPoP == true
            && facts.profile.uses.map { $0[.dpop] != nil } ?? true
    }

    /// The finding for any other type, or for a missing one.
    func finding(_ facts: Facts, _ message: String, at place: String, fix: String) -> Finding? {
        if isBearer || isAgreed(facts) { return nil }
        return Finding(message, at: place, expected: "Bearer, in any letter case", found: shown ?? "missing", fix: fix)
    }
}
