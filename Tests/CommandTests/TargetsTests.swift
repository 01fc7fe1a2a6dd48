import Foundation
import OtherPrograms
import ReportRecord
import TestSupport
import Testing

/// Staging and production in one file: two providers that are not alike.
@Suite("Several targets")
struct TargetsTests {
    private static let fault = "discovery.subject-types-supported.is-present"

    /// A file with a faulty staging and a faultless production, in which nobody signs in.
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

    @Test("a form that holds one target is refused before anything is sent, and a folder takes the others")
    func forms() async throws {
        try await run { file, staging, production in
            let environment = environment(staging, production)
            let refused = try await Program.run(
                ["check", "--config", file, "--tier", "static", "--report", "sarif=both.sarif"],
                environment: environment
            )
            #expect(refused.code == 64, "\(refused.errors)")
            #expect(
                refused.errors.contains("name one target of staging, production with --target"),
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

    @Test("all are judged one after another, and the report begins with what they come to")
    func joint() async throws {
        try await run { file, staging, production in
            let environment = environment(staging, production)
            let result = try await Program.run(
                ["check", "--config", file, "--profile", "openid"]
                    + staging.reports(of: ["json", "junit", "markdown", "text"]),
                environment: environment
            )
            #expect(result.code == 1, "\(result.output)\(result.errors)")
            let told = result.output.replacing(#/ +/#, with: " ")
            for line in [
                "oidc-preflight 0.1.0: 2 targets\n", "\nTARGET staging\noidc-preflight 0.1.0: \(staging.issuer)",
                "\nTARGET production\noidc-preflight 0.1.0: \(production.issuer)", Self.fault,
                "Sign-in not tried",
            ] {
                #expect(told.contains(line), "\(result.output)")
            }
            let rows = told.split(separator: "\n")
            #expect(rows.contains { $0.hasPrefix(" staging ") && $0.hasSuffix("CLOSED") }, "\(result.output)")
            #expect(rows.contains { $0.hasPrefix(" production not tried") && $0.hasSuffix("open") }, "\(result.output)")
            #expect(
                rows.last
                    == "Gate open for 1 of 2 targets; closed for staging; sign-in not tried for production; exit code 1",
                "\(result.output)"
            )
            #expect(result.errors.contains("staging: asking for the documents"), "\(result.errors)")
            for secret in [staging.secret, staging.password, production.secret] {
                for name in ["r.json", "r.xml", "r.md", "r.txt"] {
                    #expect(!(try staging.read(name)).contains(secret), "\(name)")
                }
            }
            try await readByOthers(staging)
            let quiet = try await Program.run(["check", "--config", file, "-q"], environment: environment)
            #expect(
                quiet.output.hasPrefix("Gate open for 1 of 2 targets") && quiet.output.split(separator: "\n").count == 1
            )
        }
    }

    /// The reports as readers that are not ours see them.
    private func readByOthers(_ server: ReferenceServer) async throws {
        try ReportRecord.keep(try server.read("r.json"))
        let python = try await Oracle.python("jsonschema", "referencing", "junitparser").require()
        let folder = server.folder + "/json"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: server.folder + "/r.json", toPath: folder + "/r.json")
        let script = CommittedFile.root.appendingPathComponent("Scripts/validate-reports.py").path
        let judged = try await OtherProgram.run(python, [script, folder])
        #expect(judged.code == 0 && judged.text.contains("1 for several targets"), "\(judged.text)\(judged.errors)")
        let reader = """
            import sys
            from junitparser import JUnitXml
            xml = JUnitXml.fromfile(sys.argv[1])
            names = [suite.name for suite in xml]
            failures = [case.name for suite in xml for case in suite for one in case.result if one._tag == "failure"]
            targets = {p.value for suite in xml for p in suite.properties() if p.name == "target"}
            print(len(names) == len(set(names)), sorted({name.split(".")[1] for name in names}), failures, sorted(targets))
            """
        let read = try await OtherProgram.run(python, ["-c", reader, server.folder + "/r.xml"])
        #expect(
            read.text == "True ['production', 'staging'] ['\(Self.fault)'] ['production', 'staging']\n",
            "\(read.text)\(read.errors)"
        )
        let markdown = try server.read("r.md")
        #expect(markdown.hasPrefix("## Gate open for 1 of 2 targets"), "\(markdown.prefix(200))")
        #expect(markdown.contains("<details open><summary>staging</summary>"))
        #expect(markdown.contains("<details><summary>production</summary>"))
        #expect(markdown.utf8.count < 60_000)
    }

    @Test("one is chosen by its name, and what is about one target demands that")
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
            #expect(tried.code == 0 && tried.output.hasPrefix("TARGET staging\n"), "\(tried.output)\(tried.errors)")
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
                (["register", "--for", "vault"], "--target: \(file) has 2 targets: name one of staging, production"),
                (["check", "--save-evidence", evidence], "name one target of staging, production with --target"),
                (
                    ["check", "--baseline", report],
                    "--baseline: it is the report of one run: name one target of staging, "
                ),
                (["check", staging.issuer], "an issuer on the command line is that of one target"),
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

    @Test("an interruption ends all of them, and the report says so")
    func interrupted() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "p.yaml",
            "targets:\n  a: { issuer: \"http://127.0.0.1:1\" }\n  b: { issuer: \"http://127.0.0.1:1\" }\n"
        )
        let (_, outcome) = try await OtherProgram.beside(
            Program.path,
            ["check", "--config", file, "--wait-for-issuer", "60"]
        ) { running in
            try await Task.sleep(for: .seconds(2))
            running.send(SIGINT)
        }
        #expect(outcome.code == 130, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("undecided for a, b"), "\(outcome.text)")
    }
}
