import Profiles
import Testing

@Suite("What nobody asked for", .timeLimit(.minutes(5)))
struct UnknownKeyTests {
    /// What is said about a text after it was read.
    private func said(_ text: String, _ read: (StrictYAML.Mapping) -> Void) -> [String] {
        do throws(ConfigurationError) {
            let root = try StrictYAML.parse(text, file: "f")
            read(root)
            try root.reader.finish()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("a key that was asked for is known, whether it is needed or not")
    func asked() {
        #expect(said("a: 1\nb: 2\n") { _ = ($0["a"], $0["b"], $0["c"]) } == [])
        #expect(said("a: 1\n") { _ = $0.required("a") } == [])
    }

    @Test("any other is told with the nearest of those that were asked for, else with all of them in that order")
    func unknown() {
        #expect(
            said("issuers: x\n") { _ = ($0["profile"], $0["issuer"]) } == [
                "f:1:1: unknown key “issuers”; did you mean “issuer”?"
            ]
        )
        #expect(
            said("zzz: x\n") { _ = ($0["profile"], $0["issuer"], $0["profile"]) } == [
                "f:1:1: unknown key “zzz”; known here: profile, issuer"
            ]
        )
    }

    @Test("it comes before what is missing at the same place, and in the order of the file")
    func order() {
        let problems = said("b: 1\na: [x]\nc: 2\n") { root in
            _ = root.required("d")
            _ = root["a"]?.string()
        }
        #expect(
            problems == [
                "f:1:1: unknown key “b”; did you mean “a”?", "f:1:1: “d” is missing",
                "f:2:4: “a” must be a text, not a list", "f:3:1: unknown key “c”; did you mean “a”?",
            ]
        )
    }

    @Test("a mapping that nobody opened is told by its own key, or by nothing when that was asked for")
    func unopened() {
        #expect(said("m: { x: { y: 1 } }\n") { _ = $0["other"] } == ["f:1:1: unknown key “m”; known here: other"])
        #expect(said("m: { x: { y: 1 } }\n") { _ = $0["m"] } == [])
        #expect(
            said("m: { x: { y: 1 } }\n") { _ = $0["m"]?.mapping() } == ["f:1:6: unknown key “x” in “m”"]
        )
    }

    @Test("mappings within lists are told with their place in the list")
    func lists() {
        let problems = said("l: [{ a: 1 }, [{ b: 2 }], text]\n") { root in
            for element in root["l"]?.list() ?? [] where element.isMapping { _ = element.mapping()?["a"] }
            _ = root["l"]?.list()?[1].list()?[0].mapping()?["a"]
        }
        #expect(problems == ["f:1:18: unknown key “b” in “l[1][0]”; did you mean “a”?"])
    }

    @Test("a mapping that is opened twice is one mapping, and what is wrong with it is told once")
    func twice() {
        let problems = said("m: { a: 1, b: 2, [c]: 3 }\nt: x\n") { root in
            _ = root["m"]?.mapping()?["a"]
            _ = root["m"]?.mapping()?["b"]
            _ = (root["t"]?.mapping(), root["t"]?.mapping())
        }
        #expect(
            problems == [
                "f:1:18: a key must be a text", "f:2:4: “t” must be a mapping of keys to values, not “x”",
            ]
        )
    }

    @Test("an alias is asked for by itself")
    func aliases() {
        let problems = said("m: &m { a: 1 }\nn: *m\n") { root in
            _ = root["m"]?.mapping()?["a"]
            _ = root["n"]?.mapping()?["b"]
        }
        #expect(problems == ["f:1:9: unknown key “a” in “n”; did you mean “b”?"])
    }

    @Test("where any key is known none is told, and where some are the others")
    func pairs() {
        var keys: [String] = []
        #expect(said("a: 1\nb: 2\n") { keys = $0.pairs.map(\.key) } == [])
        #expect(keys == ["a", "b"])
        let problems = said("bb: 1\naa: 2\n") { keys = $0.pairs(known: ["aa", "cc"]).map(\.key) }
        #expect(problems == ["f:1:1: unknown key “bb”; known here: aa, cc"])
        #expect(keys == ["bb", "aa"])
    }

    @Test(
        "a text by its tag or its quotes is no number, and a number by its tag is one in quotes",
        arguments: [
            ("5", "5"), ("'5'", nil), ("!!str 5", nil), ("!!int '5'", "5"), ("|\n 5", nil), ("", ""), ("''", nil),
            ("!!str", nil), ("!!null ''", ""),
        ] as [(String, String?)]
    )
    func plainText(text: String, plain: String?) throws {
        #expect(try StrictYAML.parse("a: \(text)\n", file: "f")["a"]?.plainText == plain)
    }
}
