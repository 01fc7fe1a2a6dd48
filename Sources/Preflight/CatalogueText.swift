internal import Catalogue
package import Conformance
package import Profiles

/// The catalogue and the profiles as text for people.
package enum CatalogueText {
    /// One line a check; with a profile, its checks at its levels.
    package static func list(
        profile: String?,
        selection: Selection,
        surroundings: Surroundings
    ) throws(ConfigurationError) -> String {
        let rules = try profile.map { name throws(ConfigurationError) in try surroundings.profiles.profile(name) }
        let checks = Catalogue.all.filter { check in
            selection.exclusion(of: check.id) == nil && (rules?.includes(check.id) ?? true)
        }
        let width = checks.map(\.id.rawValue.count).max() ?? 0
        let lines = checks.map { check in
            let level = rules?.adjustment(for: check.id)?.level ?? check.requirement.level
            return "\(padded(level.rawValue, 8))\(padded(check.id.rawValue, width + 2))\(check.title)"
        }
        return (lines + ["", "\(checks.count) checks"]).joined(separator: "\n")
    }

    /// Everything that is known of a check; `nil` when there is none of that name.
    package static func explanation(
        of id: CheckID,
        width: Int,
        surroundings: Surroundings
    ) throws(ConfigurationError) -> String? {
        try Explanation(of: id, width: width, surroundings: surroundings)?.text
    }

    package static func profiles(_ surroundings: Surroundings) throws(ConfigurationError) -> String {
        var lines: [String] = []
        for builtIn in ProfileLibrary.builtIn {
            let profile = try surroundings.profiles.profile(builtIn.name)
            let count = Catalogue.all.count { profile.includes($0.id) }
            lines.append("\(padded(profile.name, 16))\(padded("\(count) checks", 12))\(profile.title)")
        }
        return lines.joined(separator: "\n")
    }

    package static func profile(_ name: String, _ surroundings: Surroundings) throws(ConfigurationError) -> String {
        let profile = try surroundings.profiles.profile(name)
        var lines = ["\(profile.name): \(profile.title)"]
        if profile.lineage.count > 1 { lines.append("extends \(profile.lineage.dropFirst().joined(separator: ", "))") }
        lines += ["", "Adjustments"]
        if profile.adjustments.isEmpty { lines.append("  none: every level derives from the requirement word") }
        for adjustment in profile.adjustments {
            let change = adjustment.drop ? "dropped" : adjustment.level?.rawValue ?? "unchanged"
            lines.append("  \(adjustment.checks) → \(change), because \(adjustment.because)")
        }
        lines += ["", "Parameters"] + parameters(profile.parameters).map { "  \($0)" }
        lines += ["", "Checks"]
        for stage in Stage.allCases {
            let checks = Catalogue.all.filter { $0.id.stage == stage && profile.includes($0.id) }
            if !checks.isEmpty { lines.append("  \(padded(stage.rawValue, 15))\(checks.count)") }
        }
        if let source = ProfileLibrary.builtIn.first(where: { $0.name == name }) {
            lines += ["", "Source", source.yaml]
        }
        return lines.joined(separator: "\n")
    }

    private static func parameters(_ parameters: ProfileParameters) -> [String] {
        let lists = [
            ("reserved_parameters", parameters.reservedParameters), ("response_types", parameters.responseTypes),
            ("id_token_algorithms", parameters.idTokenAlgorithms), ("scopes", parameters.scopes),
            ("claims", parameters.claims), ("subject_claims", parameters.subjectClaims),
        ]
        let texts = [
            ("provider_id_pattern", parameters.providerIDPattern), ("redirect_uri_path", parameters.redirectURIPath),
        ]
        return lists.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
            + texts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
            + ["sends_pkce: \(parameters.sendsPKCE)"]
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
