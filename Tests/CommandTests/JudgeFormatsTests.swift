import Foundation
import JSONTree
import Testing

/// All report formats of saved evidence have the same content.
@Suite("Saved evidence in every format", .timeLimit(.minutes(5)))
struct JudgeFormatsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String {
            evidence + (profiles.map { " for \($0)" } ?? "") + (baseline.map { " beside \($0)" } ?? "")
        }
        var evidence: String
        var profiles: String?
        /// A sample whose errors are known.
        var baseline: String?

        /// Evaluates it with the command line.
        func judge(_ arguments: [String]) async throws -> Program.Result {
            let rules = profiles.map { ["--profile", $0] } ?? []
            var known: [String] = []
            if let baseline { known = ["--baseline", try await SavedRun.report(baseline)] }
            return try await Program.run(["judge", try await SavedRun.evidence(evidence)] + rules + known + arguments)
        }
    }

    static let rows: [Row] =
        ["open", "closed", "undecided"]
        .flatMap { file in
            [
                Row(evidence: file), Row(evidence: file, profiles: "openid"),
                Row(evidence: file, profiles: "openid,supabase,vault"),
            ]
        } + [
            Row(evidence: "closed", profiles: "openid", baseline: "closed"),
            Row(evidence: "closed", baseline: "platforms"),
            Row(evidence: "undecided", baseline: "closed"),
            Row(evidence: "closed", profiles: "openid,kubernetes", baseline: "platforms"),
        ]

    /// The profile openid alone has no form of its own: its rows are for the readers.
    @Test(
        "each format of each saved run is consistent",
        arguments: rows.filter { $0.profiles != "openid" || $0.baseline != nil }
    )
    func keepsItsPromise(row: Row) async throws {
        let folder = try TemporaryFolder()
        let result = try await row.judge(["--report-dir", folder.path])
        #expect([0, 1, 2].contains(result.code), "\(result.errors)")

        // One sentence is the verdict in all forms.
        let json = try JSONDocument.parse(try folder.read("report.json")).root
        let summary = try #require(json["outcome"]?["summary"]?.stringValue)
        #expect(json["outcome"]?["exitCode"]?.integerValue == Int64(result.code))
        let last = "\(summary); exit code \(result.code)"
        #expect(result.output.split(separator: "\n").last.map(String.init) == last)
        #expect(try folder.read("report.txt").split(separator: "\n").last.map(String.init) == last)
        #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
        let markdown = try folder.read("report.md")
        #expect(markdown.hasPrefix("## \(summary)\n"))
        #expect(markdown.utf8.count <= 60_000)
        let page = try folder.read("report.html")
        let heading = page.firstMatch(of: #/<h1>([^<]*)</h1>/#)?.output.1 ?? ""
        let reported = heading.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&amp;", with: "&")
        #expect(summary.hasPrefix(reported.replacing("…", with: "")) && reported.count > 10)
        #expect(page.utf8.count < 300_000)
    }

    @Test(
        "every platform at once fits on the screen",
        arguments: [("open", 40), ("closed", 60), ("undecided", 80), ("closed", 120)]
    )
    func fitsOnTheScreen(evidence: String, width: Int) async throws {
        let list = try await Program.run(["profiles", "list"]).output
        let names = list.matches(of: #/(?m)^ {0,6}([a-z0-9-]+) +[0-9]+ checks/#).map { String($0.1) }
        #expect(names.count > 20)
        let result = try await Program.run(
            ["judge", try await SavedRun.evidence(evidence), "--profile", names.joined(separator: ",")],
            environment: ["COLUMNS": "\(width)"]
        )
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 60)
        #expect(lines.dropLast().allSatisfy { $0.count <= width }, "\(result.output)")
        // Platforms that nothing distinguishes are counted.
        if lines.last?.contains("for all \(names.count) platforms") == true { return }
        let words = Set(result.output.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        #expect(Set(names).isSubset(of: words))
    }

    @Test("with all platforms, the first change is the one that opens most gates", arguments: ["closed", "open"])
    func firstChange(evidence: String) async throws {
        let saved = try await SavedRun.evidence(evidence)
        let json = try await Program.run(["judge", saved, "--profile", "all", "--report", "json=-"]).output
        var alone: [String: Set<String>] = [:]
        for report in try JSONDocument.parse(json, valueLimit: JSONDocument.ownValueLimit).root["reports"]?.arrayValue
            ?? []
        {
            let entries = report["entries"]?.arrayValue ?? []
            let blocking = entries.filter { $0["closesGate"] == true || $0["blocksOpening"] == true }
            guard blocking.count == 1, blocking[0]["closesGate"] == true else { continue }
            let name = try #require(report["profile"]?["name"]?.stringValue)
            let messages = blocking[0]["findings"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
            let change = [blocking[0]["id"]?.stringValue ?? ""] + messages
            alone[change.joined(separator: "\n"), default: []].insert(name)
        }
        let most = alone.values.map(\.count).max() ?? 0
        let lines = try await Program.run(["judge", saved, "--profile", "all"], environment: ["COLUMNS": "100"]).output
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count <= 41, "\(lines)")
        let opened = lines.compactMap {
            $0.firstMatch(of: #/^ +opens +([0-9]+) platform/#).flatMap { Int($0.output.1) }
        }
        #expect(opened == opened.sorted(by: >) && (opened.first ?? 0) == most, "\(alone) \(lines)")
    }
}
