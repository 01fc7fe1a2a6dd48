import Foundation
import JSONTree
import Testing

/// What an earlier version saved is judged as that version judged it.
@Suite("Evidence that an earlier version saved")
struct EarlierEvidenceTests {
    private static let folder = CommittedFile.root.appendingPathComponent("Tests/Fixtures/evidence/format-2")

    @Test(arguments: ["openid", "twitter"])
    func `format 2 is judged as by the version that wrote it`(saved: String) async throws {
        let file = Self.folder.appendingPathComponent("\(saved).json").path
        let result = try await Program.run(["judge", file, "--report", "json=-"])
        let entries = try JSONDocument.parse(result.output).root["entries"]?.arrayValue ?? []
        let now = Dictionary(
            uniqueKeysWithValues: entries.map { ($0["id"]?.stringValue ?? "", $0["verdict"]?.stringValue ?? "") }
        )
        let table = Self.folder.appendingPathComponent("\(saved).verdicts.tsv")
        let then = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            .reduce(into: [String: String]()) { rows, line in
                let columns = line.split(separator: "\t").map(String.init)
                if columns.count == 2 { rows[columns[0]] = columns[1] }
            }
        #expect(then.count == 734)
        let changed = then.keys.sorted().filter { then[$0] != now[$0] }
            .map { [$0, then[$0] ?? "none", now[$0] ?? "none"] }
        #expect(changed.isEmpty, "\(changed)")
        // What the earlier version did not ask finds nothing where that version found nothing.
        let added = now.filter {
            then[$0.key] == nil && !["passed", "notApplicable", "notAttempted"].contains($0.value)
        }
        #expect(added.isEmpty, "\(added)")
    }
}
