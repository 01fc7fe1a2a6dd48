import Foundation
import Preflight
import Testing

@Suite("GeneratedPages")
struct GeneratedPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/Catalogue")

    private static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"

    @Test("the catalogue's pages are what the checks declare", arguments: CataloguePages.all.map(\.file))
    func isCurrent(file: String) throws {
        let text = try #require(CataloguePages.all.first { $0.file == file }).text
        let url = Self.folder.appendingPathComponent(file)
        if Self.isRecording {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let committed = try? String(contentsOf: url, encoding: .utf8)
        let isCurrent = committed == text
        #expect(isCurrent, "Documentation/Catalogue/\(file) is stale; write it anew with: make samples")
    }

    @Test("no page is left over from a stage that is gone")
    func nothingIsLeftOver() throws {
        // What another test writes at the moment has a hidden name until it is whole.
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(CataloguePages.all.map(\.file)))
    }
}
