import Conformance
import Foundation
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// Formats with checks as cases of a test run: TAP and CTRF; JUnit has separate tests.
@Suite(.timeLimit(.minutes(5))) struct TestRunFormatTests {
    /// The number of cases of a report by state, which is the same in all of these formats.
    private struct Counts: Equatable, CustomStringConvertible {
        var passed: Int
        var failed: Int
        var skipped: Int
        var warnings: Int

        init(_ line: String) {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            (passed, failed, skipped, warnings) =
                numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : (-1, -1, -1, -1)
        }

        /// The counts of the JUnit report, which junitparser verifies.
        init(_ report: JointReport) {
            let xml = ReportFormat.junit.render(report)
            let count = { (text: String) in xml.ranges(of: text).count }
            failed = count("<failure ") + count("<error ")
            skipped = count("<skipped ")
            warnings = count("<system-out>")
            passed = count("<testcase ") - failed - skipped - warnings
        }

        var description: String { "\(passed) passed, \(failed) failed, \(skipped) skipped, \(warnings) not blocking" }
    }

    private static let tappy = Oracle.python("tap", "yaml")
    private static let jsonschema = Oracle.python("jsonschema")

    @Test(.oracle(tappy)) func `tappy reads TAP, with the counts of JUnit`() async throws {
        let reports = MachineReports.all()
        let script = """
            import io, json, sys
            import yaml
            from tap.parser import Parser
            for text in json.load(sys.stdin):
                counts, plan, strange, numbers = [0, 0, 0, 0], None, [], []
                for line in Parser().parse(io.StringIO(text)):
                    if line.category == "plan": plan = line.expected_tests
                    if line.category in ("unknown", "bail"): strange.append(str(line))
                    if line.category != "test": continue
                    numbers.append(line.number)
                    if not line.ok or line.todo:
                        block = line.yaml_block
                        if not isinstance(block, dict) or "message" not in block: strange.append("no diagnostics")
                    if line.todo: counts[3] += 1
                    elif line.skip: counts[2] += 1
                    else: counts[0 if line.ok else 1] += 1
                if plan != sum(counts): strange.append(f"plan {plan}")
                if numbers != list(range(1, len(numbers) + 1)): strange.append("numbers")
                print(*counts) if not strange else print(strange[:3])
            """
        let texts = reports.map { ReportFormat.tap.render($0.report) }
        let lines = try await MachineReports.read(texts, by: script, with: Self.tappy)
        for (line, (name, report)) in zip(lines, reports) {
            #expect(Counts(line) == Counts(report), "\(name): \(line)")
        }
    }

    @Test(.oracle(.program("prove"))) func `prove succeeds exactly if no check blocks and no step failed`()
        async throws
    {
        for (name, report) in MachineReports.all() {
            let counts = Counts(report)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tap")
            defer { try? FileManager.default.removeItem(at: file) }
            // Perl's reader supports versions up to 13, which has the same lines; TAP 14 is compatible with it.
            let text = ReportFormat.tap.render(report).replacing("TAP version 14\n", with: "TAP version 13\n")
            try Data(text.utf8).write(to: file)
            let answer = try await OtherProgram.run("prove", ["--verbose", "--exec", "cat", file.path])
            // Perl rejects a file without tests.
            if counts == Counts("0 0 0 0") { continue }
            #expect(answer.isSuccess == (counts.failed == 0), "\(name): \(answer.words.suffix(300))")
            #expect(!answer.words.contains("Parse errors"), "\(name): \(answer.words.suffix(300))")
        }
    }

    @Test func `TAP names the root cause and the checks that depend on it`() {
        let text = ReportFormat.tap.render(MachineReports.broken())
        #expect(text.hasPrefix("TAP version 14\n1.."))
        #expect(
            text.contains(
                "not ok 1 - sign-in\n  ---\n  message: \"The provider rejects the user name or the password.\"\n"
            )
        )
        #expect(text.contains("- token.response.is-json # SKIP code: token request to"))
        #expect(text.contains("- discovery.cache.is-stated # TODO warning\n"))
        #expect(ReportFormat.tap.render(SampleReport.open.report).contains("# TODO waived (renewed by hand"))
    }

    @Test func `provider text is neither a line of TAP nor a directive`() throws {
        let text = "x # SKIP all\nok 1 - forged\nBail out! # TODO \\# skip"
        let lines = ReportFormat.tap.render(MachineReports.hostile(text)).split(separator: "\n")
        let own = [
            "ok ", "not ok ", "# ", "1..", "TAP version 14", "  ---", "  ...", "  message: \"", "  severity: ",
            "  details: |", "    ",
        ]
        for line in lines { #expect(own.contains { line.hasPrefix($0) }, "\(line)") }
        #expect(!lines.contains { $0.hasPrefix("ok 1 - forged") })
        #expect(!lines.contains { $0.hasPrefix("not ok") && $0.contains("# SKIP") })
        let dots = ReportFormat.tap.render(MachineReports.hostile("...")).split(separator: "\n")
        let ends = dots.count { $0.drop { $0 == " " }.hasPrefix("...") }
        #expect(ends > 0 && ends == dots.count { $0 == "  ---" })
    }

    /// No package on the index contains CTRF's schema, so this test restates the members and their types from its specification
    /// (version 0.0.0) and allows no others.
    private static let ctrf = """
        {"type": "object", "required": ["reportFormat", "specVersion", "results"], "properties": {
          "reportFormat": {"const": "CTRF"}, "specVersion": {"pattern": "^[0-9]+[.][0-9]+[.][0-9]+$"},
          "generatedBy": {"type": "string"},
          "results": {"type": "object", "additionalProperties": false, "required": ["tool", "summary", "tests"], "properties": {
            "tool": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
              "name": {"type": "string", "minLength": 1}, "version": {"type": "string"}, "extra": {"type": "object"}}},
            "summary": {"type": "object", "additionalProperties": false,
              "required": ["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop"],
              "patternProperties": {"^(tests|passed|failed|skipped|pending|other|start|stop)$": {"type": "integer", "minimum": 0}}},
            "tests": {"type": "array", "items": {"type": "object", "additionalProperties": false,
              "required": ["name", "status", "duration"], "properties": {
                "name": {"type": "string", "minLength": 1}, "duration": {"type": "integer", "minimum": 0},
                "status": {"enum": ["passed", "failed", "skipped", "pending", "other"]},
                "suite": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                "rawStatus": {"type": "string"}, "message": {"type": "string"}, "trace": {"type": "string"}}}}}}}}
        """

    @Test(.oracle(jsonschema)) func `CTRF conforms to its specification, and has the counts of JUnit`() async throws {
        let reports = MachineReports.all()
        let script = """
            import json, sys
            from jsonschema import Draft7Validator
            schema, *texts = json.load(sys.stdin)
            check = Draft7Validator(json.loads(schema))
            print("schema")
            for text in texts:
                report = json.loads(text)
                wrong = [f"{one.json_path}: {one.message[:200]}" for one in check.iter_errors(report)]
                summary = report["results"]["summary"]
                for status in ("passed", "failed", "skipped", "pending", "other"):
                    if sum(one["status"] == status for one in report["results"]["tests"]) != summary[status]: wrong.append(status)
                if summary["tests"] != len(report["results"]["tests"]): wrong.append("tests")
                print(wrong[:3] if wrong else "{passed} {failed} {skipped} {other}".format(**summary))
            """
        let texts = [Self.ctrf] + reports.map { ReportFormat.ctrf.render($0.report) }
        let lines = try await MachineReports.read(texts, by: script, with: Self.jsonschema)
        for (line, (name, report)) in zip(lines.dropFirst(), reports) {
            #expect(Counts(line) == Counts(report), "\(name): \(line)")
        }
    }
}
