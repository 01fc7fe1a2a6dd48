import Foundation
import OtherPrograms
import TestSupport
import Testing

/// `init` at a real terminal: it asks what only the user knows.
@Suite("Questions of init", .phase(.programs), .timeLimit(.minutes(5)))
struct InitQuestionTests {
    private struct Shown {
        let text: String
        /// Negative where a signal ended it.
        let code: Int
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("answer_questions.py").path

    /// Runs `init` in the folder, and answers each question that these words end.
    private func run(
        _ words: [String],
        in folder: String,
        columns: Int = 80,
        environment: [String: String?] = [:],
        _ answers: [(question: String, answer: String)]
    ) async throws -> Shown {
        let input = try JSONSerialization.data(
            withJSONObject: answers.map { answer in
                // A question may be broken anywhere between its words.
                let pattern = NSRegularExpression.escapedPattern(for: answer.question)
                return [pattern.replacingOccurrences(of: " ", with: "\\s+"), answer.answer]
            }
        )
        let outcome = try await OtherProgram.run(
            "python3",
            [Self.script, "\(columns)", folder, Program.path, "init"] + words,
            input: String(decoding: input, as: UTF8.self),
            environment: ["TERM": "xterm", "COLUMNS": nil].merging(environment) { $1 }
        )
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        let last = lines.last { $0.hasPrefix("exit ") }
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        return Shown(
            text: outcome.text,
            code: last.flatMap { Int($0.dropFirst(5)) } ?? -1
        )
    }

    private func answers(_ server: ReferenceServer) async throws -> [(String, String)] {
        // A platform can be answered by its number in the list: the default, then the others by their names.
        let list = try await Program.run(["profiles", "list"]).output
        let names = list.matches(of: #/(?m)^ {0,6}([a-z0-9-]+) +[0-9]+ checks/#).map { String($0.1) }
        let number = try #require(names.sorted().filter { $0 != "openid" }.firstIndex(of: "supabase")) + 2
        return [
            ("Issuer: ", "127.0.0.1\n"), ("did you mean “https://127.0.0.1”?", ""), ("Issuer: ", server.issuer + "\n"),
            ("Platform [openid]: ", "supabse\n"), ("did you mean “supabase”?", ""),
            ("Platform [openid]: ", "\(number)\n"),
            ("Client ID [fill in later]: ", "preflight-client\n"),
        ]
    }

    @Test("the answers are in the file, and the file is tried immediately", arguments: [80, 40])
    func asks(columns: Int) async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let shown = try await run(
                ["--ca-file", server.authority],
                in: folder.path,
                columns: columns,
                environment: ["OIDC_SECRET_HERE": server.secret],
                try await answers(server) + [
                    ("Does it have a secret? [Y/n]: ", "\n"),
                    ("Variable for the client secret [OIDC_CLIENT_SECRET]: ", "oJ0w3sQx\n"),
                    ("This is no name of a variable that is set.", ""),
                    ("Variable for the client secret [OIDC_CLIENT_SECRET]: ", "OIDC_SECRET_HERE\n"),
                    ("Redirect URI [fill in later]: ", "http:/foo\n"), ("has no valid host", ""),
                    ("Redirect URI [fill in later]: ", "https://my-project.supabase.co/auth/v1/callback\n"),
                    ("Test user [no sign-in]: ", "alice\n"), ("Variable for the password [OIDC_PASSWORD]: ", "\n"),
                    ("Try it now? [Y/n]: ", "\n"),
                ]
            )
            let text = try folder.read("preflight.yaml")
            for line in [
                "issuer: \"\(server.issuer)\"", "profile: \"supabase\"", "  id: \"preflight-client\"",
                "  secret: { env: OIDC_SECRET_HERE }",
                "redirect_uri: \"https://my-project.supabase.co/auth/v1/callback\"",
                "  username: \"alice\"", "  password: { env: OIDC_PASSWORD }",
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line) is not in \(text)")
            }
            #expect(text.hasPrefix("# yaml-language-server: $schema=https://"))
            #expect(!text.contains("CHANGE-ME"))
            // Only the terminal itself shows a pasted secret.
            #expect(shown.text.components(separatedBy: "oJ0w3sQx").count == 2, "\(shown.text)")
            #expect(shown.text.contains("Wrote preflight.yaml. Export the variables it names"), "\(shown.text)")
            // The redirect URI is not the one that this provider knows: the trial reports it before any sign-in.
            #expect(shown.code == 2, "\(shown.text)")
            #expect(shown.text.contains("FAILED") && shown.text.contains("authorization request"), "\(shown.text)")
            #expect(!shown.text.contains("\u{1B}[3"), "nothing is coloured")
            // Nothing but what was typed is longer than the terminal is wide.
            let asked = shown.text.components(separatedBy: "Try it now?")[0]
            let notOurs = ["]: ", "/", "Wrote preflight.yaml"]
            for line in asked.components(separatedBy: "\n") where !notOurs.contains(where: line.contains) {
                #expect(line.count <= columns, "\(line)")
            }
            let checked = try await Program.run(["config", "check", "--without-secrets"], in: folder.path)
            #expect(checked.code == 0, "\(checked.errors)")
        }
    }

    @Test("Return leaves a value empty, and the file marks the values to fill in")
    func leaves() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let shown = try await run(
                [server.issuer, "--profile", "openid", "--ca-file", server.authority],
                in: folder.path,
                [
                    ("Client ID [fill in later]: ", "\n"), ("Does it have a secret? [Y/n]: ", "n\n"),
                    ("Redirect URI [fill in later]: ", "\n"), ("Test user [no sign-in]: ", "\n"),
                ]
            )
            let text = try folder.read("preflight.yaml")
            #expect(shown.code == 0 && shown.text.contains("Fill in the client"), "\(shown.text)")
            #expect(text.contains("\n  id: CHANGE-ME\n") && text.contains("  authentication: none\n"), "\(text)")
            #expect(text.contains("\n# sign_in:\n") && !text.contains("\nsign_in:"), "\(text)")
        }
    }

    @Test(
        "an interruption and the end of input leave no file",
        arguments: [("\u{3}", -2), ("\u{4}", 130)]
    )
    func interrupted(key: String, code: Int) async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let shown = try await run(
                [server.issuer, "--profile", "openid", "--ca-file", server.authority],
                in: folder.path,
                [("Client ID [fill in later]: ", "c\n"), ("Does it have a secret? [Y/n]: ", key)]
            )
            #expect(shown.code == code, "\(shown.text)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("there is no prompt with --no-input or a pipe")
    func silent() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let shown = try await run(
                [server.issuer, "--ca-file", server.authority, "--no-input"],
                in: folder.path,
                []
            )
            #expect(shown.code == 0 && shown.text.contains("Fill in the client"), "\(shown.text)")
            #expect(try folder.read("preflight.yaml").contains("\nprofile: \"openid\"\n"))
            let piped = try await Program.run(["init"], in: folder.path)
            #expect(piped.code == 64 && piped.errors.contains("ISSUER is missing"), "\(piped.errors)")
        }
    }
}
