import Foundation
import Testing

@Suite("Commands about the configuration", .timeLimit(.minutes(5)))
struct ConfigCommandTests {
    private static let text = """
        profile: openid
        client: { id: "${CLIENT:-c1}", secret: "${MY_SECRET}", authentication: client_secret_post }
        redirect_uri: https://rp.example/cb
        targets:
          staging:
            issuer: https://staging.example
            flows: [code]
            sign_in: { username: alice, password: { file: password.txt } }
          production:
            issuer: ${PRODUCTION}

        """

    @Test("config check describes the run of each target, with the source of each secret but not its value")
    func check() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("p.yaml", Self.text)
        _ = try folder.file("password.txt", "hunter2")
        let environment = ["MY_SECRET": "s3cret-value", "PRODUCTION": "https://idp.example"]
        let result = try await Program.run(
            ["config", "check", "-c", "p.yaml"],
            environment: environment,
            in: folder.path
        )
        #expect(
            result.output == """
                target            staging
                issuer            https://staging.example
                profile           openid
                tier              full
                client            c1, client_secret_post
                redirect URI      https://rp.example/cb
                flows             code
                scopes            openid
                signs in          alice
                client.secret     from the variable MY_SECRET, which is set
                sign_in.password  from the file password.txt, which can be read

                target         production
                issuer         https://idp.example
                profile        openid
                tier           unauthenticated: full needs sign_in, flows
                client         c1, client_secret_post
                redirect URI   https://rp.example/cb
                scopes         openid
                client.secret  from the variable MY_SECRET, which is set
                p.yaml is valid, for 2 targets. Nothing was sent.

                """
        )
        #expect(result.code == 0 && result.errors.isEmpty)
        let one = try await Program.run(
            ["config", "-c", "p.yaml", "--target", "staging", "--without-secrets"],
            environment: ["MY_SECRET": nil],
            in: folder.path
        )
        #expect(one.code == 0 && one.output.contains("from the variable MY_SECRET\n"), "\(one.output)\(one.errors)")
        #expect(one.output.hasSuffix("p.yaml is valid. Nothing was sent.\n"))
    }

    @Test("mistakes are reported with file and line, and the exit code is 64")
    func wrong() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("preflight.yaml", Self.text.replacing("flows:", with: "flow:"))
        let result = try await Program.run(
            ["config"],
            environment: ["MY_SECRET": nil, "PRODUCTION": nil],
            in: folder.path
        )
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(
            result.errors == """
                preflight.yaml:2:40: the environment variable MY_SECRET is not set: export it before the run
                preflight.yaml:7:5: unknown key “flow”; did you mean “flows”? (target staging)
                preflight.yaml:8:51: cannot read the secret: password.txt: no such file (target staging)
                preflight.yaml:10:13: “issuer”: the variable PRODUCTION is not set: export it, or give a default with ${PRODUCTION:-…} \
                (target production)

                """
        )
        let none = try await Program.run(["config", "check", "-c", "gone.yaml"], in: folder.path)
        #expect(none.code == 64 && none.errors.hasPrefix("gone.yaml: no such file; create it with: "))
        _ = try folder.file("mark.yaml", "issuer: https://a.example\nclient: { id: CHANGE-ME }\n")
        let unfilled = try await Program.run(["config", "-c", "mark.yaml", "--without-secrets"], in: folder.path)
        #expect(unfilled.code == 64 && unfilled.errors.contains("mark.yaml:2:15:"), "\(unfilled.errors)")
    }

    @Test("a variable supplies a missing option, and a mistyped variable is reported")
    func variables() async throws {
        let folder = try TemporaryFolder()
        let words = ["check", "http://127.0.0.1:1"]
        let quiet = try await Program.run(
            words,
            environment: [
                "OIDC_PREFLIGHT_QUIET": "1", "OIDC_PREFLIGHT_REPORT": "json=a.json junit=b.xml",
                "OIDC_PREFLIGHT_PROFIL": "x",
            ],
            in: folder.path
        )
        #expect(quiet.code == 2 && quiet.output.split(separator: "\n").count == 1, "\(quiet.output)")
        #expect(
            quiet.errors
                == "warning: the environment variable OIDC_PREFLIGHT_PROFIL is ignored; did you mean OIDC_PREFLIGHT_PROFILE?\n"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.json", "b.xml"])
        let wrong = try await Program.run(words, environment: ["OIDC_PREFLIGHT_FAIL_ON": "eror"])
        #expect(
            wrong.code == 64 && wrong.errors.contains("OIDC_PREFLIGHT_FAIL_ON: “eror” is not one of"),
            "\(wrong.errors)"
        )
        let issuer = try await Program.run(["plan"], environment: ["OIDC_PREFLIGHT_ISSUER": "https://a.example"])
        #expect(issuer.output.hasPrefix("Issuer     https://a.example\n"), "\(issuer.errors)")
        // No variable sets an option that must be given explicitly.
        let kept = try await Program.run(
            words + ["-q"],
            environment: ["OIDC_PREFLIGHT_SAVE_EVIDENCE_WITH_SECRETS": "1"]
        )
        #expect(kept.code == 2 && kept.errors.hasPrefix("warning: "), "\(kept.errors)")
    }
}
