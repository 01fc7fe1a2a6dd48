import Foundation
import Testing

/// A server over TLS in a few lines of Python, until it is stopped.
final class PythonServer {
    let url: String
    private let process = Process()

    /// - Parameter script: Runs where the certificates are, and prints the port once it listens.
    init(_ script: String, _ arguments: [String] = [], in folder: CertificateFolder) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.arguments = ["python3", "-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.filter(\.isNumber)))
        url = "https://localhost:\(port)/"
    }

    /// Ends the program, by the one signal that the threads of the test runner do not hand down as blocked.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
    }
}
