import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The reference provider is a program of its own, which `provider` and `demo` start.
@Suite("The provider's program", .phase(.programs), .timeLimit(.minutes(5)))
struct ProviderProgramTests {
    private static let provider = Program.path + "-provider"

    @Test("both programs share the command line: help, errors and exit codes")
    func commandLine() async throws {
        let help = try await Program.spawn(["provider", "--help"])
        let own = try await OtherProgram.run(Self.provider, ["--help"])
        #expect(help.code == 0 && own.code == 0)
        #expect(help.output == own.text)
        for words in [["--fault", "none.such", "--port", "x"], ["--persona", "none"], ["spare"], ["--list-faults"]] {
            let handedOver = try await Program.spawn(["provider"] + words)
            let asked = try await OtherProgram.run(Self.provider, words)
            #expect(handedOver.code == asked.code, "\(words)")
            #expect(handedOver.output == asked.text, "\(words)")
            #expect(handedOver.errors == asked.errors, "\(words)")
        }
        let mistakes = try await Program.spawn(["provider", "--fault", "none.such", "--port", "x"])
        #expect(mistakes.code == 64)
        #expect(mistakes.errors.contains("none.such") && mistakes.errors.contains("--port"), "all at once")
    }

    @Test("a port in use is a usage error, not an internal error")
    func takenPort() async throws {
        try await ReferenceServer.run { server in
            let port = server.issuer.split(separator: ":").last.map(String.init) ?? ""
            let result = try await Program.spawn(["provider", "--port", port])
            #expect(result.code == 64, "\(result.errors)")
            #expect(result.errors.hasPrefix("--port \(port): "), "\(result.errors)")
            #expect(result.errors.contains("Address already in use"), "\(result.errors)")
            #expect(result.errors.contains("0 for a free one"), "\(result.errors)")
        }
    }

    @Test("without the provider program, provider and demo report the searched places and the fix")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let alone = folder.path + "/oidc-preflight"
        try FileManager.default.copyItem(atPath: Program.path, toPath: alone)
        for words in [["provider"], ["demo"]] {
            let result = try await OtherProgram.run(alone, words, environment: ["PATH": "/usr/bin:/bin"])
            #expect(result.code == 64)
            #expect(result.errors.contains("oidc-preflight-provider: not found in \(folder.path)"), "\(result.errors)")
            #expect(result.errors.contains("make install"))
        }
        let doctor = try await OtherProgram.run(alone, ["doctor"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(doctor.text.contains("provider  not found: the commands provider and demo do not work"))
        #expect(doctor.text.contains("/oidc-preflight, built from source\n"))
        // Checks and help need no provider.
        let help = try await OtherProgram.run(alone, ["provider", "--help"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(help.code == 0)
        let offered = try await OtherProgram.run(
            alone,
            ["candidates", "--", "provider", "--fault", ""],
            environment: ["PATH": "/usr/bin:/bin"]
        )
        #expect(offered.code == 0 && offered.errors.isEmpty)
    }

    @Test("it is found in libexec and in PATH", arguments: ["../libexec/oidc-preflight", "p"])
    func elsewhere(place: String) async throws {
        let folder = try TemporaryFolder()
        let bin = folder.path + "/bin"
        let other = URL(fileURLWithPath: bin).appendingPathComponent(place).standardized.path
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Program.path, toPath: bin + "/oidc-preflight")
        try FileManager.default.createSymbolicLink(
            atPath: other + "/oidc-preflight-provider",
            withDestinationPath: Self.provider
        )
        let path = "/usr/bin:/bin" + (place == "p" ? ":\(other)" : "")
        let listed = try await OtherProgram.run(
            bin + "/oidc-preflight",
            ["provider", "--list-faults"],
            environment: ["PATH": path]
        )
        #expect(listed.code == 0)
        #expect(listed.text.contains("idtoken.aud.holds-client"))
        // The package left a description, which doctor shows.
        let share = folder.path + "/share/oidc-preflight"
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        try "relocatable tarball\n".write(toFile: share + "/installation", atomically: true, encoding: .utf8)
        let doctor = try await OtherProgram.run(bin + "/oidc-preflight", ["doctor"], environment: ["PATH": path])
        #expect(doctor.text.contains("program   \(bin)/oidc-preflight, relocatable tarball\n"), "\(doctor.words)")
        #expect(doctor.text.contains("/oidc-preflight-provider\n"))
    }

    @Test("a demonstration that is interrupted leaves no provider behind", arguments: [SIGINT, SIGKILL])
    func interrupted(signal: Int32) async throws {
        // A unique name for the provider process.
        let folder = try TemporaryFolder()
        for name in ["oidc-preflight", "oidc-preflight-provider"] {
            let source = URL(fileURLWithPath: Program.path).deletingLastPathComponent().appendingPathComponent(name)
            try FileManager.default.copyItem(atPath: source.path, toPath: "\(folder.path)/\(name)")
        }
        _ = try await OtherProgram.beside(folder.path + "/oidc-preflight", ["demo"]) { running in
            for await line in running.lines where line.hasPrefix("== ") { break }
            running.send(signal)
        }
        for _ in 0..<100 {
            if !Self.isRunning(from: folder.path) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the provider runs on")
    }

    private static func isRunning(from folder: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int($0) != nil }
            .contains { process in
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
                return link?.hasPrefix(folder) == true
            }
    }
}
