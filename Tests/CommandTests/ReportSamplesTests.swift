import Foundation
import Testing

/// The committed samples are what the program says of saved runs of the reference provider.
@Suite("Samples of reports", .serialized)
struct ReportSamplesTests {
    /// A sample, the evidence that it is rendered from, and for which platforms.
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var evidence: String
        var profile: String?
        var exitCode: Int

        init(_ name: String, _ evidence: String, profile: String? = nil, exitCode: Int) {
            testDescription = name
            self.evidence = evidence
            self.profile = profile
            self.exitCode = exitCode
        }
    }

    private static let all = [
        Sample("open", "open", exitCode: 0),
        Sample("closed", "closed", profile: "openid", exitCode: 1),
        Sample("undecided", "undecided", exitCode: 2),
        Sample("platforms", "closed", exitCode: 1),
    ]
    /// The files of a sample: those for people of all, those for programs of some.
    private static func endings(_ sample: Sample) -> [String] {
        let programs = ["badge.json", "code-quality.json", "ctrf.json", "github.txt", "openmetrics", "sarif", "tap"]
        let hasThemAll = ["closed", "undecided"].contains(sample.testDescription)
        return ["html", "json", "md", "txt", "xml"] + (hasThemAll ? programs : [])
    }

    @Test("a committed sample is what the program says of a saved run", arguments: all)
    func isCurrent(sample: Sample) async throws {
        let evidence = CommittedFile.root.appendingPathComponent(
            "Tests/Fixtures/evidence/format-3/\(sample.evidence).json"
        )
        let folder = try TemporaryFolder()
        let rules = sample.profile.map { ["--profile", $0] } ?? []
        let result = try await Program.run(
            ["judge", evidence.path, "--report-dir", folder.path] + rules,
            environment: ["COLUMNS": "80"]
        )
        #expect(result.code == sample.exitCode, "\(result.errors)")
        #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
        let name = "Reports/samples/\(sample.testDescription)"
        try CommittedFile.expect(result.output, in: "\(name).terminal.txt")
        for ending in Self.endings(sample) {
            try CommittedFile.expect(try folder.read("report.\(ending)"), in: "\(name).\(ending)")
        }
    }

    @Test("every sample file has its saved run")
    func nothingIsLeftOver() throws {
        let expected = Self.all.flatMap { sample in
            (Self.endings(sample) + ["terminal.txt"]).map { "\(sample.testDescription).\($0)" }
        }
        let folder = CommittedFile.root.appendingPathComponent("Reports/samples").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(expected + ["README.md", "registration"]))
    }
}
