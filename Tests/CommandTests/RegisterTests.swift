import Foundation
import Testing

/// A registration is written when the gate is open, and otherwise with a reason only.
@Suite("Registration", .timeLimit(.minutes(5)))
struct RegisterTests {
    /// Those that take an issuer with a port, as the loopback provider's has.
    private static let platforms = [
        "identity-platform", "identity-platform-terraform", "supabase", "kubernetes", "vault", "swift",
    ]

    @Test("with an open gate the file of every platform is written, without secrets")
    func open() async throws {
        try await ReferenceServer.run { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--save-evidence", evidence])
            for platform in Self.platforms {
                let arguments = ["register", "--for", platform, "--evidence", evidence]
                let piped = try await Program.run(arguments)
                #expect(piped.code == 0, "\(platform): \(piped.errors)")
                #expect(piped.errors.contains("Gate open"))
                let text = piped.output
                #expect(text.contains("preflight-client") || platform == "swift", "\(platform)")
                for secret in [server.secret, server.password, server.username] {
                    #expect(!(text + piped.errors).contains(secret), "\(platform)")
                }
                if platform != "kubernetes" { continue }
                let file = server.folder + "/authentication.yaml"
                let written = try await Program.run(arguments + ["--out", file])
                #expect(written.code == 0 && written.output.isEmpty, "\(written.errors)")
                #expect(try server.read("authentication.yaml") == text)
                #expect(written.errors.contains("Wrote \(file)."))
            }
        }
    }

    @Test("a live run proves the registration, and replacing a file is reported")
    func run() async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/provider.tf"
            let arguments = [
                "register", "--for", "identity-platform-terraform", "--config", server.configuration, "--quiet",
            ]
            let first = try await Program.run(arguments + ["--out", file], environment: server.environment)
            #expect(first.code == 0, "\(first.errors)")
            let text = try server.read("provider.tf")
            #expect(text.contains("issuer        = \"\(server.issuer)\""), "\(text)")
            #expect(text.contains("profile firebase-oidc"))
            _ = try server.write("provider.tf", "something else")
            let second = try await Program.run(arguments + ["--out", file], environment: server.environment)
            #expect(second.errors.contains("Replaced \(file)."), "\(second.errors)")
        }
    }

    @Test("with a closed gate nothing is written unless a reason is given, which is recorded")
    func closed() async throws {
        try await ReferenceServer.run(["--fault", "idtoken.aud.holds-client"]) { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--save-evidence", evidence])
            let file = server.folder + "/registration"
            for platform in ["supabase", "vault", "swift"] {
                let arguments = [
                    "register", "--for", platform, "--evidence", evidence, "--out", file,
                ]
                let refused = try await Program.run(arguments)
                #expect(refused.code == 1, "\(platform): \(refused.errors)")
                #expect(refused.output.isEmpty && refused.errors.contains("Nothing was written: the gate is closed."))
                #expect(refused.errors.contains("idtoken.aud.holds-client"), "the report says what is wrong")
                #expect(!FileManager.default.fileExists(atPath: file))
                let forced = try await Program.run(arguments + ["--even-though", "fixed on Monday"])
                #expect(forced.code == 1, "the exit code stays that of the check: \(forced.errors)")
                let beside = file + ".reason.txt"
                let isBeside = FileManager.default.fileExists(atPath: beside)
                let place = try server.read(isBeside ? "registration.reason.txt" : "registration")
                #expect(place.contains("fixed on Monday"), "\(platform)")
                try FileManager.default.removeItem(atPath: file)
                if isBeside { try FileManager.default.removeItem(atPath: beside) }
            }
            let piped = try await Program.run([
                "register", "--for", "supabase", "--evidence", evidence, "--even-though", "fixed on Monday",
            ])
            #expect(
                piped.code == 64 && piped.errors.contains("with --out FILE it is written to FILE.reason.txt"),
                "\(piped.errors)"
            )
        }
    }

    @Test("values without proof by a sign-in are not written, whatever the gate")
    func unproven() async throws {
        try await ReferenceServer.run { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--tier", "static", "--save-evidence", evidence])
            let result = try await Program.run(["register", "--for", "kubernetes", "--evidence", evidence])
            #expect(result.code == 2 && result.output.isEmpty, "\(result.errors)")
            #expect(result.errors.contains("the sign-in proved too little"))
        }
    }

    @Test(
        "a provider supported by name is registered only after a sign-in",
        arguments: ["microsoft-tenant", "yahoo", "github", "twitter"]
    )
    func known(persona: String) async throws {
        try await ReferenceServer.run(["--persona", persona]) { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--tier", "static", "--save-evidence", evidence])
            let arguments = ["register", "--for", "swift", "--evidence", evidence]
            let early = try await Program.run(arguments)
            #expect(early.code == 2 && early.output.isEmpty, "\(early.errors)")
            #expect(early.errors.contains("Nothing was written"), "\(early.errors)")
            _ = try await server.check(["--save-evidence", evidence])
            let written = try await Program.run(arguments)
            #expect(written.code == 0, "\(written.errors)")
            let words =
                persona == "twitter"
                ? "Proven by 2 sign-ins with OAuth 1.0a" : "Proven by a sign-in with response_type code"
            #expect(written.output.contains(words), "\(written.output)")
            #expect(!written.output.contains("No sign-in"))
        }
    }

    @Test("the rules of another platform do not count unless a reason is given, which is recorded")
    func foreign() async throws {
        try await ReferenceServer.run { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--save-evidence", evidence])
            let arguments = ["register", "--for", "swift", "--evidence", evidence, "--profile"]
            let refused = try await Program.run(arguments + ["kubernetes"])
            #expect(refused.code == 64 && refused.output.isEmpty, "\(refused.errors)")
            #expect(refused.errors.contains("kubernetes is not firebase-oidc"), "\(refused.errors)")
            let mine = try server.write("mine.yaml", "name: mine\nextends: google-identity-platform\n")
            #expect(try await Program.run(arguments + [mine]).code == 0)
            let forced = try await Program.run(arguments + ["kubernetes", "--even-though", "a trial"])
            let text = forced.output.replacing("\n// ", with: " ")
            #expect(forced.code == 0 && text.contains("EVEN THOUGH kubernetes is not firebase-oidc"), "\(text)")
        }
    }

    @Test(
        "a mistake is reported before any request",
        arguments: [
            (["--for", "kubernets"], "did you mean “kubernetes”?"),
            (["--for", "identity-plattform"], "did you mean “identity-platform”?"),
            (["--for", "zzz"], "known platforms"),
            (["--for", "firebase"], "did you mean “identity-platform”? Known platforms: identity-platform"),
            (["--for", "kubernetes,vault"], "specify one platform"),
            (["--for", "cognit"], "did you mean “cognito”?"),
            (["--for", "aws-cognito", "--profile", "spa"], "spa is not aws-cognito"),
            (["--for", "kubernetes"], "needs a client"), (["kubernetes"], "--for"),
            (["--for", "swift", "--tier", "static"], "leave out --tier"),
            (["--for", "vault", "--even-though", " "], "--even-though requires a reason"),
            (["--for", "vault", "--out", "/"], "is a folder"),
            (["--for", "vault", "--out", "/proc/none/x"], "/proc/none/x"),
            (["--for", "vault", "--evidence", "gone.json"], "Leave out"),
        ]
    )
    func mistakes(arguments: [String], message: String) async throws {
        let result = try await Program.run(["register", "https://127.0.0.1:9"] + arguments)
        #expect(result.code == 64, "\(result.errors)")
        #expect((result.errors + result.output).lowercased().contains(message.lowercased()), "\(result.errors)")
        #expect(result.output.isEmpty || !result.output.contains("resource"))
    }

    @Test("reserved parameters are refused by the platform that sets them")
    func reserved() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "preflight.yaml",
            """
            issuer: https://127.0.0.1:9
            client: { id: c, secret: { env: OIDC_CLIENT_SECRET } }
            redirect_uri: https://p.firebaseapp.com/__/auth/handler
            flows: [code]
            custom_parameters: { state: mine }
            registration: { provider_id: oidc.acme, response_types: [code] }
            sign_in: { username: u, password: { env: OIDC_PASSWORD } }
            """
        )
        let result = try await Program.run(
            ["register", "--for", "swift", "--config", file],
            environment: ["OIDC_CLIENT_SECRET": "s", "OIDC_PASSWORD": "p"]
        )
        #expect(result.code == 64 && result.errors.contains("sets “state” itself"), "\(result.errors)")
    }
}
