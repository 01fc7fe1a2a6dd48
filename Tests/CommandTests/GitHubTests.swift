import Foundation
import Testing

/// A provider without OpenID Connect, as a user of the command line meets it.
@Suite("GitHub by name", .timeLimit(.minutes(5)))
struct GitHubTests {
    @Test("the gate is open over http and https, and for the saved evidence", arguments: [[], ["--http"]])
    func open(scheme: [String]) async throws {
        try await ReferenceServer.run(["--persona", "github"] + scheme) { server in
            let run = try await server.check(["--save-evidence", server.folder + "/evidence.json"], forms: ["json"])
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            // Progress: what a scenario came to is what its later steps came to, too.
            let lines = run.errors.split(separator: "\n").map(String.init)
            #expect(!lines.contains { $0.contains("parameter") && $0.hasSuffix(": not attempted") }, "\(run.errors)")
            #expect(!lines.contains { $0.hasSuffix("half a minute later: arrived") }, "\(run.errors)")
            let evidence = try server.read("evidence.json")
            #expect(!evidence.contains(server.secret))
            #expect(!evidence.contains(server.password))
            #expect(evidence.contains(#""source" : "configuration""#))
            #expect(evidence.contains(#""source" : "profile""#))
            #expect(!evidence.contains("api.github.com"))
            let again = try await Program.run(["judge", server.folder + "/evidence.json", "--report", "json=-"])
            #expect(again.code == 0)
            #expect(
                try server.read("r.json").trimmingCharacters(in: .newlines)
                    == again.output.trimmingCharacters(in: .newlines)
            )
        }
    }

    @Test("neither a discovery document alone nor a registration as oidc.… opens the gate")
    func alone() async throws {
        try await ReferenceServer.run(["--persona", "github", "--http"]) { server in
            let alone = try await Program.run(["check", server.issuer, "--profile", "firebase-github"])
            #expect(alone.code == 2, "\(alone.output)")
            #expect(alone.output.contains("its documents are not enough"))
            let generic = try await Program.run(["check", server.issuer, "--profile", "firebase-oidc", "--quiet"])
            #expect(generic.code == 1, "\(generic.output)")
        }
    }

    @Test("init requests nothing, and its file names the values that the profile does not contain")
    func template() async throws {
        let result = try await Program.run([
            "init", "https://ghe.invalid/login/oauth", "--profile", "firebase-github", "--output", "-",
        ])
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("user_api_endpoint: https://…"))
        #expect(result.output.contains("provider_id: github.com"))
    }
}
