import TestSupport
import Testing

/// A run keeps the plan of each target and platform, so their number is bounded.
@Suite("Number of reports", .phase(.hostile), .timeLimit(.minutes(5)))
struct ReportLimitTests {
    @Test("targets and platforms together need at most 5,000 reports", arguments: [(20, 0), (90, 64)])
    func bounded(targets: Int, exitCode: Int) async throws {
        let folder = try TemporaryFolder()
        let text =
            "profile: all\ntargets:\n"
            + (0..<targets).map { "  t\($0):\n    issuer: https://t\($0).example\n" }.joined()
        let file = try folder.file("preflight.yaml", text)
        let result = try await Program.run(["plan", "--config", file])
        #expect(result.code == exitCode, "\(result.errors)")
        #expect(result.errors.contains("more than 5000 reports") == (exitCode != 0))
    }
}
