import Foundation
import OtherPrograms
import Testing

/// The built program as a process: that it starts, reads its arguments and variables, and ends with its exit code.
@Suite("Smoke", .timeLimit(.minutes(5)))
struct SmokeTests {
    @Test("--version names the program and its version")
    func version() async throws {
        let result = try await Program.spawn(["--version"])
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.wholeMatch(of: /oidc-preflight \d+\.\d+\.\d+\n/) != nil, "\(result.output)")
    }

    @Test("a limit of 4 descriptors ends the program with a message", arguments: ["--version", "doctor", "check"])
    func descriptors(command: String) async throws {
        let words = command == "check" ? "check http://127.0.0.1:1" : command
        let result = try await OtherProgram.run(
            "bash",
            ["-c", "ulimit -n 4; exec \"$1\" \(words)", "bash", Program.path]
        )
        #expect(result.code == 70, "\(result.words)")
        #expect(result.errors.hasPrefix("The process may open only ") && result.errors.contains("ulimit -n 256"))
    }

    @Test("--help lists the commands")
    func help() async throws {
        let result = try await Program.spawn(["--help"])
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        for command in ["check", "judge", "provider"] { #expect(result.output.contains("\n  \(command) ")) }
    }

    @Test("check evaluates the public documents of an issuer")
    func documents() async throws {
        try await ReferenceServer.run { server in
            let result = try await Program.spawn(["check", server.issuer, "--ca-file", server.authority])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("Gate open, sign-in not tried: "), "\(result.output)")
        }
    }

    @Test("check signs in with the configuration and secrets from the environment, and prints no secret")
    func signIn() async throws {
        try await ReferenceServer.run { server in
            let words = ["check", "--config", server.configuration, "--verbose"]
            let result = try await Program.spawn(words, environment: server.environment)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("Sign-in: works at Firebase Authentication with"), "\(result.output)")
            for secret in [server.secret, server.password] {
                #expect(!result.output.contains(secret) && !result.errors.contains(secret))
            }
        }
    }

    @Test("the command `judge` reads saved evidence relative to its working folder")
    func judge() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: try await SavedRun.evidence("closed"),
            toPath: folder.path + "/run.json"
        )
        let result = try await Program.spawn(
            ["judge", "run.json", "--profile", "openid", "--report", "json=r.json"],
            in: folder.path
        )
        #expect(result.code == 1 && result.output.contains("\nGate closed: "), "\(result.output)\(result.errors)")
        #expect(try folder.read("r.json").hasPrefix("{"))
    }

    @Test(
        "the exit code matches the command's result",
        arguments: [
            (["lint", "good.json"], 0), (["lint", "bad.json"], 1), (["check", "http://127.0.0.1:1"], 2),
            (["lint", "gone.json"], 64), (["chekc"], 64),
        ]
    )
    func codes(arguments: [String], code: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("good.json", OutputTests.good)
        _ = try folder.file("bad.json", #"{"issuer":"https://a.example"}"#)
        let result = try await Program.spawn(arguments, in: folder.path)
        #expect(result.code == code, "\(result.output)\(result.errors)")
    }

    @Test("a closed pipe ends the program silently")
    func closedPipe() async throws {
        let outcome = try await OtherProgram.run(
            "bash",
            ["-c", "set -o pipefail; \"$0\" checks list | head -n 1", Program.path]
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 1)
    }

    @Test("standard input is read")
    func input() async throws {
        let outcome = try await OtherProgram.run(Program.path, ["lint", "-"], input: OutputTests.good)
        #expect(outcome.code == 0 && outcome.text.contains("\nGate open"), "\(outcome.words)")
    }

    @Test("Ctrl-C ends a run with 130 and its report")
    func interruption() async throws {
        let words = ["check", "http://127.0.0.1:1", "--wait-for-issuer", "600"]
        let (_, outcome) = try await OtherProgram.beside(Program.path, words) { running in
            for await line in running.errorLines where line.hasPrefix("waiting for the issuer") {
                return running.send(SIGINT)
            }
        }
        #expect(outcome.code == 130, "\(outcome.words)")
        #expect(outcome.text.contains("Inconclusive, run interrupted"), "\(outcome.text)")
    }

    @Test("provider writes a configuration that check reads")
    func provider() async throws {
        let folder = try TemporaryFolder()
        let words = ["provider", "--config-out", "preflight.yaml", "--ca-out", "ca.pem"]
        let (result, ending) = try await OtherProgram.beside(Program.path, words, in: folder.path) { running in
            defer { running.send(SIGTERM) }
            for await line in running.lines where line.contains("Press Ctrl-C to stop.") { break }
            return try await Program.spawn(
                ["check", "--tier", "static"],
                environment: ["OIDC_CLIENT_SECRET": "unused", "OIDC_PASSWORD": "unused"],
                in: folder.path
            )
        }
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(ending.code == 0, "\(ending.words)")
    }
}
