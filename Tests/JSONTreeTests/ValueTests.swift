import JSONTree
import Testing

@Suite(.timeLimit(.minutes(5))) struct ValueTests {
    private let sample: JSON = ["a": [1, 2.5, "x", true, nil], "b/c": ["~": "deep"], "": 0, "s": ["p", "q"]]

    @Test func `a value reports its kind, and returns no value of another kind`() {
        #expect(JSON.bigInteger("1").kind == .integer)
        #expect(sample["a"]?.kind.phrase == "an array")
        #expect(sample["a"]?.strings == nil)
        #expect(sample["s"]?.strings == ["p", "q"])
        #expect(JSON.real(3).integerValue == nil)
        #expect(JSON.bigInteger("18446744073709551616").numberValue == 18_446_744_073_709_551_616)
        #expect(JSON.integer(3).numberValue == 3)
        #expect(JSON.null.isNull && !JSON.bool(false).isNull)
        #expect(JSON.string("true").boolValue == nil)
        #expect(sample["missing"] == nil && sample["a"]?["b"] == nil)
    }

    @Test(
        arguments: [
            ("/a/0", 1), ("/a/3", true), ("/b~1c/~0", "deep"), ("/", 0), ("/s/1", "q"),
        ] as [(String, JSON)]
    )
    func `a pointer leads to its value`(_ text: String, _ value: JSON) throws {
        let pointer = try #require(JSONPointer(text: text))
        #expect(sample[pointer] == value)
        #expect(pointer.description == text)
    }

    @Test(arguments: ["/a/00", "/a/-", "/a/5", "/a/+1", "/zz", "/a/0/x", "/a/99999999999999999999"])
    func `a pointer to nothing leads nowhere`(_ text: String) throws {
        #expect(sample[try #require(JSONPointer(text: text))] == nil)
    }

    @Test(arguments: ["a", "/~", "/~2", "#/a", "/a~"])
    func `a text that is no pointer is refused`(_ text: String) {
        #expect(JSONPointer(text: text) == nil)
    }

    @Test func `escapes of a pointer are undone in the right order`() throws {
        #expect(try #require(JSONPointer(text: "/~01")).tokens == ["~1"])
        #expect(JSONPointer.root.appending("~1").appending(3).description == "/~01/3")
        #expect(sample[.root] == sample)
        #expect(("/a/b" as JSONPointer).tokens == ["a", "b"])
    }

    @Test func `setting a member keeps its place, appends or removes`() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.names == ["a", "b"])
        #expect(object["a"] == 3)
        object["a"] = "x"
        object["c"] = nil
        object["d"] = .null
        #expect(object.names == ["a", "b", "d"])
        object["b"] = nil
        #expect(object.names == ["a", "d"])
        #expect(object.has("d") && !object.has("b") && object.count == 2 && !object.isEmpty)
    }

    @Test func `names are compared code point by code point`() {
        let object: JSONObject = ["\u{e9}": 1]
        #expect(object["e\u{301}"] == nil)
        #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
    }

    @Test func `text is written compact or indented, with members in order`() throws {
        let value: JSON = [
            "b": [1, [:], []], "a": "\u{1}\u{1f}\"\\\n\u{2028}", "c": .bigInteger("-12345678901234567890"),
        ]
        #expect(
            value.serialized()
                == "{\"b\":[1,{},[]],\"a\":\"\\u0001\\u001f\\\"\\\\\\n\u{2028}\",\"c\":-12345678901234567890}"
        )
        #expect((["x": [1]] as JSON).serialized(pretty: true) == "{\n  \"x\": [\n    1\n  ]\n}")
        let unseen: [(String, String)] = [
            ("\u{7F}\u{85}\u{9B}31m", #"\u007f\u0085\u009b31m"#), ("\u{2028}\u{2029}", #"\u2028\u2029"#),
            ("a\u{202E}b\u{200F}", #"a\u202eb\u200f"#), ("\u{E0041}\u{FEFF}", #"\udb40\udc41\ufeff"#),
            ("é\n\"😀", #"é\n\"😀"#),
        ]
        for (text, written) in unseen {
            #expect(JSON.string(text).serialized(pretty: true) == "\"" + written + "\"")
            #expect(try JSONDocument.parse(JSON.string(text).serialized(pretty: true)).root == .string(text))
        }
    }
}
