import Conformance
import Foundation
import Profiles
import TestSupport
import Testing

@Suite("Real providers", .phase(.providers), .timeLimit(.minutes(20)))
struct RealProviderTests {
    private static let providers = ["canaille", "django-oauth-toolkit", "glewlwyd"]

    @Test(
        "the findings are exactly those that were verified by hand",
        arguments: providers.flatMap { ["\($0)-http", "\($0)-https"] }
    )
    func findings(name: String) async throws {
        let provider = try await RealProvider(name)
        let joint = try await provider.judge(for: Self.platforms(provider))
        let report = joint.reports[0]
        let notable = report.entries.filter { ["failed", "inconclusive"].contains($0.verdict.word) && $0.wasSelected }
        if ExpectationRecord.isWanted {
            try await ExpectationRecord.shared.note(notable, provider: provider.name, scheme: provider.scheme)
            if joint.reports.count > 1 { try PlatformExpectation(joint).write(provider: provider.name) }
            return
        }
        let expectation = try Expectation(provider: provider.name)
        let seen = Set(notable.map { "\($0.verdict.word) \($0.id)" })
        let expected = expectation.keys(scheme: provider.scheme)
        for entry in notable where !expected.contains("\(entry.verdict.word) \(entry.id)") {
            let detail = entry.verdict.findings.map(\.message).joined(separator: "; ")
            Issue.record(
                "more than expected: \(entry.verdict.word) \(entry.id): \(detail)\(entry.verdict.reason ?? "")"
            )
        }
        for row in expected.subtracting(seen).sorted() { Issue.record("less than expected: \(row)") }
        let passed = Set(report.entries.filter { $0.verdict.word == "passed" }.map(\.id.rawValue))
        for unseen in expectation.unseen {
            guard let check = unseen.check, !passed.contains(check) else { continue }
            Issue.record("no longer unseen, \(check) did not pass: \(unseen.deviation)")
        }
        #expect(report.coverage.passed > 60, "the run came through to the end")
        if joint.reports.count > 1 {
            let expected = try PlatformExpectation(provider: provider.name).rows
            for (report, pinned) in zip(joint.reports, expected) {
                var row = PlatformExpectation.Row(report)
                if row != pinned, Self.hadServerErrors(report) {
                    // A broken database session fails a different request in every run.
                    print("** RETRIED: \(name), \(row.platform): the provider failed; \(row.by)")
                    let again = try await provider.judge(for: [row.platform]).reports
                    row = again.first { $0.profile.name == row.platform }.map(PlatformExpectation.Row.init) ?? row
                }
                #expect(row == pinned)
            }
            #expect(joint.reports.map(\.profile.name) == expected.map(\.platform))
        }
    }

    @Test("two runs have the same results", arguments: providers)
    func sameness(provider: String) async throws {
        let name = provider + "-https"
        var reports: [Report] = []
        for _ in 0..<2 { reports.append(try await RealProvider(name).judge().reports[0]) }
        // A broken database session of the provider fails a different request in every run, so it is ignored.
        let mayBeInconclusive = reports.contains(where: Self.hadServerErrors)
        for (one, other) in zip(reports[0].entries, reports[1].entries) {
            let words = [one.verdict.word, other.verdict.word]
            if mayBeInconclusive, words.contains("inconclusive") { continue }
            #expect(one.id == other.id && words[0] == words[1], "\(one.id): \(one.verdict), then \(other.verdict)")
        }
        #expect(reports[0].entries.count == reports[1].entries.count)
    }

    private static func hadServerErrors(_ report: Report) -> Bool {
        report.notes.contains { $0.contains("server error") }
    }

    /// The pinned results for every platform: over https, because no platform accepts another scheme.
    private static func platforms(_ provider: RealProvider) -> [String] {
        provider.scheme == "https" && provider.name != "glewlwyd" ? ProfileLibrary.builtIn.map(\.name) : []
    }

    @Test("every pinned finding and every undetected deviation has a reason", arguments: providers)
    func pins(provider: String) throws {
        let expectation = try Expectation(provider: provider)
        #expect(!expectation.rows.isEmpty)
        for row in expectation.rows {
            #expect(row.because.count > 10, "\(row.check)")
            #expect(!row.because.hasPrefix(ExpectationRecord.mark), "\(row.check)")
        }
        #expect(Set(expectation.rows.map(\.key)).count == expectation.rows.count, "a finding is pinned once")
        for unseen in expectation.unseen {
            #expect(unseen.deviation.count > 20 && unseen.because.count > 10, "\(unseen)")
            let isPinned = expectation.rows.contains { $0.check == unseen.check }
            #expect(!isPinned, "\(unseen.check ?? "") is both found and not found")
        }
    }
}
