import Foundation
import Testing

/// The commands that the output suggests work as they are copied.
@Suite("Suggested commands", .timeLimit(.minutes(5)))
struct SuggestionTests {
    /// The words of the command after these words.
    private static func command(after label: String, in text: String) throws -> [String] {
        let line = try #require(text.split(separator: "\n").first { $0.contains(label + "oidc-preflight ") }, "\(text)")
        let words = try #require(line.components(separatedBy: label).last)
        return words.split(separator: " ").dropFirst().map(String.init)
    }

    @Test("a check without a configuration suggests an init that reaches the same provider, and init a check")
    func initialising() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let port = try #require(server.issuer.split(separator: ":").last)
            let issuer = "https://localhost:1\(port.dropFirst())"
            let connection = [
                "--ca-file", server.authority, "--connect-to", "localhost:1\(port.dropFirst()):127.0.0.1:\(port)",
            ]
            // The document has another issuer, which is an error; its notice alone is of no interest here.
            let first = try await Program.run(
                ["check", issuer, "--profile", "vault-sign-in", "--only", "transport.*"] + connection,
                in: folder.path
            )
            let next = try Self.command(after: "next: ", in: first.output)
            #expect(next == ["init", issuer, "--profile", "vault-sign-in"] + connection, "\(first.output)")
            let second = try await Program.run(next, in: folder.path)
            #expect(second.code == 0, "\(second.errors)")
            let text = try folder.read("preflight.yaml")
            #expect(text.contains(#"  connect_to: ["\#(connection[3])"]"#), "\(text)")
            let third = try Self.command(after: "then run: ", in: second.errors)
            #expect(third == ["check", "--config", "preflight.yaml"])
            let filled = text.replacing("CHANGE-ME", with: "x")
            try filled.write(toFile: folder.path + "/preflight.yaml", atomically: true, encoding: .utf8)
            let words = third + ["--tier", "static"]
            let fourth = try await Program.run(words, environment: server.environment, in: folder.path)
            #expect(fourth.code < 2, "the provider responded: \(fourth.output)\(fourth.errors)")
        }
    }

    @Test(
        "an init for an AI host writes the resource, and check rejects its placeholder",
        arguments: [nil, "https://mcp.example/x"]
    )
    func resource(named: String?) async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let words = [server.issuer, "--profile", "claude", "--ca-file", server.authority]
            let made = try await Program.run(
                ["init"] + words + (named.map { ["--resource", $0] } ?? []),
                in: folder.path
            )
            #expect(made.code == 0, "\(made.errors)")
            let lines = try folder.read("preflight.yaml").components(separatedBy: "\n")
            let line = try #require(lines.firstIndex { $0.hasPrefix("resource: ") })
            #expect(lines[line] == "resource: " + (named.map { "\"\($0)\"" } ?? "https://CHANGE-ME.example.com/mcp"))
            for command in [["check"], ["config", "check"]] {
                let result = try await Program.run(command, environment: server.environment, in: folder.path)
                #expect(result.code == 64, "\(result.output)")
                let place = "preflight.yaml:\(line + 1):"
                #expect(result.errors.contains(place) == (named == nil), "\(result.errors)")
                #expect(
                    result.errors.contains("enter the URL of the protected resource") == (named == nil),
                    "\(result.errors)"
                )
            }
        }
    }

    @Test("a full check suggests a registration with its configuration, connection and limits, and try such a check")
    func registering() async throws {
        try await ReferenceServer.run { server in
            let shared = ["--config", server.configuration, "--max-sign-ins", "40", "--ca-file", server.authority]
            let folder = try TemporaryFolder()
            let tried = try await Program.run(
                ["try"] + shared + ["--quiet"],
                environment: server.environment,
                in: folder.path
            )
            let next = try Self.command(after: "Next, run: ", in: tried.output)
            #expect(
                next == ["check"] + options(["--config", "--ca-file", "--max-sign-ins"], of: shared),
                "\(tried.output)"
            )
            let checked = try await Program.run(next, environment: server.environment, in: folder.path)
            #expect(checked.code == 0, "\(checked.output)\(checked.errors)")
            let registration = try Self.command(after: "next: ", in: checked.output)
            let end = options(["--config", "--ca-file", "--max-sign-ins"], of: shared)
            #expect(registration == ["register", "--for", "identity-platform"] + end, "\(checked.output)")
            let kept = try await Program.run(
                ["check"] + shared + ["--save-evidence", "run.json"],
                environment: server.environment,
                in: folder.path
            )
            let again = try Self.command(after: "next: ", in: kept.output)
            let stored = ["--evidence", "run.json", "--config", server.configuration]
            #expect(again == ["register", "--for", "identity-platform"] + stored, "\(kept.output)")
            for command in [registration, again] {
                let result = try await Program.run(command, environment: server.environment, in: folder.path)
                #expect(result.code == 0, "\(command): \(result.errors)")
            }
        }
    }

    /// The options of these names with their values, in this order.
    private func options(_ names: [String], of words: [String]) -> [String] {
        names.flatMap { name in words.firstIndex(of: name).map { [name, words[$0 + 1]] } ?? [] }
    }

    @Test("a finding suggests the request with the profile and authorities of the run")
    func repeating() async throws {
        try await ReferenceServer.run(["--fault", "keys.response.content-type-is-json"]) { server in
            let folder = try TemporaryFolder()
            let rules =
                "name: mine\nextends: openid\nadjust:\n  - { check: keys.response.content-type-is-json, level: error, because: it is a test }\n"
            let profile = try folder.file("mine.yaml", rules)
            let words = [
                server.issuer, "--ca-file", server.authority, "--profile", profile, "--save-evidence", "run.json",
            ]
            let result = try await Program.run(["check"] + words, in: folder.path)
            let next = try Self.command(after: "repeat the request: ", in: result.output)
            let end = ["--evidence", "run.json", "--profile", profile, "--ca-file", server.authority]
            #expect(next == ["curl", "keys.response.content-type-is-json"] + end, "\(result.output)")
            let printed = try await Program.run(next, in: folder.path)
            #expect(printed.code == 0 && printed.output.contains(server.authority), "\(printed.errors)")
        }
    }
}
