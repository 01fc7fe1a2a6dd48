/// A page that the run met during a sign-in, and what it did there.
///
/// Every text is bounded and without secrets; hidden fields and what was typed are no part of it.
package struct VisitedPage: Sendable, Hashable, Codable {
    /// Its place on the way, 1 for the first page.
    package var number: Int
    /// The address with the values of its query masked.
    package var address: String
    package var status: Int
    package var title: String
    /// The message of the page to the user: its alert, or the beginning of its text if it has no field; `nil` without either.
    package var message: String?
    /// The visible fields, by label and kind: `Password (password)`.
    package var fields: [String]
    /// The names of the fields that were filled in there.
    package var filled: [String]
    /// The button that was pressed there; `nil` if the sign-in ended or continued by itself.
    package var pressed: String?
    /// The number of its screenshot, if one was made: ``screenshotFile``.
    package var screenshot: Int?

    package init(
        number: Int,
        address: String,
        status: Int,
        title: String,
        message: String? = nil,
        fields: [String] = [],
        filled: [String] = [],
        pressed: String? = nil,
        screenshot: Int? = nil
    ) {
        self.number = number
        self.address = address
        self.status = status
        self.title = title
        self.message = message
        self.fields = fields
        self.filled = filled
        self.pressed = pressed
        self.screenshot = screenshot
    }

    /// The name of the file with its screenshot.
    package var screenshotFile: String? { screenshot.map(Self.file(ofScreenshot:)) }

    package static func file(ofScreenshot number: Int) -> String { "sign-in-\(number).png" }
}

extension VisitedPage {
    /// The most pages that are reported of one sign-in: the first ones and, more of them, the last ones.
    package static let most = 12
    private static let mostOfTheStart = 4
    /// The most characters of a text, and of all fields of a page together.
    static let longestText = 200
    private static let mostFields = 10
    private static let longestName = 60

    /// The pages of a way in bounded size, whatever the provider sent: some 12,000 characters at the most.
    ///
    /// Omitted pages show as gaps in the page numbers.
    package static func bounded(_ pages: [VisitedPage]) -> [VisitedPage] {
        let kept =
            pages.count <= most ? pages : Array(pages.prefix(mostOfTheStart) + pages.suffix(most - mostOfTheStart))
        return kept.map(\.bounded)
    }

    private var bounded: VisitedPage {
        var page = self
        page.address = address.cut(to: Self.longestText)
        page.title = title.cut(to: Self.longestText)
        page.message = message?.cut(to: Self.longestText)
        page.fields = Self.bounded(fields)
        page.filled = Self.bounded(filled)
        page.pressed = pressed?.cut(to: Self.longestName)
        return page
    }

    private static func bounded(_ names: [String]) -> [String] {
        var space = longestText
        var kept: [String] = []
        for name in names.prefix(mostFields) where space > 0 {
            kept.append(name.cut(to: min(longestName, space)))
            space -= min(longestName, name.unicodeScalars.count)
        }
        return kept
    }

    /// The page by its title, or that it has none.
    var named: String { title.isEmpty ? "a page without a title" : title.quoted(limit: 60) }

    /// The action there, in words; `nil` if there was none.
    package var done: String? {
        let parts = [
            filled.isEmpty ? nil : "filled " + filled.map { $0.shown(limit: Self.longestName) }.joined(separator: ", "),
            pressed.map { "pressed " + $0.quoted(limit: Self.longestName) },
        ]
        let words = parts.compactMap(\.self).joined(separator: ", ")
        return words.isEmpty ? nil : words
    }

    /// The address without its query: it identifies pages.
    var place: String { String(address.prefix { $0 != "?" }).shown(limit: 120) }

    /// The page in one sentence: its title, the action there, else its message.
    package var sentence: String {
        let status = status >= 400 ? " (status \(self.status))" : ""
        let end = done ?? message.map { "message " + $0.quoted(limit: 100) } ?? "no action"
        return "\(named)\(status) at \(place): \(end)"
    }

    /// All reported data about the page, in lines.
    package var lines: [String] {
        [
            "\(named)\(status == 200 ? "" : ", status \(status)") at \(place)",
            message.map { "message \($0.quoted(limit: Self.longestText))" },
            fields.isEmpty
                ? nil : "fields: " + fields.map { $0.shown(limit: Self.longestName) }.joined(separator: ", "),
            done,
            screenshotFile.map { "screenshot: \($0)" },
        ]
        .compactMap(\.self)
    }
}

extension String {
    /// The string in quotation marks, bounded as ``shown(limit:)`` does.
    func quoted(limit: Int) -> String { "“\(shown(limit: limit))”" }

    /// The beginning of the text, with a sign where there was more.
    fileprivate func cut(to limit: Int) -> String {
        guard unicodeScalars.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…"
    }
}
