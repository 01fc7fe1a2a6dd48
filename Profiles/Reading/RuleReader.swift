internal import Conformance

/// A rule of a profile's `rules`, as it changes the profile.
struct ReadRule {
    let name: PlatformRule.Name
    let rule: PlatformRule
    /// What it weighs, when that is not what its check says.
    let level: Level?

    var setter: ProfileReader.Setter { { [name, rule] in $0.rules[name] = rule } }

    /// A level that an extended profile gave to its own statement of the rule goes with that statement.
    var adjustment: Profile.Adjustment {
        Profile.Adjustment(checks: CheckPattern(name.check.rawValue), level: level, because: rule.because)
    }
}

/// Reads the `rules` of a profile: a name, what is demanded, why, how that is known, and what it weighs.
enum RuleReader {
    static func rules(_ mapping: StrictYAML.Mapping) -> [ReadRule] {
        mapping.pairs(known: PlatformRule.Name.allCases.map(\.rawValue))
            .compactMap { key, value in
                guard let name = PlatformRule.Name(rawValue: key), let stated = value.mapping() else { return nil }
                return rule(name, stated)
            }
    }

    private static func rule(_ name: PlatformRule.Name, _ mapping: StrictYAML.Mapping) -> ReadRule? {
        let demanded = mapping.required("value").flatMap { Self.demanded($0, name.kind) }
        let because = mapping.required("because")?.sentence()
        let source = mapping.required("source")?.sentence()
        let level = mapping["level"]?.level()
        guard let demanded, let because, let source else { return nil }
        return ReadRule(name: name, rule: PlatformRule(demanded, because: because, source: source), level: level)
    }

    private static func demanded(_ value: StrictYAML.Value, _ kind: PlatformRule.Kind) -> PlatformRule.Value? {
        switch kind {
        case .words:
            guard let words = value.strings() else { return nil }
            if !words.isEmpty { return .words(words) }
            value.report("“\(value.path)” is empty: a rule that is not wanted is left out")
            return nil
        case .text: return value.string().map { .text($0) }
        case .pattern: return value.pattern().map { .text($0) }
        case .number:
            guard let number = value.number() else { return nil }
            if let whole = Int(exactly: number) { return .number(whole) }
            value.report("“\(value.path)” must be \(kind.rawValue)")
            return nil
        case .stated:
            if value.boolean() == true { return .stated }
            value.report("“\(value.path)” must be \(kind.rawValue): a rule that is not wanted is left out")
            return nil
        }
    }
}

extension StrictYAML.Value {
    /// A regular expression.
    func pattern() -> String? {
        guard let text = string() else { return nil }
        if (try? Regex(text)) != nil { return text }
        report("“\(path)” is no regular expression")
        return nil
    }
}
