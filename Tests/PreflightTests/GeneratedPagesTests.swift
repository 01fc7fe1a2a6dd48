import Conformance
import Foundation
import Preflight
import Testing

@Suite("GeneratedPages", .serialized, .timeLimit(.minutes(1)))
struct GeneratedPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/Catalogue")

    private static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"

    private static func files() throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") })
    }

    @Test("the catalogue's pages are what the checks declare")
    func isCurrent() throws {
        let pages = try CataloguePages.all.get()
        if Self.isRecording {
            // Other tests read the folder meanwhile: nothing is missing at any moment.
            let checks = Self.folder.appendingPathComponent("checks")
            try FileManager.default.createDirectory(at: checks, withIntermediateDirectories: true)
            for page in pages {
                let url = Self.folder.appendingPathComponent(page.file)
                try page.text.write(to: url, atomically: true, encoding: .utf8)
            }
            for file in try Self.files().subtracting(pages.map(\.file)) {
                try FileManager.default.removeItem(at: Self.folder.appendingPathComponent(file))
            }
        }
        let stale = pages.filter { page in
            (try? String(contentsOf: Self.folder.appendingPathComponent(page.file), encoding: .utf8)) != page.text
        }
        #expect(stale.map(\.file) == [], "below Documentation/Catalogue; write them anew with: make samples")
    }

    @Test("no page is left over from a check or a stage that is gone")
    func nothingIsLeftOver() throws {
        let leftOver = try Self.files().symmetricDifference(CataloguePages.all.get().map(\.file))
        #expect(leftOver.isEmpty, "below Documentation/Catalogue; make samples removes what is left over")
    }

    @Test("a page is short, and says what a reader looks for")
    func pagesAreShort() throws {
        for page in try CataloguePages.all.get() where page.file.hasPrefix("checks/") {
            #expect(page.text.utf8.count < 8_000, "\(page)")
            for heading in ["Requirement", "Consequence", "Written in", "Why", "Sends", "Reads", "Platforms"] {
                #expect(page.text.contains("- **\(heading):**"), "\(page) lacks \(heading)")
            }
        }
    }

    @Test("every check's page lies where findings link to")
    func addresses() throws {
        let files = Set(try CataloguePages.all.get().map { "Documentation/Catalogue/" + $0.file })
        for check in PreflightRun.checks {
            #expect(files.contains(check.id.page))
            #expect(check.id.link == Publication.link(to: check.id.page) && check.id.link.hasPrefix("https://"))
        }
    }
}
