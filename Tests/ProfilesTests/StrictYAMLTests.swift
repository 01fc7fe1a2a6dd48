import Profiles
import Testing

@Suite("Unknown keys", .timeLimit(.minutes(5)))
struct UnknownKeyTests {
    /// The problems that are reported after a text has been read.
    private func problems(_ text: String, _ read: (StrictYAML.Mapping) -> Void) -> [String] {
        do throws(ConfigurationError) {
            let root = try StrictYAML.parse(text, file: "f")
            read(root)
            try root.reader.finish()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("a key that was read is known, whether it is required or not")
    func asked() {
        #expect(problems("a: 1\nb: 2\n") { _ = ($0["a"], $0["b"], $0["c"]) } == [])
        #expect(problems("a: 1\n") { _ = $0.required("a") } == [])
    }

    @Test("an unknown key is reported with the nearest known key, or with all known keys in the order of reading")
    func unknown() {
        #expect(
            problems("issuers: x\n") { _ = ($0["profile"], $0["issuer"]) } == [
                "f:1:1: unknown key “issuers”; did you mean “issuer”?"
            ]
        )
        #expect(
            problems("zzz: x\n") { _ = ($0["profile"], $0["issuer"], $0["profile"]) } == [
                "f: the file has none of the keys that are read from it; known here: profile, issuer"
            ]
        )
    }

    @Test(
        "a mistake that the parser notices one line too late has a hint",
        arguments: [
            ("a: { b: 1\nc: 2\n", "did not find expected ',' or '}'. The mistake is often on the line before."),
            ("a:\n    b: c\n  d: e\n", "did not find expected key. The mistake is often on the line before."),
            (
                "a:b\nc: d\n",
                "f:2:2: invalid YAML: mapping values are not allowed in this context. Check the indentation, and the space "
                    + "after the colon, here and on the line before."
            ),
            ("a: 1\nc: d: e\n", "f:2:5: invalid YAML: mapping values are not allowed in this context"),
            ("a: \"b\"c\n", "f:1:7: invalid YAML: did not find expected key"),
            ("a: 1\nc: \"b\"d\n", "f:2:7: invalid YAML: did not find expected key"),
        ]
    )
    func late(text: String, problem: String) {
        let reported = problems(text) { _ in }
        #expect(reported.count == 1 && reported[0].hasSuffix(problem), "\(reported)")
    }

    @Test(
        "nothing is quoted of a file that is another one",
        arguments: [
            ("hunter2-hunter2\n", "f:1:1: the file must be a mapping of keys to values, not a string"),
            ("12345678\n", "f:1:1: the file must be a mapping of keys to values, not a number"),
            ("- hunter2\n", "f:1:1: the file must be a mapping of keys to values, not a list"),
            ("!hunter2\n", "f:1:1: the tag is not supported: remove it"),
            (
                "hunter2: &hunter2 [*hunter2]\n",
                "f:1:20: an alias is inside the value that it refers to, which begins at line 1 column 10"
            ),
            ("hunter2: 1\nhunter2: 2\n", "f:2:1: duplicate key; first at line 1 column 1"),
            (
                "hunter2: 1\nhunter3: [hunter4]\n",
                "f: the file has none of the keys that are read from it; known here: name, level"
            ),
            ("name: [hunter2]\n", "f:1:7: “name” must be a string, not a list"),
            ("level: hunter2\n", "f:1:8: “level” must be a non-negative number, not a string"),
            ("level: -1234\n", "f:1:8: “level” must be a non-negative number, not a negative number"),
            ("level: true\n", "f:1:8: “level” must be a non-negative number, not true or false"),
        ]
    )
    func anotherFile(text: String, problem: String) {
        #expect(problems(text) { _ = ($0["name"]?.string(), $0["level"]?.number()) } == [problem])
    }

    @Test("problems are in the order of the file, with unknown keys before missing ones at the same place")
    func order() {
        let problems = problems("b: 1\na: [x]\nc: 2\n") { root in
            _ = root.required("d")
            _ = root["a"]?.string()
        }
        #expect(
            problems == [
                "f:1:1: unknown key “b”; did you mean “a”?", "f:1:1: “d” is missing",
                "f:2:4: “a” must be a string, not a list", "f:3:1: unknown key “c”; did you mean “a”?",
            ]
        )
    }

    @Test("an unread mapping is reported by its own key, and not at all if its key was read")
    func unopened() {
        #expect(
            problems("m: { x: { y: 1 } }\nn: 1\n") { _ = ($0["n"], $0["other"]) } == [
                "f:1:1: unknown key “m”; did you mean “n”?"
            ]
        )
        #expect(problems("m: { x: { y: 1 } }\n") { _ = $0["m"] } == [])
        #expect(
            problems("m: { x: { y: 1 } }\n") { _ = $0["m"]?.mapping() } == ["f:1:6: unknown key “x” in “m”"]
        )
    }

    @Test("mappings in lists are reported with their index")
    func lists() {
        let problems = problems("l: [{ a: 1 }, [{ b: 2 }], text]\n") { root in
            for element in root["l"]?.list() ?? [] where element.isMapping { _ = element.mapping()?["a"] }
            _ = root["l"]?.list()?[1].list()?[0].mapping()?["a"]
        }
        #expect(problems == ["f:1:18: unknown key “b” in “l[1][0]”; did you mean “a”?"])
    }

    @Test("problems of a mapping that is read twice are reported once")
    func twice() {
        let problems = problems("m: { a: 1, b: 2, [c]: 3 }\nt: x\n") { root in
            _ = root["m"]?.mapping()?["a"]
            _ = root["m"]?.mapping()?["b"]
            _ = (root["t"]?.mapping(), root["t"]?.mapping())
        }
        #expect(
            problems == [
                "f:1:18: a key must be a string", "f:2:4: “t” must be a mapping of keys to values, not a string",
            ]
        )
    }

    @Test("an alias is read independently of its anchor")
    func aliases() {
        let problems = problems("m: &m { a: 1 }\nn: *m\n") { root in
            _ = root["m"]?.mapping()?["a"]
            _ = root["n"]?.mapping()?["b"]
        }
        #expect(problems == ["f:1:9: unknown key “a” in “n”; did you mean “b”?"])
    }

    @Test("a mapping that allows any key reports none, and one with known keys reports the others")
    func pairs() {
        var keys: [String] = []
        #expect(problems("a: 1\nb: 2\n") { keys = $0.pairs.map(\.key) } == [])
        #expect(keys == ["a", "b"])
        let problems = problems("bb: 1\naa: 2\n") { keys = $0.pairs(known: ["aa", "cc"]).map(\.key) }
        #expect(problems == ["f:1:1: unknown key “bb”; known here: aa, cc"])
        #expect(keys == ["bb", "aa"])
    }

    @Test(
        "a quoted or tagged text is not a number, and a tagged number is one even in quotes",
        arguments: [
            ("5", "5"), ("'5'", nil), ("!!str 5", nil), ("!!int '5'", "5"), ("|\n 5", nil), ("", ""), ("''", nil),
            ("!!str", nil), ("!!null ''", ""),
        ] as [(String, String?)]
    )
    func plainText(text: String, plain: String?) throws {
        #expect(try StrictYAML.parse("a: \(text)\n", file: "f")["a"]?.plainText == plain)
    }
}
