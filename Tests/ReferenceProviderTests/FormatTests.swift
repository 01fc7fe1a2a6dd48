import Conformance
import Testing

@testable import ReferenceProvider

@Suite("Formats", .timeLimit(.minutes(5)))
struct FormatTests {
    @Test(
        "Dates are written as in RFC 9110 section 5.6.7",
        arguments: [
            (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400.9, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ]
    )
    func dates(_ time: Double, _ text: String) {
        #expect(HTTPDate.text(time) == text)
    }

    @Test(
        "Forms are decoded as in RFC 6749 appendix B",
        arguments: [
            ("a=+%25%26%2B%C2%A3%E2%82%AC", [Field("a", " %&+£€")]),
            ("a=1&a=2&b", [Field("a", "1"), Field("a", "2"), Field("b", "")]),
            ("a%3D=%3d&&c=%", [Field("a=", "="), Field("c", "%")]),
            ("x=%4", [Field("x", "%4")]), ("", []),
        ]
    )
    func forms(_ text: String, _ fields: [Field]) {
        #expect(FormEncoding.decode(text) == fields)
        #expect(FormEncoding.decode(FormEncoding.encode(fields)) == fields)
    }

    @Test("Cookies are found among others")
    func cookies() {
        let request = ProviderRequest(
            method: "GET",
            target: "/a?b=c",
            headers: [Field("cookie", "a=1; session=x=y"), Field("Cookie", "browser=2")]
        )
        #expect(request.cookie("session") == "x=y")
        #expect(request.cookie("browser") == "2")
        #expect(request.cookie("other") == nil)
        #expect(request.path == "/a")
        #expect(request.query == [Field("b", "c")])
    }
}
