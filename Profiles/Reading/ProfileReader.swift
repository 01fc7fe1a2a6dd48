internal import Conformance

/// The profile of one file, before composition.
struct ReadProfile {
    var profile: Profile
    var extends: Base?
    /// The parameters that the file names.
    var parameters: [ReadParameter]
    /// Sets its parameters and rules on top of its base's.
    var apply: (ProfileParameters) -> ProfileParameters

    /// The extended profile, and the place of its name.
    struct Base {
        let name: String
        let file: String
        let place: StrictYAML.Place
    }
}

/// Reads one profile file.
enum ProfileReader {
    /// - Parameter checks: All checks, to detect a mistyped pattern; `nil` if they are not known.
    static func read(_ bytes: [UInt8], file: String, checks: [CheckID]?) throws(ConfigurationError) -> ReadProfile {
        let root = try StrictYAML.parse(bytes, file: file)
        let name = root.required("name")?.string() ?? ""
        let title = root["title"]?.string() ?? name
        let base = root["extends"]
            .flatMap { value in
                value.string().map { ReadProfile.Base(name: $0, file: file, place: value.place) }
            }
        let knownFrom = root["known_from"]?.sentence()
        let include = (root["include"]?.list() ?? []).compactMap { $0.pattern(among: checks) }
        let adjustments = (root["adjust"]?.list() ?? []).flatMap { self.adjustments($0, checks) }
        let uses = root["uses"]?.mapping().map(uses)
        let rules = root["rules"]?.mapping().map(RuleReader.rules) ?? []
        let isOfOneProvider = rules.contains { $0.name == Rule.issuerOwners.name }
        let parameters =
            root["parameters"]?.mapping()
            .map { ParameterReader.parameters($0, isOfOneProvider: isOfOneProvider) } ?? []
        let setters = parameters.map(\.setter) + rules.map(\.setter)
        try root.reader.finish()
        let apply: (ProfileParameters) -> ProfileParameters = { base in
            var result = base
            for set in setters { set(&result) }
            return result
        }
        return ReadProfile(
            profile: Profile(
                name: name,
                title: title,
                knownFrom: knownFrom,
                lineage: [name],
                include: include,
                adjustments: rules.map(\.adjustment) + adjustments,
                parameters: apply(ProfileParameters()),
                uses: uses
            ),
            extends: base,
            parameters: parameters,
            apply: apply
        )
    }

    /// The features that the platform uses, by name.
    private static func uses(_ mapping: StrictYAML.Mapping) -> [Feature: Profile.Use] {
        let pairs = mapping.pairs(known: Feature.allCases.map(\.rawValue))
            .compactMap { key, value -> (Feature, Profile.Use)? in
                guard let feature = Feature(rawValue: key), let stated = value.mapping() else { return nil }
                let because = stated.required("because")?.sentence()
                let source = stated.required("source")?.sentence()
                guard let because, let source else { return nil }
                return (feature, Profile.Use(because: because, source: source))
            }
        return Dictionary(pairs) { $1 }
    }

    /// One pattern as `check`, or several with the same level and reason as `checks`.
    private static func adjustments(_ value: StrictYAML.Value, _ checks: [CheckID]?) -> [Profile.Adjustment] {
        guard let mapping = value.mapping() else { return [] }
        let (one, several) = (mapping["check"], mapping["checks"])
        let named = several.map { $0.isScalar ? [$0] : $0.list() ?? [] } ?? []
        let values = [one ?? (several == nil ? mapping.required("check") : nil)].compactMap { $0 } + named
        let patterns = values.compactMap { $0.pattern(among: checks) }
        let level = mapping["level"]?.level()
        let drop = mapping["drop"]?.boolean() ?? false
        let isUnchecked = mapping["unchecked"]?.boolean() ?? false
        guard let because = mapping.required("because")?.sentence() else { return [] }
        return patterns.map {
            Profile.Adjustment(checks: $0, level: level, drop: drop, isUnchecked: isUnchecked, because: because)
        }
    }

    typealias Setter = (inout ProfileParameters) -> Void
}

extension StrictYAML.Value {
    /// `error`, `warning` or `notice`.
    func level() -> Level? {
        guard let text = string() else { return nil }
        if let level = Level(rawValue: text) { return level }
        report("“\(path)” must be error, warning or notice, not “\(text)”")
        return nil
    }

    /// A text with at least one letter: a reason must give one.
    func sentence() -> String? {
        guard let text = string() else { return nil }
        if text.contains(where: \.isLetter) { return text }
        report("“\(path)” has no text: write a sentence; the report prints it")
        return nil
    }

    /// A pattern that matches one of the checks.
    func pattern(among checks: [CheckID]?) -> CheckPattern? {
        guard let text = string() else { return nil }
        let pattern = CheckPattern(text)
        guard let checks, !checks.contains(where: pattern.matches) else { return pattern }
        report("no check matches “\(text)”" + NearestWord.hint(for: text, among: Self.patterns(of: checks)))
        return nil
    }

    /// The candidates: every check, and every family of checks.
    private static func patterns(of checks: [CheckID]) -> [String] {
        var families: [String] = []
        for check in checks {
            let words = check.rawValue.split(separator: ".")
            for count in 1..<max(2, words.count) {
                let family = words.prefix(count).joined(separator: ".") + ".*"
                if families.last != family, !families.contains(family) { families.append(family) }
            }
        }
        return families + checks.map(\.rawValue)
    }
}
