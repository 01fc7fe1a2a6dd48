/// One rule of a relying platform, as a profile states it: what it demands, how that is known, and what it weighs.
///
/// Rule and check have one name: the rule `metadata.members-are-present` is judged by the check
/// `platform.metadata.members-are-present`, which belongs to every profile that states the rule, and to no other.
package struct PlatformRule: Sendable, Hashable, Codable {
    package var value: Value
    /// What happens at the platform otherwise; it reaches the report.
    package var because: String
    /// Where the rule is written or was seen.
    package var source: String

    package init(_ value: Value, because: String, source: String) {
        self.value = value
        self.because = because
        self.source = source
    }

    package enum Value: Sendable, Hashable, Codable {
        case words([String])
        case text(String)
        case number(Int)
        /// The rule has nothing to compare with: that it is stated is all.
        case stated
    }

    /// What kind of value a rule compares with.
    package enum Kind: String, Sendable {
        case words = "a list of texts"
        case text = "a text"
        case number = "a whole number"
        case stated = "true"
    }

    /// Every rule that a profile can state.
    package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        /// The members that the platform reads of the discovery document.
        case metadataMembers = "metadata.members-are-present"
        /// The members that the platform reads of the provider's own API; names of nested ones are parted by dots.
        case userAPIMembers = "user-api.has-members"
        /// The member by which the platform knows the person again.
        case userAPISubject = "user-api.subject-is-stable"

        package var kind: Kind {
            switch self {
            case .metadataMembers, .userAPIMembers: .words
            case .userAPISubject: .text
            }
        }

        /// The check that judges it.
        package var check: CheckID { CheckID("platform." + rawValue) }
    }
}

extension ProfileParameters {
    package func words(_ name: PlatformRule.Name) -> [String]? {
        guard case .words(let words) = rules[name]?.value else { return nil }
        return words
    }

    package func text(_ name: PlatformRule.Name) -> String? {
        guard case .text(let text) = rules[name]?.value else { return nil }
        return text
    }

    package func number(_ name: PlatformRule.Name) -> Int? {
        guard case .number(let number) = rules[name]?.value else { return nil }
        return number
    }
}
