/// Where the values of `${NAME}` in a file come from.
package struct Variables: Sendable {
    /// The value of a variable; `nil` where it is not set.
    package let value: @Sendable (String) -> String?
    /// The names of all that are set, for those who mistyped one.
    package let names: @Sendable () -> [String]

    package init(
        value: @escaping @Sendable (String) -> String?,
        names: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.value = value
        self.names = names
    }

    /// Whether a name says that the value is to be kept from logs.
    static func isSecret(_ name: String) -> Bool {
        ["SECRET", "PASS", "PWD", "TOKEN", "KEY", "CREDENTIAL"].contains { name.uppercased().contains($0) }
    }
}

/// A text in which `${NAME}` and `${NAME:-text}` stand for variables, and `$${` for `${` itself.
///
/// As in POSIX shells (section 2.6.2) and Compose files; of their forms these two alone. A value is taken as it is: what it
/// holds stands for nothing again.
package struct VariableText: Sendable {
    package enum Part: Sendable, Hashable {
        case text(String)
        case variable(Reference)
    }

    package struct Reference: Sendable, Hashable {
        package let name: String
        /// What holds where the variable is not set or empty; `nil` where it must be set.
        package let standing: String?
    }

    /// What keeps a text from being read, as a clause.
    package struct Mistake: Error, Sendable, Hashable {
        package let reason: String
    }

    /// A variable's name: letters, digits and underscores, no digit first.
    package static let namePattern = "[A-Za-z_][A-Za-z0-9_]*"

    package let parts: [Part]

    package init(_ text: String) throws(Mistake) {
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
                throw Mistake(reason: "“${” begins a variable that no “}” ends; for the text itself write $${")
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

    package var references: [Reference] {
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
                    "“${\(text.prefix(40))}” names no variable: write ${NAME} or ${NAME:-text}, and $${ for the text itself"
            )
        }
        let standing = rest.isEmpty ? nil : String(rest.dropFirst(2))
        if let standing, standing.contains("${") {
            throw VariableText.Mistake(
                reason: "“${\(text.prefix(40))}}” holds a variable in the place of its text: write one"
            )
        }
        self.init(name: String(name), standing: standing)
    }
}

extension Variables {
    /// The value of a variable, or what stands for it; an empty one counts as none.
    func text(of reference: VariableText.Reference) throws(VariableText.Mistake) -> String {
        if let value = value(reference.name), !value.isEmpty { return value }
        if let standing = reference.standing { return standing }
        let hint = NearestWord.of(reference.name, among: names().filter { $0 != reference.name })
            .map { "; \($0) is set: did you mean that?" }
        throw VariableText.Mistake(
            reason:
                "the variable \(reference.name) is \(value(reference.name) == nil ? "not set" : "empty"): export it, or write "
                + "${\(reference.name):-…} with what is to hold without it\(hint ?? "")"
        )
    }
}
