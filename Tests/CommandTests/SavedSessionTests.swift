import Foundation
import Testing

/// `sign-in test` and `sign-in save`, and runs with a saved session, as a user meets them.
@Suite("sign-in", .timeLimit(.minutes(5)))
struct SavedSessionTests {
    private static let key = "0123456789-0123456789"

    static func signIn(
        _ server: ReferenceServer,
        _ arguments: [String],
        _ changes: [String: String?] = [:]
    ) async throws -> Program.Result {
        try await Program.run(
            ["sign-in"] + arguments + ["--config", server.configuration, "--quiet"],
            environment: server.environment.merging(["OIDC_PREFLIGHT_SESSION_KEY": key]) { $1 }
                .merging(changes) { $1 }
        )
    }

    /// The configuration with a session in the place of the password, which is in no variable.
    static func run(
        _ server: ReferenceServer,
        _ command: [String],
        file: String = "session.enc",
        key: String? = key
    ) async throws -> Program.Result {
        let session = "  username: alice\n  session: { file: \(file), key: { env: OIDC_PREFLIGHT_SESSION_KEY } }\n"
        let text = try server.read("preflight.yaml").replacing("  username: alice\n", with: session)
        let configuration = try server.write("session.yaml", text)
        return try await Program.run(
            command + ["--config", configuration],
            environment: [
                "OIDC_CLIENT_SECRET": server.secret, "OIDC_PREFLIGHT_SESSION_KEY": key, "OIDC_PASSWORD": nil,
            ]
        )
    }

    struct Variant: Sendable, CustomTestStringConvertible {
        var variant: String
        var password: String?
        var code: Int32
        var reported: [String]
        var testDescription: String { variant + (password == nil ? "" : ", a wrong password") }
    }

    static let variants = [
        Variant(
            variant: "two-step",
            code: 0,
            reported: [
                "page 1   “Sign in", "fields: User name (text)", "filled username, pressed “Next”",
                "page 2   “Enter password", "filled password, pressed “Sign in”", "page 3   “Allow access?",
                "Granted: the provider redirected to https://reference-project.firebaseapp.com/__/auth/handler with code.",
                "No code was redeemed, so the client secret was not tested. Next, run: oidc-preflight try --config ",
            ]
        ),
        Variant(
            variant: "plain",
            password: "not-the-password",
            code: 2,
            reported: [
                "page 2   “Sign in", "message “User name or password is wrong.”",
                "Not granted: The provider rejects the user name or the password.", "preflight.yaml:11",
            ]
        ),
        Variant(
            variant: "passkey",
            code: 2,
            reported: [
                "page 1   “Use your passkey", "Not granted: ", "a passkey or a security key",
                "action   Set sign_in.passkey to its credential",
            ]
        ),
    ]

    @Test(arguments: variants) func `each page is shown, and the end`(variant: Variant) async throws {
        try await ReferenceServer.run(["--sign-in", variant.variant]) { server in
            let changes: [String: String?] = variant.password.map { ["OIDC_PASSWORD": $0] } ?? [:]
            let result = try await Self.signIn(server, ["test"], changes)
            #expect(result.code == variant.code, "\(result.output)\(result.errors)")
            for words in variant.reported { #expect(result.output.contains(words), "\(words) in\n\(result.output)") }
            for secret in [server.password, server.secret, "not-the-password"] {
                #expect(!result.output.contains(secret))
            }
        }
    }

    @Test func `a saved session is used without the password, until it has ended`() async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/session.enc"
            let saved = try await Self.signIn(server, ["save", "--out", file])
            #expect(saved.code == 0, "\(saved.output)\(saved.errors)")
            #expect(saved.output.contains("instead of sign_in.password, together with sign_in.username"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let evidence = server.folder + "/evidence.json"
            let result = try await Self.run(server, ["check", "--profile", "openid", "--save-evidence", evidence])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("no sign-in required"), "\(result.output)")
            #expect(result.output.contains("Sign-in: works with response_type code"), "\(result.output)")
            #expect(!result.output.contains("BLOCKING: "), "\(result.output)")
            #expect(try server.read("evidence.json").contains("needs a sign-in with the password"))
            // The session lasts: nothing of the run has ended it.
            let again = try await Self.run(server, ["sign-in", "test", "--quiet"])
            #expect(again.code == 0, "\(again.output)\(again.errors)")
            #expect(again.output.contains("No page was received."), "\(again.output)")
            #expect(try !server.read("evidence.json").contains(server.password))
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file = "session.enc"
        var key: String? = SavedSessionTests.key
        var mode = 0o600
        var change: @Sendable (Data) -> Data = { $0 }
        var reported: String
    }

    static let mistakes = [
        Mistake(testDescription: "another key", key: "another-key-of-length", reported: "cannot be decrypted"),
        Mistake(
            testDescription: "no key",
            key: nil,
            reported: "the environment variable OIDC_PREFLIGHT_SESSION_KEY is not set"
        ),
        Mistake(
            testDescription: "open to others",
            mode: 0o640,
            reported: "has mode 640 but must be readable only by its owner"
        ),
        Mistake(
            testDescription: "a file that was changed",
            change: { $0.dropLast(2) + Data("\n".utf8) },
            reported: "cannot be decrypted"
        ),
        Mistake(testDescription: "no such file", file: "other.enc", reported: "other.enc cannot be read"),
        Mistake(
            testDescription: "another file",
            file: "preflight.yaml",
            reported: "was not written by `oidc-preflight sign-in save`"
        ),
    ]

    @Test func `a session that cannot be used is a mistake at its line`() async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/session.enc"
            let saved = try await Self.signIn(server, ["save", "--out", file])
            #expect(saved.code == 0, "\(saved.output)\(saved.errors)")
            let sealed = try Data(contentsOf: URL(filePath: file))
            for mistake in Self.mistakes {
                try mistake.change(sealed).write(to: URL(filePath: file))
                let path = server.folder + "/" + mistake.file
                if FileManager.default.fileExists(atPath: path) {
                    try FileManager.default.setAttributes([.posixPermissions: mistake.mode], ofItemAtPath: path)
                }
                let result = try await Self.run(server, ["check"], file: mistake.file, key: mistake.key)
                #expect(result.code == 64, "\(mistake.testDescription): \(result.output)\(result.errors)")
                #expect(result.errors.contains(mistake.reported), "\(mistake.testDescription): \(result.errors)")
                #expect(result.errors.contains("session.yaml:12"), "\(mistake.testDescription): \(result.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (nil, "which contains the session key, is not set"), ("", "which contains the session key, is empty"),
            ("short", "has 5 characters but needs at least 16"),
        ] as [(String?, String)]
    )
    func `nothing is saved without a key`(key: String?, reported: String) async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/session.enc"
            let result = try await Self.signIn(server, ["save", "--out", file], ["OIDC_PREFLIGHT_SESSION_KEY": key])
            #expect(result.code == 64)
            #expect(result.errors.contains(reported), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("saving the session of a manual sign-in is rejected in one line")
    func saves() async throws {
        try await ReferenceServer.run { server in
            let result = try await Program.run(
                ["sign-in", "save", "--out", "s.enc", "--config", server.configuration, "--driver", "manual"],
                environment: server.environment.merging(["OIDC_PREFLIGHT_SESSION_KEY": "0123456789-0123456789"]) { $1 }
            )
            #expect(result.code == 64, "\(result.output)\(result.errors)")
            #expect(result.errors.hasPrefix("--driver manual: a manual sign-in cannot be saved"), "\(result.errors)")
        }
    }
}
