import Foundation
import OtherPrograms
import Testing

/// `oidc-preflight provider` as a child process on a free port, with the configuration that it writes.
struct ReferenceServer: Sendable {
    let issuer: String
    let secret: String
    let username: String
    let password: String
    /// Holds `preflight.yaml` and `ca.pem`.
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
        let files = ["--config-out", folder.path + "/preflight.yaml", "--ca-out", folder.path + "/ca.pem"]
        _ = try await OtherProgram.beside(Program.path, ["provider"] + files + arguments) { running in
            defer { running.send(SIGTERM) }
            var values: [String: String] = [:]
            for await line in running.lines {
                let words = line.split(separator: " ", maxSplits: 1)
                if words.count == 2 { values[String(words[0])] = words[1].trimmingCharacters(in: .whitespaces) }
                if line.contains("Ctrl-C ends it.") { break }
            }
            let account = try #require(values["account"]).components(separatedBy: ", password ")
            try await body(
                ReferenceServer(
                    issuer: try #require(values["issuer"]),
                    secret: try #require(values["secret"]),
                    username: account[0],
                    password: try #require(account.last),
                    folder: folder.path
                )
            )
        }
    }

    /// Runs `check` with the provider's configuration and every report format as a file in the folder.
    func check(_ arguments: [String] = [], configuration: String? = nil) async throws -> Program.Result {
        try await Program.run(
            ["check", "--config", configuration ?? self.configuration] + reports + arguments,
            environment: environment
        )
    }

    var reports: [String] { reports(of: Array(Self.reportFiles.keys).sorted()) }

    /// The options for reports of these forms.
    func reports(of forms: [String]) -> [String] {
        forms.flatMap { form in Self.reportFiles[form].map { ["--report", "\(form)=\(folder)/\($0)"] } ?? [] }
    }

    private static let reportFiles = [
        "json": "r.json", "junit": "r.xml", "markdown": "r.md", "text": "r.txt", "html": "r.html", "har": "r.har",
    ]

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        return folder + "/" + name
    }
}
