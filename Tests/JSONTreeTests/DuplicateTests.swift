import JSONTree
import Testing

@Suite(.timeLimit(.minutes(5))) struct DuplicateTests {
    struct Row: Sendable, CustomStringConvertible {
        var text: String
        var value: JSON
        var duplicates: [JSONPointer]
        var description: String { text }
    }

    @Test(arguments: [
        Row(text: #"{"a":1,"a":2}"#, value: ["a": 2], duplicates: ["/a"]),
        Row(text: #"{"a":1,"a":2,"a":3}"#, value: ["a": 3], duplicates: ["/a", "/a"]),
        Row(text: #"{"a":1,"b":0,"\u0061":2}"#, value: ["a": 2, "b": 0], duplicates: ["/a"]),
        Row(
            text: #"{"a":{"b":1,"b":{"c":[{"d":1,"d":2}]}}}"#,
            value: ["a": ["b": ["c": [["d": 2]]]]],
            duplicates: ["/a/b", "/a/b/c/0/d"]
        ),
        Row(text: #"[{"x/y~":1,"x/y~":2},{"x/y~":3}]"#, value: [["x/y~": 2], ["x/y~": 3]], duplicates: ["/0/x~1y~0"]),
        Row(text: #"{"\"":1,"\"":2}"#, value: ["\"": 2], duplicates: ["/\""]),
        Row(text: #"{"\\":1,"\\":2}"#, value: ["\\": 2], duplicates: ["/\\"]),
        Row(text: #"{"":1,"":2}"#, value: ["": 2], duplicates: ["/"]),
        Row(text: #"{"\u0000":1,"\u0000":2}"#, value: ["\u{0}": 2], duplicates: ["/\u{0}"]),
        Row(
            text: #"{"a":18446744073709551616,"a":36893488147419103232}"#,
            value: ["a": .bigInteger("36893488147419103232")],
            duplicates: ["/a"]
        ),
        Row(text: #"{"\u00010":1,"\u00010":2}"#, value: ["\u{1}0": 2], duplicates: ["/\u{1}0"]),
        Row(text: "{\"\u{e9}\":1,\"e\u{301}\":2}", value: ["\u{e9}": 1, "e\u{301}": 2], duplicates: []),
    ])
    func `a repeated member is recorded and the last value kept`(_ row: Row) throws {
        let document = try JSONDocument.parse(row.text)
        #expect(document.root == row.value)
        #expect(document.duplicates == row.duplicates)
        #expect(document.root.serialized() == row.value.serialized())
    }

    @Test func `more repetitions than are worth recording are refused`() throws {
        func repeated(_ count: Int) -> String {
            "{\"a\":0" + String(repeating: ",\"a\":1", count: count) + "}"
        }
        #expect(try JSONDocument.parse(repeated(256)).duplicates.count == 256)
        #expect(throws: JSONError.tooManyAnomalies(limit: 256)) { try JSONDocument.parse(repeated(257)) }
    }

    @Test func `a long text gets fewer repetitions, so that reading it stays quick`() {
        let filler = "\"" + String(repeating: "x", count: 1_048_576) + "\""
        let repeated = "{\"a\":0" + String(repeating: ",\"a\":1", count: 256) + "}"
        #expect(throws: JSONError.tooManyAnomalies(limit: 31)) { try JSONDocument.parse("[\(filler),\(repeated)]") }
    }

    @Test func `a text made of sentinel look-alikes is refused rather than grown`() throws {
        let text = "[\"" + String(repeating: #"\u0001"#, count: 100) + "\",{\"a\":1,\"a\":2}]"
        #expect(throws: JSONError.tooManyAnomalies(limit: 256)) { try JSONDocument.parse(text) }
        #expect(
            try JSONDocument.parse("[\"" + String(repeating: #"\u0001"#, count: 100) + "\"]").root.arrayValue?.count
                == 1
        )
    }
}
