import Foundation
import Testing

/// The form of the hand-written pages.
@Suite("Form of the pages", .timeLimit(.minutes(5)))
struct MarkdownLintTests {
    /// One line of a page that breaks a rule.
    struct Fault: Equatable, CustomStringConvertible {
        let line: Int
        let rule: String

        var description: String { "\(line): \(rule)" }
    }

    /// Characters in a line of prose; a table row and a line of code may be longer.
    private static let longestLine = 160

    /// The changelog has longer lines in the entries of earlier releases.
    private static let pages = Pages.texts.filter { page, _ in page != "CHANGELOG.md" }

    @Test("every page has the form of the others")
    func form() {
        #expect(Self.pages.count > 50)
        for (page, text) in Self.pages.sorted(by: { $0.key < $1.key }) {
            for fault in Self.faults(text) { Issue.record("\(page):\(fault)") }
        }
    }

    @Test(
        "each rule finds a fault",
        arguments: [
            ("# A\n\ntext\n", []), ("text\n", ["1: the first line is not the title"]),
            ("# A\n\n# B\n", ["3: a second title"]), ("# A\n\n### B\n", ["3: a heading level is skipped"]),
            ("# A\n\n## B\n\n### C\n\n## D\n", []), ("# A\n\n```\nx\n```\n", ["3: a code block without a language"]),
            ("# A\n\n```sh\n# no title\n", ["3: a code block is not closed"]),
            ("# A\n\n- a\n\n  ```sh\n  x\n  ```\n", []),
            ("# A\n\n````text\n```\n````\n", []),
            ("# A\n\n| a | b |\n| --- | --- |\n| 1 |\n", ["5: a table row has 1 cell, and the first has 2"]),
            (
                "# A\n\n| a | b |\n| --- | --- |\n| `x|y` \\| z | 2 |\n",
                ["5: a table row has 3 cells, and the first has 2"]
            ),
            ("# A\n\n| a | b |\n| --- | --- |\n| `x\\|y` | 2 |\n", []),
            ("# A\n\ntext \n", ["3: a blank at the end"]), ("# A\n\na\tb\n", ["3: a tab"]),
            ("# A\n\n```make\na:\n\tb\n```\n", []), ("# A\n\n```sh\na\tb\n```\n", ["4: a tab"]),
            ("# A\n\n" + String(repeating: "é", count: 160) + "\n", []),
            ("# A\n\n" + String(repeating: "é", count: 161) + "\n", ["3: a line of 161 characters"]),
            ("# A", ["1: no line end at the end of the page"]),
            ("# A\n\n", ["2: an empty line at the end of the page"]),
        ]
    )
    func rules(text: String, faults: [String]) { #expect(Self.faults(text).map(\.description) == faults) }

    /// The faults of a page, in its order.
    static func faults(_ text: String) -> [Fault] {
        var lines = text.components(separatedBy: "\n")
        var faults: [Fault] = []
        var number = 0
        func report(_ rule: String, at line: Int? = nil) { faults.append(Fault(line: line ?? number, rule: rule)) }
        if lines.first?.hasPrefix("# ") != true { report("the first line is not the title", at: 1) }
        let isEnded = lines.last?.isEmpty == true
        if isEnded { lines.removeLast() }
        var fence: (mark: String, language: String, line: Int)?
        var level = 0
        var cells: Int?
        for line in lines {
            number += 1
            if line.hasSuffix(" ") { report("a blank at the end") }
            if line.contains("\t"), fence?.language != "make" { report("a tab") }
            let code = line.drop { $0 == " " }
            let mark = String(code.prefix { $0 == "`" })
            if let open = fence {
                if mark.count >= open.mark.count, code.count == mark.count { fence = nil }
                continue
            }
            if mark.count >= 3 {
                let language = code.dropFirst(mark.count)
                if language.isEmpty { report("a code block without a language") }
                fence = (mark, String(language), number)
                cells = nil
                continue
            }
            if code.hasPrefix("|") {
                let count = Self.cells(code)
                let first = cells ?? count
                if count != first {
                    report("a table row has \(count) cell\(count == 1 ? "" : "s"), and the first has \(first)")
                }
                cells = first
                continue
            }
            cells = nil
            if line.count > longestLine { report("a line of \(line.count) characters") }
            let hashes = line.prefix { $0 == "#" }.count
            guard hashes > 0, line.dropFirst(hashes).hasPrefix(" ") else { continue }
            if hashes == 1, number > 1 { report("a second title") }
            if hashes > level + 1, number > 1 { report("a heading level is skipped") }
            level = hashes
        }
        if let fence { report("a code block is not closed", at: fence.line) }
        if !isEnded { report("no line end at the end of the page") }
        if isEnded, lines.last?.isEmpty == true { report("an empty line at the end of the page") }
        return faults
    }

    /// The cells of a row: a bar with a backslash before it separates none, not even in code (GFM section 4.10).
    private static func cells(_ row: Substring) -> Int {
        var bars = 0
        var isEscaped = false
        for byte in row.utf8 {
            if byte == UInt8(ascii: "|"), !isEscaped { bars += 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return bars - (row.hasSuffix("|") ? 1 : 0)
    }
}
