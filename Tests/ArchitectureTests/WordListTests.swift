import Foundation
import Testing

/// The table of words in Documentation/Style.md, read over the sources, the hand-written pages and the names of tests.
@Suite("Word list", .timeLimit(.minutes(5)))
struct WordListTests {
    /// The phrases of the table's left column, keyed by their first word.
    private struct Table {
        private var phrases: [Substring: [(words: [Substring], instead: String)]] = [:]

        init(_ page: String) {
            let rows = page.components(separatedBy: "\n").drop { $0 != "| not | but |" }.dropFirst(2)
            for row in rows.prefix(while: { $0.hasPrefix("|") }) {
                let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 2 else { continue }
                for phrase in cells[0].components(separatedBy: ", ") {
                    let words = phrase.split(separator: " ")
                    if let first = words.first { phrases[first, default: []].append((words, cells[1])) }
                }
            }
        }

        var isEmpty: Bool { phrases.isEmpty }

        func found(in text: String) -> [(phrase: String, instead: String)] {
            let words = text.lowercased().split { !$0.isLetter && $0 != "-" && $0 != "_" && $0 != "." }
                .map { $0.hasSuffix(".") ? $0.dropLast() : $0 }
            return words.indices.flatMap { index in
                (phrases[words[index]] ?? [])
                    .filter { words[index...].starts(with: $0.words) }
                    .map { ($0.words.joined(separator: " "), $0.instead) }
            }
        }
    }

    private struct Exception: Hashable {
        let file: String
        let phrase: String
    }

    private static let table = Table(Prose.text(of: "Documentation/Style.md"))

    private static let exceptions = Prose.text(of: "Tests/Fixtures/word-exceptions.tsv").split(separator: "\n")
        .filter { !$0.hasPrefix("#") }
        .map { $0.components(separatedBy: "\t") }

    @Test("the table of words is read")
    func table() {
        #expect(!Self.table.isEmpty)
        #expect(Self.table.found(in: "Nobody is told.").map(\.phrase) == ["nobody", "told"])
    }

    @Test(
        "texts of each kind are read",
        arguments: [
            "Sources/Commands/CheckCommand.swift", "Sources/OIDCPreflight/OIDCPreflight.docc/JudgeAToken.md",
            "README.md", "CHANGELOG.md", "Documentation/Fleet.md", "action.yml", ".pre-commit-hooks.yaml",
            "Profiles/openid.yaml", "templates/preflight.yml", "Integrations/examples/gitlab.yml",
            "Deploy/kubernetes/fleet.yaml", "Sources/Preflight/Explanations/consequences.tsv",
            "Tests/Fixtures/coverage/misconfigurations.tsv",
            "Tests/Fixtures/coverage/oidf-conditions.tsv", "Tests/Fixtures/coverage/oidf-modules.tsv",
            "Tests/Fixtures/levels.tsv", "Tests/Fixtures/platform-differences.tsv",
            "Tests/Fixtures/coverage/README.md", "Tests/InteropTests/README.md", "Reports/samples/README.md",
            "Reports/report.schema.json", "Reports/joint-report.schema.json", "Reports/targets-report.schema.json",
            "Sources/CShims/curl.c", "Scripts/clients/compare.py", "Tests/ReportingTests/read_archive.py",
            "Documentation/Benchmarks/Fleet/README.md", "Documentation/Benchmarks/Fleet/run.sh", ".ci/run", "Makefile",
            "Scripts/test.sh", "Scripts/clients/openid_connect.rb", "Tests/InteropTests/Providers/lab.sh",
            "Tests/InteropTests/Expected/canaille.yaml",
            "Tests/ArchitectureTests/WordListTests.swift",
            "Examples/OwnServerTests/Tests/OwnServerTests/FirstTest.swift",
        ]
    )
    func reads(file: String) {
        #expect(Prose.all.contains { $0.file == file && !$0.text.isEmpty })
    }

    @Test(
        "the messages of scripts are read, and their code is not",
        arguments: [
            ("Scripts/python.sh", "tests could not be installed"), ("Scripts/test-all.sh", "unknown step"),
            ("Tests/ReportingTests/use_page.py", "an injected script runs"),
        ]
    )
    func messages(file: String, words: String) {
        let lines = Prose.all.filter { $0.file == file }
        #expect(lines.contains { $0.isText && $0.text.contains(words) })
        #expect(!lines.contains { $0.text.contains("import sys") || $0.text.contains("set -eu") })
    }

    @Test("texts use the words of the style guide")
    func words() {
        let allowed = Set(Self.exceptions.filter { $0[0] != "names" }.map { Exception(file: $0[0], phrase: $0[1]) })
        var used: Set<Exception> = []
        for line in Prose.all {
            for (phrase, instead) in Self.table.found(in: line.text) {
                let exception = Exception(file: line.file, phrase: phrase)
                guard !allowed.contains(exception) else {
                    used.insert(exception)
                    continue
                }
                Issue.record("\(line.file):\(line.number): “\(phrase)” is not a word of the field: \(instead)")
            }
        }
        #expect(allowed == used, "an exception that no text needs: remove it")
        #expect(Self.exceptions.allSatisfy { $0.count == 3 && !$0[2].isEmpty }, "an exception has a reason")
    }

    @Test("names in the sources use the words of the style guide")
    func names() throws {
        let allowed = Set(Self.exceptions.filter { $0[0] == "names" }.map { $0[1] })
        var used: Set<String> = []
        for file in try ["Sources", "Profiles", "Plugins"].flatMap(Repository.swiftFiles) {
            for line in Prose.names(file) {
                for (phrase, instead) in Self.table.found(in: line.words.joined(separator: " ")) {
                    guard !allowed.contains(phrase) else {
                        used.insert(phrase)
                        continue
                    }
                    Issue.record("\(file.path):\(line.number): a name contains “\(phrase)”: \(instead)")
                }
            }
        }
        #expect(allowed == used, "an exception that no name needs: remove it")
    }

    @Test("names of files use the words of the style guide")
    func fileNames() throws {
        let allowed = Set(Self.exceptions.filter { $0[0] == "names" }.map { $0[1] })
        for file in try ["Sources", "Profiles", "Plugins", "Tests"].flatMap(Repository.swiftFiles) {
            let words = Prose.words(in: file.path.split(separator: "/").last ?? "").joined(separator: " ")
            for (phrase, instead) in Self.table.found(in: words) where !allowed.contains(phrase) {
                Issue.record("\(file.path): the name contains “\(phrase)”: \(instead)")
            }
        }
    }

    @Test("no sentence begins with a relative clause as its subject")
    func subjects() {
        let openings: Set<Substring> = ["What", "Who", "Whoever"]
        for line in Prose.all where line.isText {
            for sentence in Prose.sentences(line.text) {
                guard let first = sentence.split(separator: " ").first, openings.contains(first) else { continue }
                #expect(sentence.hasSuffix("?"), "\(line.file):\(line.number): \(sentence)")
            }
        }
    }
}

/// The prose of the repository: string literals and comments of the sources, the lines of hand-written pages and of
/// templates, the texts of tables, the descriptions of schemas, the comments of programs, the messages of scripts, and the
/// names of tests.
enum Prose {
    struct Line: Sendable {
        let file: String
        let number: Int
        let text: String
        /// Whether a user reads it: a literal or a page, and no comment.
        let isText: Bool
    }

    static func text(of file: String) -> String {
        (try? String(contentsOfFile: Repository.root + "/" + file, encoding: .utf8)) ?? ""
    }

    static let all: [Line] = {
        let swiftFiles = { (folders: [String]) in folders.flatMap { (try? Repository.swiftFiles(in: $0)) ?? [] } }
        let kinds: [[Line]] = [
            swiftFiles(["Sources", "Profiles"]).flatMap(swift),
            swiftFiles(["Tests", "Examples/OwnServerTests"]).flatMap(test),
            pages.flatMap(page),
            templates.flatMap(template),
            tables.flatMap { table($0.file, $0.columns) },
            schemas.flatMap(schema),
            programs.flatMap(program),
        ]
        return kinds.flatMap(\.self)
    }()

    /// The sentences of a text; a colon or a semicolon ends none.
    static func sentences(_ text: String) -> [Substring] {
        var sentences: [Substring] = []
        var start = text.startIndex
        for index in text.indices where text[index] == " " && index > start {
            guard ".!?".contains(text[text.index(before: index)]) else { continue }
            sentences.append(text[start..<index])
            start = text.index(after: index)
        }
        return sentences + [text[start...]]
    }

    private static let pages: [String] = {
        // The folders below Documentation contain generated pages; those of the benchmarks have prose of their own.
        let documents = files(in: "Documentation", ending: ".md")
            .filter { $0.split(separator: "/").count == 2 && $0 != "Documentation/Style.md" }
        return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] + documents
            + files(in: "Sources", ending: ".md") + files(in: "Tests/Fixtures", ending: "/README.md")
            + ["Tests/InteropTests/README.md", "Reports/samples/README.md"]
            + ["Documentation/Benchmarks/README.md", "Documentation/Benchmarks/Fleet/README.md"]
    }()

    private static let templates =
        ["action.yml", ".pre-commit-hooks.yaml", "Makefile"] + files(in: "Profiles", ending: ".yaml")
        + ["templates", "Integrations", "Deploy"].flatMap { files(in: $0) }
        // The gates in the folder of platforms are values.
        + files(in: "Tests/InteropTests/Expected", ending: ".yaml").filter { !$0.contains("/platforms/") }

    /// The tables of texts that users read, and the columns of these texts.
    private static let tables = [
        (file: "Sources/Preflight/Explanations/consequences.tsv", columns: ["because"]),
        (file: "Tests/Fixtures/coverage/misconfigurations.tsv", columns: ["happens", "reason"]),
        (file: "Tests/Fixtures/coverage/oidf-conditions.tsv", columns: ["requires", "reason"]),
        (file: "Tests/Fixtures/coverage/oidf-modules.tsv", columns: ["requires", "reason"]),
        (file: "Tests/Fixtures/levels.tsv", columns: ["because"]),
        (file: "Tests/Fixtures/platform-differences.tsv", columns: ["because"]),
    ]

    /// The schemas of reports, whose descriptions users read.
    private static let schemas = files(in: "Reports", ending: ".schema.json")

    /// The programs in C, and the scripts.
    private static let programs =
        files(in: "Sources/CShims", ending: ".c") + files(in: "Sources/CShims", ending: ".h") + [".ci/run"]
        + ["Scripts", "Tests", "Documentation"]
        .flatMap { folder in [".py", ".rb", ".sh"].flatMap { files(in: folder, ending: $0) } }

    private static func files(in folder: String, ending suffix: String = "") -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/" + folder)) ?? []).sorted()
            .filter { $0.hasSuffix(suffix) }
            .map { "\(folder)/\($0)" }
    }

    /// The lines of a page outside of code blocks, without the text between backticks; no notes of released versions.
    private static func page(_ file: String) -> [Line] {
        var isCode = false
        return text(of: file).components(separatedBy: "\n").prefix { $0.prefixMatch(of: #/## \d+\.\d/#) == nil }
            .enumerated()
            .compactMap { index, line in
                if line.hasPrefix("```") { isCode.toggle() }
                guard !isCode, !line.hasPrefix("```") else { return nil }
                // The target of a link is a name.
                let text = withoutCode(line).replacing(#/\]\([^)]*\)/#, with: "]")
                return Line(file: file, number: index + 1, text: text, isText: true)
            }
    }

    /// The lines of a template or a profile: comments, descriptions and reasons.
    private static func template(_ file: String) -> [Line] {
        text(of: file).components(separatedBy: "\n").enumerated()
            .map { index, line in
                let text = withoutCode(String(line.drop { " #/".contains($0) }))
                return Line(file: file, number: index + 1, text: text, isText: true)
            }
    }

    private static func table(_ file: String, _ columns: [String]) -> [Line] {
        let rows = text(of: file).components(separatedBy: "\n").map { $0.components(separatedBy: "\t") }
        let heading = rows.first { $0.count > 1 } ?? []
        return rows.enumerated()
            .flatMap { index, cells in
                zip(heading, cells).filter { columns.contains($0.0) }
                    .map { Line(file: file, number: index + 1, text: $0.1, isText: true) }
            }
    }

    /// The descriptions of a schema.
    private static func schema(_ file: String) -> [Line] {
        text(of: file).components(separatedBy: "\n").enumerated()
            .flatMap { index, line in
                line.matches(of: #/"description": "((?:[^"\\]|\\.)*)"/#)
                    .map { Line(file: file, number: index + 1, text: withoutCode(String($0.output.1)), isText: true) }
            }
    }

    /// The lines of a program that begin with a comment, the documentation strings of Python, and the messages of scripts:
    /// their literals and here-documents.
    private static func program(_ file: String) -> [Line] {
        let isScript = !file.hasPrefix("Sources/")
        let hasDocuments = isScript && !file.hasSuffix(".py")
        var isBlock = false
        var end: String?
        return text(of: file).components(separatedBy: "\n").enumerated()
            .compactMap { index, line in
                if line == end { end = nil }
                let isDocument = end != nil
                if hasDocuments, end == nil, let match = line.firstMatch(of: #/<<['"]?([A-Z]+)/#) {
                    end = String(match.output.1)
                }
                let marks = line.components(separatedBy: "\"\"\"").count - 1
                defer { if !marks.isMultiple(of: 2) { isBlock.toggle() } }
                let code = line.drop { $0 == " " }
                let isComment = ["# ", "//", "/*", "* "].contains { code.hasPrefix($0) }
                if isBlock || marks > 0 || isComment || isDocument {
                    return Line(file: file, number: index + 1, text: withoutCode(line), isText: isDocument)
                }
                let literals = isScript ? swift(line).map(\.text).joined(separator: ". ") : ""
                return literals.isEmpty ? nil : Line(file: file, number: index + 1, text: literals, isText: true)
            }
    }

    /// The comments of a test file and the names of its tests; its other literals are data.
    private static func test(_ file: Repository.SourceFile) -> [Line] {
        var isBlock = false
        var isName = false
        return file.lines.enumerated()
            .compactMap { index, line in
                let delimits = line.contains("\"\"\"")
                defer {
                    if delimits { isBlock.toggle() }
                    isName = line.hasSuffix("@Test(") || line.hasSuffix("@Suite(")
                }
                guard !delimits, !isBlock, let text = test(line, isName: isName) else { return nil }
                return Line(file: file.path, number: index + 1, text: text, isText: false)
            }
    }

    private static func test(_ line: String, isName: Bool) -> String? {
        if let range = line.range(of: "func `") { return String(line[range.upperBound...].prefix { $0 != "`" }) }
        let code = line.drop { $0 == " " }
        let isProse = isName || code.hasPrefix("//") || code.contains("@Test(\"") || code.contains("@Suite(\"")
        return isProse ? swift(line).first?.text : nil
    }

    /// The words of the identifiers of each line, such as three for `isMadeUp`; the content of literals is no name.
    static func names(_ file: Repository.SourceFile) -> [(number: Int, words: [String])] {
        var isBlock = false
        return file.lines.enumerated()
            .compactMap { index, line in
                if line.contains("\"\"\"") { isBlock.toggle() }
                guard !isBlock, !line.drop(while: { $0 == " " }).hasPrefix("//") else { return nil }
                let code = line.replacing(#/\\.|\/\/.*/#, with: " ")
                    .split(separator: "\"", omittingEmptySubsequences: false)
                let names = code.enumerated().filter { $0.offset.isMultiple(of: 2) }
                return (index + 1, names.flatMap { words(in: $0.element) })
            }
    }

    /// The words of a name in camel case.
    static func words(in name: Substring) -> [String] {
        name.matches(of: #/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/#).map { String($0.output) }
    }

    private static func withoutCode(_ line: String) -> String {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "_" }.joined()
    }

    private static func swift(_ file: Repository.SourceFile) -> [Line] {
        var isBlock = false
        return file.lines.enumerated()
            .flatMap { index, line -> [Line] in
                let delimits = line.contains("\"\"\"")
                defer { if delimits { isBlock.toggle() } }
                guard !delimits else { return [] }
                // Pages and scripts: the tags are names.
                let block = { withoutInterpolations(line).replacing(#/<[^>]*>/#, with: " ") }
                return (isBlock ? [(block(), true)] : swift(line))
                    .map { Line(file: file.path, number: index + 1, text: $0.0, isText: $0.1) }
            }
    }

    /// The comment or the literals of a line of Swift; a literal without a blank is a name.
    private static func swift(_ line: String) -> [(text: String, isText: Bool)] {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { return [(withoutCode(withoutParameter(code.drop { $0 == "/" })), false)] }
        guard code.contains("\"") else { return [] }
        return withoutInterpolations(String(code)).split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) && $0.element.contains(" ") }
            .map { (withoutCode(String($0.element)), true) }
    }

    /// A comment without the name of the parameter that it documents.
    private static func withoutParameter(_ comment: Substring) -> String {
        guard comment.drop(while: { $0 == " " }).hasPrefix("- "), let colon = comment.firstIndex(of: ":") else {
            return String(comment)
        }
        return String(comment[colon...])
    }

    /// A line without its interpolations, which are code, and without escaped characters.
    private static func withoutInterpolations(_ line: String) -> String {
        var prose = ""
        var depth = 0
        var isEscaped = false
        for character in line {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if isEscaped {
                isEscaped = false
                if character == "(" { depth = 1 }
            } else if character == "\\" {
                isEscaped = true
            } else {
                prose.append(character)
            }
        }
        return prose
    }
}
