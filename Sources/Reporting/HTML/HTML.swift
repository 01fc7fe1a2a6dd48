import Conformance

/// A piece of HTML; interpolated text is always escaped.
///
/// Markup comes only from literals in this source: they are `StaticString`s, so provider text is never treated as markup.
/// Interpolated text is escaped for elements and for quoted attributes. Attributes that a browser would run or load (`href`,
/// `src`, `on…`, `style`) contain only links of this project, never such text.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var markup: String

    init(stringLiteral literal: StaticString) {
        markup = literal.description
    }

    init(stringInterpolation interpolation: StringInterpolation) {
        markup = interpolation.markup
    }

    fileprivate init(markup: String) {
        self.markup = markup
    }

    static let nothing: HTML = ""

    /// Bytes.
    var count: Int { markup.utf8.count }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            markup.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            markup += literal.description
        }

        mutating func appendInterpolation(_ piece: HTML) { markup += piece.markup }

        mutating func appendInterpolation(_ piece: HTML?) { markup += piece?.markup ?? "" }

        mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { markup += piece.markup }
        }

        mutating func appendInterpolation(_ number: Int) { markup += String(number) }

        /// Text on one line, with invisible characters escaped.
        mutating func appendInterpolation(_ text: some StringProtocol) { markup += HTML.escaped(String(text)) }

        /// Text that keeps its line breaks and tabs.
        mutating func appendInterpolation(lines text: String) { markup += HTML.escaped(lines: text) }
    }

    /// The text with special HTML characters as entities, and with control and bidirectional formatting characters escaped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.shown(limit: .max).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escaped(lines text: String) -> String {
        // As scalars: a combining mark after a line break must not hide it.
        let lines = text.replacing("\r\n", with: "\n").unicodeScalars
            .split(omittingEmptySubsequences: false) { $0 == "\n" }
        return
            lines.map { line in
                line.split(omittingEmptySubsequences: false) { $0 == "\t" }.map { escaped(String($0)) }
                    .joined(separator: "\t")
            }
            .joined(separator: "\n")
    }
}

extension [HTML] {
    func joined(by separator: HTML = "\n") -> HTML {
        HTML(markup: map(\.markup).joined(separator: separator.markup))
    }
}

extension HTML {
    /// As many pieces as fit, and the number of the others.
    ///
    /// - Parameters:
    ///   - space: The remaining bytes, which are reduced.
    ///   - share: The maximum number of bytes to use here.
    static func fitting(
        _ pieces: some Sequence<HTML>,
        in space: inout Int,
        share: Int = .max
    ) -> (kept: [HTML], left: Int) {
        var kept: [HTML] = []
        var left = 0
        var rest = min(space, share)
        for piece in pieces {
            guard left == 0, piece.count <= rest else {
                left += 1
                continue
            }
            rest -= piece.count
            space -= piece.count
            kept.append(piece)
        }
        return (kept, left)
    }
}

extension CheckID {
    /// The identifier reduced to characters that are valid in an address and in an attribute.
    var anchor: String {
        String(
            rawValue.unicodeScalars.filter {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains($0))
            }
        )
    }
}

extension HTML {
    /// The page's own style and script, which contain nothing that would end their element.
    static let style = HTML(stringLiteral: HTMLStyle.text)
    static let script = HTML(stringLiteral: HTMLScript.text)
}
