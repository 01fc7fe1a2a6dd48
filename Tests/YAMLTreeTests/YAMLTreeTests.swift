import Testing
import YAMLTree

@Suite("YAML", .timeLimit(.minutes(5)))
struct YAMLTreeTests {
    private func refusal(_ text: String, limits: YAML.Limits = YAML.Limits()) -> YAMLError? {
        refusal(Array(text.utf8), limits: limits)
    }

    private func refusal(_ bytes: [UInt8], limits: YAML.Limits = YAML.Limits()) -> YAMLError? {
        do throws(YAMLError) {
            _ = try YAML.parse(bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test("unusual texts are accepted or rejected as listed", arguments: Sample.all.map(\.name))
    func samples(name: String) throws {
        let sample = try #require(Sample.all.first { $0.name == name })
        let error = refusal(sample.bytes)
        switch sample.outcome {
        case .tree, .elsewhere, .refusedThere: #expect(error == nil)
        case .refused, .refusedHere: #expect(error != nil)
        }
    }

    @Test("a text is read as a tree with places, styles and scalars")
    func tree() throws {
        let text = "a: 1 # one\n\"b\": ['x', {y: |\n  z\n}]\n".replacing("{y: |\n  z\n}", with: "{y: \"\\u007a\"}")
        let root = try YAML.parse(text)
        #expect(
            Lines.of(root) == [
                "0 mapping 1:1", "1 scalar 1:1 plain ? a", "1 scalar 1:4 plain ? 1", "1 scalar 2:1 doubleQuoted str b",
                "1 sequence 2:6", "2 scalar 2:7 singleQuoted str x", "2 mapping 2:12", "3 scalar 2:13 plain ? y",
                "3 scalar 2:16 doubleQuoted str z",
            ]
        )
        #expect(root.mapping?.map { $0.key.scalar?.text } == ["a", "b"])
        #expect(root.sequence == nil && root.scalar == nil)
    }

    @Test(
        "only quotes, blocks and !!str guarantee a string",
        arguments: [
            ("12", false), ("'12'", true), ("\"12\"", true), ("|\n 12", true), (">\n 12", true), ("!!str 12", true),
            ("!!str '12'", true), ("!!int '12'", false), ("!!null", false), ("", false), ("!!str", true),
        ]
    )
    func certainty(text: String, isText: Bool) throws {
        let root = try YAML.parse("a: \(text)\n")
        #expect(root.mapping?.first?.value.scalar?.isText == isText)
    }

    @Test(
        "columns count Unicode scalar values, and lines end as in YAML 1.1",
        arguments: [
            ("é: x", 1, 4), ("e\u{301}: x", 1, 5), ("😀: x", 1, 4), ("👩‍👩‍👧: x", 1, 8), ("a:\t\tx", 1, 5),
            ("# c\r\na: x", 2, 4), ("# c\ra: x", 2, 4), ("# c\u{85}a: x", 2, 4), ("# c\u{2028}a: x", 2, 4),
            ("\u{FEFF}a: x", 1, 4),
        ]
    )
    func columns(text: String, line: Int, column: Int) throws {
        let value = try YAML.parse(text).mapping?.first?.value
        #expect(value?.place == YAML.Place(line: line, column: column))
    }

    @Test(
        "an error is reported with its place",
        arguments: [
            ("a: b\na: c\n", "“a” is written more than once, first at line 1 column 1, at line 2 column 1"),
            (
                "a: {b: c, d: e, \"b\": f}",
                "“b” is written more than once, first at line 1 column 5, at line 1 column 17"
            ),
            ("a: !mine b", "the tag !mine is not supported: remove it, at line 1 column 4"),
            ("a: !!python/object:x b", "the tag !!python/object:x is not supported: remove it, at line 1 column 4"),
            ("a: !<x:y> b", "the tag !<x:y> is not supported: remove it, at line 1 column 4"),
            ("a: !!seq b", "the tag !!seq does not fit its value: remove it, at line 1 column 4"),
            ("a: b\n--- c\n", "a second document begins: keep one to a file, at line 2 column 1"),
            ("a: *b\n", "found undefined alias, at line 1 column 4"),
            (
                "a: &b [*b]\n",
                "the alias *b is inside the value that it refers to, which begins at line 1 column 4, at line 1 column 8"
            ),
            ("a: {<<: b}", "the merge key << is not part of YAML 1.2: write the keys out, at line 1 column 5"),
            ("a: [b", "did not find expected ',' or ']', at line 1 column 6"),
            ("a: [b\n", "did not find expected ',' or ']', at line 2 column 1"),
            ("a: b\nc: \"d\n", "found unexpected end of stream, at line 3 column 1"),
            ("a: b\nc: é\u{1}\n", "control characters are not allowed, at line 2 column 5"),
            ("\u{FEFF}a: é\u{1}\n", "control characters are not allowed, at line 1 column 5"),
            ("", "the text is empty, at line 1 column 1"), ("# c\n", "the text is empty, at line 2 column 1"),
        ]
    )
    func errors(text: String, message: String) {
        #expect(refusal(text)?.description == message)
    }

    @Test(
        "invalid UTF-8 is rejected with its place, and other encodings with their names",
        arguments: [
            (Array("a: é".utf8) + [0x0A, 0xFF], "invalid leading UTF-8 octet, at line 2 column 1"),
            ([0xFF, 0xFE, 0x61, 0], "the text is encoded in UTF-16: save it as UTF-8, at line 1 column 1"),
            ([0xFE, 0xFF, 0, 0x61], "the text is encoded in UTF-16: save it as UTF-8, at line 1 column 1"),
            ([0x61, 0, 0x3A, 0], "the text is encoded in UTF-16: save it as UTF-8, at line 1 column 1"),
            ([0, 0x61, 0, 0x3A], "the text is encoded in UTF-16: save it as UTF-8, at line 1 column 1"),
            ([0xFF, 0xFE, 0, 0, 0x61], "the text is encoded in UTF-32: save it as UTF-8, at line 1 column 1"),
            ([0, 0, 0xFE, 0xFF, 0], "the text is encoded in UTF-32: save it as UTF-8, at line 1 column 1"),
            ([0x61, 0, 0, 0], "the text is encoded in UTF-32: save it as UTF-8, at line 1 column 1"),
        ] as [([UInt8], String)]
    )
    func encodings(bytes: [UInt8], message: String) {
        #expect(refusal(bytes)?.description == message)
    }

    // MARK: Limits

    @Test("a text of the maximum size is accepted, and one byte more is rejected")
    func size() {
        let text = "a: " + String(repeating: "x", count: 1_024 * 1_024 - 3)
        #expect(refusal(text) == nil)
        let error = refusal(text + "x")
        #expect(error?.reason == .tooLarge(limit: 1_024 * 1_024))
        #expect(error?.place == YAML.Place(line: 1, column: 1_024 * 1_024 + 1))
    }

    @Test(
        "64 levels are accepted, and 65 are rejected",
        arguments: [
            (String(repeating: "[", count: 64) + String(repeating: "]", count: 64), nil),
            (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 65),
            (String(repeating: "- ", count: 64) + "a", nil), (String(repeating: "- ", count: 65) + "a", 129),
            (String(repeating: "{a: ", count: 65), 257), (String(repeating: "[", count: 1_000_000), 65),
        ] as [(String, Int?)]
    )
    func depth(text: String, column: Int?) {
        let error = refusal(text)
        #expect(error.map(\.reason) == column.map { _ in .tooDeep(limit: 64) })
        #expect(error?.place.column == column)
    }

    @Test("an alias counts with the depth of its anchor")
    func depthOfAliases() {
        let text = (1...70).map { "- &a\($0) [\($0 == 1 ? "x" : "*a\($0 - 1)")]\n" }.joined()
        let error = refusal(text)
        #expect(error?.reason == .tooDeep(limit: 64))
        // The element in line 63 has a depth of 63, plus the list.
        #expect(error?.place.line == 64)
    }

    @Test("an alias of an empty list counts as a level", arguments: [(63, true), (64, false)])
    func depthOfEmptyAliases(levels: Int, isRead: Bool) {
        let open = String(repeating: "[", count: levels - 1)
        let close = String(repeating: "]", count: levels - 1)
        let error = refusal("[&x [], \(open)*x\(close)]")
        #expect((error == nil) == isRead)
    }

    @Test("values up to the limit are accepted, and one more is rejected")
    func nodes() {
        let limits = YAML.Limits(nodes: 5)
        #expect(refusal("[a, b, c, d]", limits: limits) == nil)
        #expect(refusal("[a, b, c, d, e]", limits: limits)?.reason == .tooManyNodes(limit: 5))
        #expect(refusal("{a: &x b, c: *x}", limits: limits) == nil)
        let error = refusal("[&x [a, b], *x]", limits: limits)
        #expect(error?.reason == .tooManyNodes(limit: 5))
        #expect(error?.place == YAML.Place(line: 1, column: 13))
    }

    @Test("a billion laughs attack is rejected cheaply")
    func laughs() {
        let lines = (1...9)
            .map { level in
                let name = level == 1 ? "lol" : "*a\(level - 1)"
                return "a\(level): &a\(level) [\(Array(repeating: name, count: 10).joined(separator: ", "))]\n"
            }
        let error = refusal(lines.joined())
        #expect(error?.reason == .tooManyNodes(limit: 100_000))
        #expect(error?.place.line == 5)
        #expect(error.map { "\($0)" }?.contains("with each alias (*) counted as its full content") == true)
    }

    @Test("the library reports its version")
    func version() {
        #expect(YAMLLibrary.version.hasPrefix("0."))
    }
}
