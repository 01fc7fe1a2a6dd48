import Foundation
import JSONTree
import TestSupport
import Testing

/// The page `Documentation/Platforms.md`: what `lint` reports of recorded documents of real providers, for every platform.
@Suite("Documents at platforms, GeneratedPages", .phase(.programs), .timeLimit(.minutes(5)))
struct CorpusGeneratedPagesTests {
    private static let introduction = """
        # Discovery documents of real providers at the platforms

        `lint DOCUMENT --profile all` for each recorded discovery document in
        [Tests/Fixtures/corpus](../Tests/Fixtures/corpus/README.md). The documents are as they were at some date, and some show the defaults of a product.
        **Open** means only that nothing in the document prevents a sign-in: no key set was read, no user signed in, and the platform's settings were not
        compared. To check a provider of yours, run `check`.

        A check that closes the gate of every platform is named once. `make samples` writes this page.

        | document | open | closed by |
        | --- | ---: | --- |

        """

    @Test("the page is what lint reports of each document for each platform")
    func page() async throws {
        let folder = CommittedFile.root.appendingPathComponent("Tests/Fixtures/corpus/discovery")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(names.count >= 61)
        var rows: [String] = []
        // One after another: the suite runs beside others that start programs.
        for name in names.sorted(by: { $0.dropLast(5) < $1.dropLast(5) }) {
            let path = folder.appendingPathComponent(name).path
            let result = try await Program.run(["lint", path, "--profile", "all", "--report", "json=-"])
            let reports = try JSONDocument.parse(result.output).root["reports"]?.arrayValue
            rows.append("| \(name.dropLast(5)) | \(Self.cells(of: try #require(reports, "\(result.errors)"))) |")
        }
        try CommittedFile.expect(
            Self.introduction + rows.joined(separator: "\n") + "\n",
            in: "Documentation/Platforms.md"
        )
    }

    /// The number of open gates, and each closing check with its platforms, the one that closes most first.
    private static func cells(of reports: [JSON]) -> String {
        var platforms: [(check: String, names: [String])] = []
        var open = 0
        for report in reports {
            let name = report["profile"]?["name"]?.stringValue ?? ""
            let closing = (report["entries"]?.arrayValue ?? []).filter { $0["closesGate"] == true }
                .compactMap { $0["id"]?.stringValue }
            if closing.isEmpty { open += 1 }
            for check in closing {
                let place = platforms.firstIndex { $0.check == check } ?? platforms.count
                if place == platforms.count { platforms.append((check, [])) }
                platforms[place].names.append(name)
            }
        }
        let texts = platforms.enumerated()
            .sorted { (-$0.element.names.count, $0.offset) < (-$1.element.names.count, $1.offset) }
            .map { _, one in
                let isEverybody = one.names.count == reports.count
                return "`\(one.check)`: " + (isEverybody ? "all" : one.names.joined(separator: ", "))
            }
        return "\(open) of \(reports.count) | \(texts.joined(separator: "; "))"
    }
}
