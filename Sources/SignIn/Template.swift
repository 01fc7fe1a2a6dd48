import JSONTree
import Transport

/// A text with placeholders that are filled in when it is sent.
package struct Template: Sendable, Hashable, CustomStringConvertible {
    /// The meaning of a placeholder.
    package enum Placeholder: Sendable, Hashable, CustomStringConvertible {
        case username
        case password
        /// A current one-time code (RFC 6238); every occurrence in a request has the same one.
        case totp
        /// A parameter in the query of the page's address.
        case query(String)
        /// A member of the last JSON answer, by the names that lead to it; a number counts the elements of an array.
        case answer([String])
        /// A cookie of the page, its escapes undone, as scripts read it to send it in a header.
        case cookie(String)
        /// An environment variable, whose value is a secret.
        case env(String)

        /// The words that a placeholder can begin with.
        package static let words = ["username", "password", "totp", "query", "answer", "cookie", "env"]

        init?(_ text: Substring) {
            if text.hasPrefix("env:") {
                guard let name = StepVariable.name(before: text.dropFirst(4) + "}") else { return nil }
                self = .env(name)
                return
            }
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
            switch (parts[0], name) {
            case ("username", nil) where parts.count == 1: self = .username
            case ("password", nil) where parts.count == 1: self = .password
            case ("totp", nil) where parts.count == 1: self = .totp
            case ("query", let name?): self = .query(name)
            case ("cookie", let name?): self = .cookie(name)
            case ("answer", let name?): self = .answer(name.split(separator: ".").map(String.init))
            default: return nil
            }
        }

        package var description: String {
            switch self {
            case .username: "{username}"
            case .password: "{password}"
            case .totp: "{totp}"
            case .query(let name): "{query.\(name)}"
            case .answer(let names): "{answer.\(names.joined(separator: "."))}"
            case .cookie(let name): "{cookie.\(name)}"
            case .env(let name): "{env:\(name)}"
            }
        }
    }

    /// An unknown placeholder.
    package struct Unknown: Error, Sendable, Hashable {
        /// The text between the braces.
        package let text: String
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let pieces: [Piece]

    /// Reads a text; braces that contain anything but a name are text as well.
    package init(_ text: String) throws(Unknown) {
        var pieces: [Piece] = []
        var rest = text[...]
        var plain = ""
        while let first = rest.first {
            guard first == "{", let end = rest.firstIndex(of: "}") else {
                plain.append(rest.removeFirst())
                continue
            }
            let inner = rest[rest.index(after: rest.startIndex)..<end]
            guard !inner.isEmpty,
                inner.hasPrefix("env:") || inner.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
            else {
                plain.append(rest.removeFirst())
                continue
            }
            guard let placeholder = Placeholder(inner) else { throw Unknown(text: String(inner)) }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.placeholder(placeholder))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
    }

    package var placeholders: [Placeholder] {
        pieces.compactMap { piece in
            if case .placeholder(let placeholder) = piece { placeholder } else { nil }
        }
    }

    package var description: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let placeholder): "\(placeholder)"
            }
        }
        .joined()
    }

    /// Whether a user's credentials are in it.
    var containsCredentials: Bool { placeholders.contains { [.username, .password, .totp].contains($0) } }

    /// Whether a one-time code is in it.
    var containsCode: Bool { placeholders.contains(.totp) }

    /// The names of the variables in it.
    package var variables: [String] {
        placeholders.compactMap { placeholder in
            if case .env(let name) = placeholder { name } else { nil }
        }
    }

    /// The text with every placeholder filled in.
    func text(_ values: TemplateValues) throws(TemplateValues.Missing) -> RenderedText {
        try rendered(values) { text, _ in text }
    }

    /// The text of an address: values are percent-encoded, but for one that the address begins with.
    func address(_ values: TemplateValues) throws(TemplateValues.Missing) -> RenderedText {
        try rendered(values) { text, isFirst in isFirst ? text : PercentEncoding.encode(text) }
    }

    private func rendered(
        _ values: TemplateValues,
        _ encode: (String, _ isFirst: Bool) -> String
    ) throws(TemplateValues.Missing) -> RenderedText {
        var result = RenderedText()
        for (place, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text): result.append(text, recorded: text)
            case .placeholder(let placeholder):
                let text = encode(try values.value(of: placeholder), place == 0)
                var isSecret = true
                if case .query = placeholder { isSecret = false }
                result.append(text, recorded: isSecret ? Redaction.mark : text)
            }
        }
        return result
    }
}

/// A text as it is sent, and as it may be recorded.
struct RenderedText: Sendable, Hashable {
    private(set) var sent = ""
    private(set) var recorded = ""

    mutating func append(_ text: String, recorded shown: String) {
        sent += text
        recorded += shown
    }
}

/// The values of placeholders.
struct TemplateValues: Sendable {
    /// A placeholder for which there is no value.
    struct Missing: Error {
        let placeholder: Template.Placeholder
    }

    let username: String
    let password: Credential
    let page: WebURL
    /// The one-time code; `nil` if its secret is not configured.
    var code: Credential?
    var answer: JSON?
    /// The Cookie header that a request for the page has.
    var cookies: String?
    /// The values of variables, by their names.
    var variables: [String: Credential] = [:]

    func value(of placeholder: Template.Placeholder) throws(Missing) -> String {
        guard let value = found(placeholder) else { throw Missing(placeholder: placeholder) }
        return value
    }

    private func found(_ placeholder: Template.Placeholder) -> String? {
        switch placeholder {
        case .username: return username
        case .password: return password.revealed
        case .totp: return code?.revealed
        case .query(let name): return page.queryParameters[name]
        case .cookie(let name): return cookie(name)
        case .env(let name): return variables[name]?.revealed
        case .answer(let names):
            var value = answer
            for name in names { value = value.flatMap { Self.member(name, of: $0) } }
            return value.flatMap(Self.text)
        }
    }

    private func cookie(_ name: String) -> String? {
        for pair in (cookies ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0] == name { return PercentEncoding.decode(parts[1]) }
        }
        return nil
    }

    private static func member(_ name: String, of value: JSON) -> JSON? {
        guard let elements = value.arrayValue else { return value[name] }
        guard let place = Int(name), elements.indices.contains(place) else { return nil }
        return elements[place]
    }

    private static func text(of value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bigInteger(let digits): digits
        default: nil
        }
    }
}
