import Testing

/// The reports that README and the guides link to are what the program writes of the saved run `closed`.
@Suite("Samples of reports", .timeLimit(.minutes(5)))
struct ReportSamplesTests {
    @Test("a committed report equals the program's output")
    func isCurrent() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run([
            "judge", try await SavedRun.evidence("closed"), "--profile", "openid", "--report-dir", folder.path,
        ])
        #expect(result.code == 1, "\(result.errors)")
        try CommittedFile.expect(try folder.read("report.md"), in: "Reports/samples/closed.md")
    }
}
