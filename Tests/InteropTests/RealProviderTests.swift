import Conformance
import Foundation
import Testing

@Suite("Real providers", .serialized)
struct RealProviderTests {
    @Test(
        "the findings are those that were checked by hand, none more and none less",
        arguments: ["canaille-http", "canaille-https", "django-oauth-toolkit-http", "django-oauth-toolkit-https"]
    )
    func findings(name: String) async throws {
        guard RealProvider.folder != nil else {
            print("** NOT RUN: interop test \(name): no provider was started; run `make interop`")
            return
        }
        if let reason = RealProvider.missing(name) {
            print("** NOT RUN: interop test \(name): \(reason)")
            return
        }
        let provider = try RealProvider(name)
        let report = try await provider.judge()
        let expectation = try Expectation(provider: provider.name, scheme: provider.scheme)
        let notable = report.entries.filter { ["failed", "inconclusive"].contains($0.verdict.word) && $0.wasSelected }
        let seen = Set(notable.map { "\($0.verdict.word) \($0.id)" })
        let expected = Set(expectation.rows.map { "\($0.verdict) \($0.check)" })
        for entry in notable where !expected.contains("\(entry.verdict.word) \(entry.id)") {
            let detail = entry.verdict.findings.map(\.message).joined(separator: "; ")
            Issue.record(
                "more than expected: \(entry.verdict.word) \(entry.id): \(detail)\(entry.verdict.reason ?? "")"
            )
        }
        for row in expected.subtracting(seen).sorted() { Issue.record("less than expected: \(row)") }
        #expect(report.coverage.passed > 60, "the run came through to the end")
    }

    @Test("every pinned finding has a reason and names a check", arguments: ["canaille", "django-oauth-toolkit"])
    func pins(provider: String) throws {
        for scheme in ["http", "https"] {
            let rows = try Expectation(provider: provider, scheme: scheme).rows
            #expect(!rows.isEmpty)
            for row in rows { #expect(row.because.count > 10, "\(row.check)") }
        }
    }
}
