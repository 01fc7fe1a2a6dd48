import Transport

/// A page as a user saw it: its visible content, without hidden fields and typed text.
///
/// It may still contain secrets that the page repeats, so its texts are longer than what may be shown: redact first, then
/// truncate.
package struct SeenPage: Sendable, Hashable {
    /// The address with the values of its query masked.
    package var address: String
    package var status: Int
    package var title: String
    /// Its first alert, or where there is nothing to fill, the beginning of its own text: without the words that it begins and
    /// ends with like the page before, such as a menu.
    package var message: String?
    /// The visible fields: the label or its replacement, and the kind.
    package var fields: [String]

    /// The browser's screenshot, PNG, without typed text; `nil` if none was requested, or if it would have shown a secret.
    package var screenshot: [UInt8]?

    private static let mostFields = 20

    /// - Parameter textBefore: The text of the page before.
    init(_ page: HTMLPage, address: WebURL, status: Int, after textBefore: String = "") {
        self.address = Redaction.maskingQuery(address).beginning
        self.status = status
        title = page.title.beginning
        let seen = page.forms.lazy.flatMap(\.visibleFields)
        let words = page.alerts.first ?? (seen.isEmpty ? Self.own(page.shownText, after: textBefore) : "")
        message = words.isEmpty ? nil : words.beginning
        fields = seen.prefix(Self.mostFields)
            .map { field in
                let names = [field.label, field.accessibleName, field.placeholder, field.name]
                let name = names.first { !$0.isEmpty } ?? ""
                return "\(name.isEmpty ? "a field without a name" : name.beginning) (\(field.type.bounded(30)))"
            }
    }
}

extension SeenPage {
    /// The text without the words that it begins and ends with like another; the whole text if nothing is left.
    static func own(_ text: String, after other: String) -> String {
        let (words, others) = (text.split(separator: " "), other.split(separator: " "))
        let start = zip(words, others).prefix { $0 == $1 }.count
        let end = zip(words.reversed(), others.reversed()).prefix { $0 == $1 }.count
        guard start + end < words.count else { return text }
        return words[start..<(words.count - end)].joined(separator: " ")
    }
}

extension HTMLPage {
    /// The text that a user sees.
    var shownText: String { textBesideNoScript.isEmpty ? text : textBesideNoScript }
}

extension String {
    /// The beginning in whole words: half of a secret would not be known for one.
    fileprivate var beginning: String {
        let limit = 4_000
        guard unicodeScalars.dropFirst(limit).first != nil else { return bounded(limit) }
        let start = bounded(limit)
        return start.lastIndex(of: " ").map { String(start[..<$0]) } ?? ""
    }
}
