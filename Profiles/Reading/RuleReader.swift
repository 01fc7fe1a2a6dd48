internal import Conformance

/// A rule of a profile's `rules`, and how it changes the profile.
struct ReadRule {
    let name: PlatformRule.Name
    let rule: PlatformRule
    /// Its level, if it differs from the level of its check.
    let level: Level?

    var setter: ProfileReader.Setter { { [name, rule] in $0.rules[name] = rule } }

    /// A level of an extended profile applies to that profile's version of the rule, and is dropped with it.
    var adjustment: Profile.Adjustment {
        Profile.Adjustment(checks: CheckPattern(name.check.rawValue), level: level, because: rule.because)
    }
}

/// Reads the `rules` of a profile: name, required value, reason, source, level and example.
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

    /// A value that matches the pattern; it is verified because the report prints it as advice.
    private static func example(
        _ value: StrictYAML.Value,
        _ known: KnownRule,
        _ demanded: PlatformRule.Value?
    ) -> String? {
        guard let text = value.string() else { return nil }
        guard known.kind == .pattern else {
            value.report("“\(value.path)” is only for rules whose value is \(PlatformRule.Kind.pattern.rawValue)")
            return nil
        }
        guard let pattern = demanded.flatMap({ Pattern($0) }), !pattern.matches(text) else { return text }
        value.report("“\(text)” does not match \(pattern.text)")
        return nil
    }

    private static func demanded(_ value: StrictYAML.Value, _ known: KnownRule) -> PlatformRule.Value? {
        switch known.kind {
        case .words:
            guard let words = known.isOfResponseTypes ? value.responseTypes() : value.strings() else { return nil }
            if !words.isEmpty { return .words(words) }
            value.report("“\(value.path)” is empty: to drop the rule, remove it")
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
            value.report("“\(value.path)” must be \(known.kind.rawValue): to drop the rule, remove it")
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
        report("“\(path)” is not a valid regular expression")
        return nil
    }

    /// Response types (OAuth 2.0 Multiple Response Type Encoding Practices).
    fileprivate func responseTypes() -> [String]? {
        let known = ResponseType.known.map(\.description)
        return list()?
            .compactMap { value in
                guard let text = value.string() else { return nil }
                if ResponseType.known.contains(ResponseType(text)) { return text }
                value.report("“\(text)” is not a response type" + NearestWord.hint(for: text, among: known))
                return nil
            }
    }
}
