extension [Command] {
    /// The usage line of the last command: `program check [OPTION]... [ISSUER]`.
    var usage: String {
        guard let command = last else { return "" }
        let required = command.options.filter(\.isRequired).map { "\($0.name) \($0.placeholder)" }
        let operands = command.operands.map { operand in
            let word = operand.placeholder + (operand.isRepeatable ? "..." : "")
            return operand.isRequired ? word : "[\(word)]"
        }
        let hasOptions = command.options.contains { !$0.isRequired }
        let next = command.subcommands.isEmpty ? [] : [command.fallback == nil ? "COMMAND" : "[COMMAND]"]
        return (map(\.name) + next + required + (hasOptions ? ["[OPTION]..."] : []) + operands).joined(separator: " ")
    }

    /// The page that `--help` prints: examples first, then the options by groups.
    ///
    /// - Parameter width: Columns; no line is longer, unless a single word is.
    package func help(width: Int) -> String {
        guard let command = last else { return "" }
        var page = Page(width: width)
        page.paragraph(command.summary)
        page.heading("EXAMPLES")
        for example in command.examples {
            page.command(example.line)
            if !example.comment.isEmpty { page.paragraph(example.comment, indent: 6) }
        }
        page.heading("USAGE")
        page.command(usage)
        if !command.shown.isEmpty { page.command(map(\.name).joined(separator: " ") + " help COMMAND") }
        for text in command.text {
            page.blank()
            page.paragraph(text)
        }
        page.parts(command.argumentParts)
        for section in command.sections { page.parts([section]) }
        return page.text
    }
}

extension Command {
    /// Commands, operands, and the options under their headings in the order in which these first occur, those of every
    /// command at the end.
    var argumentParts: [Section] {
        var groups: [Section] = []
        for option in options + Self.general {
            let entry = (option.heading, option.wholeHelp)
            if let index = groups.firstIndex(where: { $0.title == option.group }) {
                groups[index].terms.append(entry)
            } else {
                groups.append(Section(option.group, terms: [entry]))
            }
        }
        let commands = Section(
            "COMMANDS",
            terms: shown.map { ($0.name, $0.summary + ($0.name == fallback ? " (default)" : "")) }
        )
        let operands = Section("OPERANDS", terms: operands.map { ($0.placeholder, $0.wholeHelp) })
        return [commands, operands].filter { !$0.terms.isEmpty } + groups
    }

    /// The listed subcommands.
    var shown: [Command] { subcommands.filter { !$0.isHidden } }
}

extension Declaration {
    /// `-h, --help` or `--config FILE`.
    var heading: String {
        let names = names.reversed().joined(separator: ", ")
        return placeholder.isEmpty ? names : "\(names) \(placeholder)"
    }

    /// The help, with the accepted words, the default and the repeatability from the declaration.
    var wholeHelp: String {
        var sentences = [help]
        if !words.isEmpty { sentences.append("One of \(words.joined(separator: ", ")).") }
        if let fallback { sentences.append("Default: \(fallback).") }
        if isRepeatable, form == .option { sentences.append("Repeatable.") }
        return sentences.joined(separator: " ")
    }
}

/// Text laid out in a number of columns.
struct Page {
    /// In narrower pages the meaning is printed below its term.
    private static let widthForColumns = 64
    private static let indent = 2

    private let width: Int
    private var lines: [String] = []

    init(width: Int) {
        self.width = Swift.max(24, Swift.min(width, 100))
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func blank() {
        lines.append("")
    }

    mutating func heading(_ title: String) {
        lines += ["", title]
    }

    mutating func paragraph(_ text: String, indent: Int = 0) {
        let margin = String(repeating: " ", count: indent)
        lines += text.wrapped(to: width - indent).map { margin + $0 }
    }

    /// Sections, each under its heading.
    ///
    /// Their terms share a column; the meaning is beside them, or below in a narrow page.
    mutating func parts(_ parts: [Command.Section]) {
        let longest = parts.flatMap(\.terms).map(\.term.count).max() ?? 0
        for part in parts {
            heading(part.title)
            for text in part.paragraphs { paragraph(text, indent: Self.indent) }
            terms(part.terms, longest: longest)
        }
    }

    private mutating func terms(_ terms: [(term: String, meaning: String)], longest: Int) {
        let isWide = width >= Self.widthForColumns
        let column = isWide ? Self.indent + Swift.min(longest, 24) + 2 : 6
        for (term, meaning) in terms {
            let head = String(repeating: " ", count: Self.indent) + term
            var meaning = meaning.wrapped(to: width - column)
            if isWide, head.count + 2 <= column, !meaning.isEmpty {
                lines.append(head + String(repeating: " ", count: column - head.count) + meaning.removeFirst())
            } else {
                lines += head.wrapped(to: width, indent: 4)
            }
            lines += meaning.map { String(repeating: " ", count: column) + $0 }
        }
    }

    /// A command line that can be copied; a long one is continued with backslashes.
    mutating func command(_ line: String) {
        let words = line.count + Self.indent <= width ? [line] : line.shellWords
        var rows: [String] = []
        for (index, word) in words.enumerated() {
            // An option and its value stay on one line if both fit.
            let next = word.hasPrefix("--") ? words[(index + 1)...].first ?? "-" : "-"
            let length = next.hasPrefix("-") ? word.count : word.count + 1 + next.count
            let space = width - (rows.count == 1 ? Self.indent : Self.indent + 4) - " \\".count
            if let row = rows.last,
                row.count + 1 + length <= space || length > space && row.count + 1 + word.count <= space
            {
                rows[rows.count - 1] = row + " " + word
            } else {
                rows.append(word)
            }
        }
        for (index, row) in rows.enumerated() {
            let indent = String(repeating: " ", count: index == 0 ? Self.indent : Self.indent + 4)
            lines.append(indent + row + (index == rows.count - 1 ? "" : " \\"))
        }
    }
}

extension String {
    /// Lines of at most `width` characters, broken at spaces; all but the first are indented.
    package func wrapped(to width: Int, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var rows: [String] = []
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if let row = rows.last, row.count + 1 + word.count <= width {
                rows[rows.count - 1] = row + " " + word
            } else {
                rows.append((rows.isEmpty ? "" : margin) + word)
            }
        }
        return rows
    }

    /// Lines of at most `width` characters; a broken one continues below the start of its last column.
    ///
    /// A line with a command of this program stays whole, so that it can be copied.
    package func wrappedInColumns(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .flatMap { line -> [String] in
                if line.count <= width || line.contains("oidc-preflight ") { return [line] }
                let start = line.prefix { $0 == " " }.count
                let columns = line.prefix(width / 2).ranges(of: "  ")
                    .map { line.distance(from: line.startIndex, to: $0.upperBound) }
                let column = columns.last { $0 > start }.map { $0 + line.dropFirst($0).prefix { $0 == " " }.count }
                let hanging = column.flatMap { $0 <= width / 2 ? $0 : nil }
                return line.wrapped(to: width, indent: hanging ?? start + 2)
            }
    }

    /// The words of a command line; a quoted one stays whole.
    var shellWords: [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in self {
            if character == quote { quote = nil } else if quote == nil, "\"'".contains(character) { quote = character }
            if character == " ", quote == nil {
                words.append(word)
                word = ""
            } else {
                word.append(character)
            }
        }
        return words + [word]
    }
}
