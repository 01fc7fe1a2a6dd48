import Conformance
import Testing

@testable import Catalogue

@Suite("Reading of addresses and times", .timeLimit(.minutes(5)))
struct ReadingTests {
    @Test("a URL is split at its delimiters")
    func parts() {
        let url = URIReference("https://user:pw@Op.example:8443/a/b?c=d?e#f#g")
        #expect(url.scheme == "https" && url.userinfo == "user:pw" && url.host == "Op.example" && url.port == "8443")
        #expect(url.path == "/a/b" && url.query == "c=d?e" && url.fragment == "f#g" && url.isAbsolute)
    }

    @Test(
        "a URL without a scheme or host is not absolute",
        arguments: ["", "op.example", "/path", "//op.example", "https:", "https:///x", "https:/x", "1s://x", "urn:a:b"]
    )
    func relative(text: String) {
        #expect(!URIReference(text).isAbsolute)
    }

    @Test(
        "a combining character after a delimiter does not hide the delimiter",
        arguments: [("https://op.example/a#\u{301}x", "\u{301}x"), ("https://op.example/a?b#c", "c")]
    )
    func delimiters(text: String, fragment: String) {
        #expect(URIReference(text).fragment == fragment && URIReference(text).host == "op.example")
    }

    @Test("an IPv6 address keeps its brackets, and the port after them is found")
    func ipv6() {
        let url = URIReference("https://[2001:db8::1]:443/x")
        #expect(url.host == "[2001:db8::1]" && url.port == "443" && url.effectivePort == 443)
        #expect(URIReference("https://[::1]").port == nil)
    }

    @Test(
        "hosts are classified by reachability",
        arguments: [
            ("localhost", HostKind.loopback), ("127.0.0.1", .loopback), ("[::1]", .loopback),
            ("a.localhost", .loopback),
            ("10.1.2.3", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.32.0.1", .public),
            ("192.168.1.1", .privateNetwork), ("169.254.169.254", .privateNetwork), ("[fd00::1]", .privateNetwork),
            ("[2001:db8::1]", .public), ("keycloak", .singleLabel), ("idp.internal", .localDomain),
            ("idp.corp", .localDomain), ("op.example", .public), ("8.8.8.8", .public), ("1.2.3", .public),
        ]
    )
    func hosts(host: String, kind: HostKind) {
        #expect(HostKind(host) == kind)
    }

    @Test(
        "times in the preferred format are parsed and formatted",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2028 23:59:59 GMT", 1_835_481_599),
        ]
    )
    func dates(text: String, seconds: Double) {
        #expect(HTTPDate.seconds(text) == seconds)
        #expect(HTTPDate.text(seconds) == text)
    }

    @Test(
        "other formats and impossible times are rejected",
        arguments: [
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 30 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "", "784111777", "Sun, 06 Nov 1994 08:49:37 GMT ",
        ]
    )
    func badDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
