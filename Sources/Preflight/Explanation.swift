import Conformance
import Profiles

/// The description of one check as text for a terminal.
package struct Explanation {
    private let description: CheckDescription
    private let width: Int

    /// - Parameters:
    ///   - id: The check's identifier.
    ///   - width: Columns to fill, at least forty.
    /// - Returns: `nil` if there is no such check.
    /// - Throws: The problem of an invalid built-in profile.
    init?(of id: CheckID, width: Int) throws(ConfigurationError) {
        guard let description = try CheckDescription(of: id) else { return nil }
        self.description = description
        self.width = max(40, width)
    }

    package var text: String {
        let check = description.check
        let head = [check.id.rawValue] + Prose.wrapped(check.title, width: width) + [""]
        let sections = description.sections.flatMap { section($0.heading, $0.paragraphs.flatMap(Self.lines)) }
        return (head + sections + section("Page", [check.id.link])).joined(separator: "\n")
    }

    private static func lines(_ paragraph: CheckDescription.Paragraph) -> [String] {
        switch paragraph {
        case .prose(let text): [text]
        case .quotation(let words): ["“\(words)”"]
        case .check(let id): [id.rawValue]
        // The address of an issue contains its title.
        case .link(let address, let title):
            address.hasSuffix(title.replacing("#", with: "/issues/")) ? [address] : [title, address]
        }
    }

    /// A heading in the margin, or above the text if the terminal is narrow; addresses are never broken.
    private func section(_ heading: String, _ paragraphs: [String]) -> [String] {
        guard !paragraphs.isEmpty else { return [] }
        let isNarrow = width < 60
        let margin = isNarrow ? 2 : 13
        let body = paragraphs.flatMap { Prose.wrapped($0, width: width - margin) }
        let indented = body.map { String(repeating: " ", count: margin) + $0 }
        if isNarrow { return [heading] + indented }
        return indented.enumerated().map { $0 == 0 ? CatalogueText.padded(heading, margin) + body[0] : $1 }
    }
}

/// Line wrapping.
enum Prose {
    /// The words in lines of at most `width` characters; a longer word has a line of its own.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
