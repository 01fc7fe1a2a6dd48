/// The name of a check: a dotted statement that is true when the check passes.
///
/// The first word is the check's ``Stage``: `discovery.issuer.matches-request`.
package struct CheckID: TextName {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The stage that the first word names; `nil` when the word names none.
    package var stage: Stage? {
        // The names of stages are short enough to be compared as numbers are.
        Stage(rawValue: String(decoding: rawValue.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self))
    }
}

/// A pattern over check identifiers, as written after `--only`, `--skip` and in profiles.
///
/// `*` matches any run of characters, dots included; everything else matches itself. A pattern that is a whole stage name
/// (`keys`) matches all checks of that stage, and a former name of a check matches that check.
package struct CheckPattern: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String
    /// The pattern, made once for all checks: a stage's name means all of it, a former name the present one.
    private let pattern: [UInt8]

    package init(_ text: String) {
        self.text = text
        let pattern = Stage(rawValue: text) == nil ? CheckID(written: text).rawValue : text + ".*"
        self.pattern = Array(pattern.utf8)
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }

    package func matches(_ id: CheckID) -> Bool {
        if pattern.count == 1, pattern[0] == UInt8(ascii: "*") { return true }
        let isMatch = id.rawValue.utf8.withContiguousStorageIfAvailable { Self.matches(pattern, $0) }
        return isMatch ?? Self.matches(pattern, Array(id.rawValue.utf8))
    }

    /// Whether a text fits a pattern with `*` for any text.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        matches(Array(pattern.utf8), Array(text.utf8))
    }

    /// Greedy matching with one remembered star: linear in practice, never exponential.
    private static func matches<Text: RandomAccessCollection>(_ pattern: [UInt8], _ text: Text) -> Bool
    where Text.Element == UInt8, Text.Index == Int {
        let star = UInt8(ascii: "*")
        var position = 0
        var index = 0
        var lastStar: (pattern: Int, text: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == star {
                lastStar = (position, index)
                position += 1
            } else if position < pattern.count, pattern[position] == text[index] {
                position += 1
                index += 1
            } else if let star = lastStar {
                position = star.pattern + 1
                index = star.text + 1
                lastStar = (star.pattern, star.text + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == star }
    }
}

/// The part of the protocol that a check covers; reports are grouped by it, in this order.
package enum Stage: String, Sendable, Codable, CaseIterable, Comparable {
    case discovery
    case keys
    case transport
    case authorization
    case token
    case idtoken
    case userinfo
    case revocation
    case introspection
    case registration
    case logout
    case platform

    package var title: String {
        switch self {
        case .discovery: "Discovery document"
        case .keys: "Key set"
        case .transport: "Transport security"
        case .authorization: "Authorization endpoint"
        case .token: "Token endpoint"
        case .idtoken: "ID Token"
        case .userinfo: "UserInfo endpoint"
        case .revocation: "Revocation endpoint"
        case .introspection: "Introspection endpoint"
        case .registration: "Dynamic client registration"
        case .logout: "Logout"
        case .platform: "Relying platform"
        }
    }

    package static func < (left: Stage, right: Stage) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
