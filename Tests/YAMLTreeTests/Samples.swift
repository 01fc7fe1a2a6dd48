/// Unusual YAML texts, with the results of this reader and of PyYAML.
struct Sample {
    enum Outcome: Equatable {
        /// Both read the same tree.
        case tree
        /// Both read the same tree, but with different places, for the given reason.
        case elsewhere(String)
        /// Both reject it.
        case refused
        /// Only this reader rejects it, for the given reason.
        case refusedHere(String)
        /// Only PyYAML rejects it, for the given reason.
        case refusedThere(String)
    }

    let name: String
    let bytes: [UInt8]
    let outcome: Outcome

    init(_ name: String, _ text: String, _ outcome: Outcome = .tree) {
        self.init(name, bytes: Array(text.utf8), outcome)
    }

    init(_ name: String, bytes: [UInt8], _ outcome: Outcome) {
        self.name = name
        self.bytes = bytes
        self.outcome = outcome
    }

    static let all = blocks + scalars + collections + references + marks + encodings

    private static let blocks = [
        Sample("literal", "a: |\n  one\n  two\n\nb: x\n"),
        Sample("literal that strips", "a: |-\n  one\n  two\n\n\nb: x\n"),
        Sample("literal that keeps", "a: |+\n  one\n\n\nb: x\n"),
        Sample("literal with indentation", "a: |2\n    one\n   two\n"),
        Sample("literal with both indicators", "a: |2-\n    one\nb: |+1\n  two\n\n"),
        Sample("literal with lines that are indented more", "a: |\n  one\n    two\n   three\n"),
        Sample("literal with a tab", "a: |\n  one\n  \ttwo\n"),
        Sample("literal with nothing", "a: |\nb: |+\n\nc: |-\n"),
        Sample("literal at the end of the text", "a: |\n  one"),
        Sample("folded", "a: >\n  one\n  two\n\n  three\n    four\n  five\n"),
        Sample("folded that strips", "a: >-\n  one\n\n\n  two\n\n"),
        Sample("folded that keeps", "a: >+\n  one\n  two\n\n\n"),
        Sample("folded with a comment behind its indicator", "a: > # folded\n  one # not a comment\n"),
        Sample("block that begins with empty lines", "a: |\n\n\n  one\n"),
        Sample("block with an indicator of nought", "a: |0\n  one\n", .refused),
        Sample("block with a word behind its indicator", "a: |x\n  one\n", .refused),
        Sample("block in a list", "- |\n one\n- >\n two\n three\n"),
    ]

    private static let scalars = [
        Sample("plain over several lines", "a: one\n  two\n\n  three\nb: x\n"),
        Sample("plain with signs within", "a: b-c:d#e ? f, [g] {h} & * ! | > ' \" % @ `\n"),
        Sample("plain addresses", "a: https://a.example:443/x?y=z#w\nb: a:b\nc: ::1\n"),
        Sample("plain with a comment behind it", "a: one # two\nb: one# two\n"),
        Sample(
            "plain that look like other things",
            "- 12\n- 0x1F\n- 1_000\n- yes\n- ~\n- null\n- 2027-03-31\n- .inf\n- 1e3\n- =\n"
        ),
        Sample("single quotes", "a: 'one ''two'''\nb: ''\nc: 'x: y # z'\n"),
        Sample("single quotes over several lines", "a: 'one\n  two\n\n  three '\n"),
        Sample("double quotes", "a: \"one \\\"two\\\"\"\nb: \"\"\nc: \"x: y # z\"\n"),
        Sample("double quotes over several lines", "a: \"one\n  two\\\n  three\n\n  four \\\n  \\ five\"\n"),
        Sample("escapes", #"a: "\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P""# + "\n"),
        Sample("escapes by number", #"a: "\x41\u00e9\u20ac\U0001F600""# + "\n"),
        Sample("an escaped tab", "a: \"one\\\ttwo\"\n"),
        Sample("an escape that is none", #"a: "\q""#, .refused),
        Sample("an escape that is cut short", #"a: "\u00e""# + "\n", .refused),
        Sample(
            "an escaped surrogate",
            #"a: "\ud83d\ude00""#,
            .refusedHere("no Unicode text holds a surrogate; PyYAML makes a string that cannot be encoded")
        ),
        Sample("an escape beyond Unicode", #"a: "\U00110000""#, .refused),
        Sample("quotes that do not end", "a: \"one\nb: two\n", .refused),
        Sample("a quote that does not end", "a: 'one\nb: two\n", .refused),
        Sample("something behind quotes", "a: \"one\" two\n", .refused),
        Sample("letters that are not ASCII", "größe: \"naïve\"\nключ: значение\n鍵: 値\n"),
        Sample("emoji, alone and joined", "a: 😀 b\n👩‍👩‍👧: \"🇩🇪\" # 😀\nc: é\n"),
        Sample(
            "a very long line",
            "a: \(String(repeating: "x", count: 70_000))\nb: \"\(String(repeating: "y ", count: 30_000))\"\n"
        ),
        Sample("a key that is too long", "\(String(repeating: "k", count: 1_100)): x\n", .refused),
        Sample("reserved signs", "a: @b\n", .refused),
        Sample("a grave accent", "a: `b`\n", .refused),
        Sample("a percent sign", "a: %b\n", .refused),
        Sample("a text alone", "one\n"),
        Sample("a text over lines alone", "one\n two\nthree\n"),
    ]

    private static let collections = [
        Sample("block in block", "a:\n  b:\n    - c\n    - d: e\n      f: g\n  h: i\n"),
        Sample("a list that is not indented", "a:\n- b\n- c\nd: e\n"),
        Sample("lists in a list", "- - a\n  - b\n-\n  - c\n- - - d\n"),
        Sample("a mapping in a list", "- a: b\n  c: d\n-\n  e: f\n"),
        Sample("flow in block", "a: [b, \"c\", {d: e, f: [g]}, [], {}]\nh: {i: j}\n"),
        Sample("flow over several lines", "a: [\n  b,\n  c # d\n  ,\n]\ne: {\n  f: g,\n  h\n}\n"),
        Sample("flow with pairs", "[a: b, {c: d}, ? e : f, \"g\":h, \"i\": j]\n"),
        Sample("flow with colons", "{a: b, c:d, \"e\":f, h}\n"),
        Sample(
            "flow with nothing behind a colon",
            "{g: , h: }\n",
            .elsewhere("libyaml puts nothing before the comma or bracket, PyYAML behind the colon")
        ),
        Sample("flow with addresses", "[https://a.example/x, a:b]\n"),
        Sample("flow with a colon in front", "[::1]\n", .refused),
        Sample("flow with a comma too many", "[a, , b]\n", .refused),
        Sample("flow that does not end", "a: [b, c\n", .refused),
        Sample("flow that ends otherwise", "a: [b}\n", .refused),
        Sample("flow without commas", "a: {b: c\n d: e}\n", .refused),
        Sample("values without anything", "a:\nb: \nc: # nothing\nd: ~\n"),
        Sample("elements without anything", "- \n-\n- # nothing\n- a\n"),
        Sample("a key without anything", ": a\n", .refused),
        Sample("keys that are complex", "? [a, b]\n: c\n? {d: e}\n: f\n? |\n  g\n: h\n"),
        Sample("a complex key without value", "? a\n? b\n"),
        Sample("keys in quotes", "\"a b\": c\n'd': e\n"),
        Sample("wrong indentation", "a:\n    b: c\n  d: e\n", .refused),
        Sample("a list within a mapping", "a: b\n- c\n", .refused),
        Sample("a colon too many", "a: b: c\n", .refused),
        Sample("a key without colon", "a: b\nc\n", .refused),
        Sample("comments everywhere", "# a\n\na: # b\n  # c\n  - d # e\n    # f\n  - g\n# h\n"),
        Sample(
            "a tab before a value",
            "a:\tb\n-c:\t\td\t\n",
            .refusedThere("YAML 1.2 section 6.2 has tabs between tokens")
        ),
        Sample("a tab as indentation", "a:\n\tb: c\n", .refused),
        Sample("a tab behind an element's dash", "-\ta\n", .refused),
        Sample(
            "a tab between flow elements",
            "[\ta,\n\tb]\n",
            .refusedThere("YAML 1.2 section 6.2 has tabs between tokens")
        ),
        Sample("a key written twice", "a: b\nc: d\na: e\n", .refusedHere("one of two values would be lost")),
        Sample(
            "a key written twice, in other quotes",
            "{a: b, 'a': c}",
            .refusedHere("one of two values would be lost")
        ),
        Sample(
            "a complex key written twice",
            "? [a]\n: b\n? [\"a\"]\n: c\n",
            .refusedHere("one of two values would be lost")
        ),
        Sample("keys that only look the same", "é: composed\ne\u{301}: decomposed\n"),
    ]

    private static let references = [
        Sample("anchors and aliases", "a: &x [b, &y c]\nd: *x\ne: {f: *y, *y : g}\n"),
        Sample("an anchor of nothing", "a: &x\nb: *x\n"),
        Sample("an anchor before a block", "a: &x\n  b: c\nd: &y |\n  e\nf: [*x, *y]\n"),
        Sample("an alias of nothing", "a: *x\n", .refused),
        Sample("an alias before its anchor", "a: *x\nb: &x c\n", .refused),
        Sample("an anchor without a name", "a: & b\n", .refused),
        Sample("an alias with an anchor", "a: &x b\nc: &y *x\n", .refused),
        Sample("an alias within what it names", "&x [a, *x]\n", .refusedHere("a tree has no circles")),
        Sample(
            "an anchor that is given again",
            "a: &x b\nc: &x d\ne: *x\n",
            .refusedThere("YAML 1.2 section 7.1 lets a name be given again")
        ),
        Sample(
            "an anchor that is given again within",
            "a: &x [&x b, *x]\nc: *x\n",
            .refusedThere("YAML 1.2 section 7.1 lets a name be given again")
        ),
        Sample(
            "a merge key",
            "a: &x {b: c}\nd:\n  <<: *x\n  e: f\n",
            .refusedHere("YAML 1.2 has no merge keys; PyYAML leaves them to what is built from the tree")
        ),
        Sample("a merge key in quotes", "\"<<\": a\n"),
        Sample(
            "tags of the core schema",
            "- !!str 12\n- !!int \"12\"\n- !!float 1.5\n- !!bool 'true'\n- !!null ''\n- !!seq [a]\n- !!map {b: c}\n"
        ),
        Sample("a tag and an anchor", "- !!str &x a\n- &y !!str b\n- !!map &z\n  c: d\n"),
        Sample("a tag of nothing", "a: !!str\nb: !!null\n"),
        Sample("a tag in full", "a: !<tag:yaml.org,2002:str> 12\n"),
        Sample("a tag by a handle", "%TAG !c! tag:yaml.org,2002:\n---\na: !c!str 12\n"),
        Sample("a tag by a handle that is not declared", "a: !c!str 12\n", .refused),
        Sample("the tag without a name", "a: ! 12\n", .refusedHere("YAML 1.2 makes it a text, PyYAML a number")),
        Sample("a tag of one's own", "a: !mine b\n", .refusedHere("nothing here knows what it means")),
        Sample("a tag of Python", "a: !!python/none ''\n", .refusedHere("nothing here knows what it means")),
        Sample("a tag of YAML 1.1", "a: !!binary aGk=\n", .refusedHere("the core schema of YAML 1.2 has it no more")),
        Sample("a tag that does not go with its node", "a: !!map b\n", .refusedHere("its value is no mapping")),
    ]

    private static let marks = [
        Sample("the start of a document", "---\na: b\n"),
        Sample("start and end of a document", "--- # c\na: b\n...\n# d\n"),
        Sample("a document on the line of its start", "--- [a, b]\n"),
        Sample("two documents", "a: b\n---\nc: d\n", .refused),
        Sample("an end, and more", "a: b\n...\nc: d\n", .refused),
        Sample("a document that holds nothing", "---\n"),
        Sample("a comment alone", "# nothing\n", .refused),
        Sample("nothing", "", .refused),
        Sample("line ends alone", "\n\r\n  \n", .refused),
        Sample("an end alone", "...\n", .refused),
        Sample("a version", "%YAML 1.1\n---\na: b\n"),
        Sample("the version of today", "%YAML 1.2\n---\na: b\n"),
        Sample("a version from the future", "%YAML 2.0\n---\na: b\n", .refused),
        Sample("a minor version from the future", "%YAML 1.3\n---\na: b\n", .refusedHere("libyaml knows 1.1 and 1.2")),
        Sample("a version that is written twice", "%YAML 1.1\n%YAML 1.1\n---\na: b\n", .refused),
        Sample(
            "a directive that is not known",
            "%FOO bar\n---\na: b\n",
            .refusedHere("libyaml refuses what YAML 1.2 section 6.8 would leave out with a warning")
        ),
        Sample("a directive without a document", "%YAML 1.1\na: b\n", .refused),
        Sample("dashes within a text", "a: |\n  ---\n  b\nc: --- d\n"),
    ]

    private static let encodings = [
        Sample("line ends of CR LF", "a: b\r\nc:\r\n  - d\r\n  - |\r\n    e\r\n    f\r\ng: \"h\r\n  i\"\r\n"),
        Sample("line ends of CR", "a: b\rc: d\r"),
        Sample("line ends of YAML 1.1", "a: b\u{85}c: d\u{2028}  e\u{2029}f: g\n"),
        Sample("a byte order mark", "\u{FEFF}a: b\nc: d\n"),
        Sample("a byte order mark alone", "\u{FEFF}", .refused),
        Sample("a byte order mark in the text", "a: \u{FEFF}b\nc: d\n"),
        Sample("a NUL", "a: b\0c\n", .refused),
        Sample("a control character", "a: b\u{1}c\n", .refused),
        Sample("a delete character", "a: b\u{7F}c\n", .refused),
        Sample("a noncharacter", "a: b\u{FFFF}c\n", .refused),
        Sample("a byte that is not UTF-8", bytes: Array("a: ".utf8) + [0xFF, 0x0A], .refused),
        Sample("UTF-8 that is cut short", bytes: Array("a: ".utf8) + [0xE2, 0x82], .refused),
        Sample("UTF-8 that is longer than needed", bytes: Array("a: ".utf8) + [0xC0, 0xAF], .refused),
        Sample("a surrogate in UTF-8", bytes: Array("a: ".utf8) + [0xED, 0xA0, 0x80], .refused),
        Sample(
            "UTF-16, the little end first",
            bytes: [0xFF, 0xFE] + "a: b\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] },
            .refusedHere("it is not UTF-8")
        ),
        Sample(
            "UTF-16, the big end first",
            bytes: [0xFE, 0xFF] + "a: b\n".utf16.flatMap { [0, UInt8(truncatingIfNeeded: $0)] },
            .refusedHere("it is not UTF-8")
        ),
        Sample(
            "UTF-16 without a mark",
            bytes: "a: b\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), 0] },
            .refused
        ),
    ]
}
