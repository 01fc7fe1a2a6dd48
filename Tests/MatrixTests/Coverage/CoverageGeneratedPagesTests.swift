import Foundation
import Preflight
import Testing

@Suite("Coverage, GeneratedPages", .timeLimit(.minutes(5)))
struct CoverageGeneratedPagesTests {
    private static let folder = ExampleRecord.repository.appendingPathComponent("Documentation/Coverage")
    private static let sightings = ExampleRecord.repository
        .appendingPathComponent("Sources/Preflight/Explanations/sightings.tsv")

    @Test(
        "the coverage pages are what the tables, the catalogue and the faults say",
        arguments: CoveragePages.all.map(\.file)
    )
    func isCurrent(file: String) throws {
        let text = try #require(CoveragePages.all.first { $0.file == file }).text
        let isCurrent = try Self.holds(text, Self.folder.appendingPathComponent(file))
        #expect(isCurrent, "Documentation/Coverage/\(file) is stale; write it anew with: make samples")
    }

    @Test("where people met what a check finds is compiled in as the table says")
    func sightingsAreCurrent() throws {
        let isCurrent = try Self.holds(CoveragePages.sightings, Self.sightings)
        #expect(isCurrent, "\(Self.sightings.lastPathComponent) is stale; write it anew with: make samples")
        #expect(Sighting.all.allSatisfy { !$0.issues.isEmpty && !$0.happens.isEmpty })
    }

    @Test("no coverage page is left over")
    func nothingIsLeftOver() throws {
        // What another test writes at the moment has a hidden name until it is whole.
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(CoveragePages.all.map(\.file)))
    }

    /// Whether a committed file holds the text; while recording it is written first.
    private static func holds(_ text: String, _ url: URL) throws -> Bool {
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
