import JSONTree
import Testing

/// One text and whether RFC 8259 accepts it; the rows follow the kinds of case of the JSON parsing test suites.
struct Acceptance: Sendable, CustomStringConvertible {
    var text: String
    var value: JSON?
    var description: String { text }

    init(_ text: String, _ value: JSON?) {
        self.text = text
        self.value = value
    }
}

@Suite(.timeLimit(.minutes(5))) struct ParsingTests {
    static let accepted: [Acceptance] = [
        Acceptance("[]", []),
        Acceptance(" \t\r\n[ ] \n", []),
        Acceptance("{}", [:]),
        Acceptance("null", nil as JSON? ?? .null),
        Acceptance("true", true),
        Acceptance("false", false),
        Acceptance("\"\"", ""),
        Acceptance("0", 0),
        Acceptance("-0", 0),
        Acceptance("-1", -1),
        Acceptance("9223372036854775807", 9_223_372_036_854_775_807),
        Acceptance("-9223372036854775808", -9_223_372_036_854_775_808),
        Acceptance("9223372036854775808", .bigInteger("9223372036854775808")),
        Acceptance("-9223372036854775809", .bigInteger("-9223372036854775809")),
        Acceptance("1.0", 1.0),
        Acceptance("-0.0", .real(-0.0)),
        Acceptance("1e2", .real(100)),
        Acceptance("1E+2", .real(100)),
        Acceptance("123.456e-1", .real(12.3456)),
        Acceptance("1e400", .real(.infinity)),
        Acceptance("-1e400", .real(-.infinity)),
        Acceptance("1e-400", .real(0)),
        Acceptance(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        Acceptance(#""\u0041\u00e9\u20ac""#, "Aé€"),
        Acceptance(#""\ud83d\ude00""#, "😀"),
        Acceptance(#""a\u0000b""#, "a\u{0}b"),
        Acceptance(#"{"a\u0000b":1}"#, ["a\u{0}b": 1]),
        Acceptance("\"\u{7f}\"", "\u{7f}"),
        Acceptance("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
        Acceptance(#"{"":0}"#, ["": 0]),
        Acceptance(#"{"b":1,"a":[2,{"c":null}]}"#, ["b": 1, "a": [2, ["c": nil]]]),
        Acceptance(
            #"[123456789012345678901234567890,{"x":1e999}]"#,
            [.bigInteger("123456789012345678901234567890"), ["x": .real(.infinity)]]
        ),
        Acceptance(
            #"["\u00011","\u0001\u00010",99999999999999999999]"#,
            ["\u{1}1", "\u{1}\u{1}0", .bigInteger("99999999999999999999")]
        ),
    ]

    static let refused = [
        "[", "]", "{", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}",
        "{\"a\":1 \"b\":2}",
        "{1:1}", "[1]x", "[] []", "nul", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+",
        "0x10",
        "\"", "\"\\\"", "\"\t\"", "\"\n\"", "\"\u{0}\"", #""\x41""#, #""\u00""#,
        "[1]//c", "/*c*/[]", "[1;2]", "{\"a\":1}}", "\u{feff}\u{feff}[]", "[\u{a0}]", "99999999999999999999x", "[1e400",
    ]

    @Test(arguments: accepted)
    func `a valid text yields its value`(_ row: Acceptance) throws {
        let document = try JSONDocument.parse(row.text)
        #expect(document.root == row.value)
        #expect(document.duplicates.isEmpty)
    }

    @Test(arguments: [
        (#""\uD800""#, "\u{FFFD}"), (#""a\uDC00b""#, "a\u{FFFD}b"), (#""\uD800\u0041""#, "\u{FFFD}A"),
        (#""\\uD800 \ud83d\ude00\ud83d""#, "\\uD800 😀\u{FFFD}"),
    ])
    func `half of a surrogate pair is read as U+FFFD, and reported`(text: String, value: String) throws {
        let document = try JSONDocument.parse(text)
        #expect(document.root == .string(value))
        #expect(document.hadLoneSurrogates)
        #expect(try !JSONDocument.parse(#""\ud83d\ude00""#).hadLoneSurrogates)
    }

    @Test(arguments: accepted)
    func `serialised text reads as the same value`(_ row: Acceptance) throws {
        let value = try #require(row.value)
        #expect(try JSONDocument.parse(value.serialized()).root == value)
        #expect(try JSONDocument.parse(value.serialized(pretty: true)).root == value)
    }

    @Test(arguments: refused)
    func `an invalid text is refused as a syntax error`(_ text: String) {
        do {
            let document = try JSONDocument.parse(text)
            Issue.record("accepted as \(document.root)")
        } catch {
            guard case .syntax(_, let line, let column, let offset) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(line >= 1 && column >= 1 && offset <= text.utf8.count)
        }
    }

    @Test(arguments: ["", " ", "\n\t\r ", "\u{feff}"])
    func `no text is reported as empty`(_ text: String) {
        #expect(throws: JSONError.empty) { try JSONDocument.parse(text) }
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1),
            ([0x5B, 0x22, 0x61, 0xC3, 0x28, 0x22, 0x5D], 3),
            ([0x22, 0xC0, 0xAF, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0xEF, 0xBB, 0xBF, 0x22, 0x61, 0xFF, 0x22], 5),
            ([0x5B, 0x31, 0x5D, 0xFE], 3),
        ] as [([UInt8], Int)]
    )
    func `bytes that are not UTF-8 are refused with their offset`(_ bytes: [UInt8], _ offset: Int) {
        #expect(throws: JSONError.invalidUTF8(offset: offset)) { try JSONDocument.parse(bytes) }
    }

    @Test func `the offset of a later fault survives earlier substitutions`() {
        let text = #"{"a":99999999999999999999,"a":1,"b":]"#
        do {
            _ = try JSONDocument.parse(text)
            Issue.record("accepted")
        } catch {
            guard case .syntax(_, 1, let column, let offset) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(column == text.count)
            #expect(offset == text.count)
        }
    }

    @Test func `a fault is found by line and column`() {
        do {
            _ = try JSONDocument.parse("{\n  \"é\": 1,\n  \"b\" 2\n}")
            Issue.record("accepted")
        } catch {
            guard case .syntax(let message, 3, 7, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains("':' expected"))
        }
    }

    @Test func `a byte order mark is ignored and recorded`() throws {
        let document = try JSONDocument.parse([0xEF, 0xBB, 0xBF, 0x7B, 0x7D])
        #expect(document.hadByteOrderMark)
        #expect(document.root == [:])
        #expect(try !JSONDocument.parse("{}").hadByteOrderMark)
    }

    @Test func `nesting is accepted up to the limit and refused beyond`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "0" + String(repeating: "}]", count: depth / 2)
        }
        _ = try JSONDocument.parse(nested(64))
        #expect(throws: JSONError.tooDeep(limit: 64)) { try JSONDocument.parse(nested(66)) }
        #expect(throws: JSONError.tooDeep(limit: 1_024)) {
            try JSONDocument.parse(String(repeating: "[", count: 1_000_000), depthLimit: 1_000_000)
        }
        _ = try JSONDocument.parse("\"" + String(repeating: "[", count: 100) + "\"")
        _ = try JSONDocument.parse(nested(1_000), depthLimit: 1_000)
    }

    @Test(arguments: [
        ("[1,2,3]", 4), ("[]", 2), ("7", 1), (#"{"a":[",,,[[",{}],"b":"x"}"#, 6), ("[[1],[2,3]]", 6),
    ])
    func `a text with more values than the limit is refused before it is read`(text: String, values: Int) throws {
        _ = try JSONDocument.parse(text, valueLimit: values)
        if values < 2 { return }
        #expect(throws: JSONError.tooManyValues(limit: values - 1)) {
            try JSONDocument.parse(text, valueLimit: values - 1)
        }
    }

    @Test(
        "brackets in strings are no depth, wherever a string seems to end",
        arguments: [
            (#"["[[[[", "{\"[[[[", "\\", "[["]"#, 1), (#"["\\\"[[[[\\", ["a\"b"]]"#, 2), (#"["", "\\", [["\""]]]"#, 3),
        ]
    )
    func bracketsInStrings(text: String, depth: Int) throws {
        _ = try JSONDocument.parse(text, depthLimit: depth)
        #expect(throws: JSONError.tooDeep(limit: depth - 1)) { try JSONDocument.parse(text, depthLimit: depth - 1) }
    }

    @Test(
        "a string without an end is no endless search",
        arguments: [#"["abc"#, #"["abc\"#, #"["abc\""#, "\"", #""\"#]
    )
    func unfinished(text: String) {
        #expect(throws: JSONError.self) { try JSONDocument.parse(text) }
    }
}
