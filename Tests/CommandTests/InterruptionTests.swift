import Foundation
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// Ctrl-C and the end of a job, which reach a process.
@Suite("Interruptions", .phase(.programs), .timeLimit(.minutes(5)))
struct InterruptionTests {
    @Test("an interrupted run soon exits with 130 and complete reports", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruption(signal: Int32) async throws {
        // With two seconds for each answer the whole run took 135 s for 215 requests, which is too long for a test.
        try await ReferenceServer.run(["--delay", "2000"]) { server in
            let (_, ending) = try await OtherProgram.beside(
                Program.path,
                ["check", "--config", server.configuration] + server.reports(),
                environment: server.environment
            ) { running in
                for await line in running.errorLines where line.hasPrefix("running ") {
                    return running.send(signal)
                }
                throw CocoaError(.fileReadUnknown)
            }
            #expect(ending.code == 130)
            let report = try JSONDocument.parse(try server.read("r.json")).root
            let requests = try #require(report["timings"]?["requests"]?.integerValue)
            #expect((2..<40).contains(requests), "what was under way, and nothing new")
            let outcome = report["outcome"]
            #expect(outcome?["exitCode"]?.integerValue == 130)
            #expect(outcome?["gate"]?.stringValue == "undecided")
            #expect(WellFormed.isXML(try server.read("r.xml")))
            #expect(try server.read("r.md").contains("interrupted"))
            let causes = report["causes"]?.arrayValue ?? []
            #expect(causes.allSatisfy { $0["advice"]?.stringValue == "Run the command again." }, "\(causes)")
            #expect(try server.read("r.txt").hasSuffix("; exit code 130\n"))
        }
    }

    @Test("Ctrl-C does not interrupt the writing of reports", arguments: [SIGINT, SIGTERM])
    func finishing(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let document = folder.path + "/discovery.json"
        try #"{"issuer": "https://a.example"}"#.write(toFile: document, atomically: true, encoding: .utf8)
        let pipe = folder.path + "/r.json"
        #expect(mkfifo(pipe, 0o600) == 0)
        let (text, ending) = try await OtherProgram.beside(
            Program.path,
            ["lint", "--discovery", document, "--report", "json=" + pipe]
        ) { running in
            let end = open(pipe, O_RDONLY | O_NONBLOCK)
            try #require(end >= 0)
            let reader = FileHandle(fileDescriptor: end, closeOnDealloc: true)
            // The report is larger than the buffer of a pipe: when something can be read, the rest is still to be written.
            try #require(await Self.canBeRead(end))
            running.send(signal)
            for await line in running.errorLines where line.contains("Writing the reports") { break }
            _ = fcntl(end, F_SETFL, 0)
            return String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
        }
        #expect(text.utf8.count > 70_000)
        let report = try JSONDocument.parse(text).root
        #expect(report["outcome"]?["exitCode"]?.integerValue == Int64(ending.code))
    }

    /// Whether the pipe has bytes within 30 seconds; it waits on a separate thread.
    private static func canBeRead(_ descriptor: Int32) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    continuation.resume(returning: poll(&waited, 1, 30_000) == 1)
                }
        }
    }

    @Test("an interruption ends the runs of all targets, and the report states it")
    func targets() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "p.yaml",
            "targets:\n  a: { issuer: \"http://127.0.0.1:1\" }\n  b: { issuer: \"http://127.0.0.1:1\" }\n"
        )
        let (_, outcome) = try await OtherProgram.beside(
            Program.path,
            ["check", "--config", file, "--wait-for-issuer", "60"]
        ) { running in
            for await line in running.errorLines where line.contains("waiting for the issuer") {
                return running.send(SIGINT)
            }
        }
        #expect(outcome.code == 130, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("Inconclusive for both targets"), "\(outcome.text)")
    }
}
