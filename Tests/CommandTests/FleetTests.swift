import Foundation
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// `fleet` as a user runs it, against many issuers on one listener.
@Suite("fleet", .phase(.fleet), .timeLimit(.minutes(20)))
struct FleetTests {
    /// The issuers of `Tests/FleetTests/issuers.py`, for as long as `body` runs.
    private static func beside(_ body: (TemporaryFolder, String) async throws -> Void) async throws {
        try await Oracle.program("python3").require()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("FleetTests/issuers.py").path
        let folder = try TemporaryFolder()
        _ = try await OtherProgram.beside("python3", [script, folder.path]) { server in
            var lines = server.lines.makeAsyncIterator()
            guard let port = await lines.next() else { throw CocoaError(.fileReadUnknown) }
            try await body(folder, port)
            server.send(SIGKILL)
        }
    }

    private func results(_ folder: TemporaryFolder, _ name: String = "fleet.jsonl") throws -> [String: JSON] {
        let lines = try folder.read(name).split(separator: "\n").map { try JSONDocument.parse(String($0)).root }
        let records = lines.filter { $0["type"]?.stringValue == "result" }
        let byIssuer = Dictionary(grouping: records) { $0["issuer"]?.stringValue ?? "" }
        #expect(byIssuer.values.allSatisfy { $0.count == 1 }, "an issuer has two results")
        return byIssuer.compactMapValues(\.first)
    }

    @Test("checks every issuer of a list once, despite repetitions, hanging, slow and refused connections")
    func hostile() async throws {
        try await Self.beside { folder, port in
            let names = (0..<30).map { "ok-\($0)" } + ["hang", "drip", "wrong", "busy", "ok-3", "nowhere"]
            let issuers = names.enumerated()
                .map { number, name in
                    name == "nowhere"
                        ? "http://127.0.0.1:9/nowhere" : "http://127.0.0.\(number % 5 + 1):\(port)/\(name)"
                }
            let list = try folder.file("issuers.txt", (issuers + [issuers[0]]).joined(separator: "\n") + "\n")
            let run = try await Program.run(
                ["fleet", list, "--rate", "0", "--max-time", "4", "--run", "r", "--database", "fleet.sqlite"],
                in: folder.path
            )
            #expect(run.code == 1, "\(run.errors)")
            #expect(run.errors.contains("line 37 repeats line 1"), "\(run.errors)")
            let results = try results(folder)
            #expect(Set(results.keys) == Set(issuers))
            let gate = { (name: String) in
                results.first { $0.key.hasSuffix("/\(name)") }?.value["gate"]?.stringValue
            }
            #expect(gate("hang") == "undecided" && gate("drip") == "undecided" && gate("nowhere") == "undecided")
            #expect(gate("wrong") == "closed" && gate("ok-7") == "closed")
            // The reason for skipped checks is reported once.
            let away = results.first { $0.key.hasSuffix("/nowhere") }?.value["judgements"]?.arrayValue?.first
            let messages = away?["findings"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
            #expect(messages.count == 1 && messages[0].contains("the connection was refused"), "\(messages)")
            // Each document was requested once.
            let asked = try folder.read("requests").split(separator: "\n").filter { $0.contains("/ok-7/") }
            #expect(asked.count == 2, "\(asked)")
            try await Oracle.program("sqlite3").require()
            let rows = try await OtherProgram.run(
                "sqlite3",
                [
                    folder.path + "/fleet.sqlite",
                    "SELECT count(*), count(DISTINCT issuer) FROM result; PRAGMA foreign_key_check",
                ]
            )
            #expect(rows.text == "\(Set(issuers).count)|\(Set(issuers).count)\n")
        }
    }

    @Test("killed at any time and restarted until it ends, it loses no result and checks no issuer twice")
    func killed() async throws {
        try await Self.beside { folder, port in
            let list = try folder.file(
                "issuers.txt",
                (0..<40).map { "http://127.0.0.\($0 % 4 + 1):\(port)/delay-40-\($0)\n" }.joined()
            )
            let arguments = [
                "fleet", list, "--concurrency", "2", "--rate", "0", "--out", "out.jsonl", "--quiet", "--no-gate",
            ]
            var kills = 0
            // The provider's delays alone take 1.6 s, so that the first of these moments is always within a run.
            for milliseconds in [150, 400, 700, 300, 500] {
                let outcome = try await OtherProgram.beside(Program.path, arguments, in: folder.path) { running in
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    running.send(SIGKILL)
                }
                kills += outcome.outcome.isSuccess ? 0 : 1
            }
            let last = try await Program.run(arguments, in: folder.path)
            #expect(last.code == 0, "\(last.errors)")
            #expect(try results(folder, "out.jsonl").count == 40)
            #expect(kills >= 1)
            // Finished issuers get no more requests; each interrupted one gets at most two.
            let requests = try folder.read("requests").split(separator: "\n").count
            #expect(requests <= 80 + kills * 2 * 2, "\(requests) requests, \(kills) kills")
        }
    }

    @Test("shards from the variables of an engine contain every issuer once, and can be merged")
    func parts() async throws {
        try await Self.beside { folder, port in
            let issuers = (1...60).map { "http://127.0.0.\($0):\(port)/ok" }
            let list = try folder.file("issuers.txt", issuers.joined(separator: "\n"))
            for index in 0..<3 {
                let run = try await Program.run(
                    ["fleet", list, "--no-gate", "--quiet", "--rate", "0"],
                    environment: ["JOB_COMPLETION_INDEX": "\(index)", "JOB_COMPLETIONS": "3", "JOB_NAME": "night"],
                    in: folder.path
                )
                #expect(run.code == 0, "\(run.errors)")
            }
            let parts = (1...3).map { "fleet-\($0)-of-3.jsonl" }
            let sizes = try parts.map { try results(folder, $0).count }
            #expect(sizes.reduce(0, +) == 60 && sizes.allSatisfy { $0 > 0 }, "\(sizes)")
            let missing = try await Program.run(
                ["fleet", "merge", parts[0], parts[1], "--out", "two.jsonl", "--no-gate"],
                in: folder.path
            )
            #expect(missing.code == 2 && missing.errors.contains("run kubernetes-night: 3/3"), "\(missing.errors)")
            let merged = try await Program.run(
                ["fleet", "merge", "two.jsonl", parts[2], parts[0], "--out", "all.jsonl", "--no-gate"],
                in: folder.path
            )
            #expect(merged.code == 0, "\(merged.errors)")
            #expect(Set(try results(folder, "all.jsonl").keys) == Set(issuers))
        }
    }

    @Test("a report lists the changes since the previous run, in all formats")
    func changes() async throws {
        try await Self.beside { folder, port in
            let issuer = { (host: Int, name: String) in "http://127.0.0.\(host):\(port)/\(name)" }
            let first = try folder.file("a.txt", [issuer(1, "ok"), issuer(2, "left")].joined(separator: "\n"))
            let second = try folder.file("b.txt", [issuer(1, "ok"), issuer(3, "new<b>|`x`")].joined(separator: "\n"))
            let options = ["--database", "fleet.sqlite", "--no-gate", "--quiet", "--profile", "openid,token-verifier"]
            #expect(
                try await Program.run(["fleet", first, "--out", "a", "--run", "one"] + options, in: folder.path).code
                    == 0
            )
            _ = try folder.file("rotated", "")
            _ = try folder.file("short", "")
            #expect(
                try await Program.run(["fleet", second, "--out", "b", "--run", "two"] + options, in: folder.path).code
                    == 0
            )
            let report = try await Program.run(
                [
                    "fleet", "report", "fleet.sqlite", "--report", "html=fleet.html", "--report",
                    "openmetrics=fleet.prom", "--report", "markdown=-",
                ],
                in: folder.path
            )
            #expect(report.code == 1, "\(report.errors)")
            for word in [
                "a key was added", "a key was removed", "other algorithms", "new in the list",
                "no longer in the list",
            ] {
                #expect(report.output.contains(word), "\(word)\n\(report.output)")
            }
            #expect(report.output.contains("PS256 RS256 → RS256"))
            #expect(report.output.contains("| <code>openid</code> | 0 | 2 | 0 |"), "\(report.output)")
            let page = try folder.read("fleet.html")
            #expect(!page.contains("new<b>") && page.contains("new&lt;b&gt;"))
            let metrics = try folder.read("fleet.prom")
            #expect(
                metrics.contains("oidc_preflight_fleet_changes{kind=\"keyAdded\"} 1\n") && metrics.hasSuffix("# EOF\n")
            )
            let python = try await Oracle.python("prometheus_client").require()
            let read = try await OtherProgram.run(
                python,
                [
                    "-c",
                    "import sys; from prometheus_client.openmetrics.parser import text_string_to_metric_families as read\nprint(len(list(read(sys.stdin.read()))))",
                ],
                input: metrics
            )
            #expect(read.isSuccess && read.text == "6\n", "\(read.words)")
        }
    }

    @Test("a thousand issuers of one host do not exceed the request rate")
    func rate() async throws {
        try await Self.beside { folder, port in
            let list = try folder.file(
                "issuers.txt",
                (0..<1_000).map { "http://127.0.0.1:\(port)/ok-\($0)\n" }.joined()
            )
            let run = try await Program.run(
                ["fleet", list, "--rate", "20", "--deadline", "3", "--quiet"],
                in: folder.path
            )
            #expect(
                run.code == 1 && run.output.contains("left: run the command again to continue"),
                "\(run.output)\(run.errors)"
            )
            let times = try folder.read("requests").split(separator: "\n")
                .compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
            let span = (times.last ?? 0) - (times.first ?? 0)
            // Four may come at once.
            #expect(
                times.count >= 20 && Double(times.count) <= 4 + 20 * span + 2,
                "\(times.count) requests in \(span) s"
            )
        }
    }
}

@Suite("Lists of issuers in the command fleet", .timeLimit(.minutes(5)))
struct FleetListTests {
    @Test(
        "a mistake in a list or a configuration is reported with its line, and nothing is sent",
        arguments: [
            (
                "issuers.txt", "https://a.example\nidp.example.com\n",
                "issuers.txt:2: the issuer “idp.example.com” is not a complete URL"
            ),
            (
                "issuers.csv", "issuer,profile\nhttps://a.example,kubernets\n",
                "issuers.csv:2: there is no profile “kubernets”"
            ),
            (
                "issuers.jsonl", "{\"issuer\": \"https://a.example\", \"configuration\": \"none.yaml\"}",
                "issuers.jsonl:1: none.yaml: no such file"
            ),
            ("targets.yaml", "targets:\n  a:\n    isuer: https://a.example\n", "targets.yaml:3"),
        ]
    )
    func mistakes(name: String, text: String, reported: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file(name, text)
        let run = try await Program.run(["fleet", name], in: folder.path)
        #expect(
            run.code == 64 && run.errors.contains(reported) && run.errors.contains("Nothing was sent."),
            "\(run.errors)"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/fleet.jsonl"))
    }

    @Test(
        "a misspelled command that is not a file is reported with a suggestion",
        arguments: [
            (["reprot"], "reprot: no such file; did you mean “fleet report”?"),
            (["reprot", "x"], "unexpected argument “x”: fleet judge takes only LIST; did you mean “fleet report”?"),
            (["marge"], "marge: no such file; did you mean “fleet merge”?"),
            (["run"], "run: no such file; did you mean “fleet judge”?"),
            (["./reprot"], "./reprot: no such file\n"), (["issuers"], "issuers: no such file\n"),
        ]
    )
    func commands(words: [String], reported: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await Program.run(["fleet"] + words, in: folder.path)
        #expect(run.code == 64 && run.errors.contains(reported), "\(run.errors)")
        // A list may be called so.
        if words == ["reprot"] {
            _ = try folder.file("reprot", "no issuer\n")
            let list = try await Program.run(["fleet", "reprot"], in: folder.path)
            #expect(list.errors.contains("reprot:1: the issuer “no”"), "\(list.errors)")
        }
    }
}
