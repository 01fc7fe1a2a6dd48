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
        mapping.pairs(known: PlatformRule.known.map(\.name.rawValue))
            .compactMap { key, value in
                guard let known = PlatformRule.known.first(where: { $0.name.rawValue == key }),
                    let stated = value.mapping()
                else { return nil }
                return rule(known, stated)
            }
    }

    private static func rule(_ known: KnownRule, _ mapping: StrictYAML.Mapping) -> ReadRule? {
        let demanded = mapping.required("value").flatMap { Self.demanded($0, known) }
        let because = mapping.required("because")?.sentence()
        let source = mapping.required("source")?.sentence()
        let level = mapping["level"]?.level()
        let example = mapping["example"].flatMap { Self.example($0, known, demanded) }
        guard let demanded, let because, let source else { return nil }
        let rule = PlatformRule(demanded, because: because, source: source, example: example)
        return ReadRule(name: known.name, rule: rule, level: level)
    }

    /// What fits the pattern, as people write it: an example that does not fit would be the report's advice.
    private static func example(
        _ value: StrictYAML.Value,
        _ known: KnownRule,
        _ demanded: PlatformRule.Value?
    ) -> String? {
        guard let text = value.string() else { return nil }
        guard known.kind == .pattern else {
            value.report("“\(value.path)” is for rules whose value is \(PlatformRule.Kind.pattern.rawValue)")
            return nil
        }
        guard let pattern = demanded.flatMap({ Pattern($0) }), !pattern.matches(text) else { return text }
        value.report("“\(text)” does not fit \(pattern.text)")
        return nil
    }

    private static func demanded(_ value: StrictYAML.Value, _ known: KnownRule) -> PlatformRule.Value? {
        switch known.kind {
        case .words:
            guard let words = known.isOfResponseTypes ? value.responseTypes() : value.strings() else { return nil }
            if !words.isEmpty { return .words(words) }
            value.report("“\(value.path)” is empty: a rule that is not wanted is left out")
            return nil
        case .text: return value.string().map { .text($0) }
        case .pattern: return value.pattern().map { .text($0) }
        case .number:
            guard let number = value.number() else { return nil }
            if let whole = Int(exactly: number) { return .number(whole) }
            value.report("“\(value.path)” must be \(known.kind.rawValue)")
            return nil
        case .stated:
            if value.boolean() == true { return .stated }
            value.report("“\(value.path)” must be \(known.kind.rawValue): a rule that is not wanted is left out")
            return nil
        }
    }
}

extension KnownRule {
    fileprivate var isOfResponseTypes: Bool {
        [Rule.clientResponseTypes.name, Rule.metadataResponseTypes.name].contains(name)
    }
}

extension StrictYAML.Value {
    /// A regular expression.
    fileprivate func pattern() -> String? {
        guard let text = string() else { return nil }
        if (try? Regex(text)) != nil { return text }
        report("“\(path)” is no regular expression")
        return nil
    }

    /// Response types (OAuth 2.0 Multiple Response Type Encoding Practices).
    fileprivate func responseTypes() -> [String]? {
        let known = ResponseType.known.map(\.description)
        return list()?
            .compactMap { value in
                guard let text = value.string() else { return nil }
                if ResponseType.known.contains(ResponseType(text)) { return text }
                value.report("“\(text)” is no response type" + NearestWord.hint(for: text, among: known))
                return nil
            }
    }
}
