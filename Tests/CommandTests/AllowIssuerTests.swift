import Foundation
import Testing

/// `--allow-issuer` in the commands that send secrets.
@Suite("Allowed issuers of commands", .timeLimit(.minutes(5)))
struct AllowIssuerTests {
    private static let configuration = """
        issuer: https://evil.invalid
        client: { id: c, secret: { env: OIDC_CLIENT_SECRET } }
        redirect_uri: https://rp.invalid/
        flows: [code]
        sign_in: { username: u, password: { env: OIDC_PASSWORD } }

        """
    private static let secrets: [String: String?] = [
        "OIDC_CLIENT_SECRET": "s3cret-value", "OIDC_PASSWORD": "pass-word-1",
    ]
    private static let words = "--allow-issuer does not allow the value of “issuer”; allowed: https://idp.example.com"

    @Test(
        "a configuration of another issuer is rejected at its line",
        arguments: [
            ["check"], ["check", "--patient", "--tier", "static"], ["try"], ["plan"], ["sign-in", "test"],
            ["sign-in", "save", "--out", "s.enc"], ["sign-in", "record"], ["register", "--for", "kubernetes"],
            ["config", "check"], ["fleet", "preflight.yaml"],
        ]
    )
    func rejected(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let isList = command[0] == "fleet"
        let text = isList ? "targets: { a: { issuer: \"https://evil.invalid\" } }\n" : Self.configuration
        _ = try folder.file("preflight.yaml", text)
        let key = ["OIDC_PREFLIGHT_SESSION_KEY": "0123456789-0123456789"] as [String: String?]
        let result = try await Program.run(
            command + ["--allow-issuer", "https://idp.example.com"],
            environment: Self.secrets.merging(key) { $1 },
            in: folder.path
        )
        #expect(result.code == 64, "\(result.output)\(result.errors)")
        #expect(result.errors.hasPrefix("preflight.yaml:1:"), "\(result.errors)")
        #expect(result.errors.contains(Self.words), "\(result.errors)")
        #expect(!(result.output + result.errors).contains("evil.invalid"), "\(result.errors)")
    }

    @Test("the variable contains several patterns, and an issuer of the command line is checked as well")
    func variable() async throws {
        let variables: [String: String?] = ["OIDC_PREFLIGHT_ALLOW_ISSUER": "https://a.invalid *.example.com"]
        for (issuer, code) in [("https://evil.invalid", 64), ("https://a.invalid", 0), ("https://b.example.com", 0)] {
            let result = try await Program.run(["plan", issuer], environment: variables)
            #expect(result.code == code, "\(issuer): \(result.errors)")
            let line = "Issuer     \(issuer); secrets go only to https://a.invalid, *.example.com"
            #expect(result.output.contains(line) == (code == 0), "\(result.output)")
        }
    }

    @Test("every line of a list with another issuer is reported")
    func list() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("issuers.txt", "https://a.example.com\nhttps://evil.invalid\nhttps://b.invalid\n")
        let result = try await Program.run(
            ["fleet", "issuers.txt", "--allow-issuer", "*.example.com"],
            in: folder.path
        )
        #expect(result.code == 64)
        let lines = result.errors.split(separator: "\n").map { $0.prefix(14) }
        #expect(lines == ["issuers.txt:2:", "issuers.txt:3:", "Nothing was se"], "\(result.errors)")
    }

    @Test(
        "a pattern that names no issuers is rejected",
        arguments: ["*", "*.com", "idp.example.com/x", "https://*.x.example"]
    )
    func pattern(text: String) async throws {
        let result = try await Program.run(["plan", "https://idp.example.com", "--allow-issuer", text])
        #expect(result.code == 64 && result.errors.contains("--allow-issuer"), "\(result.errors)")
        #expect(result.errors.contains("must be an issuer URL such as"), "\(result.errors)")
    }

    @Test("the allowed provider gets the secrets, and the gate opens")
    func allowed() async throws {
        try await ReferenceServer.run { server in
            let result = try await server.check(["--allow-issuer", server.issuer])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            let trial = try await Program.run(
                ["sign-in", "test", "--config", server.configuration, "--allow-issuer", "127.0.0.1:1"],
                environment: server.environment
            )
            #expect(trial.code == 64, "\(trial.output)\(trial.errors)")
        }
    }
}
