import Conformance
import Testing
import Transport

@testable import Flows

@Suite struct RedactorTests {
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
        #expect(redactor().redact("before \(form) after") == "before ‹client secret: 18 characters› after")
    }

    @Test func `a short secret is replaced only where it stands alone`() {
        var redactor = Redactor(keepsTokens: false)
        redactor.learn("client secret", "secret", .credential)
        #expect(redactor.redact("client_secret_basic") == "client_secret_basic")
        #expect(redactor.redact("x=secret&y") == "x=‹client secret: 6 characters›&y")
        #expect(redactor.redact("a%3Dsecret%26b") == "a%3D‹client secret: 6 characters›%26b")
        #expect(redactor.redact(Array("the secret".utf8), onlyCertain: true) == Array("the secret".utf8))
    }

    @Test func `tokens are kept when asked for, passwords and client secrets never`() {
        let redactor = redactor(keepsTokens: true)
        #expect(redactor.redact("SplxlOBeZQQYbYS6WxSbIA") == "SplxlOBeZQQYbYS6WxSbIA")
        #expect(redactor.redact(#"s3cr/t+ & "quoted""#) == "‹client secret: 18 characters›")
        #expect(
            redactor.redact(parameters: "code=abc&client_secret=xy")
                == "code=abc&client_secret=‹client_secret: 2 characters›"
        )
    }

    @Test func `a URL loses the values of secret parameters and nothing else`() {
        let redactor = Redactor(keepsTokens: false)
        let url = "https://user:pass@rp.example/cb?code=abc%20&state=x+y&&empty#id_token=a.b.c&expires_in=3"
        #expect(
            redactor.redact(url: url)
                == "https://user:‹password: 4 characters›@rp.example/cb?code=‹code: 4 characters›&state=x+y&&empty"
                + "#id_token=‹id_token: 5 characters›&expires_in=3"
        )
        #expect(redactor.redact(url: "/relative?x=1") == "/relative?x=1")
        // A combining mark behind a delimiter does not hide it.
        let marked = "https://rp.example/cb?\u{301}&code=abc#\u{301}&code=abc"
        let hidden = "‹code: 3 characters›"
        #expect(redactor.redact(url: marked) == "https://rp.example/cb?\u{301}&code=\(hidden)#\u{301}&code=\(hidden)")
    }

    @Test(arguments: [
        (#"{"access_token":"abc", "a":1}"#, #"{"access_token":"‹access_token: 3 characters›", "a":1}"#),
        (#"{ "id_token" : 12.5e3 }"#, #"{ "id_token" : 0 }"#),
        (#"{"access_token":null}"#, #"{"access_token":null}"#),
        (#"{"access_token":""}"#, #"{"access_token":""}"#),
        (
            #"{"access_token":"a","access_token":"b\"c"}"#,
            #"{"access_token":"‹access_token: 1 characters›","access_token":"‹access_token: 4 characters›"}"#
        ),
        (#"{"access_token":"cut of"#, #"{"access_token":"‹access_token: 5 characters›""#),
        (#"{"error":"invalid_grant","code":401}"#, #"{"error":"invalid_grant","code":401}"#),
        ("not JSON", "not JSON"),
    ])
    func `a JSON body keeps its text but for the secrets`(body: String, expected: String) {
        let redacted = Redactor(keepsTokens: false).redact(json: Array(body.utf8))
        #expect(String(decoding: redacted, as: UTF8.self) == expected)
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
                "Basic ‹credentials: 4 characters›", "a=‹cookie: 1 characters›; b=‹cookie: 2 characters›",
                "sid=‹cookie: 3 characters›; Path=/; HttpOnly", "https://rp.example/cb?code=‹code: 1 characters›",
                "today",
            ]
        )
    }

    @Test func `octets that are no UTF-8 stay as they are`() {
        let octets: [UInt8] = [0xFF, 0x00] + Array("SplxlOBeZQQYbYS6WxSbIA".utf8) + [0xFE]
        let redacted = redactor().redact(octets)
        #expect(redacted.first == 0xFF)
        #expect(redacted.last == 0xFE)
        #expect(!String(decoding: redacted, as: UTF8.self).contains("Splx"))
    }
}
