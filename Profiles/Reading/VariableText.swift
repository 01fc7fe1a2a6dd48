/// The source of the values of `${NAME}` in a file.
package struct Variables: Sendable {
    /// The value of a variable; `nil` if it is not set.
    package let value: @Sendable (String) -> String?
    /// The names of all set variables, to suggest one for a mistyped name.
    package let names: @Sendable () -> [String]

    package init(
        value: @escaping @Sendable (String) -> String?,
        names: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.value = value
        self.names = names
    }

    /// Whether a name suggests a secret, whose value must not be logged.
    static func isSecret(_ name: String) -> Bool {
        ["SECRET", "PASS", "PWD", "TOKEN", "KEY", "CREDENTIAL"].contains { name.uppercased().contains($0) }
    }
}

/// A text in which `${NAME}` and `${NAME:-text}` are variables, and `$${` is a literal `${`.
///
/// As in POSIX shells (section 2.6.2) and Compose files, but only these two forms. Variables inside a value are not
/// replaced again.
package struct VariableText: Sendable {
    package enum Part: Sendable, Hashable {
        case text(String)
        case variable(Reference)
    }

    package struct Reference: Sendable, Hashable {
        package let name: String
        /// The default if the variable is unset or empty; `nil` if it must be set.
        package let fallback: String?
    }

    /// Why a text cannot be read, as a clause.
    package struct Mistake: Error, Sendable, Hashable {
        let reason: String
    }

    /// A variable's name: letters, digits and underscores, no digit first.
    package static let namePattern = "[A-Za-z_][A-Za-z0-9_]*"

    let parts: [Part]

    init(_ text: String) throws(Mistake) {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "${") {
            if rest[..<mark.lowerBound].hasSuffix("$") {
                plain += rest[..<mark.lowerBound].dropLast()
                plain += "${"
                rest = rest[mark.upperBound...]
                continue
            }
            plain += rest[..<mark.lowerBound]
            guard let end = rest[mark.upperBound...].firstIndex(of: "}") else {
                throw Mistake(reason: "“${” has no closing “}”; for a literal ${ write $${")
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.variable(try Reference(rest[mark.upperBound..<end])))
            rest = rest[rest.index(after: end)...]
        }
        plain += rest
        if !plain.isEmpty || parts.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// The variable that is the whole text.
    package var only: Reference? {
        if case .variable(let reference) = parts[0], parts.count == 1 { reference } else { nil }
    }

    var references: [Reference] {
        parts.compactMap { part in if case .variable(let reference) = part { reference } else { nil } }
    }
}

extension VariableText.Reference {
    fileprivate init(_ text: Substring) throws(VariableText.Mistake) {
        let name = text.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = text[name.endIndex...]
        guard let first = name.first, !first.isNumber, rest.isEmpty || rest.hasPrefix(":-") else {
            throw VariableText.Mistake(
                reason:
                    "“${\(text.prefix(40))}” is not a variable: write ${NAME} or ${NAME:-text}, or $${ for a literal ${"
            )
        }
        let fallback = rest.isEmpty ? nil : String(rest.dropFirst(2))
        if let fallback, fallback.contains("${") {
            throw VariableText.Mistake(
                reason: "“${\(text.prefix(40))}}” has a variable as its default: write a plain text there"
            )
        }
        self.init(name: String(name), fallback: fallback)
    }
}

extension Variables {
    /// The value of a variable, or its default; an empty value counts as unset.
    func text(of reference: VariableText.Reference) throws(VariableText.Mistake) -> String {
        if let value = value(reference.name), !value.isEmpty { return value }
        if let fallback = reference.fallback { return fallback }
        let hint = NearestWord.of(reference.name, among: names().filter { $0 != reference.name })
            .map { "; did you mean \($0), which is set?" }
        throw VariableText.Mistake(
            reason:
                "the variable \(reference.name) is \(value(reference.name) == nil ? "not set" : "empty"): export it, or give a default with "
                + "${\(reference.name):-…}\(hint ?? "")"
        )
    }
}
