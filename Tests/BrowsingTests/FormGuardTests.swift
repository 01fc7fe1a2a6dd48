import Testing
import Transport

@testable import Browsing

/// The decision on a request for a document, without a browser.
@Suite("Secrets in requests for documents", .timeLimit(.minutes(5)))
struct FormGuardTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var url: String
        var method = "POST"
        var body: String?
        var isRefused: Bool
        var testDescription: String { "\(method) \(url) \(body ?? "unknown")" }
    }

    private static let cases = [
        Case(url: "https://op.example/login", body: "p=secret", isRefused: false),
        Case(url: "https://op.example/login", body: nil, isRefused: false),
        Case(url: "https://other.example/login", body: "p=secret", isRefused: true),
        // Pages pass data on to other hosts by forms that submit themselves.
        Case(url: "https://other.example/saml", body: "assertion=x", isRefused: false),
        Case(url: "https://other.example/saml", body: nil, isRefused: true),
        Case(url: "https://other.example/?p=secret", method: "GET", body: "", isRefused: true),
        Case(url: "https://other.example/?p=x", method: "GET", body: nil, isRefused: false),
        Case(url: "https://other.example/?p=secret", body: "", isRefused: true),
        Case(url: "com.example.app:/cb?p=secret", method: "GET", body: "", isRefused: false),
    ]

    @Test("a request with a secret is refused, unless its target may receive it", arguments: cases)
    func refused(example: Case) {
        var state = GuardState()
        let body = example.body.map { Array($0.utf8) }
        let isRefusedWithoutGuard = state.refuses(example.url, method: example.method, body: body)
        #expect(!isRefusedWithoutGuard)
        state.formGuard = FormGuard(
            containsSecret: { $0.firstRange(of: Array("secret".utf8)) != nil },
            mayReceive: { $0.host == "op.example" }
        )
        let isRefused = state.refuses(example.url, method: example.method, body: body)
        #expect(isRefused == example.isRefused)
        #expect(state.withheld == (example.isRefused ? example.url : nil))
    }
}
