import Transport

/// The reference of a step to a field or a button: a name, or `id=`, `label=` or `css=` with a value.
package enum FieldReference: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    case name(String)
    case identifier(String)
    /// The words of its label, of its replacement for a label, or on a button, in any letter case.
    case label(String)
    case selector(CSSSelector)

    /// The words before an equals sign that select the kind.
    package static let kinds = ["name", "id", "label", "css"]

    /// Reads a reference; a text that begins with none of ``kinds`` is a name.
    package init(reading text: String) throws(CSSSelector.Mistake) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, Self.kinds.contains(String(halves[0])) else {
            self = .name(text)
            return
        }
        let rest = String(halves[1])
        guard rest.contains(where: { !$0.isWhitespace }) else {
            throw CSSSelector.Mistake(reason: "nothing follows “\(halves[0])=”")
        }
        switch halves[0] {
        case "id": self = .identifier(rest)
        case "label": self = .label(rest)
        case "css": self = .selector(try CSSSelector(rest))
        default: self = .name(rest)
        }
    }

    /// A name.
    package init(stringLiteral name: String) {
        self = .name(name)
    }

    package var description: String {
        switch self {
        case .name(let name): name
        case .identifier(let identifier): "id=\(identifier)"
        case .label(let words): "label=\(words)"
        case .selector(let selector): "css=\(selector.text)"
        }
    }

    var selector: CSSSelector? {
        if case .selector(let selector) = self { selector } else { nil }
    }
}

extension FieldReference {
    /// The words in lower case, with single spaces between them.
    static func words(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The words of a label without the signs that pages put after it.
    fileprivate static func label(_ text: String) -> String {
        let words = words(text)
        return String(words.reversed().drop { ":* ".contains($0) }.reversed())
    }
}

extension HTMLControl {
    /// Whether it is the field or button that a step means.
    func isMeant(by reference: FieldReference) -> Bool {
        switch reference {
        case .name(let name): return self.name == name
        case .identifier(let identifier): return self.identifier == identifier
        case .selector(let selector): return met.contains(selector)
        case .label(let wanted):
            let texts = [label, accessibleName, placeholder] + (isButton ? [value] : [])
            return texts.contains { !$0.isEmpty && FieldReference.label($0) == FieldReference.label(wanted) }
        }
    }
}

/// The condition that a step waits for on its page.
package enum PageCondition: Sendable, Hashable, CustomStringConvertible {
    /// An element that a selector finds.
    case selector(CSSSelector)
    /// A visible text, in any letter case.
    case text(String)
    /// The path of the address, in which `*` matches any text.
    case path(String)

    /// The words before an equals sign that select the kind.
    package static let kinds = ["css", "text", "url"]

    /// Reads a condition; `nil` for a text that begins with none of ``kinds``.
    package init?(_ text: String) throws(CSSSelector.Mistake) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, Self.kinds.contains(String(halves[0])) else { return nil }
        let rest = String(halves[1])
        guard rest.contains(where: { !$0.isWhitespace }) else {
            throw CSSSelector.Mistake(reason: "nothing follows “\(halves[0])=”")
        }
        switch halves[0] {
        case "css": self = .selector(try CSSSelector(rest))
        case "text": self = .text(rest)
        default:
            guard rest.hasPrefix("/") || rest.hasPrefix("*") else {
                throw CSSSelector.Mistake(
                    reason:
                        "“\(rest)” must be the path of the page's address, as in url=/consent; * matches any text"
                )
            }
            self = .path(rest)
        }
    }

    package var description: String {
        switch self {
        case .selector(let selector): "css=\(selector.text)"
        case .text(let text): "text=\(text)"
        case .path(let path): "url=\(path)"
        }
    }

    var selector: CSSSelector? {
        if case .selector(let selector) = self { selector } else { nil }
    }

    func isMet(on page: HTMLPage, at address: WebURL?) -> Bool {
        switch self {
        case .selector(let selector): page.met.contains(selector)
        case .text(let text): page.text.lowercased().contains(FieldReference.words(text))
        case .path(let path): address.map { RequestStep.Page(path: path).matches($0) } ?? false
        }
    }
}

/// The reason why a step was not run although it matches the page.
package enum StepMismatch: Sendable, Hashable {
    /// The condition that it waits for was not met.
    case condition(String)
    /// The form has no such field or button.
    case field(String)
    /// The field has no such choice.
    case choice(String, field: String)

    /// The problem, in words that follow “a step in sign_in.steps”.
    var whatHappened: String {
        switch self {
        case .condition(let condition): "waits for \(condition.bounded(200)), which did not appear"
        case .field(let field): "names \(field.bounded(200)), which the form does not have"
        case .choice(let choice, let field):
            "chooses “\(choice.bounded(100))” in \(field.bounded(200)), which does not offer it"
        }
    }
}
