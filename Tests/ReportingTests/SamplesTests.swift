import Conformance
import FoundationEssentials
import Reporting
import Testing

/// The committed samples are what the code writes today.
@Suite struct SamplesTests {
    private static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"

    @Test(arguments: SampleReport.allCases, ReportFormat.allCases)
    func `a committed sample is what the code writes`(_ sample: SampleReport, _ format: ReportFormat) throws {
        let name = "\(sample.rawValue).\(format.fileExtension)"
        let file = Repository.folder("Reports/samples").appending(path: name)
        let written = format.render(sample.report)
        if Self.isRecording {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(written.utf8).write(to: file)
        }
        let committed = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let isCurrent = committed == written
        #expect(
            isCurrent,
            "Reports/samples/\(name) is stale. Run: OIDC_PREFLIGHT_RECORD=1 swift test --filter Samples"
        )
    }

    @Test(arguments: ReportFormat.allCases)
    func `writing twice gives the same text`(_ format: ReportFormat) {
        #expect(format.render(SampleReport.closed.report) == format.render(SampleReport.closed.report))
    }
}

/// Where the project's files lie.
enum Repository {
    static func folder(_ path: String) -> URL {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appending(path: path)
    }
}
