import Foundation
import OtherPrograms
import TestSupport
import Testing

/// A report is read in a minute: how many lines a run prints, whole runs against the reference provider.
@Suite("The terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Of the provider.
        var provider: [String] = []
        /// Of the run; `nil` for an issuer alone.
        var arguments: [String]? = []
        var password: String?
        var redirectURI: String?
        var code: Int
        /// Lines at 80 columns.
        var most: Int
        /// The expected text.
        var words: [String] = []
        /// The beginning of the last line.
        var verdict: String
    }

    private static let faults = [
        "discovery.subject-types-supported.is-present", "authorization.state.is-echoed", "idtoken.aud.holds-client",
    ]

    private static let cases: [Case] = [
        Case(
            testDescription: "public documents, all in order",
            arguments: nil,
            code: 0,
            most: 15,
            words: ["no user signed in", "next: oidc-preflight init https://127.0.0.1:", "needs tier full"],
            verdict: "Gate open, sign-in not tried: "
        ),
        Case(
            testDescription: "a full run, all in order",
            code: 0,
            most: 20,
            words: [
                "6 sign-ins as alice", "Sign-in: works at Firebase Authentication", "Safety: no problems (",
                "Conformance: no deviations (", "SKIPPED (",
            ],
            verdict: "Gate open: "
        ),
        Case(
            testDescription: "a full run with warnings or notices",
            provider: ["--persona", "microsoft-tenant"],
            code: 0,
            most: 28,
            words: [", not blocking ("],
            verdict: "Gate open: "
        ),
        Case(
            testDescription: "a wrong password",
            password: "not-the-password",
            code: 2,
            most: 10,
            words: [
                "The provider rejects the user name or the password.", "/sign-in", "User name or password is wrong.",
                "Check sign_in.username and the password",
            ],
            verdict: "Inconclusive: "
        ),
        Case(
            testDescription: "a redirect URI that is not registered",
            arguments: ["--profile", "openid"],
            redirectURI: "https://app.example/callback",
            code: 2,
            most: 10,
            words: ["The redirect URI is not registered", "Compare client.id and redirect_uri"],
            verdict: "Inconclusive: "
        ),
        Case(
            testDescription: "three faults",
            provider: faults.flatMap { ["--fault", $0] },
            code: 1,
            most: 37,
            words: faults + [
                "found     account (expected: preflight-client)", "next: oidc-preflight checks explain",
            ],
            verdict: "Gate closed: "
        ),
        Case(
            testDescription: "three platforms",
            arguments: ["--profile", "supabase,kubernetes,spa"],
            code: 1,
            most: 37,
            words: [
                "sign-in safety conformance gate", "supabase works ok ok open", "spa works 1 problem ok CLOSED",
                "BLOCKING: not safe (1)", "platform.client.is-public", "blocks    spa",
            ],
            verdict: "Gate open for 2 of 3 platforms; closed for spa"
        ),
        Case(
            testDescription: "two platforms and a wrong password",
            arguments: ["--profile", "openid,kubernetes"],
            password: "not-the-password",
            code: 2,
            most: 25,
            words: ["The provider rejects the user name or the password.", "Check sign_in.username and the password"],
            verdict: "Inconclusive for both platforms"
        ),
        Case(
            testDescription: "the persona that breaks most rules of a platform",
            provider: ["--persona", "microsoft"],
            arguments: ["--profile", "openid"],
            code: 1,
            most: 60,
            words: ["BLOCKING: breaks sign-in ("],
            verdict: "Gate closed: "
        ),
    ]

    @Test(arguments: cases) func `a run fits on the screen`(example: Case) async throws {
        try await ReferenceServer.run(example.provider) { server in
            let result = try await run(example, server)
            let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(result.code == example.code, "\(result.output)\(result.errors)")
            #expect(lines.count <= example.most, "\(lines.count) lines:\n\(result.output)")
            let reported = result.output.replacing(/\s+/, with: " ")
            for word in example.words {
                #expect(reported.contains(word.replacing(/\s+/, with: " ")), "\(result.output)")
            }
            #expect(lines.last?.hasPrefix(example.verdict) == true, "\(result.output)")
            #expect(lines.last?.hasSuffix("; exit code \(example.code)") == true, "\(result.output)")
            #expect(!reported.contains("not part of profile"), "counts speak of this profile's checks")
            // A pipe: no colour, and a line a phase.
            #expect(!result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
            #expect(result.errors.split(separator: "\n").count <= 4, "\(result.errors)")
            // In the folder that it ran in nothing was written.
            #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/empty").isEmpty)
        }
    }

    @Test("COLUMNS is the width, identifiers are whole at 60 columns, and -q leaves the verdict alone")
    func narrow() async throws {
        let example = try #require(Self.cases.first { $0.words.contains(Self.faults[0]) })
        try await ReferenceServer.run(example.provider) { server in
            for columns in [40, 60] {
                let narrow = try await run(example, server, columns: columns)
                let rows = narrow.output.split(separator: "\n")
                #expect(rows.count <= 60, "\(narrow.output)")
                #expect(rows.dropLast().allSatisfy { $0.count <= columns || $0.isCommand }, "\(narrow.output)")
                guard columns == 60 else { continue }
                for id in Self.faults { #expect(narrow.output.contains(id), "\(id) is broken: \(narrow.output)") }
            }
            let quiet = try await run(example, server, adding: ["-q"])
            #expect(quiet.output.split(separator: "\n").count == 1, "\(quiet.output)")
            #expect(quiet.output.hasPrefix(example.verdict) && quiet.errors.isEmpty, "\(quiet.output)\(quiet.errors)")
        }
    }

    /// A run as a user of a terminal with so many columns starts it, in a folder of its own.
    private func run(
        _ example: Case,
        _ server: ReferenceServer,
        columns: Int = 80,
        adding: [String] = []
    ) async throws -> Program.Result {
        let folder = server.folder + "/empty"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var file = server.configuration
        if let uri = example.redirectURI {
            let text = try server.read("preflight.yaml").replacing(#/redirect_uri: .*/#, with: "redirect_uri: \(uri)")
            file = try server.write("changed.yaml", text)
        }
        let words =
            example.arguments.map { ["--config", file] + $0 } ?? [server.issuer, "--ca-file", server.authority]
        var environment = server.environment
        environment["COLUMNS"] = "\(columns)"
        if let password = example.password { environment["OIDC_PASSWORD"] = password }
        return try await Program.run(["check"] + words + adding, environment: environment, in: folder)
    }

    @Test(
        "an unreachable issuer is reported in four lines",
        arguments: [("http://127.0.0.1:1", "refused"), ("https://no-such-host.invalid", "no-such-host.invalid")]
    )
    func unreachable(issuer: String, word: String) async throws {
        let result = try await Program.run(["check", issuer], environment: ["COLUMNS": "80"])
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(result.code == 2)
        #expect(lines.count <= 4, "\(result.output)")
        #expect(result.output.contains(word), "\(result.output)")
        #expect(lines.last?.hasPrefix("Inconclusive: ") == true)
    }

    @Test(
        "a run below the required tier does not open the gate",
        arguments: [
            ("static", 0, "Gate open, sign-in not tried: "),
            ("unauthenticated", 2, "Inconclusive: the run used tier static, but tier unauthenticated is required. "),
            ("full", 2, "Inconclusive: the run used tier static, but tier full is required. "),
        ]
    )
    func required(tier: String, code: Int32, verdict: String) async throws {
        try await ReferenceServer.run { server in
            let words = ["check", server.issuer, "--ca-file", server.authority, "--require", tier]
            let result = try await Program.run(words)
            #expect(result.code == code, "\(result.output)")
            let last = result.output.split(separator: "\n").last
            #expect(last?.hasPrefix(verdict) == true, "\(result.output)")
            // There is no configuration, so the next command creates one.
            #expect(result.output.contains("next: oidc-preflight init \(server.issuer) --ca-file"), "\(result.output)")
        }
    }

    @Test("findings that do not fit on a screen are named or counted", arguments: [40, 60, 80, 120])
    func many(columns: Int) async throws {
        let folder = try TemporaryFolder()
        let members = [
            #""issuer": "http://user@a.example/%7e?b#c""#, #""authorization_endpoint": "ftp://a.example/#x""#,
            #""token_endpoint": 7"#, #""jwks_uri": "keys""#, #""response_types_supported": "code""#,
            #""subject_types_supported": []"#, #""id_token_signing_alg_values_supported": ["none", "none"]"#,
            #""scopes_supported": ["email"]"#, #""userinfo_endpoint": null"#, #""request_parameter_supported": "yes""#,
            #""response_modes_supported": ["query", "query"]"#, #""grant_types_supported": [1]"#,
            #""token_endpoint_auth_methods_supported": {}"#, #""acr_values_supported": "x""#,
        ]
        let file = try folder.file("d.json", "{\(members.joined(separator: ", "))}")
        let words = ["lint", "--discovery", file, "--issuer", "https://b.example/"]
        let environment = ["COLUMNS": "\(columns)"]
        let result = try await Program.run(words, environment: environment)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(result.code == 1)
        #expect(lines.count <= 60, "\(lines.count) lines: \(result.output)")
        #expect(lines.dropLast().allSatisfy { $0.count <= columns || $0.isCommand }, "\(result.output)")
        let verbose = try await Program.run(words + ["-v"], environment: environment)
        let failed = verbose.output.matches(of: #/ FAILED\n/#).count
        #expect(failed > 10, "\(verbose.output)")
        let headings = result.output.matches(of: #/BLOCKING: [a-z -]+ \((\d+)\)/#).compactMap { Int($0.output.1) }
        #expect(!headings.isEmpty && headings.reduce(0, +) <= failed, "\(result.output)")
        #expect(lines.last?.hasPrefix("Gate closed: \(failed) checks failed, ") == true, "\(result.output)")
    }

    @Test("every check is listed with -v, and the rule is quoted with --explain")
    func verbose() async throws {
        let words = ["judge", try await SavedRun.evidence("closed"), "--profile", "openid"]
        let brief = try await Program.run(words)
        #expect(!brief.output.contains("discovery.issuer.matches-request"))
        let verbose = try await Program.run(words + ["-v"])
        #expect(verbose.output.contains("discovery.issuer.matches-request ·"), "\(verbose.output)")
        #expect(verbose.output.split(separator: "\n").last == brief.output.split(separator: "\n").last)
        #expect(!verbose.output.contains("not part of profile"))
        let explained = try await Program.run(words + ["--explain"])
        #expect(explained.output.contains("why       "), "\(explained.output)")
        let torn = try await Program.run(words + ["-q", "-v"])
        #expect(torn.code == 64 && torn.errors.contains("--quiet and --verbose"), "\(torn.errors)")
    }
}

@Suite("Colour and progress", .phase(.programs), .timeLimit(.minutes(5)))
struct TerminalColorTests {
    /// Runs the rest of its command line on a terminal of its own, and prints what that shows.
    private static let terminal = """
        import os, pty, sys
        sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
        """

    @Test("colour and the progress line appear only on terminals, and NO_COLOR is respected", arguments: [nil, "1"])
    func color(noColor: String?) async throws {
        let outcome = try await OtherProgram.run(
            "python3",
            ["-c", Self.terminal, Program.path, "check", "http://127.0.0.1:1"],
            environment: ["COLUMNS": "80", "TERM": "xterm", "NO_COLOR": noColor]
        )
        #expect(outcome.code == 2)
        #expect(outcome.text.contains("\u{1B}[33m") == (noColor == nil), "\(outcome.text)")
        // Progress is removed before the report begins.
        let parts = outcome.text.components(separatedBy: "\r\u{1B}[K")
        #expect(parts.count > 2 && parts.dropLast().allSatisfy { !$0.contains("\n") }, "\(outcome.text)")
        #expect(parts.last?.split(separator: "\r\n").count == 4, "\(outcome.text)")
    }
}
