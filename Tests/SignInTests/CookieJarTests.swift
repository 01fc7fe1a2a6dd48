import Testing
import Transport

@testable import SignIn

/// The rules of RFC 6265, section 5.
@Suite(.timeLimit(.minutes(5))) struct CookieJarTests {
    private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

    /// The cookies sent to `to` after `from` has set the cookies.
    private func sent(_ cookies: [String], from: String, to: String, now: Double = 1000) throws -> String? {
        var jar = CookieJar()
        for cookie in cookies { jar.store(setCookie: cookie, from: try url(from), now: 1000) }
        return jar.header(for: try url(to), now: now)
    }

    @Test(
        arguments: [
            ("a=b", "https://x.example/", "https://x.example/p", "a=b"),
            ("a=b", "https://x.example/", "https://y.x.example/", nil),
            ("a=b; Domain=x.example", "https://x.example/", "https://y.x.example/", "a=b"),
            ("a=b; Domain=.x.example", "https://y.x.example/", "https://x.example/", "a=b"),
            ("a=b; Domain=example", "https://x.example/", "https://x.example/", nil),
            ("a=b; Domain=other.example", "https://x.example/", "https://other.example/", nil),
            ("a=b; Domain=x.example", "https://evilx.example/", "https://x.example/", nil),
            ("a=b; SameSite=None", "https://x.example/", "https://x.example/", nil),
            ("a=b; samesite = none ; secure", "https://x.example/", "https://x.example/", "a=b"),
            ("a=b; SameSite=Lax", "https://x.example/", "https://x.example/", "a=b"),
            ("a=b; SameSite=None; SameSite=Lax", "https://x.example/", "https://x.example/", "a=b"),
            ("__Secure-a=b", "https://x.example/", "https://x.example/", nil),
            ("__secure-a=b; Secure", "https://x.example/", "https://x.example/", "__secure-a=b"),
            ("__Host-a=b; Secure; Path=/", "https://x.example/", "https://x.example/", "__Host-a=b"),
            ("__Host-a=b; Secure", "https://x.example/", "https://x.example/", nil),
            ("__Host-a=b; Secure; Path=/p", "https://x.example/", "https://x.example/p", nil),
            ("__Host-a=b; Secure; Path=/; Domain=x.example", "https://x.example/", "https://x.example/", nil),
            ("a=b; Secure", "https://x.example/", "http://x.example/", nil),
            ("a=b; Secure", "http://x.example/", "https://x.example/", nil),
            ("a=b; Secure", "http://127.0.0.1:1/", "http://127.0.0.1:2/", "a=b"),
            ("a=b", "https://x.example/dir/page", "https://x.example/dir/other", "a=b"),
            ("a=b", "https://x.example/dir/page", "https://x.example/", nil),
            ("a=b; Path=/di", "https://x.example/", "https://x.example/dir", nil),
            ("a=b; Path=/dir", "https://x.example/", "https://x.example/dir/x", "a=b"),
            ("a=b; Path=relative", "https://x.example/", "https://x.example/", "a=b"),
            ("a=b; Max-Age=0", "https://x.example/", "https://x.example/", nil),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://x.example/", "https://x.example/", nil),
            (
                "a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://x.example/", "https://x.example/",
                "a=b"
            ),
            (" a = b=c ; HttpOnly; SameSite=Lax", "https://x.example/", "https://x.example/", "a=b=c"),
            ("nonsense", "https://x.example/", "https://x.example/", nil),
            ("=b", "https://x.example/", "https://x.example/", nil),
        ] as [(String, String, String, String?)]
    )
    func `a cookie goes where it belongs`(cookie: String, from: String, to: String, expected: String?) throws {
        #expect(try sent([cookie], from: from, to: to) == expected)
    }

    @Test func `a later cookie replaces the earlier, and longer paths come first`() throws {
        let cookies = ["a=1; Path=/", "b=2; Path=/p", "a=3; Path=/"]
        #expect(try sent(cookies, from: "https://x.example/", to: "https://x.example/p") == "b=2; a=3")
    }

    @Test func `a cookie ends at its time`() throws {
        let cookie = ["a=b; Max-Age=60"]
        #expect(try sent(cookie, from: "https://x.example/", to: "https://x.example/", now: 1059) == "a=b")
        #expect(try sent(cookie, from: "https://x.example/", to: "https://x.example/", now: 1060) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
        ("Fri, 31-Dec-2069 23:59:59 GMT", 3_155_759_999), ("01 Jan 1970 00:00:00", 0),
    ])
    func `dates are read in their forms`(text: String, seconds: Double) {
        #expect(CookieDate.parse(text) == seconds)
    }

    @Test(arguments: ["", "tomorrow", "Sun, 06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "06 Nov 1994 24:00:00"])
    func `an invalid date is ignored`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    @Test func `the jar is bounded`() throws {
        var jar = CookieJar()
        for number in 0..<1000 { jar.store(setCookie: "c\(number)=x", from: try url("https://x.example/"), now: 0) }
        jar.store(
            setCookie: "big=" + String(repeating: "x", count: 10_000),
            from: try url("https://x.example/"),
            now: 0
        )
        #expect(jar.count == 300)
    }

    @Test(arguments: [("a=b; SameSite=Lax", nil), ("a=b; SameSite=None; Secure", "a=b"), ("a=b", "a=b")])
    func `a POST from another site sends no cookie that is Lax`(cookie: String, sent: String?) throws {
        var jar = CookieJar()
        let page = try url("https://x.example/")
        jar.store(setCookie: cookie, from: page, now: 1000)
        #expect(jar.header(for: page, now: 1000, isCrossSite: true, isSafe: false) == sent)
        #expect(jar.header(for: page, now: 1000, isSafe: false) == "a=b")
    }

    @Test(
        arguments: [
            ("a=b; SameSite=Strict", true, nil, ["a"]), ("a=b; SameSite=Strict", false, "a=b", []),
            ("a=b; SameSite=Lax", true, "a=b", []), ("a=b", true, "a=b", []),
        ] as [(String, Bool, String?, [String])]
    ) func `a page of another site sends no cookie that is Strict`(
        cookie: String,
        isCrossSite: Bool,
        sent: String?,
        withheld: [String]
    ) throws {
        var jar = CookieJar()
        let page = try url("https://x.example/")
        jar.store(setCookie: cookie, from: page, now: 1000)
        #expect(jar.header(for: page, now: 1000, isCrossSite: isCrossSite) == sent)
        #expect((isCrossSite ? jar.withheld(for: page, now: 1000) : []) == withheld)
    }
}
