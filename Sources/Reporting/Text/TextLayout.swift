import Conformance

/// The four colours of the terminal form.
enum TerminalColor: String {
    case red = "\u{1B}[31m"
    case yellow = "\u{1B}[33m"
    case green = "\u{1B}[32m"
    case dim = "\u{1B}[2m"

    static let end = "\u{1B}[0m"
}

/// Lines of bounded width.
///
/// Provider text is already escaped by `shown`. This type adds what matters only in a log: no line begins with `::`, and none
/// contains `##[` or `##vso[`, because build servers read those as commands.
struct TextLayout {
    let width: Int
    let color: Bool
    private(set) var lines: [String] = []

    init(_ options: ReportOptions) {
        width = options.width
        color = options.color
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func blank() {
        if lines.last?.isEmpty == false { lines.append("") }
    }

    /// Adds the lines of another layout of the same width.
    mutating func append(_ other: TextLayout) {
        lines += other.lines
    }

    /// The end of a list in a short report.
    static func more(_ count: Int) -> String { "and \(count) more; --verbose shows all" }

    private static let rest = "--verbose shows the rest"

    /// Keeps only the first lines, and replaces the last of them by the way to the rest.
    mutating func cut(to count: Int) {
        guard lines.count > max(0, count) else { return }
        lines = Array(lines.prefix(max(0, count - 1))) + (count > 0 ? ["  … (\(Self.rest))"] : [])
    }

    /// Whether a text in it ends with an ellipsis.
    var isCut: Bool {
        lines.contains { line in ["…", "…”"].contains { line.hasSuffix($0) || line.hasSuffix($0 + TerminalColor.end) } }
    }

    /// Ends a section of a short report: if a text in it was cut, the last line says how to see the rest.
    ///
    /// - Parameter lacksFixes: Whether a finding in it has no fix.
    mutating func hint(lacksFixes: Bool = false) {
        guard !lines.contains(where: { $0.contains("--verbose") }) else { return }
        if lacksFixes {
            paragraph(isCut ? Self.rest + " and the fixes" : "--verbose shows the fixes", indent: 2)
        } else if isCut {
            paragraph(Self.rest, indent: 2)
        }
    }

    /// One line, its text cut at the last word that fits.
    mutating func single(_ text: String, indent: Int = 0, _ ink: TerminalColor? = nil) {
        let text = Self.defused(text)
        let space = max(8, width - indent)
        var cut = text[...]
        if text.count > space {
            let piece = text.prefix(space - 1)
            let blank = piece.lastIndex(of: " ").map { piece[..<$0] }
            // A single long word is cut where a reader expects it.
            cut = blank.flatMap { $0.count > space / 3 ? $0 : nil } ?? Self.beginning(of: piece, space - 2)
            // If only a name is left, drop its colon.
            cut = cut.last == ":" ? cut.dropLast() : cut + "…"
        }
        lines.append(String(repeating: " ", count: indent) + painted(String(cut), ink))
    }

    /// A line that is not wrapped: the verdict is one line whatever the width.
    mutating func unwrapped(_ text: String, _ ink: TerminalColor? = nil) {
        lines.append(painted(Self.defused(text), ink))
    }

    /// A paragraph of at most so many lines, the last one cut at a word.
    mutating func paragraph(_ text: String, indent: Int, most: Int) {
        let space = max(8, width - indent)
        let margin = String(repeating: " ", count: indent)
        let wrapped = wrap(text, first: space, rest: space)
        for (index, line) in wrapped.prefix(most).enumerated() {
            let isEnd = index == most - 1 && wrapped.count > most
            lines.append(margin + (isEnd ? Self.ended(line, space) : line))
        }
    }

    /// A line with an ellipsis at its end.
    private static func ended(_ line: String, _ space: Int) -> String {
        if line.last == "…" { return line }
        if line.count < space { return line + "…" }
        let piece = line.prefix(space - 1)
        let blank = piece.lastIndex(of: " ").map { piece[..<$0] }
        let cut = blank.flatMap { $0.count > space / 3 ? $0 : nil } ?? piece
        return String(cut) + "…"
    }

    /// A name with its sentence: on one line if both fit, else the sentence below the name.
    ///
    /// - Parameter most: The maximum number of lines of the sentence.
    mutating func named(_ name: String, _ sentence: String, most: Int) {
        let line = sentence.isEmpty ? name : "\(name): \(sentence)"
        guard 2 + line.count > width else { return paragraph(line, indent: 2) }
        paragraph(name, indent: 2, hanging: 4)
        paragraph(sentence, indent: 4, most: most)
    }

    /// As many names as fit on one line after its beginning, and the number of the others.
    ///
    /// - Parameter heading: The beginning without names; wrapped if no name fits.
    mutating func names(_ names: [String], after heading: String, indent: Int) {
        for count in stride(from: names.count, to: 0, by: -1) {
            let line = "\(heading): \(Self.list(names, most: count))"
            if indent + line.count <= width { return paragraph(line, indent: indent) }
        }
        paragraph(heading, indent: indent, hanging: indent + 2)
    }

    /// `a, b, and 3 more`.
    static func list(_ names: [String], most: Int) -> String {
        let left = names.count - most
        return (names.prefix(most).map { $0.shown(limit: 60) } + (left > 0 ? ["and \(left) more"] : []))
            .joined(separator: ", ")
    }

    /// A paragraph, its following lines indented further.
    mutating func paragraph(_ text: String, indent: Int = 0, hanging: Int? = nil, _ ink: TerminalColor? = nil) {
        paragraph(text, after: String(repeating: " ", count: indent), hanging: hanging ?? indent, ink)
    }

    /// A name and its text in a column beside it: `found     “x”`.
    mutating func labelled(_ label: String, _ text: String, indent: Int) {
        let column = 10
        let margin = String(repeating: " ", count: indent)
        let gap = String(repeating: " ", count: max(1, column - label.count))
        paragraph(text, after: margin + label + gap, hanging: indent + (width < 60 ? 2 : column), nil)
    }

    private mutating func paragraph(_ text: String, after start: String, hanging: Int, _ ink: TerminalColor?) {
        let wrapped = wrap(text, first: width - start.count, rest: width - hanging)
        if wrapped.isEmpty, let end = start.lastIndex(where: { $0 != " " }) { lines.append(String(start[...end])) }
        for (index, line) in wrapped.enumerated() {
            let margin = index == 0 ? start : String(repeating: " ", count: hanging)
            let end = margin.lastIndex { $0 != " " }
            lines.append(line.isEmpty ? String(margin[...(end ?? margin.startIndex)]) : margin + painted(line, ink))
        }
    }

    /// A row of a table with its verdict in color.
    mutating func row(_ cells: String, verdict: String, _ ink: TerminalColor?) {
        let cells = Self.defused(cells)
        lines.append("  " + cells + painted(verdict, ink))
    }

    /// A check's line: name, dots, the value that was found, and the verdict at the right margin: `found x · warning`; on
    /// a narrow terminal the value and the verdict go below the name.
    mutating func check(_ name: String, value: String?, verdict: String, _ ink: TerminalColor?) {
        let found = value.map { Self.defused($0) + " · " } ?? ""
        let taken = 2 + name.count + 1 + found.count + verdict.count
        let rightmost = min(width, 100)
        guard taken + 2 > rightmost else {
            let dots = String(repeating: "·", count: rightmost - taken - 1) + " "
            lines.append("  " + name + " " + painted(dots, .dim) + found + painted(verdict, ink))
            return
        }
        paragraph(name, indent: 2, hanging: 4)
        guard 4 + found.count + verdict.count > rightmost else {
            let gap = String(repeating: " ", count: rightmost - found.count - verdict.count)
            lines.append(gap + found + painted(verdict, ink))
            return
        }
        paragraph(value ?? "", indent: 4)
        lines.append(String(repeating: " ", count: max(4, rightmost - verdict.count)) + painted(verdict, ink))
    }

    private func painted(_ text: String, _ ink: TerminalColor?) -> String {
        guard color, let ink else { return text }
        return ink.rawValue + text + TerminalColor.end
    }

    /// Breaks at spaces; a word longer than a line is cut after a dot, hyphen or similar character if one is near enough.
    private func wrap(_ text: String, first: Int, rest: Int) -> [String] {
        var done: [String] = []
        var line = ""
        var length = 0
        var space: Int { max(8, done.isEmpty ? first : rest) }
        for word in Self.defused(text).split(separator: " ") {
            var word = word
            var count = word.count
            if length > 0, length + 1 + count <= space {
                line += " " + word
                length += 1 + count
                continue
            }
            // A value that fits below its label is not cut beside it.
            if length > 0 || (done.isEmpty && count > space && count <= rest) { done.append(line) }
            while count > space {
                let piece = Self.beginning(of: word, space)
                word = word.dropFirst(piece.count)
                count -= piece.count
                done.append(Self.started(piece))
            }
            line = Self.started(word)
            length = line.count
        }
        return length > 0 ? done + [line] : done
    }

    /// As much of a word as fits, up to a place where a reader expects a break.
    private static func beginning(of word: Substring, _ space: Int) -> Substring {
        let piece = word.prefix(space)
        let joint = piece.lastIndex { "./-_,;:&=?".contains($0) }
        guard let joint, piece.distance(from: piece.startIndex, to: joint) > space / 3 else { return piece }
        return piece[...joint]
    }

    /// A word at the beginning of a line; compared as bytes, because a combining mark would hide the second colon.
    private static func started(_ word: Substring) -> String {
        word.utf8.starts(with: "::".utf8) ? #"\u{3A}"# + String(word.unicodeScalars.dropFirst()) : String(word)
    }

    private static func defused(_ text: String) -> String {
        started(text.replacing("##", with: #"#\u{23}"#)[...])
    }
}
