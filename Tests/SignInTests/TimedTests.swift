import TestSupport
import Testing

@testable import SignIn

/// Pages and secrets that are made to cost time.
///
/// libxml2 and the search count nothing that a test could bound, so these tests bound seconds, and need the machine for themselves.
@Suite(.serialized, .phase(.timed), .timeLimit(.minutes(5))) struct TimedTests {
    @Test func `50,000 attributes in a tag, 50,000 tags and a page without end are read in no time`() {
        let attributes = (0..<50_000).map { " a\($0)=\"x>y\"" }.joined()
        let form = "<form action=/x><input name=username><input type=password name=password><button>Go</button></form>"
        let pages = [
            "<p\(attributes)>\(form)",
            "<form action=/x><input name=username\(attributes)><input type=password name=password>",
            form + String(repeating: "<b>", count: 100_000), form + String(repeating: "<p>x</p>", count: 400_000),
            form + "<!--" + String(repeating: "-", count: 1_000_000),
            form + "<script>" + String(repeating: "<", count: 1_000_000),
            form + String(repeating: "<a b='", count: 100_000),
        ]
        for page in pages {
            var read = HTMLPage()
            let taken = ContinuousClock().measure { read = HTMLReader.read(Array(page.utf8)) }
            #expect(taken < .seconds(2), "\(page.prefix(40)): \(taken)")
            #expect(read.forms.first?.controls.first?.name == "username", "\(page.prefix(40))")
        }
    }

    @Test func `a secret of any length costs no more than its length, and a text of 2 MiB no second`() {
        let long = String(repeating: "eyJhbGciOiJub25lIn0", count: 40_000)
        var search = SecretSearch()
        search.learn(long, replacement: "(hidden)")
        for number in 0..<500 { search.learn("secret-number-\(number)-0123456789", replacement: "(hidden)") }
        var text = Array(String(repeating: "a%20b\\u0020c&amp;Q2FuYXJ5LXNlY3JldC8rJSY ", count: 50_000).utf8)
        text += Array("secret-number-7-0123456789".utf8)
        var redacted: [UInt8] = []
        let taken = ContinuousClock().measure { redacted = search.redact(text) }
        #expect(redacted.suffix(8) == Array("(hidden)".utf8)[...])
        #expect(taken < .seconds(3), "\(taken)")
    }
}
