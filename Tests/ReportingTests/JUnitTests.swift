import Conformance
import FoundationEssentials
import JSONTree
import Judgement
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// The JUnit format as other programs read it.
@Suite(.timeLimit(.minutes(5))) struct JUnitTests {

    private static func reports() -> [(String, Report)] {
        let samples = SampleReport.allCases.map { ($0.rawValue, $0.report) }
        let hostile = HostileTests.strings.indices.map {
            ("string \($0)", HostileTests.report(HostileTests.strings[$0]))
        }
        return samples + hostile + [("interrupted", interrupted()), ("empty", HostileTests.report("", checks: 0))]
    }

    private static func interrupted() -> Report {
        var evidence = Evidence(
            tool: "t",
            startedAt: 0,
            target: Target(issuer: "https://idp.example.com"),
            tier: .static,
            because: "no"
        )
        evidence.wasInterrupted = true
        let passed = Check.fixed("keys.a.b", "title", .must, Citation(.core, "2", "REQUIRED"), .passed)
        let profile = Profile(name: "openid", title: "OpenID", include: ["*"])
        let plan = Plan(target: evidence.target, profile: profile, tier: .static)
        return Judge.judge(evidence, plan: plan, checks: [passed], now: 0, tool: "t")
    }

    @Test(.oracle(.program("xmllint")))
    func `libxml2 accepts every report, and it has the structure that Jenkins reads`() async throws {
        let schema = try await Fixture.file("junit/jenkins-junit.xsd.gz")
        for (name, report) in Self.reports() {
            let xml = ReportFormat.junit.render(report)
            let answer = try await OtherProgram.run("xmllint", ["--noout", "--schema", schema, "-"], input: xml)
            #expect(answer.isSuccess, "\(name): \(answer.errors.prefix(500))")
        }
    }

    @Test(.oracle(.program("xmllint"))) func `the schema rejects any other structure`() async throws {
        let xml = "<testsuites><testsuite name='s' tests='one' failures='0' errors='0'/></testsuites>"
        let schema = try await Fixture.file("junit/jenkins-junit.xsd.gz")
        let answer = try await OtherProgram.run("xmllint", ["--noout", "--schema", schema, "-"], input: xml)
        #expect(!answer.isSuccess)
    }

    private static let junitparser = Oracle.python("junitparser")

    @Test(.oracle(junitparser)) func `junitparser gets the counts of the gate`() async throws {
        let python = try await Self.junitparser.path()
        let script = """
            import json, sys
            from junitparser import JUnitXml
            for text in json.load(sys.stdin):
                xml = JUnitXml.fromstring(text.encode())
                kinds = {"Failure": 0, "Error": 0, "Skipped": 0}
                cases = outputs = 0
                for suite in xml:
                    for case in suite:
                        cases += 1
                        outputs += case.system_out is not None
                        for result in case.result:
                            kinds[type(result).__name__] += 1
                stated = [sum(getattr(s, n) for s in xml) for n in ("tests", "failures", "errors", "skipped")]
                print(cases, *kinds.values(), outputs, *stated)
            """
        let reports = Self.reports()
        let texts = JSON.array(reports.map { .string(ReportFormat.junit.render($0.1)) }).serialized()
        let answer = try await OtherProgram.run(python, ["-c", script], input: texts)
        let lines = answer.text.split(separator: "\n")
        try #require(lines.count == reports.count, "\(answer.errors.suffix(500))")
        for (line, (name, report)) in zip(lines, reports) {
            let counts = line.split(separator: " ").compactMap { Int($0) }
            let reported = report.entries.filter {
                !["notApplicable", "notAttempted", "excused"].contains($0.verdict.word)
            }
            let closing = reported.count(where: \.closesGate)
            let warnings = reported.count { !$0.verdict.findings.isEmpty && !$0.closesGate }
            let unclear = reported.filter { $0.verdict.word == "inconclusive" }
            let reasons = Set(unclear.filter(\.blocksOpening).map { $0.verdict.reason ?? "" }).count
            let errors = reasons == 0 && report.outcome.gate == .inconclusive ? 1 : reasons
            let cases = reported.count + errors
            #expect(
                counts == [cases, closing, errors, unclear.count, warnings, cases, closing, errors, unclear.count],
                "\(name)"
            )
        }
    }
}
