import Testing

@testable import SignIn

/// Finding secrets in whatever encoding; `LeakTests` does so through a whole run.
@Suite(.timeLimit(.minutes(5))) struct SecretSearchTests {
    private func search(_ secret: String) -> SecretSearch {
        var search = SecretSearch()
        search.learn(secret, replacement: "(hidden)")
        return search
    }

    @Test(arguments: [
        (#"{"a":"my\u002dsecret"}"#, #"{"a":"(hidden)"}"#),
        (#"{"a":"\u006d\u0079\u002D\u0073\u0065\u0063\u0072\u0065\u0074"}"#, #"{"a":"(hidden)"}"#),
        (#"\\u006dy-secret"#, #"(hidden)"#),
        ("my&#45;secret", "(hidden)"), ("my&#x2D;secret", "(hidden)"), ("my&#45secret", "(hidden)"),
        ("my%2Dsecret", "(hidden)"), ("my%252dsecret", "(hidden)"), ("my%25252dsecret", "(hidden)"),
        ("my%u002dsecret", "(hidden)"), ("%6dy-secret!", "(hidden)!"), (#"my\x2dsecret"#, "(hidden)"),
        ("6d792d736563726574", "(hidden)"), ("6D792D736563726574", "(hidden)"),
        ("bXktc2VjcmV0", "(hidden)"), ("dTpteS1zZWNyZXQ", "dT(hidden)"), ("dXNlcjpteS1zZWNyZXQ=", "dXNlcj(hidden)="),
        ("my-secrets", "my-secrets"), ("the my-secret is", "the (hidden) is"), ("a_my-secret", "a_my-secret"),
    ])
    func `a short secret is found where it stands alone`(text: String, expected: String) {
        #expect(search("my-secret").redact(text) == expected)
    }

    @Test(arguments: [
        "ABCDEFGHIJ-0123", "abcdefghij-0123", "xABCDEFGHIJ-0123y", "%41bcdefghij%2D0123", "abcdefg…",
    ])
    func `a long one is found in either case and inside a word`(text: String) {
        let redacted = search("AbCdEfGhIj-0123").redact(text)
        #expect(redacted.contains("(hidden)") == (text != "abcdefg…"), "\(redacted)")
    }

    @Test(arguments: [
        ("it begins AbCdEfGhI…", "it begins (hidden)…"), ("it begins AbCdEfGh", "it begins (hidden)"),
        ("it begins AbCdEfG…", "it begins AbCdEfG…"), ("AbCdEfGhI and goes on", "AbCdEfGhI and goes on"),
        ("%41%62CdEfGhI...", "(hidden)..."), ("AbCdEfGhI%6", "(hidden)"), ("AbCdEfGhI%25", "(hidden)"),
        // An ampersand is the mark between two parameters as well; what follows it is looked at likewise.
        ("a=b&AbCd", "a=b&AbCd"), ("a=b&AbCdEfGhI", "a=b&(hidden)"), ("a=b&AbCdEfGhI…", "a=b&(hidden)…"),
        ("a=b\\uAbCd", "a=b\\uAbCd"), ("a=b&AbC…", "a=b&AbC…"), ("AbCd", "AbCd"),
        ("AbCdEfGhI%", "(hidden)"), (#"AbCdEfGhI\u00"#, "(hidden)"), ("AbCdEfGhI&#10…", "(hidden)…"),
    ])
    func `the beginning that a text was cut off in is found`(text: String, expected: String) {
        #expect(search("AbCdEfGhIj-0123").redact(text) == expected)
    }

    /// A test user's password may be a word of the language, which must not hide what pages say.
    @Test(arguments: [
        ("The code is not correct.", "The code is not correct."), ("incorrect", "incorrect"),
        ("Correct your password", "Correct your password"), ("correct", "(hidden)"),
        (#"{"a":"correct"}"#, #"{"a":"(hidden)"}"#),
        ("password=correct&x", "password=(hidden)&x"), ("password%3Dcorrect%26x", "password%3D(hidden)%26x"),
        ("<b>correct</b>", "<b>(hidden)</b>"), ("“correct”", "“(hidden)”"), ("user:correct", "user:(hidden)"),
        ("password: correct", "password: (hidden)"), ("is: correct answer", "is: correct answer"),
        ("Y29ycmVjdA==", "(hidden)=="),
    ])
    func `a word is hidden where it stands as a value`(text: String, expected: String) {
        #expect(search("correct").redact(text) == expected)
    }

    @Test func `characters beyond ASCII are found in every spelling`() {
        let search = search("pässwörd-€-1234")
        for text in [
            "p&auml;ssw&ouml;rd-&euro;-1234", "p%C3%A4ssw%C3%B6rd-%E2%82%AC-1234", #"p\u00e4ssw\u00f6rd-\u20ac-1234"#,
            "P\u{E4}SSW\u{F6}RD-€-1234",
        ] {
            #expect(search.redact(text) == "(hidden)", "\(text)")
        }
        #expect(self.search("zoë-12345678").redact(Array("zo%EB-12345678".utf8)) == Array("(hidden)".utf8))
    }

    @Test func `claims of a token that contain a secret are hidden with the token's part`() {
        // {"name":"\u0041bCdEfGhIj-0123"}
        let text = "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiXHUwMDQxYkNkRWZHaElqLTAxMjMifQ.sig"
        #expect(search("AbCdEfGhIj-0123").redact(text) == "eyJhbGciOiJub25lIn0.(hidden).sig")
    }
}
