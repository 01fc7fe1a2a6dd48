import Foundation
import Preflight
import Testing

@Suite("Coverage, GeneratedPages", .timeLimit(.minutes(5)))
struct CoverageGeneratedPagesTests {
    private static let folder = ExampleRecord.repository.appendingPathComponent("Documentation/Coverage")
    private static let knownIssues = ExampleRecord.repository
        .appendingPathComponent("Sources/Preflight/Explanations/known-issues.tsv")

    @Test(
        "the coverage pages match the tables, the catalogue and the faults",
        arguments: CoveragePages.all.map(\.file)
    )
    func isCurrent(file: String) throws {
        let text = try #require(CoveragePages.all.first { $0.file == file }).text
        let isCurrent = try Self.matches(text, Self.folder.appendingPathComponent(file))
        #expect(isCurrent, "Documentation/Coverage/\(file) is stale; regenerate it with: make samples")
    }

    @Test("the compiled known issues of each check match the table")
    func knownIssuesAreCurrent() throws {
        let isCurrent = try Self.matches(CoveragePages.knownIssues, Self.knownIssues)
        #expect(isCurrent, "\(Self.knownIssues.lastPathComponent) is stale; regenerate it with: make samples")
        #expect(KnownIssue.all.allSatisfy { !$0.issues.isEmpty && !$0.happens.isEmpty })
    }

    @Test("no coverage page is obsolete")
    func nothingIsLeftOver() throws {
        // Files that another test is writing have hidden names until they are complete.
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(CoveragePages.all.map(\.file)))
    }

    /// Whether a committed file contains the text; a recording writes the file first.
    private static func matches(_ text: String, _ url: URL) throws -> Bool {
        if ExampleRecord.isRecording {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        return (try? String(contentsOf: url, encoding: .utf8)) == text
    }
}
