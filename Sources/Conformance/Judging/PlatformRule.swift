/// One rule of a relying platform, as a profile states it: what it demands, how that is known, and what it weighs.
///
/// Rule and check have one name: the rule `metadata.members-are-present` is checked by
/// `platform.metadata.members-are-present`, which belongs to every profile that states the rule, and to no other.
package struct PlatformRule: Sendable, Hashable, Codable {
    package var value: Value
    /// The consequence at the platform; it appears in the report.
    package var because: String
    /// The source of the rule.
    package var source: String
    /// An example of a pattern: it is shown instead of the pattern.
    package var example: String?

    package init(_ value: Value, because: String, source: String, example: String? = nil) {
        self.value = value
        self.because = because
        self.source = source
        self.example = example
    }

    /// The value that a rule compares with, as it was read; ``Rule`` knows its kind.
    package enum Value: Sendable, Hashable, Codable {
        case words([String])
        case text(String)
        case number(Int)
        /// The rule has nothing to compare with: that it is stated is all.
        case stated
    }

    /// The kind of value that a rule compares with, in words.
    package enum Kind: String, Sendable {
        case words = "a list of texts"
        case text = "a text"
        /// A regular expression over a whole text.
        case pattern = "a regular expression"
        case number = "a whole number"
        case stated = "true"
    }

    /// The name of a rule in profiles: `keys.have-kid`.
    package struct Name: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package var description: String { rawValue }

        /// The check of the rule.
        package var check: CheckID { CheckID(Self.prefix + rawValue) }

        /// The rule of a check; `nil` for a check of another stage.
        init?(of check: CheckID) {
            guard check.rawValue.hasPrefix(Self.prefix) else { return nil }
            self.init(rawValue: String(check.rawValue.dropFirst(Self.prefix.count)))
        }

        private static let prefix = "platform."
    }
}

/// A rule that profiles can state: its name, what it demands, and of which kind the value is that a profile gives.
package struct Rule<Demand: RuleDemand>: Sendable {
    package let name: PlatformRule.Name
    /// The requirement, as the end of "demanded is …".
    let demanded: String

    init(_ name: String, _ demanded: String) {
        self.name = PlatformRule.Name(rawValue: name)
        self.demanded = demanded
    }

    /// The check of the rule.
    package var check: CheckID { name.check }
}

/// The possible values of a rule.
package protocol RuleDemand: Sendable {
    static var kind: PlatformRule.Kind { get }

    /// `nil` for a value of another kind.
    init?(_ value: PlatformRule.Value)

    var value: PlatformRule.Value { get }
}

/// The value of a rule that compares with nothing.
package struct NoValue: RuleDemand {
    package static let kind = PlatformRule.Kind.stated
    package static let stated = NoValue()

    init() {}

    package init?(_ value: PlatformRule.Value) {
        guard value == .stated else { return nil }
    }

    package var value: PlatformRule.Value { .stated }
}

/// A regular expression over a whole text.
package struct Pattern: RuleDemand {
    package static let kind = PlatformRule.Kind.pattern
    package let text: String

    package init(_ text: String) { self.text = text }

    package init?(_ value: PlatformRule.Value) {
        guard case .text(let text) = value else { return nil }
        self.text = text
    }

    package var value: PlatformRule.Value { .text(text) }

    /// Whether a text matches; an invalid regular expression matches nothing.
    package func matches(_ other: String) -> Bool {
        (try? Regex(text)).map { other.wholeMatch(of: $0) != nil } ?? false
    }

    /// The only text that fits; `nil` when there are several.
    package var onlyText: String? {
        guard text.hasPrefix("^"), text.hasSuffix("$") else { return nil }
        let name = text.dropFirst().dropLast().replacing("\\.", with: ".")
        return name.utf8.allSatisfy { $0 == 0x2E || (0x61...0x7A).contains($0) } ? String(name) : nil
    }
}

extension Int: RuleDemand {
    package static var kind: PlatformRule.Kind { .number }

    package init?(_ value: PlatformRule.Value) {
        guard case .number(let number) = value else { return nil }
        self = number
    }

    package var value: PlatformRule.Value { .number(self) }
}

extension String: RuleDemand {
    package static var kind: PlatformRule.Kind { .text }

    package init?(_ value: PlatformRule.Value) {
        guard case .text(let text) = value else { return nil }
        self = text
    }

    package var value: PlatformRule.Value { .text(self) }
}

extension [String]: RuleDemand {
    package static var kind: PlatformRule.Kind { .words }

    package init?(_ value: PlatformRule.Value) {
        guard case .words(let words) = value else { return nil }
        self = words
    }

    package var value: PlatformRule.Value { .words(self) }
}

/// A rule, whatever it compares with.
package struct KnownRule: Sendable {
    package let name: PlatformRule.Name
    package let kind: PlatformRule.Kind
    /// The requirement, as the end of "demanded is …".
    package let demanded: String

    init<Demand>(_ rule: Rule<Demand>) {
        name = rule.name
        kind = Demand.kind
        demanded = rule.demanded
    }
}

extension ProfileParameters {
    /// The profile's value for a rule; `nil` if it does not state the rule.
    package subscript<Demand>(_ rule: Rule<Demand>) -> Demand? {
        rules[rule.name].flatMap { Demand($0.value) }
    }

    /// Whether the profile states a rule.
    package func states(_ rule: Rule<NoValue>) -> Bool { self[rule] != nil }

    /// States a rule, in the place of what was demanded by it before.
    package mutating func state<Demand>(
        _ rule: Rule<Demand>,
        _ demand: Demand,
        because: String,
        source: String,
        example: String? = nil
    ) {
        rules[rule.name] = PlatformRule(demand.value, because: because, source: source, example: example)
    }
}

extension ProfileParameters {
    /// An example that matches the pattern of a rule; `nil` if the profile gives none.
    package func example(of rule: Rule<Pattern>) -> String? { rules[rule.name]?.example }
}
