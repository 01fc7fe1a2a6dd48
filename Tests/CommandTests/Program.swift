import Foundation
import Subprocess
import SystemPackage

/// The built program, run as a user runs it.
struct Program {
    struct Result {
        let code: Int
        let output: String
        let errors: String
    }

    /// The executable beside the test bundle.
    static let path: String = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [bundle, root.appendingPathComponent(".build/debug")]
            .map { $0.appendingPathComponent("oidc-preflight").path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "oidc-preflight"
    }()

    static func run(
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:],
        input: String = ""
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let result = try await Subprocess.run(
            .path(FilePath(path)),
            arguments: Arguments(arguments),
            environment: .inherit.updating(environment),
            workingDirectory: FilePath(folder.path),
            input: .string(input),
            output: .string(limit: 8 << 20),
            error: .string(limit: 8 << 20)
        )
        return Result(
            code: result.terminationStatus.code,
            output: result.standardOutput,
            errors: result.standardError
        )
    }
}

extension Program {
    /// What another program writes to standard output.
    static func output(of name: String, _ arguments: [String]) async throws -> String {
        try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            output: .string(limit: 8 << 20)
        )
        .standardOutput
    }
}

extension TerminationStatus {
    /// The exit code; a signal's number above 256, as no exit code can be.
    var code: Int {
        switch self {
        case .exited(let code): Int(code)
        case .signaled(let signal): 256 + Int(signal)
        }
    }
}

/// A folder that goes with its value.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("oidc-preflight-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The badly behaved server of `hostile_server.py`.
enum HostileServer {
    /// Runs `body` with the server's port.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (Int) async throws -> Value) async throws -> Value {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("hostile_server.py").path
        let result = try await Subprocess.run(
            .name("python3"),
            arguments: [script],
            input: .inputWriter,
            output: .sequence,
            error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            guard let line = try await lines.next(),
                let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
            else { throw CocoaError(.fileReadUnknown) }
            let value = try await body(port)
            try await execution.standardInputWriter.finish()
            return value
        }
        return result.closureResult
    }
}
