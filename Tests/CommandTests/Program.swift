import Foundation
import OtherPrograms
import ReportRecord

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
        environment: [String: String?] = [:],
        input: String = "",
        in place: String? = nil
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let outcome = try await OtherProgram.run(
            path,
            arguments,
            input: input,
            environment: environment,
            in: place ?? folder.path
        )
        if arguments.contains("json=-"), outcome.text.hasPrefix("{") { try ReportRecord.keep(outcome.text) }
        return Result(code: outcome.code, output: outcome.text, errors: outcome.errors)
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
        return
            try await OtherProgram.beside("python3", [script]) { running in
                var lines = running.lines.makeAsyncIterator()
                guard let line = await lines.next(), let port = Int(line) else { throw CocoaError(.fileReadUnknown) }
                return try await body(port)
            }
            .value
    }
}
