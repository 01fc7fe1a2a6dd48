internal import Catalogue
package import Conformance
package import Profiles

/// The catalogue as text for the terminal.
package enum CatalogueText {
    /// One line per check; with a profile, its checks at its levels.
    package static func list(
        profile: String?,
        selection: Selection,
        environment: Environment
    ) throws(ConfigurationError) -> String {
        let rules = try profile.map { name throws(ConfigurationError) in try environment.profiles.profile(name) }
        let checks = Catalogue.all.filter { check in
            selection.exclusion(of: check.id) == nil && (rules?.includes(check.id) ?? true)
        }
        let width = checks.map(\.id.rawValue.count).max() ?? 0
        let lines = checks.map { check in
            let level = rules?.weight(of: check).level ?? check.requirement.level
            return "\(padded(level.rawValue, 8))\(padded(check.id.rawValue, width + 2))\(check.title)"
        }
        return (lines + ["", "\(checks.count) checks"]).joined(separator: "\n")
    }

    /// The explanation of a check; `nil` if there is no such check.
    package static func explanation(of id: CheckID, width: Int) throws(ConfigurationError) -> String? {
        try Explanation(of: id, width: width)?.text
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
