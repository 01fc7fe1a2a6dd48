internal import Profiles

/// A key of `preflight.yaml`, used by the reader and for the schema.
package struct ConfigurationKey: Sendable {
    package let name: String
    package let kind: ConfigurationKind
    /// Its purpose, in whole sentences, as editors show it.
    let help: String
    /// Whether its mapping requires it.
    package let isRequired: Bool
    /// A sibling key that makes it optional; `nil` for none.
    let waiver: Waiver?

    /// A key of the same mapping, with the value that makes the other key optional.
    struct Waiver: Sendable {
        let key: String
        let value: String
    }

    init(
        _ name: String,
        _ kind: ConfigurationKind,
        _ help: String,
        isRequired: Bool = false,
        waivedBy waiver: Waiver? = nil
    ) {
        self.waiver = waiver
        self.name = name
        self.kind = kind
        self.help = help
        self.isRequired = isRequired
    }
}

/// The type of a key's value.
package indirect enum ConfigurationKind: Sendable {
    /// A text; numbers and booleans count as text.
    ///
    /// - Parameters:
    ///   - pattern: A JSON Schema regular expression for valid values; `nil` for any text.
    ///   - examples: Suggestions for editors.
    case text(pattern: String? = nil, examples: [String] = [])
    /// One of a closed list.
    ///
    /// - Parameter others: Other spellings that are accepted but not suggested.
    case word([String], others: [String] = [])
    case boolean
    case number(from: Double)
    case wholeNumber(ClosedRange<Int>)
    /// `1.1s`, `250ms` or a number of seconds.
    case duration
    /// `{ env: NAME }`, `{ file: PATH }` or `${NAME}`.
    case secret
    case list(ConfigurationKind)
    /// One, or a list of them.
    case oneOrList(ConfigurationKind)
    case mapping([ConfigurationKey])
    /// One of two types.
    case either(ConfigurationKind, ConfigurationKind)
    /// One of several mappings.
    case oneOf([[ConfigurationKey]])
    /// Keys that the user chooses.
    ///
    /// - Parameter keys: The type of the keys.
    case pairs(keys: ConfigurationKind = .text(), ConfigurationKind)
    /// A mapping or list of JSON.
    case json
}

extension StrictYAML.Mapping {
    /// The value of a key; reports a missing required one.
    subscript(key: ConfigurationKey) -> StrictYAML.Value? {
        key.isRequired ? required(key.name) : self[key.name]
    }

    /// The value of a key, without a report if it is missing.
    func optional(_ key: ConfigurationKey) -> StrictYAML.Value? { self[key.name] }
}
