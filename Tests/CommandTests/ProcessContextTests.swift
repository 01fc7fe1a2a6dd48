import Foundation
import Testing

/// Commands that run side by side in one process, as these tests run them.
@Suite("ProcessContext", .timeLimit(.minutes(5)))
struct ProcessContextTests {
    @Test("parallel commands have separate streams, variables and folders")
    func separate() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let folder = try TemporaryFolder()
                    _ = try folder.file("preflight.yaml", "issuer: \"https://${NAME}.example\"\n")
                    let result = try await Program.run(
                        ["plan", "--profile", "openid"],
                        environment: ["NAME": "issuer-\(number)"],
                        in: folder.path
                    )
                    #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
                    #expect(result.output.hasPrefix("Issuer     https://issuer-\(number).example\n"))
                    #expect(result.output.components(separatedBy: "Issuer  ").count == 2, "\(result.output)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("variables of the process are not visible")
    func variables() async throws {
        // Each process of a shell has it.
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        let folder = try TemporaryFolder()
        _ = try folder.file("preflight.yaml", "issuer: \"https://${PATH:-none}.example\"\n")
        let result = try await Program.run(["plan", "--profile", "openid"], in: folder.path)
        #expect(result.output.hasPrefix("Issuer     https://none.example\n"), "\(result.output)\(result.errors)")
        #expect(!result.output.contains(path))
    }

    @Test("files are written to the command's folder, not to that of the process")
    func files() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", #"{"issuer":"https://a.example"}"#)
        let result = try await Program.run(
            ["lint", "d.json", "--report", "json=deep/context.json"],
            in: folder.path
        )
        #expect(result.code == 1, "\(result.errors)")
        #expect(try folder.read("deep/context.json").hasPrefix("{"))
        #expect(!FileManager.default.fileExists(atPath: "deep/context.json"))
    }

    @Test("cancelling the task of a run interrupts it: exit code 130, and the report is written")
    func cancellation() async throws {
        let folder = try TemporaryFolder()
        let run = Task {
            try await Program.run(
                ["check", "http://127.0.0.1:1", "--wait-for-issuer", "600", "--report", "json=r.json"],
                in: folder.path
            )
        }
        run.cancel()
        let result = try await run.value
        #expect(result.code == 130, "\(result.output)\(result.errors)")
        #expect(try folder.read("r.json").contains("\"exitCode\": 130"))
    }
}
