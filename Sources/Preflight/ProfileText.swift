internal import Catalogue
import Conformance
package import Profiles

/// The profiles as text: content, requirements, reasons and sources.
package struct ProfileText: Sendable {
    private let width: Int
    private let environment: Environment

    /// - Parameters:
    ///   - width: Columns to fill, at least forty.
    ///   - environment: Reads profile files.
    package init(width: Int, environment: Environment) {
        self.width = max(40, width)
        self.environment = environment
    }

    private var isNarrow: Bool { width < 60 }

    /// Every built-in profile with the number of its checks; those that extend another than `openid` follow it, indented.
    package func list() throws(ConfigurationError) -> String {
        var profiles: [Profile] = []
        for builtIn in ProfileLibrary.builtIn { profiles.append(try environment.profiles.profile(builtIn.name)) }
        let family = { (profile: Profile) in
            profile.lineage.reversed().filter { $0 != ProfileLibrary.defaultName }
        }
        profiles.sort { family($0).lexicographicallyPrecedes(family($1)) }
        let rows = profiles.map { profile in
            let depth = max(0, family(profile).count - 1)
            let count = "\(Catalogue.all.count { profile.includes($0.id) }) checks"
            return (name: String(repeating: " ", count: 2 * depth) + profile.name, count: count, title: profile.title)
        }
        let column = (rows.map(\.name.count).max() ?? 0) + 2
        var lines: [String] = []
        for row in rows {
            if isNarrow {
                lines += ["\(row.name) (\(row.count))"] + paragraph(row.title, indent: 4)
            } else {
                let title = Prose.wrapped(row.title, width: width - column - 12)
                let start = CatalogueText.padded(row.name, column) + CatalogueText.padded(row.count, 12)
                lines.append(start + (title.first ?? ""))
                lines += title.dropFirst().map { String(repeating: " ", count: column + 12) + $0 }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The content of a profile, and the YAML source of a built-in one.
    ///
    /// - Parameter name: A built-in name, or a file.
    package func show(_ name: String) throws(ConfigurationError) -> String {
        let profile = try environment.profiles.profile(name)
        var lines = paragraph("\(profile.name): \(profile.title)", indent: 0)
        if profile.lineage.count > 1 {
            lines += paragraph("extends \(profile.lineage.dropFirst().joined(separator: ", "))", indent: 0)
        }
        if let source = profile.knownFrom {
            lines += paragraph("not measured: the rules come from \(source)", indent: 0)
        }
        lines += section("Uses", uses(of: profile))
        let rules = PlatformRule.known.map(\.name).filter { profile.parameters.rules[$0] != nil }
        lines += section("Rules", rules.flatMap { rule($0, of: profile) })
        lines += section("Adjustments", adjustments(of: profile, besides: rules))
        lines += section("Parameters", parameters(profile.parameters).flatMap { parameter($0, profile) })
        lines += section("Checks", counts(of: profile))
        if let source = ProfileLibrary.builtIn.first(where: { $0.name == name }) {
            lines += ["", "Source", source.yaml]
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Sections

    private func uses(of profile: Profile) -> [String] {
        guard let uses = profile.uses else { return [] }
        if uses.isEmpty { return paragraph("only the documents and ID Tokens", indent: 2) }
        return uses.sorted { $0.key < $1.key }
            .flatMap { feature, use in
                paragraph("\(feature.rawValue): \(feature.phrase)", indent: 2) + labelled("because", use.because)
                    + labelled("source", use.source)
            }
    }

    private func rule(_ name: PlatformRule.Name, of profile: Profile) -> [String] {
        guard let rule = profile.parameters.rules[name] else { return [] }
        let check = Catalogue.all.first { $0.id == name.check }
        let isDropped = profile.adjustment(for: name.check)?.drop == true
        let level = isDropped ? "dropped" : check.map { profile.weight(of: $0).level.rawValue }
        return paragraph("\(name.rawValue): \(level ?? "no check uses it")", indent: 2)
            + labelled("value", rule.value.text) + (rule.example.map { labelled("example", $0) } ?? [])
            + labelled("because", rule.because) + labelled("source", rule.source)
    }

    /// The adjustments that do not belong to a rule.
    private func adjustments(of profile: Profile, besides rules: [PlatformRule.Name]) -> [String] {
        profile.adjustments
            .filter { adjustment in
                !rules.contains { rule in
                    adjustment.checks == CheckPattern(rule.check.rawValue)
                        && adjustment.because == profile.parameters.rules[rule]?.because
                }
            }
            .flatMap { adjustment in
                let change = adjustment.drop ? "dropped" : adjustment.level?.rawValue ?? "unchanged"
                let isUnchecked = adjustment.isUnchecked ? ", not checked by the platform" : ""
                return paragraph("\(adjustment.checks): \(change)\(isUnchecked)", indent: 2)
                    + labelled("because", adjustment.because)
            }
    }

    private func counts(of profile: Profile) -> [String] {
        Stage.allCases.compactMap { stage in
            let count = Catalogue.all.count { $0.stage == stage && profile.includes($0.id) }
            return count == 0 ? nil : "  " + CatalogueText.padded(stage.rawValue, 15) + String(count)
        }
    }

    private func parameter(_ line: String, _ profile: Profile) -> [String] {
        let name = String(line.prefix { $0 != ":" })
        return paragraph(line, indent: 2) + (profile.parameters.reasons[name].map { labelled("because", $0) } ?? [])
    }

    private func parameters(_ parameters: ProfileParameters) -> [String] {
        let lists = [
            ("consumed_parameters", parameters.consumedParameters), ("scopes", parameters.scopes),
            ("subject_claims", parameters.subjectClaims),
        ]
        let endpoints = parameters.endpoints.sorted { $0.key < $1.key }.map { "endpoints.\($0.key): \($0.value)" }
        return lists.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
            + (parameters.avoidsPKCE ? ["avoids_pkce: true"] : [])
            + (parameters.readsDiscovery ? [] : ["reads_discovery: false"]) + endpoints
    }

    // MARK: Layout

    private func section(_ heading: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", heading] + lines
    }

    private func paragraph(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return Prose.wrapped(text, width: width - indent - 2).enumerated()
            .map { ($0 == 0 ? margin : margin + "  ") + $1 }
    }

    private func labelled(_ label: String, _ text: String) -> [String] {
        let column = isNarrow ? 6 : 12
        let body = Prose.wrapped(text, width: width - column)
        let margin = String(repeating: " ", count: column)
        if isNarrow { return ["    \(label)"] + body.map { margin + $0 } }
        return body.enumerated()
            .map { $0 == 0 ? CatalogueText.padded("    " + label, column) + $1 : margin + $1 }
    }
}

extension PlatformRule.Value {
    /// As in a profile, lists with commas.
    var text: String {
        switch self {
        case .words(let words): words.joined(separator: ", ")
        case .text(let text): text
        case .number(let number): String(number)
        case .stated: "true"
        }
    }
}
