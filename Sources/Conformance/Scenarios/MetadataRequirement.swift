package import JSONTree

/// A requirement on the provider's metadata for a scenario, or one of its steps, to make sense.
package enum MetadataRequirement: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The member has a value, and not `false`; null counts as a missing member.
    case offers(String)
    /// The member is a list that contains the value.
    case lists(String, String)

    package init(stringLiteral member: String) {
        self = .offers(member)
    }

    package var member: String {
        switch self {
        case .offers(let member), .lists(let member, _): member
        }
    }

    /// Whether the metadata says so.
    package func isMet(by metadata: JSONObject) -> Bool {
        switch self {
        case .offers(let member): metadata[member].map { !$0.isNull && $0 != false } ?? false
        case .lists(let member, let value): metadata[member]?.strings?.contains(value) == true
        }
    }
}
