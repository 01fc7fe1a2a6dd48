import Conformance
import Foundation
import JSONTree
import Preflight
import Testing

/// The committed pages that derive from the checks, and the committed schema of the configuration.
@Suite("GeneratedPages", .timeLimit(.minutes(5)))
struct GeneratedPagesTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Documentation/Catalogue")

    /// Expects the text in a committed file, or writes it there when files are recorded.
    static func expect(_ text: String, in file: URL) throws {
        if ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let isCurrent = (try? String(contentsOf: file, encoding: .utf8)) == text
        #expect(isCurrent, "\(file.lastPathComponent) is stale; regenerate it with: make samples")
    }

    @Test("the catalogue's pages match the checks", arguments: CataloguePages.stages)
    func pages(page: CataloguePages.Page) throws {
        try Self.expect(page.text, in: Self.folder.appendingPathComponent(page.file))
    }

    @Test("no page exists for a removed stage")
    func nothingIsLeftOver() throws {
        // A file that another test is writing has a hidden name.
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(CataloguePages.stages.map(\.file)))
    }

    @Test("the schema that editors fetch is the configuration's, on one line")
    func schema() throws {
        let text = try JSONDocument.parse(ConfigurationSchema.text).root.serialized() + "\n"
        try Self.expect(text, in: Self.root.appendingPathComponent(ConfigurationSchema.path))
    }

    @Test("findings link to a row of a stage's page")
    func addresses() {
        let texts = Dictionary(uniqueKeysWithValues: CataloguePages.stages.map { ($0.file, $0.text) })
        for check in PreflightRun.checks {
            let parts = check.id.page.split(separator: "#").map(String.init)
            let text = texts[parts[0].replacing("Documentation/Catalogue/", with: "")] ?? ""
            #expect(
                parts.count == 2 && text.contains("\n| <a id=\"\(parts[1])\"></a>`\(check.id)` |"),
                "\(check.id.page)"
            )
            #expect(check.id.link == Publication.link(to: check.id.page) && check.id.link.hasPrefix("https://"))
        }
        #expect(CheckID("unknown.check").page == "Documentation/Catalogue/README.md")
    }

    @Test("the published page of a check is short, and has what a reader looks for")
    func checks() throws {
        let pages = try CataloguePages.site().filter { $0.file.hasPrefix("checks/") }
        #expect(pages.count == PreflightRun.checks.count)
        for page in pages {
            #expect(page.text.utf8.count < 8_000, "\(page)")
            for heading in ["Requirement", "Consequence", "Source", "Why", "Sends", "Reads", "Platforms"] {
                #expect(page.text.contains("- **\(heading):**"), "\(page) lacks \(heading)")
            }
        }
    }
}
