import Foundation
import OtherPrograms
import TestSupport
import Testing

/// `--driver manual` at a terminal, and with a pipe.
@Suite("Manual sign-in at the command line", .phase(.programs), .timeLimit(.minutes(5)))
struct ByHandCommandTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    private static let redirectURI = "https://reference-project.firebaseapp.com/__/auth/handler"

    /// Runs a command by hand, without a password; each address that it shows is opened, and what `paste` makes of its end is pasted.
    private static func run(
        _ server: ReferenceServer,
        _ command: [String],
        paste: @escaping @Sendable (String) -> String? = { $0 }
    ) async throws -> OtherProgram.Outcome {
        let variables: [String: String?] = ["OIDC_CLIENT_SECRET": server.secret, "OIDC_PASSWORD": nil, "DISPLAY": nil]
        let arguments = command + ["--config", server.configuration, "--driver", "manual", "--quiet"]
        return
            try await OtherProgram.beside(Program.path, arguments, environment: variables) { running in
                for await line in running.errorLines where line.hasPrefix("  https://") {
                    let address = line.trimmingCharacters(in: .whitespaces)
                    let user = try await OtherProgram.run(
                        "python3",
                        [folder + "/sign_in_by_hand.py", server.authority, address, server.username, server.password]
                    )
                    guard let text = paste(user.text) else {
                        // Its input stays open until it has ended: what ends first would decide.
                        running.send(SIGINT)
                        continue
                    }
                    return running.feed(Array(text.utf8))
                }
            }
            .outcome
    }

    @Test("try signs in manually, without a password in the environment")
    func tries() async throws {
        try await ReferenceServer.run { server in
            let result = try await Self.run(server, ["try"])
            #expect(result.code == 0, "\(result.words)")
            #expect(result.text.contains("one manual sign-in"), "\(result.text)")
            #expect(result.errors.contains("Sign-in 1 of 1: open this address in a browser, and sign in as alice."))
            #expect(result.errors.contains("Paste the whole address"), "\(result.errors)")
        }
    }

    @Test("sign-in test signs in manually")
    func tests() async throws {
        try await ReferenceServer.run { server in
            let result = try await Self.run(server, ["sign-in", "test"])
            #expect(result.code == 0, "\(result.words)")
            #expect(
                result.text.contains("Granted: the provider redirected to \(Self.redirectURI) with code"),
                "\(result.text)"
            )
        }
    }

    @Test(
        "end of input is reported immediately, and Ctrl-C stops the wait",
        arguments: [("", 2), (nil, 130)] as [(String?, Int)]
    )
    func ends(paste: String?, code: Int) async throws {
        try await ReferenceServer.run { server in
            let result = try await Self.run(server, ["sign-in", "test"]) { _ in paste }
            #expect(result.code == code, "\(result.words)")
            if code == 2 { #expect(result.text.contains("standard input ended"), "\(result.text)") }
        }
    }

    @Test("a terminal reads a long address completely, and Ctrl-C stops the wait")
    func terminal() async throws {
        try await ReferenceServer.run { server in
            let long = Self.redirectURI + "?x=" + String(repeating: "0123456789", count: 600) + "&state=another\n"
            let input = try JSONSerialization.data(withJSONObject: [
                ["Paste the whole", "mistyped\u{7F}\u{7F}\n", "long"],
                ["That is not the redirect URI", long, "long"],
                ["the response to another request", "\u{3}"],
            ])
            let outcome = try await OtherProgram.run(
                "python3",
                [
                    Self.folder + "/answer_questions.py", "80", server.folder, Program.path, "sign-in", "test",
                    "--driver", "manual",
                ],
                input: String(decoding: input, as: UTF8.self),
                environment: [
                    "TERM": "xterm", "COLUMNS": nil, "DISPLAY": nil, "BROWSER": nil,
                    "OIDC_CLIENT_SECRET": server.secret,
                    "OIDC_PASSWORD": nil,
                ]
            )
            #expect(outcome.code == 0, "\(outcome.words)")
            #expect(outcome.text.contains("exit 130"), "\(outcome.text)")
        }
    }
}
