internal import Profiles

/// A key of `preflight.yaml`: the reader asks for it by this value, and the schema for editors is written from it.
package struct ConfigurationKey: Sendable {
    package let name: String
    package let kind: ConfigurationKind
    /// What it is for, in whole sentences: an editor shows it.
    package let help: String
    /// Whether its mapping is wrong without it.
    package let isRequired: Bool
    /// A neighbour with which it is not missed; `nil` for none.
    let waiver: Waiver?

    /// A key of the same mapping, and the value that it has then.
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

/// What stands behind a key.
package indirect enum ConfigurationKind: Sendable {
    /// A text; numbers and truth values count as what they are written as.
    ///
    /// - Parameters:
    ///   - pattern: What every right one matches, as a regular expression of JSON Schema; `nil` for any text.
    ///   - examples: What an editor offers.
    case text(pattern: String? = nil, examples: [String] = [])
    /// One of a closed list.
    ///
    /// - Parameter others: Other spellings that are taken, and not offered.
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
    /// Of one kind or of another.
    case either(ConfigurationKind, ConfigurationKind)
    /// One of several mappings.
    case oneOf([[ConfigurationKey]])
    /// Keys that the user chooses.
    ///
    /// - Parameter keys: What a key may be.
    case pairs(keys: ConfigurationKind = .text(), ConfigurationKind)
    /// A mapping or list of JSON.
    case json
}

extension StrictYAML.Mapping {
    /// The value of a key; that a required one is missing is reported.
    subscript(key: ConfigurationKey) -> StrictYAML.Value? {
        key.isRequired ? required(key.name) : self[key.name]
    }

    /// The value of a key that something else can stand for.
    func optional(_ key: ConfigurationKey) -> StrictYAML.Value? { self[key.name] }
}
