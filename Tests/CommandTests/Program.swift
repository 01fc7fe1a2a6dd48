import Commands
import Console
import Foundation
import OtherPrograms
import ProviderCommands
import ReportRecord

/// The command line, run in this process with streams, variables and a working folder of its own.
struct Program {
    struct Result {
        let code: Int
        let output: String
        let errors: String
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - environment: All the variables that it sees; nil sets none.
    ///   - place: Its working folder; an empty one when nil.
    ///   - output: Takes its standard output in the place of the result.
    static func run(
        _ arguments: [String],
        environment: [String: String?] = [:],
        input: some ProgramInput = "",
        in place: String? = nil,
        output: Int32? = nil
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let streams = (try UnnamedFile(input.bytes), try UnnamedFile(), try UnnamedFile())
        let context = ProcessContext(
            input: streams.0.descriptor,
            output: output ?? streams.1.descriptor,
            errors: streams.2.descriptor,
            variables: environment.compactMapValues(\.self),
            folder: place ?? folder.path
        )
        let code = await ProcessContext.$current.withValue(context) {
            // The program would become the provider.
            arguments.first == "provider"
                ? await ReferenceProviderProgram.run(arguments) : await PreflightProgram.run(arguments)
        }
        let text = try streams.1.text()
        if arguments.contains("json=-"), text.hasPrefix("{") { try ReportRecord.keep(text) }
        return Result(code: Int(code.rawValue), output: text, errors: try streams.2.text())
    }

    /// The built executable beside the test bundle.
    static let path: String = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [bundle, root.appendingPathComponent(".build/debug")]
            .map { $0.appendingPathComponent("oidc-preflight").path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "oidc-preflight"
    }()

    /// Runs the built program to its end in a process of its own, as a user does.
    ///
    /// - Parameters:
    ///   - environment: Changes to this process's variables; nil takes one away.
    ///   - place: Its working folder; an empty one when nil.
    static func spawn(
        _ arguments: [String],
        environment: [String: String?] = [:],
        in place: String? = nil
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let outcome = try await OtherProgram.run(path, arguments, environment: environment, in: place ?? folder.path)
        return Result(code: outcome.code, output: outcome.text, errors: outcome.errors)
    }
}

/// A file without a name, for a stream of a command; it lives as long as its value.
private final class UnnamedFile {
    private let file: FileHandle

    var descriptor: Int32 { file.fileDescriptor }

    init(_ content: [UInt8] = []) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let url = URL(fileURLWithPath: folder.path + "/stream")
        try Data(content).write(to: url)
        file = try FileHandle(forUpdating: url)
    }

    /// All that was written to it.
    func text() throws -> String {
        try file.seek(toOffset: 0)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// A folder that is removed with its value.
final class TemporaryFolder: Sendable {
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
