import Conformance
import Testing

@Suite(.timeLimit(.minutes(5))) struct LogTextTests {
    @Test(arguments: [
        ("::error file=x::y", #"\u{3A}:error file=x::y"#),
        ("fine\n  ::stop-commands::x\nfine", "fine\n  \\u{3A}:stop-commands::x\nfine"),
        ("\u{A0}\u{2003}::add-mask::x", "\u{A0}\u{2003}\\u{3A}:add-mask::x"),
        ("x ##vso[task.setvariable variable=PATH]y", #"x #\u{23}vso[task.setvariable variable=PATH]y"#),
        ("x ##[group]y", #"x #\u{23}[group]y"#),
        ("###[x]", #"##\u{23}[x]"#),
        ("##teamcity[buildStop]", #"#\u{23}teamcity[buildStop]"#),
        ("\u{1B}]0;title\u{7}", #"\u{1B}]0;title\u{7}"#),
        ("over\rwritten", #"over\u{D}written"#),
        ("\u{9B}2J\u{85}\u{2028}\u{202E}", #"\u{9B}2J\u{85}\u{2028}\u{202E}"#),
        ("\u{1B}[2J", #"\u{1B}[2J"#),
        // A neutralised line is between unchanged lines, and a CR LF does not end one.
        ("“a”\n::error::x\n  ::b\nc ‹ ⁦d⁩", #"“a”\#n\u{3A}:error::x\#n  \u{3A}:b\#nc ‹ \u{2066}d\u{2069}"#),
        ("a\r\n::error::x", #"a\u{D}\u{A}::error::x"#),
        // Our own text, and control characters without a meaning.
        ("\u{1B}[31mFAILED\u{1B}[0m", "\u{1B}[31mFAILED\u{1B}[0m"),
        ("## Heading\n\n- [x](y) a::b # ## c\ttab é “”", "## Heading\n\n- [x](y) a::b # ## c\ttab é “”"),
        ("", ""),
    ])
    func `log commands are escaped, and other text is unchanged`(text: String, expected: String) {
        #expect(LogText.defused(text) == expected)
    }

    @Test(arguments: [
        (LogText.Form.json, "{\"a\":\"##vso[x]y\"}", ##"{"a":"#\u0023vso[x]y"}"##),
        (.xml, "<a>\n::error::x ##[y]</a>", "<a>\n&#58;:error::x #&#35;[y]</a>"),
        (.markdown, "## A\n::error::x", "## A\n&#58;:error::x"),
        (.xml, "\u{1}", "\u{FFFD}"),
    ])
    func `a form that others read stays that form`(form: LogText.Form, text: String, expected: String) {
        #expect(LogText.defused(text, as: form) == expected)
    }
}
