import Conformance
import Testing
import Transport

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct RedactorTests {
    private func redactor(keepsTokens: Bool = false) -> Redactor {
        var redactor = Redactor(keepsTokens: keepsTokens)
        redactor.learn("client secret", "s3cr/t+ & \"quoted\"", .credential)
        redactor.learn("code", "SplxlOBeZQQYbYS6WxSbIA", .token)
        return redactor
    }

    @Test(arguments: [
        #"s3cr/t+ & "quoted""#, "s3cr%2Ft%2B%20%26%20%22quoted%22", "s3cr%2Ft%2B+%26+%22quoted%22",
        "s3cr%2ft%2b+%26+%22quoted%22", #"s3cr/t+ & \"quoted\""#, #"s3cr\/t+ & \"quoted\""#,
        "s3cr/t+ &amp; &quot;quoted&quot;", "czNjci90KyAmICJxdW90ZWQi",
    ])
    func `a secret is found however it is encoded`(form: String) {
        #expect(redactor().redact("before \(form) after") == "before (client_secret:18-characters) after")
    }

    @Test func `a short secret is replaced only where it stands alone`() {
        var redactor = Redactor(keepsTokens: false)
        redactor.learn("client secret", "secret", .credential)
        #expect(redactor.redact("client_secret_basic") == "client_secret_basic")
        #expect(redactor.redact("x=secret&y") == "x=(client_secret:6-characters)&y")
        #expect(redactor.redact("a%3Dsecret%26b") == "a%3D(client_secret:6-characters)%26b")
        #expect(redactor.redact(Array("the secret".utf8), onlyCertain: true) == Array("the secret".utf8))
    }

    @Test func `the option keeps tokens, but never passwords or client secrets`() {
        let redactor = redactor(keepsTokens: true)
        #expect(redactor.redact("SplxlOBeZQQYbYS6WxSbIA") == "SplxlOBeZQQYbYS6WxSbIA")
        #expect(redactor.redact(#"s3cr/t+ & "quoted""#) == "(client_secret:18-characters)")
        #expect(
            redactor.redact(parameters: "code=abc&client_secret=xy")
                == "code=abc&client_secret=(client_secret:2-characters)"
        )
    }

    @Test func `a URL loses the values of secret parameters and nothing else`() {
        let redactor = Redactor(keepsTokens: false)
        let url = "https://user:pass@rp.example/cb?code=abc%20&state=x+y&&empty#id_token=a.b.c&expires_in=3"
        #expect(
            redactor.redact(url: url)
                == "https://(user_information:9-characters)@rp.example/cb?code=(code:4-characters)&state=x+y&&empty"
                + "#id_token=(id_token:5-characters)&expires_in=3"
        )
        #expect(redactor.redact(url: "/relative?x=1") == "/relative?x=1")
        // A combining mark behind a delimiter does not hide it.
        let marked = "https://rp.example/cb?\u{301}&code=abc#\u{301}&code=abc"
        let hidden = "(code:3-characters)"
        #expect(redactor.redact(url: marked) == "https://rp.example/cb?\u{301}&code=\(hidden)#\u{301}&code=\(hidden)")
    }

    @Test(arguments: [
        ("code_challenge=0123456789abcdef&code_challenge_method=plain", true),
        ("code_challenge=0123456789abcdef", true),
        ("code_challenge=0123456789abcdef&code_challenge_method=S256", false),
        ("code_challenge=0123456789abcdef&code_challenge_method=other", false),
    ])
    func `a challenge that is the verifier is a secret wherever it stands`(query: String, isHidden: Bool) {
        var redactor = Redactor(keepsTokens: false)
        redactor.learn(fromURL: "https://op.example/authorize?" + query)
        for text in ["https://op.example/authorize?" + query, "the page repeats 0123456789abcdef"] {
            #expect(redactor.redact(url: text).contains("(code_verifier:16-characters)") == isHidden)
            #expect(redactor.redact(url: text).contains("0123456789abcdef") == !isHidden)
        }
    }

    @Test func `a combining mark after a delimiter does not hide a secret`() {
        var redactor = Redactor(keepsTokens: false)
        #expect(redactor.redact(parameters: "code=\u{301}abc&\u{301}=1") == "code=(code:4-characters)&\u{301}=1")
        let field = HTTPField(name: "Set-Cookie", value: "sid=\u{301}abc;\u{301}Path=/")
        #expect(redactor.redact([field]) == [Field("Set-Cookie", "sid=(cookie:4-characters);\u{301}Path=/")])
        redactor.learn(fromCookies: [HTTPField(name: "Cookie", value: "a=b;\u{301}sid=0123456789abcdef")])
        #expect(redactor.redact("0123456789abcdef") == "(cookie:16-characters)")
        #expect(
            redactor.redact(url: "https://\u{301}user:pass@rp.example/")
                == "https://(user_information:10-characters)@rp.example/"
        )
    }

    @Test(arguments: [
        ("login_verifier", "3f0c1f9d7e6b4c5a8d2e1b0a9f8c7d6e", true),
        ("execution", "e1s1", false),
        ("state", "3f0c1f9d7e6b4c5a8d2e1b0a9f8c7d6f", false),
        ("goto", "https://op.example/a?b=3f0c1f9d7e6b4c5a8d2e1b0a9f8c7d60", false),
        ("ticket", "sent-openly-0123456789012345678901234567", false),
    ])
    func `a long value that pages hand on to each other is hidden in every address, and nowhere else`(
        name: String,
        value: String,
        isHidden: Bool
    ) {
        var redactor = Redactor(keepsTokens: false)
        redactor.noteOpen(["sent-openly-0123456789012345678901234567"])
        redactor.learn(fromPage: "https://op.example/login?\(name)=\(value)")
        let address = { (value: String) in "https://op.example/next?a=1&b=\(value)" }
        #expect(redactor.redact(url: address(value)) == address(isHidden ? "(page_value:32-characters)" : value))
        // Nothing is compared with a subject that was hidden in one place and not in another.
        #expect(redactor.redact(#"{"sub":"\#(value)"}"#) == #"{"sub":"\#(value)"}"#)
    }

    @Test(arguments: [
        (#"{"access_token":"abc", "a":1}"#, #"{"access_token":"(access_token:3-characters)", "a":1}"#),
        (#"{ "id_token" : 12.5e3 }"#, #"{ "id_token" : 0 }"#),
        (#"{"access_token":null}"#, #"{"access_token":null}"#),
        (#"{"access_token":""}"#, #"{"access_token":""}"#),
        (
            #"{"access_token":"a","access_token":"b\"c"}"#,
            #"{"access_token":"(access_token:1-characters)","access_token":"(access_token:4-characters)"}"#
        ),
        (#"{"access_token":"cut of"#, #"{"access_token":"(access_token:5-characters)""#),
        (#"{"error":"invalid_grant","code":401}"#, #"{"error":"invalid_grant","code":401}"#),
        ("not JSON", "not JSON"),
    ])
    func `a JSON body keeps its text but for the secrets`(body: String, expected: String) {
        let redacted = Redactor(keepsTokens: false).redact(json: Array(body.utf8))
        #expect(String(decoding: redacted, as: UTF8.self) == expected)
    }

    /// Placeholders are of characters that every format and every rule about characters allows.
    @Test func `no placeholder looks like a fault of the provider`() {
        let text = Redactor.placeholder("client secret", "0123456789")
        #expect(text == "(client_secret:10-characters)")
        // RFC 6749 section 5.2, and unreserved or sub-delims of RFC 3986 with the colon.
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:")
        #expect(text.allSatisfy(allowed.contains))
    }

    @Test(arguments: [
        (
            #"{"keys":[{"kty":"RSA","n":"AQ","d":"secret","p":"1","oth":[{"r":"x","d":"y"}],"e":"AQAB"}]}"#,
            #"{"keys":[{"kty":"RSA","n":"AQ","d":"(d:6-characters)","p":"(p:1-characters)","oth":[{"r":"(r:1-characters)","d":"(d:1-characters)"}],"e":"AQAB"}]}"#
        ),
        (#"{"keys":[{"k":"AyM1","k\u0074y":"oct"}]}"#, #"{"keys":[{"k":"(k:4-characters)","k\u0074y":"oct"}]}"#),
        (#"{"keys":[{"\u006b":"AyM1","kty":"oct"}]}"#, #"{"keys":[{"\u006b":"(k:4-characters)","kty":"oct"}]}"#),
        (#"{"d":"no key","k":1,"p":[2]}"#, #"{"d":"no key","k":1,"p":[2]}"#),
        (
            #"{"jwks_uri":"https://me:pass@op.example/k","x":"https:\/\/token@op.example","y":"mailto:a@b"}"#,
            #"{"jwks_uri":"https://(user_information:7-characters)@op.example/k","x":"https://(user_information:5-characters)@op.example","y":"mailto:a@b"}"#
        ),
    ])
    func `a public document loses private members of keys and user information`(body: String, expected: String) {
        let redacted = Redactor(keepsTokens: false).redact(document: Array(body.utf8))
        #expect(String(decoding: redacted, as: UTF8.self) == expected)
    }

    @Test func `escapes in names and values hide nothing`() {
        var redactor = Redactor(keepsTokens: false)
        let body = #"{"access\u005ftoken":"abc\u002ddef","n":12345678901234,"x":"0123456789\u0061bcdef"}"#
        redactor.learn("code", "0123456789abcdef", .token)
        redactor.learn("otp", "12345678901234", .credential)
        let redacted = String(decoding: redactor.redact(json: Array(body.utf8)), as: UTF8.self)
        #expect(
            redacted
                == #"{"access\u005ftoken":"(access_token:12-characters)","n":12345678901234,"x":"(code:16-characters)"}"#
        )
    }

    @Test func `a cookie is a secret unless its value is public`() {
        var redactor = Redactor(keepsTokens: false)
        redactor.noteOpen(["state-0123456789abc"])
        let cookies = [
            "session-0123456789", "state-0123456789abc", "https%3A%2F%2Fop.example%2Flogin%3F1",
            "prefers-dark-mode-enabled",
        ]
        for cookie in cookies {
            redactor.learn("cookie", cookie, .cookie)
        }
        #expect(redactor.redact("session-0123456789") == "(cookie:18-characters)")
        let open = "state-0123456789abc https://op.example/login?1 prefers-dark-mode-enabled"
        #expect(redactor.redact(open) == open)
    }

    @Test func `the last pass leaves JSON what it is`() {
        let pass = FinalRedaction()
        pass.note([("secret", Secret("my\",\"a secret of mine")), ("short", Secret("issuer"))])
        let text = #"{"issuer":"my\u0022,\u0022a secret of mine","b":"my","a secret of mine":1}"#
        #expect(pass.cleaned(text, as: .json) == #"{"issuer":"(secret:21-characters)","b":"my","a secret of mine":1}"#)
    }

    @Test func `a token inside a list or an object is learned`() {
        var redactor = Redactor(keepsTokens: false)
        let body = Array(#"{"access_token":{"value":"0123456789abcdef"},"copy":"0123456789abcdef"}"#.utf8)
        redactor.learn(fromJSON: body)
        let text = String(decoding: redactor.redact(json: body), as: UTF8.self)
        #expect(!text.contains("0123456789abcdef"))
    }

    @Test func `headers lose credentials and cookies`() {
        let fields = Redactor(keepsTokens: false)
            .redact([
                HTTPField(name: "Authorization", value: "Basic abcd"),
                HTTPField(name: "cookie", value: "a=1; b=22"),
                HTTPField(name: "Set-Cookie", value: "sid=xyz; Path=/; HttpOnly"),
                HTTPField(name: "Location", value: "https://rp.example/cb?code=c"),
                HTTPField(name: "Date", value: "today"),
            ])
        #expect(
            fields.map(\.value) == [
                "Basic (credentials:4-characters)", "a=(cookie:1-characters); b=(cookie:2-characters)",
                "sid=(cookie:3-characters); Path=/; HttpOnly", "https://rp.example/cb?code=(code:1-characters)",
                "today",
            ]
        )
    }

    @Test func `bytes that are no UTF-8 stay as they are`() {
        let bytes: [UInt8] = [0xFF, 0x00] + Array("SplxlOBeZQQYbYS6WxSbIA".utf8) + [0xFE]
        let redacted = redactor().redact(bytes)
        #expect(redacted.first == 0xFF)
        #expect(redacted.last == 0xFE)
        #expect(!String(decoding: redacted, as: UTF8.self).contains("Splx"))
    }
}
