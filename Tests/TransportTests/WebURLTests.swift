import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(5))) struct WebURLTests {
    @Test func `a URL is split into its parts, byte for byte`() throws {
        let url = try #require(WebURL("HTTPS://User:p%40ss@Idp.Example.com:8443/a%2fb/../c?x=1&y=%20#frag?more"))
        #expect(url.scheme == "https")
        #expect(url.userInfo == "User:p%40ss")
        #expect(url.host == "idp.example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/a%2fb/../c")
        #expect(url.query == "x=1&y=%20")
        #expect(url.fragment == "frag?more")
        #expect(url.text.hasPrefix("HTTPS://User"))
        #expect(url.origin == "https://idp.example.com:8443")
    }

    @Test func `missing parts are reported from empty ones`() throws {
        let bare = try #require(WebURL("https://idp.example.com"))
        #expect(bare.path == "/")
        #expect(bare.port == nil)
        #expect(bare.effectivePort == 443)
        #expect(bare.query == nil)
        #expect(bare.fragment == nil)
        #expect(bare.userInfo == nil)
        let empty = try #require(WebURL("http://idp.example.com:80/?#"))
        #expect(empty.query == "")
        #expect(empty.fragment == "")
        #expect(empty.origin == "http://idp.example.com")
    }

    @Test(arguments: ["", "/path", "idp.example.com", "ftp://idp.example.com/", "urn:x", "https://", "http://a:b/"])
    func `a relative URL is rejected`(text: String) {
        #expect(WebURL(text) == nil)
    }

    /// C ends a string at U+0000, so the displayed URL and the requested URL would differ.
    @Test(arguments: ["\0", "\n", "\t", "\u{1B}", "\r", "\u{7F}", "\u{1}"])
    func `no control character is part of an address`(control: String) throws {
        #expect(WebURL("https://idp.example.com/jwks\(control).example") == nil)
        #expect(WebURL("https://idp.example.com\(control)/jwks") == nil)
        let base = try #require(WebURL("https://idp.example.com/a"))
        let references = ["/x!y", "x!", "?!", "#!", "//other!.example/", "https://o.example/!"]
        for reference in references.map({ $0.replacing("!", with: control) }) {
            #expect(base.resolve(reference) == nil)
        }
    }

    @Test func `a space is tolerated, since providers send them`() {
        #expect(WebURL("https://rp.example/cb?error_description=not so")?.query == "error_description=not so")
        #expect(WebURL("https://a.example/")?.resolve("/b c?d=e f")?.text == "https://a.example/b%20c?d=e%20f")
        // The request, its Referer and the command that repeats it have the address as it is sent.
        #expect(HTTPRequest(url: "https://a.example/b c?d=e f").url == "https://a.example/b%20c?d=e%20f")
    }

    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2, as far as they stay with http.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), ("../g", "http://a/b/g"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"), ("http://x/y", "http://x/y"),
    ])
    func `references resolve as the specification says`(reference: String, expected: String) throws {
        let base = try #require(WebURL("http://a/b/c/d;p?q"))
        #expect(base.resolve(reference)?.text == expected)
    }

    @Test func `an absolute reference keeps its text`() throws {
        let base = try #require(WebURL("http://a/b"))
        let location = "https://rp.example/cb?a=%7e#access_token=x%2Fy"
        #expect(base.resolve(location)?.text == location)
    }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.9.9.9:1/", true), ("http://localhost/", true),
        ("http://a.localhost/", true), ("http://[::1]:8/", true), ("http://128.0.0.1/", false),
        ("http://localhost.example/", false), ("http://127.0.0.1.example/", false),
    ])
    func `loopback hosts are known by name and number`(text: String, expected: Bool) {
        #expect(WebURL(text)?.isLoopback == expected)
    }

    @Test func `parameters keep their order and repetitions`() {
        let parameters = FormParameters(parsing: "b=2&a=%C3%A4+x&b=&c&=d&%zz=%4&&e==f")
        #expect(parameters.items.map(\.name) == ["b", "a", "b", "c", "", "%zz", "e"])
        #expect(parameters.items.map(\.value) == ["2", "ä x", "", "", "d", "%4", "=f"])
        #expect(parameters["b"] == "2")
        #expect(parameters.all("b") == ["2", ""])
        #expect(FormParameters(parsing: parameters.serialized) == parameters)
    }

    /// The oracle is Python's urllib, which is written from the same specification.
    @Test(.oracle(.program("python3")))
    func `parameters are written as another implementation reads them`() async throws {
        let value = "a b+c&d=e%f/ä€😀~*'()"
        let text = FormParameters([FormParameter(name: "n", value: value)]).serialized
        let script = "import sys,urllib.parse; print(urllib.parse.parse_qsl(sys.argv[1])[0][1], end='')"
        let output = try await Tool.run("python3 -c \"\(script)\" '\(text)'")
        #expect(String(decoding: output, as: UTF8.self) == value)
    }

    @Test func `parameters are added behind those of the URL`() {
        #expect(WebURL("https://a/b?c=d#e")?.adding([("f", "g h")]) == "https://a/b?c=d&f=g+h")
        #expect(WebURL("https://a/b")?.adding([("f", "")]) == "https://a/b?f=")
        #expect(WebURL("https://a/b?")?.adding([("f", "")]) == "https://a/b?f=")
    }
}

@Suite(.timeLimit(.minutes(5))) struct AddressPolicyTests {
    @Test(
        arguments: [
            ([10, 0, 0, 1], true), ([172, 16, 0, 1], true), ([172, 32, 0, 1], false), ([192, 168, 1, 1], true),
            ([127, 0, 0, 2], true), ([100, 64, 0, 1], true), ([100, 128, 0, 1], false), ([169, 254, 169, 254], true),
            ([0, 0, 0, 0], true), ([224, 0, 0, 1], true), ([255, 255, 255, 255], true), ([8, 8, 8, 8], false),
            ([93, 184, 216, 34], false),
        ] as [([UInt8], Bool)]
    )
    func `IPv4 addresses are checked`(address: [UInt8], isRefused: Bool) {
        #expect((AddressPolicy.rule(against: address) != nil) == isRefused)
    }

    @Test(
        arguments: [
            ([0x20, 0x01, 0x48, 0x60], 0x88, false), ([0xFE, 0x80], 1, true), ([0xFC], 1, true),
            ([0xFD, 0, 0x0E, 0xC2], 1, true),
            ([0xFF, 0x02], 1, true), ([], 1, true), ([], 0, true),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0], 1, true),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8], 8, false),
            ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0], 1, true),
            ([0x20, 0x02, 192, 168, 0, 1], 1, true),
        ] as [([UInt8], UInt8, Bool)]
    )
    func `IPv6 addresses are checked, with the IPv4 addresses inside them`(
        start: [UInt8],
        last: UInt8,
        isRefused: Bool
    ) {
        let address = start + [UInt8](repeating: 0, count: 15 - start.count) + [last]
        #expect((AddressPolicy.rule(against: address) != nil) == isRefused)
    }

    @Test func `an override is read as curl reads it`() {
        #expect(
            HostOverride("a.example:443:127.0.0.1") == HostOverride(host: "a.example", port: 443, address: "127.0.0.1")
        )
        #expect(HostOverride("a.example:443:[::1]")?.address == "::1")
        #expect(HostOverride("a.example:443:::1")?.address == "::1")
        let moved = HostOverride(host: "a.example", port: 443, address: "127.0.0.1", actualPort: 8443)
        #expect(HostOverride(connectTo: "a.example:443:127.0.0.1:8443") == moved)
        #expect(HostOverride(connectTo: "a.example:443:[::1]:8443")?.address == "::1")
        let local = HostOverride(host: "[::1]", port: 443, address: "127.0.0.1", actualPort: 8443)
        #expect(HostOverride(connectTo: "[::1]:443:127.0.0.1:8443") == local)
        #expect(HostOverride(connectTo: "[::1]:443:[::2]:8443")?.address == "::2")
        #expect(HostOverride("[::1]:443:[::2],::3") == HostOverride(host: "[::1]", port: 443, address: "::2,::3"))
        for text in [
            "[::1]:443:::2:8443", "[::1:443:127.0.0.1:8443", "a.example:443:127.0.0.1", "a.example:443:127.0.0.1:x",
            "a.example:443:::1:8443", "a:1:b,c:2",
        ] {
            #expect(HostOverride(connectTo: text) == nil, "\(text)")
        }
        #expect(HostOverride("a.example:443:[::1],192.0.2.1")?.address == "::1,192.0.2.1")
        for text in [
            "", "a.example:443:192.0.2.1,", "a.example", "a.example:443", "a.example:x:1.2.3.4", ":443:1.2.3.4",
            "a:0:1.2.3.4",
        ] {
            #expect(HostOverride(text) == nil)
        }
    }

    @Test func `the versions are those of the libraries`() async throws {
        let versions = LibraryVersions.current
        let words = try await Tool.run("curl-config --version")
        #expect(String(decoding: words, as: UTF8.self).contains(versions.curl))
        #expect(versions.isOpenSSL)
    }

    @Test func `a combining mark behind a delimiter does not hide it`() throws {
        let url = try #require(WebURL("https://idp.example/a?\u{301}x#\u{301}y"))
        #expect(url.query == "\u{301}x")
        #expect(url.fragment == "\u{301}y")
        #expect(url.textBeforeFragment.utf8.elementsEqual("https://idp.example/a?\u{301}x".utf8))
        #expect(url.textBeforeQuery == "https://idp.example/a")
    }
}
