import Foundation
import ReportRecord
import Testing

/// Staging and production in one file: two providers that are not alike.
@Suite("Several targets", .timeLimit(.minutes(5)))
struct TargetsTests {
    private static let fault = "discovery.subject-types-supported.is-present"

    /// A file with a faulty staging and a conformant production target, without sign-ins.
    private func run(
        _ body:
            @escaping @Sendable (_ file: String, _ staging: ReferenceServer, _ production: ReferenceServer) async throws
            -> Void
    ) async throws {
        try await ReferenceServer.run(["--fault", Self.fault]) { staging in
            try await ReferenceServer.run { production in
                let common = try staging.read("preflight.yaml").split(separator: "\n")
                    .filter { !$0.hasPrefix("issuer:") && !$0.hasPrefix("network:") && !$0.hasPrefix("  ca_file:") }
                    .joined(separator: "\n")
                let file = try staging.write(
                    "both.yaml",
                    common + """

                        targets:
                          staging:
                            issuer: \(staging.issuer)
                            network: { ca_file: "\(staging.authority)" }
                          production:
                            issuer: \(production.issuer)
                            client: { secret: "${PRODUCTION_SECRET}" }
                            network: { ca_file: "\(production.authority)" }
                            sign_in: ~
                            flows: ~

                        """
                )
                try await body(file, staging, production)
            }
        }
    }

    private func environment(_ staging: ReferenceServer, _ production: ReferenceServer) -> [String: String?] {
        staging.environment.merging(["PRODUCTION_SECRET": production.secret, "COLUMNS": "80"]) { $1 }
    }

    @Test("a format that supports one target is rejected before any request; a folder receives the others")
    func forms() async throws {
        try await run { file, staging, production in
            let environment = environment(staging, production)
            let refused = try await Program.run(
                ["check", "--config", file, "--tier", "static", "--report", "sarif=both.sarif"],
                environment: environment
            )
            #expect(refused.code == 64, "\(refused.errors)")
            #expect(
                refused.errors.contains("select one of staging, production with --target"),
                "\(refused.errors)"
            )
            let folder = try TemporaryFolder()
            let result = try await Program.run(
                ["check", "--config", file, "--tier", "static", "--report-dir", folder.path],
                environment: environment
            )
            #expect(result.code == 1, "\(result.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["report.github.txt", "report.json", "report.md", "report.txt", "report.xml"])
            for name in names { #expect(!(try folder.read(name).isEmpty), "\(name)") }
        }
    }

    @Test("all targets are checked one after another, and the report starts with the overall result")
    func joint() async throws {
        try await run { file, staging, production in
            let environment = environment(staging, production)
            let result = try await Program.run(
                ["check", "--config", file, "--profile", "openid"]
                    + staging.reports(of: ["json", "junit", "markdown", "text"]),
                environment: environment
            )
            #expect(result.code == 1, "\(result.output)\(result.errors)")
            let reported = result.output.replacing(#/ +/#, with: " ")
            for line in [
                "oidc-preflight 0.1.0: 2 targets\n", "\nTARGET staging\noidc-preflight 0.1.0: \(staging.issuer)",
                "\nTARGET production\noidc-preflight 0.1.0: \(production.issuer)", Self.fault,
                "Sign-in: not tried",
            ] {
                #expect(reported.contains(line), "\(result.output)")
            }
            let rows = reported.split(separator: "\n")
            #expect(rows.contains { $0.hasPrefix(" staging ") && $0.hasSuffix("CLOSED") }, "\(result.output)")
            #expect(rows.contains { $0.hasPrefix(" production not tried") && $0.hasSuffix("open") }, "\(result.output)")
            #expect(
                rows.last
                    == "Gate open for 1 of 2 targets; closed for staging; sign-in not tried for production; exit code 1",
                "\(result.output)"
            )
            #expect(result.errors.contains("staging: requesting the documents"), "\(result.errors)")
            for secret in [staging.secret, staging.password, production.secret] {
                for name in ["r.json", "r.xml", "r.md", "r.txt"] {
                    #expect(!(try staging.read(name)).contains(secret), "\(name)")
                }
            }
            try expectForms(staging)
            let quiet = try await Program.run(["check", "--config", file, "-q"], environment: environment)
            #expect(
                quiet.output.hasPrefix("Gate open for 1 of 2 targets") && quiet.output.split(separator: "\n").count == 1
            )
        }
    }

    private func expectForms(_ server: ReferenceServer) throws {
        try ReportRecord.keep(try server.read("r.json"))
        let markdown = try server.read("r.md")
        #expect(markdown.hasPrefix("## Gate open for 1 of 2 targets"), "\(markdown.prefix(200))")
        #expect(markdown.contains("<details open><summary>staging</summary>"))
        #expect(markdown.contains("<details><summary>production</summary>"))
        #expect(markdown.utf8.count < 60_000)
    }

    @Test("a target is selected by its name, and options with a single target require that")
    func chosen() async throws {
        try await run { file, staging, production in
            let environment = environment(staging, production)
            let only = try await Program.run(
                ["check", "--config", file, "--target", "production", "-q"],
                environment: ["PRODUCTION_SECRET": production.secret]
            )
            #expect(
                only.code == 0 && only.output.hasPrefix("Gate open, sign-in not tried"),
                "\(only.output)\(only.errors)"
            )
            let tried = try await Program.run(["try", "--config", file, "-q"], environment: environment)
            #expect(tried.code == 1 && tried.output.hasPrefix("TARGET staging\n"), "\(tried.output)\(tried.errors)")
            #expect(tried.output.contains("subject_types_supported is missing"), "\(tried.output)")
            #expect(tried.output.contains("\nTARGET production\n"), "\(tried.output)")
            let planned = try await Program.run(["plan", "--config", file])
            // Nothing is sent by a plan, so that no secret need be there.
            #expect(planned.code == 0, "\(planned.errors)")
            let plan = try await Program.run(["plan", "--config", file], environment: environment)
            #expect(
                plan.output.hasPrefix("TARGET staging\n\nIssuer     \(staging.issuer)\n"),
                "\(plan.output)\(plan.errors)"
            )
            #expect(
                plan.output.contains("\n\nTARGET production\n\nIssuer     \(production.issuer)\n"),
                "\(plan.output)"
            )
            let evidence = staging.folder + "/e.json"
            let report = staging.folder + "/one.json"
            _ = try await Program.run(
                ["check", "--config", file, "--target", "production", "--report", "json=\(report)", "-q"],
                environment: environment
            )
            for (words, message) in [
                (["register", "--for", "vault"], "--target: \(file) has 2 targets: select one of staging, production"),
                (["check", "--save-evidence", evidence], "select one of staging, production with --target"),
                (
                    ["check", "--baseline", report],
                    "--baseline: it is the report of a single run: select one of staging, "
                ),
                (["check", staging.issuer], "an issuer on the command line applies to one target"),
                (["check", "--target", "prodution"], "has no target “prodution”; did you mean “production”?"),
            ] {
                let result = try await Program.run(words + ["--config", file], environment: environment)
                #expect(result.code == 64 && result.errors.contains(message), "\(words): \(result.errors)")
            }
            // The evidence says which target it is of.
            let saved = try await Program.run(
                ["check", "--config", file, "--target", "production", "--save-evidence", evidence, "-q"],
                environment: environment
            )
            #expect(saved.code == 0, "\(saved.errors)")
            let judged = try await Program.run(["judge", evidence, "--config", file, "-q"], environment: environment)
            #expect(judged.code == 0, "\(judged.output)\(judged.errors)")
        }
    }
}
