import Foundation

/// Runs a program of the system, as an oracle that shares no code with ours.
enum CommandLine {
    struct Output {
        var status: Int32
        var text: String
    }

    /// The program's output, standard error included; nil if it cannot be started.
    static func run(_ program: String, _ arguments: [String], input: Data? = nil) -> Output? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let source = Pipe()
        process.standardInput = source
        do {
            try process.run()
        } catch {
            return nil
        }
        source.fileHandleForWriting.write(input ?? Data())
        try? source.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Output(status: process.terminationStatus, text: String(decoding: data, as: UTF8.self))
    }

    /// Runs the body with a fresh folder that is removed afterwards.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oidc-preflight-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}

extension URL {
    /// Writes a text under this folder and gives its path.
    func write(_ text: String, as name: String) throws -> String {
        let file = appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path()
    }
}
