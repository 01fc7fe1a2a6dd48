import Console
import Foundation
import ProviderCommands
import Testing
import Transport

/// The reference provider in this process on a free port, with the configuration that it writes.
struct ReferenceServer: Sendable {
    let issuer: String
    let secret: String
    let username: String
    let password: String
    /// Contains `preflight.yaml` and `ca.pem`.
    let folder: String

    var configuration: String { folder + "/preflight.yaml" }
    var authority: String { folder + "/ca.pem" }

    /// The variables that the configuration names.
    var environment: [String: String?] {
        ["OIDC_CLIENT_SECRET": secret, "OIDC_PASSWORD": password]
    }

    /// Runs `body` beside the provider, and ends the provider whatever comes of it.
    static func run(
        _ arguments: [String] = [],
        _ body: @escaping @Sendable (ReferenceServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let output = Pipe()
        let nowhere = try FileHandle(forUpdating: URL(fileURLWithPath: "/dev/null"))
        let context = ProcessContext(
            input: nowhere.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor,
            errors: nowhere.fileDescriptor,
            variables: [:],
            folder: folder.path
        )
        let words = ["provider", "--config-out", folder.path + "/preflight.yaml", "--ca-out", folder.path + "/ca.pem"]
        let provider = Task {
            _ = await ProcessContext.$current.withValue(context) {
                await ReferenceProviderProgram.run(words + arguments)
            }
            try? output.fileHandleForWriting.close()
            try? nowhere.close()
        }
        do {
            let lines = await lines(of: output.fileHandleForReading, upTo: "Press Ctrl-C to stop.")
            try await body(ReferenceServer(lines, folder: folder.path))
        } catch {
            provider.cancel()
            await provider.value
            throw error
        }
        provider.cancel()
        await provider.value
    }

    /// - Parameter lines: The introduction of the provider.
    private init(_ lines: [String], folder: String) throws {
        var values: [String: String] = [:]
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { values[String(words[0])] = words[1].trimmingCharacters(in: .whitespaces) }
        }
        let account = try #require(values["account"]).components(separatedBy: ", password ")
        issuer = try #require(values["issuer"])
        secret = try #require(values["secret"])
        username = account[0]
        password = try #require(account.last)
        self.folder = folder
    }

    /// The lines up to one with these words, or to the end; read by a thread that Swift's tasks do not need.
    private static func lines(of file: FileHandle, upTo words: String) async -> [String] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    var lines: [String] = []
                    while let line = try? Bytes.line(from: file.fileDescriptor) {
                        lines.append(String(decoding: line, as: UTF8.self))
                        if lines.last?.contains(words) == true { break }
                    }
                    continuation.resume(returning: lines)
                }
        }
    }

    /// Runs `check` with the provider's configuration.
    ///
    /// - Parameter forms: Of reports in the folder: see ``reports(of:)``.
    func check(
        _ arguments: [String] = [],
        forms: [String] = [],
        configuration: String? = nil
    ) async throws -> Program.Result {
        try await Program.run(
            ["check", "--config", configuration ?? self.configuration] + reports(of: forms) + arguments,
            environment: environment
        )
    }

    /// The options for reports of these forms in the folder: `r.json`, `r.xml` of `junit`, `r.md` and so on.
    func reports(of forms: [String] = allForms) -> [String] {
        forms.flatMap { form in Self.reportFiles[form].map { ["--report", "\(form)=\(folder)/\($0)"] } ?? [] }
    }

    static let allForms = reportFiles.keys.sorted()

    private static let reportFiles = [
        "json": "r.json", "junit": "r.xml", "markdown": "r.md", "text": "r.txt", "html": "r.html", "har": "r.har",
    ]

    /// The body of what the provider answers at a path.
    func fetch(_ path: String) async throws -> String {
        var configuration = TransportConfiguration(certificateAuthorityFile: authority)
        configuration.addressPolicy.allowedHosts = ["127.0.0.1"]
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown() }
        let exchange = await client.send(HTTPRequest(url: issuer + path))
        return String(decoding: try #require(exchange.response).body, as: UTF8.self)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        return folder + "/" + name
    }
}
