import Foundation
import ReportRecord
import Testing

/// `diff` and `--baseline` as a user types them, on reports of saved runs.
@Suite("Comparing reports", .timeLimit(.minutes(5)))
struct DiffTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(old) to \(new)" }
        var old: String
        var new: String
        var exitCode: Int
        var lastLine: String
    }

    @Test(
        "a report beside an earlier one",
        arguments: [
            Row(old: "open", new: "open", exitCode: 0, lastLine: "No new errors; exit code 0"),
            Row(
                old: "open",
                new: "closed",
                exitCode: 1,
                lastLine: "3 new errors, 1 new warning or notice; exit code 1"
            ),
            Row(old: "closed", new: "open", exitCode: 0, lastLine: "No new errors, 4 fixed; exit code 0"),
            Row(old: "closed", new: "closed", exitCode: 0, lastLine: "No new errors, 4 unchanged; exit code 0"),
            Row(
                old: "closed",
                new: "undecided",
                exitCode: 0,
                lastLine: "No new errors, 2 fixed, 2 without a result this time; exit code 0"
            ),
            Row(old: "platforms", new: "platforms", exitCode: 0, lastLine: "No new errors, … unchanged; exit code 0"),
            Row(old: "platforms", new: "closed", exitCode: 0, lastLine: "No new errors, 4 unchanged; exit code 0"),
        ]
    )
    func compares(row: Row) async throws {
        let words = ["diff", try await SavedRun.report(row.old), try await SavedRun.report(row.new)]
        let result = try await Program.run(words)
        #expect(result.code == row.exitCode, "\(result.errors)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 60)
        let last = String(lines.last ?? "")
        // How many findings a platform has is its profile's matter.
        let parts = row.lastLine.components(separatedBy: "…")
        #expect(last.hasPrefix(parts[0]) && last.hasSuffix(parts.count > 1 ? parts[1] : parts[0]), "\(last)")
        let quiet = try await Program.run(words + ["-q"])
        #expect(quiet.output == last + "\n" && quiet.code == row.exitCode)
    }

    @Test("a file that is not a report is rejected with its type")
    func refuses() async throws {
        let folder = try TemporaryFolder()
        let good = try await SavedRun.report("open")
        let evidence = try await SavedRun.evidence("open")
        let cut = try String(contentsOfFile: good, encoding: .utf8)
        let files = [
            (evidence, "is saved evidence, not a report"),
            (folder.path + "/none.json", "no such file"),
            (try folder.file("text.json", "# no JSON"), "is not JSON"),
            (try folder.file("cut.json", String(cut.prefix(5_000))), "is not JSON"),
            (try folder.file("other.json", #"{"name":"other"}"#), "is not a JSON report of oidc-preflight"),
            (try folder.file("one.json", #"{"schemaVersion":1,"outcome":{}}"#), "of schema version 1"),
            (try folder.file("bare.json", #"{"schemaVersion":2,"outcome":{}}"#), "has no answers"),
            (
                try folder.file("ajar.json", cut.replacing("\"gate\": \"open\"", with: "\"gate\": \"ajar\"")),
                "has the unknown value “ajar” at /outcome/gate"
            ),
            (try folder.file("empty.json", #"{"schemaVersion":2,"outcome":{},"reports":[]}"#), "contains no report"),
        ]
        for (file, words) in files {
            // All commands have one reader, which comes before everything else at check.
            let others =
                file.hasSuffix("none.json")
                ? [["diff", good, file], ["judge", evidence, "--baseline", file]] : []
            let commands = [["diff", file, good], ["check", "https://127.0.0.1:9", "--baseline", file]] + others
            for command in commands {
                let result = try await Program.run(command)
                #expect(result.code == 64, "\(command)")
                #expect(result.output.isEmpty && result.errors.contains(words), "\(command): \(result.errors)")
            }
        }
        let reports = [try await SavedRun.report("closed"), try await SavedRun.report("platforms")]
        let foreign = try await Program.run(["diff"] + reports)
        #expect(foreign.code == 64)
        #expect(foreign.errors.contains("has no report for profile “firebase-oidc”, only for “openid”"))
    }

    struct Baseline: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var evidence: String
        var baseline: String
        var words: [String] = []
        var exitCode: Int
        var lastLine: String
    }

    @Test(
        "an earlier report within a run",
        arguments: [
            Baseline(
                testDescription: "nothing is new",
                evidence: "closed",
                baseline: "closed",
                words: ["--profile", "openid"],
                exitCode: 0,
                lastLine: "3 known errors, 1 warning; exit code 0"
            ),
            Baseline(
                testDescription: "three errors are new",
                evidence: "closed",
                baseline: "open",
                words: ["--profile", "openid"],
                exitCode: 1,
                lastLine: "Gate closed: 3 checks failed"
            ),
            Baseline(
                testDescription: "an inconclusive run",
                evidence: "undecided",
                baseline: "closed",
                exitCode: 2,
                lastLine: "Inconclusive: "
            ),
            Baseline(
                testDescription: "several platforms",
                evidence: "closed",
                baseline: "platforms",
                exitCode: 0,
                lastLine: "Gate open for all 3 platforms; 3 known errors; exit code 0"
            ),
            Baseline(
                testDescription: "one of several platforms",
                evidence: "closed",
                baseline: "platforms",
                words: ["--profile", "kubernetes"],
                exitCode: 0,
                lastLine: " known error"
            ),
        ]
    )
    func within(row: Baseline) async throws {
        let evidence = try await SavedRun.evidence(row.evidence)
        let baseline = try await SavedRun.report(row.baseline)
        let result = try await Program.run(["judge", evidence, "--baseline", baseline] + row.words)
        #expect(result.code == row.exitCode, "\(result.output)\(result.errors)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 60)
        #expect(lines.last?.contains(row.lastLine) == true, "\(result.output)")
        #expect(result.output.contains("KNOWN ERRORS") == row.lastLine.contains("known error"))
    }

    @Test("a sign-in check that failed and is skipped now keeps the gate from opening")
    func shorter() async throws {
        try await ReferenceServer.run(["--fault", "idtoken.aud.holds-client"]) { server in
            let folder = try TemporaryFolder()
            let check = ["check", "-c", server.configuration]
            let first = try await Program.run(
                check + ["--report", "json=\(folder.path)/old.json"],
                environment: server.environment
            )
            #expect(first.code == 1)
            let baseline = ["--baseline", folder.path + "/old.json"]
            let again = try await Program.run(check + baseline, environment: server.environment)
            #expect(again.code == 0, "\(again.output)")
            let short = try await Program.run(
                check + baseline + ["--tier", "static", "--report-dir", folder.path + "/short"],
                environment: server.environment
            )
            #expect(short.code == 2, "\(short.output)")
            let reported = short.output.replacing(/\s+/, with: " ")
            #expect(reported.contains("INCONCLUSIVE (1): the gate cannot open"), "\(short.output)")
            #expect(
                reported.contains("it failed in the earlier report and was skipped in this run: needs tier full"),
                "\(short.output)"
            )
            #expect(!reported.contains("NO RESULT THIS TIME"), "no check is listed twice")
            try ReportRecord.keep(try folder.read("short/report.json"))
        }
    }
}
