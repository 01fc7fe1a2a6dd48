import Testing

/// The first requests of a run alone, as a user meets them.
@Suite("try", .timeLimit(.minutes(5)))
struct TryTests {
    struct Attempt: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A change of the configuration: the old and the new text.
        var change: (old: String, new: String)?
        var environment: [String: String] = [:]
        var arguments: [String] = []
        var code: Int32
        /// The step that fails, and the last successful step before it.
        var broken: String?
        var holds: String
        /// Somewhere in the output.
        var reported: String
    }

    private static let attempts: [Attempt] = [
        Attempt(
            testDescription: "everything is correct",
            code: 0,
            holds: "UserInfo endpoint",
            reported: "An ordinary sign-in works."
        ),
        Attempt(
            testDescription: "everything is correct, without a sign-in",
            arguments: ["--tier", "unauthenticated"],
            code: 0,
            holds: "client authentication",
            reported:
                "because tier unauthenticated has no sign-in. Next, run: oidc-preflight try --config "
        ),
        Attempt(
            testDescription: "the redirect URI is not registered",
            change: ("__/auth/handler", "__/auth/handlr"),
            code: 2,
            broken: "authorization request",
            holds: "key set",
            reported: "names redirect_uri."
        ),
        Attempt(
            testDescription: "the redirect URI is not registered, without a sign-in",
            change: ("__/auth/handler", "__/auth/handlr"),
            arguments: ["--tier", "unauthenticated"],
            code: 2,
            broken: "authorization request",
            holds: "key set",
            reported: "Compare client.id and redirect_uri"
        ),
        Attempt(
            testDescription: "the password is wrong",
            environment: ["OIDC_PASSWORD": "not-the-password"],
            code: 2,
            broken: "sign-in",
            holds: "authorization request",
            reported: "The password was sent only once"
        ),
        Attempt(
            testDescription: "the secret is wrong",
            environment: ["OIDC_CLIENT_SECRET": "not-the-secret"],
            code: 2,
            broken: "client authentication",
            holds: "sign-in",
            reported: "Check client.id, the client's secret"
        ),
        Attempt(
            testDescription: "the secret is wrong, without a sign-in",
            environment: ["OIDC_CLIENT_SECRET": "not-the-secret"],
            arguments: ["--tier", "unauthenticated"],
            code: 2,
            broken: "client authentication",
            holds: "authorization request",
            reported: "Check client.id, the client's secret"
        ),
    ]

    @Test(arguments: attempts) func `the first failed step is named, with the action`(
        attempt: Attempt
    ) async throws {
        try await ReferenceServer.run { server in
            var text = try server.read("preflight.yaml")
            if let (old, new) = attempt.change { text = text.replacing(old, with: new) }
            let file = try server.write("changed.yaml", text)
            let environment = server.environment.merging(attempt.environment) { _, new in new }
            let result = try await Program.run(
                ["try", "--config", file, "--quiet"] + attempt.arguments,
                environment: environment
            )
            #expect(result.code == attempt.code, "\(result.output)\(result.errors)")
            #expect(result.output.contains(attempt.reported), "\(result.output)")
            let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("    ") }
            let state = { (name: String) in
                lines.first { $0.hasPrefix("  " + name + " ") }?.dropFirst(2 + name.count).trimmingPrefix { $0 == " " }
            }
            #expect(state(attempt.holds)?.hasPrefix("ok ") == true, "\(result.output)")
            if let broken = attempt.broken {
                #expect(state(broken)?.hasPrefix("FAILED ") == true, "\(result.output)")
            }
            #expect(lines.count { $0.contains(" FAILED ") } == (attempt.broken == nil ? 0 : 1))
            for secret in [server.password, server.secret] { #expect(!result.output.contains(secret)) }
        }
    }

    @Test(
        "the last line names what a sign-in needs, and the next command",
        arguments: [
            ("", "lacks client, redirect_uri, sign_in, flows. Next, run: oidc-preflight init ISSUER\n"),
            (
                "client: { id: c }\nredirect_uri: https://a.example/cb\n",
                "lacks sign_in, flows. Add sign_in, flows, and run: oidc-preflight try --config p.yaml --ca-file "
            ),
        ]
    )
    func withoutSignIn(configuration: String, end: String) async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            _ = try folder.file("p.yaml", "issuer: \(server.issuer)\n\(configuration)")
            let source = configuration.isEmpty ? [server.issuer] : ["--config", "p.yaml", "--tier", "static"]
            let words = ["try", "--ca-file", server.authority, "--quiet"] + source
            let result = try await Program.run(words, in: folder.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains(end), "\(result.output)")
        }
    }

    @Test func `an untrusted certificate is reported as such`() async throws {
        try await ReferenceServer.run { server in
            let result = try await Program.run(["try", server.issuer, "--quiet"])
            #expect(result.code == 2, "\(result.output)\(result.errors)")
            #expect(result.output.contains("--ca-file"), "\(result.output)")
            #expect(!result.output.contains("Check that this machine can reach"), "\(result.output)")
        }
    }

    @Test(
        arguments: [
            ("idtoken.aud.holds-client", "ID Token "),
            ("authorization.state.is-echoed", "authorization request "),
            ("discovery.subject-types-supported.is-present", "discovery document "),
        ]
    )
    func `a fault of the provider is reported as such, with exit code 1`(fault: String, step: String) async throws {
        try await ReferenceServer.run(["--fault", fault]) { server in
            let result = try await Program.run(
                ["try", "--config", server.configuration, "--quiet"],
                environment: server.environment
            )
            #expect(result.code == 1, "\(result.output)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("  " + step) && $0.contains(" FAILED ") }, "\(result.output)")
            #expect(lines.count { $0.contains(" FAILED ") } == 1, "\(result.output)")
            #expect(result.output.contains("cause    provider"))
        }
    }

    @Test func `a wrong password is the configuration's, whatever the provider does wrong`() async throws {
        try await ReferenceServer.run(["--fault", "discovery.subject-types-supported.is-present"]) { server in
            let environment = server.environment.merging(["OIDC_PASSWORD": "not-the-password"]) { _, new in new }
            let words = ["try", "--config", server.configuration, "--quiet"]
            let result = try await Program.run(words, environment: environment)
            #expect(result.code == 2, "\(result.output)\(result.errors)")
            #expect(result.output.split(separator: "\n").count { $0.contains(" FAILED ") } == 1, "\(result.output)")
            #expect(
                result.output.contains("Fix the failed step, and run oidc-preflight try"),
                "\(result.output)"
            )
        }
    }
}
