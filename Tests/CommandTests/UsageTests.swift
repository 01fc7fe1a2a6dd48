import Foundation
import Testing

@Suite("Usage", .timeLimit(.minutes(5)))
struct UsageTests {
    @Test(
        "a usage error names the fix and exits with 64",
        arguments: [
            (["check"], "specify an issuer"),
            (["chek"], "unknown command “chek”; did you mean “check”?"),
            (["check", "https://a.example", "--only", "discover.*"], "no check matches “discover.*”"),
            (["check", "https://a.example", "--profile", "firebase"], "did you mean “firebase-oidc”?"),
            (["check", "https://a.example", "--profile", "openid,spaa"], "did you mean “spa”?"),
            (["check", "https://a.example", "--profile", "cognito"], "did you mean “aws-cognito”?"),
            (["check", "https://a.example", "--profile", ""], "--profile is empty"),
            (
                ["check", "https://a.example", "--profile", "kubernetes,,vault"],
                "“kubernetes,,vault” contains an empty name"
            ),
            (["check", "https://a.example", "--profile", "openid,openid"], "“openid” is named twice"),
            (
                ["check", "https://a.example", "--profile", "openid,spa", "--save-evidence", "e.json"],
                "save the evidence of one platform at a time"
            ),
            (["check", "https://a.example", "--tier", "ful"], "tier"),
            (["check", "https://a.example", "--fail-on", "errors"], "fail-on"),
            (["check", "https://a.example", "--report", "pdf=x"], "report"),
            (
                ["check", "https://a.example", "--report", "json=-", "--report", "text=-"],
                "two reports would be written to standard output"
            ),
            (
                ["check", "https://a.example", "-o", "json=all/report.json", "--report-dir", "all"],
                "two reports would be written to all/report.json"
            ),
            (["check", "https://a.example", "-q", "--verbose"], "--quiet and --verbose contradict each other"),
            (["check", "https://a.example", "--ca-file", "gone.pem"], "gone.pem"),
            (["check", "https://a.example", "--resolve", "a:b"], "HOST:PORT:ADDRESS"),
            (["check", "--config", "gone.yaml"], "gone.yaml: no such file; create it with: oidc-preflight init"),
            (["plan", "--config", "gone.yaml"], "oidc-preflight init ISSUER --output FILE"),
            (["try", "--config", "preflight.yaml"], "no such file; create it with: oidc-preflight init ISSUER\n"),
            (["check", "--config", "."], ".: is a folder, not a file\n"),
            (["check", "https://a.example", "--save-evidence-with-secrets"], "requires --save-evidence"),
            (["check", "https://a.example", "--wait-for-issuer", "0"], "is not a positive number of seconds"),
            (["check", "https://a.example", "--max-sign-ins", "0"], "not an integer of 1 or more"),
            (["judge", "gone.json"], "gone.json: no such file"),
            (["lint", "--discovery", "gone.json"], "gone.json: no such file"),
            (
                ["checks", "explain", "discovery.issuer.matches-requst"],
                "did you mean “discovery.issuer.matches-request”?"
            ),
            (["profiles", "show", "opnid"], "did you mean “openid”?"),
            (["profiles", "show", "firebsae"], "“firebase-microsoft” or “firebase-oidc”"),
            (["provider", "--fault", "nothing.like.this"], "unknown fault"),
            (["provider", "--port", "70000"], "0 to 65535"),
            (["check", "idp.example.com"], "did you mean “https://idp.example.com”?"),
            (["check", ""], "the issuer is empty"),
            (["check", "https://"], "has no host"),
            (["check", "ftp://a.example"], "must start with https://"),
            (["check", "https://user:pass@a.example"], "remove it"),
            (["check", "https://a.example", "--tier", "full"], "also needs client, redirect_uri, sign_in, flows"),
            (["check", "https://a.example", "--only", "keys", "--skip", "keys.*"], "no check is left to run"),
            (["check", "https://a.example", "--only", "idtoken"], "needs tier full"),
            (["check", "https://a.example", "--report", "json=/"], "is a folder"),
            (["check", "https://a.example", "--report", "json=/proc/none/r.json"], "/proc/none/r.json"),
            (["check", "https://a.example", "--ca-file", "/etc/hostname"], "no certificate in PEM form"),
            (["check", "--config", "/"], "is a folder"),
            (["init", "a.example"], "did you mean “https://a.example”?"),
            (["token", "-", "--jwks", "-", "--issuer", "https://a.example", "--client-id", "c"], "standard input"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let result = try await Program.run(arguments)
        #expect(result.code == 64, "\(result.errors)")
        #expect((result.errors + result.output).contains(message), "\(result.errors)")
    }

    @Test(
        "a mistake in the configuration names file and line, and nothing is sent",
        arguments: [
            ("isuer: https://a.example\n", "preflight.yaml:1:1: unknown key “isuer”; did you mean “issuer”?"),
            ("issuer: https://a.example\nclient: { id: c, secret: { env: NOT_SET_ANYWHERE } }\n", "preflight.yaml:2:"),
        ]
    )
    func configuration(text: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("preflight.yaml", text)
        let result = try await Program.run(["check", "--config", file])
        #expect(result.code == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains("Nothing was sent."))
    }

    @Test(
        "informational commands exit with 0",
        arguments: [
            (["--version"], "oidc-preflight 0."), (["--help"], "EXIT CODES"), (["check", "--help"], "EXAMPLES"),
            (["checks", "list"], "discovery.issuer.matches-request"),
            (["checks", "explain", "discovery.issuer.matches-request"], "openid-connect-discovery-1_0.html"),
            (["profiles", "list"], "firebase-oidc"),
            (["profiles", "show", "firebase-oidc"], "request.reserved-parameters-are-left-out"),
            (["plan", "https://a.example", "--profile", "openid,firebase-oidc"], "Profiles   openid, firebase-oidc"),
            (["doctor"], "libcurl"), (["provider", "--list-faults"], "discovery.issuer.matches-request"),
            (["plan", "https://a.example"], "GET   the discovery document"),
            (["plan", "https://a.example"], "static                   12         0         0"),
            (["plan", "https://a.example"], "No sign-in takes place."),
        ]
    )
    func telling(arguments: [String], word: String) async throws {
        let result = try await Program.run(arguments)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains(word))
    }

    @Test("a plan needs no secret, and has no sign-in below the full tier")
    func planning() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "preflight.yaml",
            """
            issuer: https://a.example
            client: { id: c, secret: { env: NOT_SET_ANYWHERE } }
            redirect_uri: https://app.example/callback
            flows: [code]
            sign_in: { username: alice, password: { env: NOT_SET_EITHER } }

            """
        )
        let full = try await Program.run(["plan", "--config", file])
        #expect(full.code == 0, "\(full.errors)")
        #expect(full.output.contains(" as “alice”"))
        let polite = try await Program.run(["plan", "--config", file, "--tier", "unauthenticated"])
        #expect(polite.output.contains("No sign-in takes place."), "\(polite.output)")
    }

    @Test("the list counts at least 120 checks")
    func count() async throws {
        let result = try await Program.run(["checks", "list"])
        let last = result.output.split(separator: "\n").last ?? ""
        let count = try #require(last.split(separator: " ").first.flatMap { Int($0) })
        #expect(count >= 120)
    }
}
