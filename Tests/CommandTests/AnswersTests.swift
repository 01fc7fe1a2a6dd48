import Foundation
import JSONTree
import Testing

/// The answers of a run whose gate depends on waivers, skipped checks and superseded findings.
@Suite("Answers do not depend on waivers and skipped checks", .timeLimit(.minutes(5)))
struct AnswersTests {
    private static let faults = [
        "authorization.redirect-uri.added-path-is-refused", "authorization.state.is-echoed", "idtoken.aud.holds-client",
    ]

    /// The failures: one fault supersedes two checks unless it is waived.
    private static let failures = faults + ["authorization.state.long-is-returned", "idtoken.every-token.is-valid"]

    private static func run(_ body: @escaping @Sendable (ReferenceServer, String) async throws -> Void) async throws {
        try await ReferenceServer.run(faults.flatMap { ["--fault", $0] }) { server in
            let evidence = server.folder + "/run.json"
            _ = try await server.check(["--save-evidence", evidence])
            try await body(server, evidence)
        }
    }

    private static func words(_ text: String) -> String { text.replacing(/\s+/, with: " ") }

    /// The configuration with a waiver for each of the checks.
    private static func waived(_ checks: [String], in server: ReferenceServer) throws -> String {
        let rows = checks.map { "  - { check: \($0), because: accepted until the move, until: 2099-01-01 }\n" }
        let text = try server.read("preflight.yaml")
        return try server.write("waived.yaml", text + "\nwaivers:\n" + rows.joined())
    }

    @Test("waived failures count in their answers, and each is listed")
    func waivers() async throws {
        try await Self.run { server, evidence in
            let file = try Self.waived(Self.failures, in: server)
            let judged = try await Program.run(["judge", evidence, "--config", file])
            let text = Self.words(judged.output)
            #expect(judged.code == 0, "\(judged.output)")
            #expect(
                text.contains(/4 problems (affect some clients|break sign-in at [^,]+), all waived until 2099-01-01/),
                "\(judged.output)"
            )
            #expect(text.contains("Safety: 1 problem, waived until 2099-01-01"), "\(judged.output)")
            #expect(text.contains("WAIVED (5)"), "\(judged.output)")
            for fault in Self.failures { #expect(text.contains(fault), "\(judged.output)") }
            #expect(text.contains("accepted until the move, until 2099-01-01 ("), "\(judged.output)")
            let json = try await Program.run(["judge", evidence, "--config", file, "-o", "json=-", "--quiet"])
            let answers = try JSONDocument.parse(Array(json.output.utf8)).root["answers"]
            #expect(answers?["signIn"]?["verdict"] == "fails")
            #expect(answers?["signIn"]?["waived"] == 4)
            #expect(answers?["safety"]?["verdict"] == "problems")
            #expect(answers?["safety"]?["waivedUntil"] == "2099-01-01")
        }
    }

    @Test("skipped checks are listed with their variable, and a full run is inconclusive without them")
    func skips() async throws {
        try await Self.run { server, evidence in
            let variables = ["OIDC_PREFLIGHT_SKIP": "authorization.* idtoken.*"]
            let words = ["judge", evidence, "--config", server.configuration]
            let judged = try await Program.run(words, environment: variables)
            let text = Self.words(judged.output)
            #expect(judged.code == 0, "\(judged.output)")
            #expect(text.contains("Safety: no problems as far as checked"), "\(judged.output)")
            #expect(text.contains("checks skipped by OIDC_PREFLIGHT_SKIP"), "\(judged.output)")
            #expect(text.contains(/SKIPPED ON REQUEST: \d+ by OIDC_PREFLIGHT_SKIP/), "\(judged.output)")
            let last = judged.output.split(separator: "\n").last ?? ""
            #expect(last.contains(/^Gate open, \d+ checks skipped by OIDC_PREFLIGHT_SKIP/), "\(last)")
            let required = try await Program.run(words + ["--require", "full"], environment: variables)
            #expect(required.code == 2, "\(required.output)")
            #expect(Self.words(required.output).contains("by OIDC_PREFLIGHT_SKIP, but tier full is required"))
        }
    }

    @Test("register lists waivers, and writes nothing if a waived error breaks sign-in, unless requested")
    func register() async throws {
        try await Self.run { server, evidence in
            let file = try Self.waived(Self.failures, in: server)
            let words = ["register", "--for", "identity-platform-terraform", "--evidence", evidence, "--config", file]
            let refused = try await Program.run(words)
            #expect(refused.code == 1 && refused.output.isEmpty, "\(refused.errors)")
            #expect(refused.errors.contains("idtoken.aud.holds-client"), "\(refused.errors)")
            #expect(refused.errors.contains("--accept-waived"), "\(refused.errors)")
            let written = try await Program.run(words + ["--accept-waived"])
            #expect(written.code == 0, "\(written.errors)")
            let note = "Waived: idtoken.aud.holds-client, accepted until the move"
            for text in [written.output, written.errors] { #expect(Self.words(text).contains(note), "\(text)") }
        }
    }

    @Test("a provider on plain http is not safe, and a waiver for its issuer hides none of its endpoints")
    func plain() async throws {
        try await ReferenceServer.run(["--http"]) { server in
            let checked = try await Program.run(["check", server.issuer])
            #expect(checked.code == 1)
            let text = Self.words(checked.output)
            #expect(text.contains(/Safety: \d+ problems, all caused by discovery.issuer.uses-https/), "\(text)")
            let file = try Self.waived(["discovery.issuer.uses-https"], in: server)
            let waived = try await Program.run(
                ["check", "--config", file, "--tier", "static"],
                environment: server.environment
            )
            #expect(waived.code == 1, "\(waived.output)")
            #expect(waived.output.contains("discovery.token-endpoint.uses-https"), "\(waived.output)")
        }
    }

    @Test("the documented job for a provider in a container opens its gate")
    func container() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Integrations/examples/github-service.yml")
        let job = try String(contentsOf: file, encoding: .utf8)
        let skip = try #require(job.firstMatch(of: /OIDC_PREFLIGHT_SKIP: (\S+)/)?.output.1)
        try await ReferenceServer.run(["--http"]) { server in
            let checked = try await Program.run(
                ["check", server.issuer],
                environment: ["OIDC_PREFLIGHT_SKIP": String(skip)]
            )
            #expect(checked.code == 0, "\(checked.output)")
            #expect(Self.words(checked.output).contains("Safety: no problems as far as checked"), "\(checked.output)")
        }
    }

    @Test("doctor lists the variables of the program, and which are set")
    func doctor() async throws {
        let doctor = try await Program.run(["doctor"], environment: ["OIDC_PREFLIGHT_SKIP": "keys.*"])
        #expect(doctor.output.contains("variable  OIDC_PREFLIGHT_SKIP is set\n"), "\(doctor.output)")
        #expect(doctor.output.contains(/variable  not set: \d+ variables of options/), "\(doctor.output)")
    }

    @Test(
        "doctor reports a variable whose value check rejects",
        arguments: [
            ("OIDC_PREFLIGHT_FAIL_ON", "warn", "problem: OIDC_PREFLIGHT_FAIL_ON: “warn” is not one of", false),
            ("OIDC_PREFLIGHT_QUIET", "yes", "problem: OIDC_PREFLIGHT_QUIET: “yes” is neither 1 nor 0", false),
            ("OIDC_PREFLIGHT_FAIL_ON", "warning", "", true),
            (
                "OIDC_PREFLIGHT_FAIL_OM", "warning",
                "the environment variable OIDC_PREFLIGHT_FAIL_OM is ignored; did you mean OIDC_PREFLIGHT_FAIL_ON?", true
            ),
        ]
    )
    func invalidVariable(name: String, value: String, reported: String, isValid: Bool) async throws {
        let doctor = try await Program.run(["doctor"], environment: [name: value])
        #expect(reported.isEmpty || doctor.errors.contains(reported), "\(doctor.errors)")
        #expect(doctor.errors.contains("problem: OIDC_PREFLIGHT_") == !isValid, "\(doctor.errors)")
        // The other problems are those of this machine.
        let count = doctor.errors.components(separatedBy: "problem: ").count - 1
        let end = count == 0 ? "\nNo problems.\n" : count == 1 ? "\n1 problem.\n" : "\n\(count) problems.\n"
        #expect(doctor.output.hasSuffix(end) && doctor.code == (count == 0 ? 0 : 1), "\(doctor.output)")
    }
}
