import Conformance
import FoundationEssentials
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// One provider for several platforms.
@Suite(.timeLimit(.minutes(5))) struct JointReportTests {
    /// A sample for the platform of the given name.
    static func report(_ sample: SampleReport, for platform: String) -> Report {
        var report = sample.report
        report.profile = Report.ProfileSummary(Profile(name: platform, title: "The platform \(platform)"))
        return report
    }

    private static let three = JointReport(
        report(.open, for: "alpha"),
        [report(.closed, for: "beta"), report(.closed, for: "gamma")]
    )

    struct Row: Sendable, CustomTestStringConvertible {
        var samples: [SampleReport]
        var gate: Report.Gate
        var exitCode: Int
        var summary: String
        var testDescription: String { samples.map(\.rawValue).joined(separator: ", ") }
    }

    @Test(
        arguments: [
            Row(
                samples: [.open, .open],
                gate: .open,
                exitCode: 0,
                summary: "Gate open for both platforms; sign-in not tried"
            ),
            Row(
                samples: [.open, .inconclusive],
                gate: .inconclusive,
                exitCode: 2,
                summary: "Gate open for 1 of 2 platforms; inconclusive for p1; sign-in not tried for p0"
            ),
            Row(
                samples: [.closed, .inconclusive, .open],
                gate: .closed,
                exitCode: 1,
                summary: "Gate open for 1 of 3 platforms; closed for p0; inconclusive for p1; sign-in not tried for p2"
            ),
            Row(
                samples: [.inconclusive, .closed],
                gate: .closed,
                exitCode: 1,
                summary: "Gate open for none of 2 platforms; closed for p1; inconclusive for p0"
            ),
            Row(
                samples: [.inconclusive, .inconclusive],
                gate: .inconclusive,
                exitCode: 2,
                summary: "Inconclusive for both platforms"
            ),
            Row(samples: [.closed, .closed], gate: .closed, exitCode: 1, summary: "Gate closed for both platforms"),
            // More than ten names are counted.
            Row(
                samples: [.closed] + Array(repeating: .inconclusive, count: 11),
                gate: .closed,
                exitCode: 1,
                summary: "Gate open for none of 12 platforms; closed for p0; inconclusive for 11"
            ),
        ]
    )
    func `the worst gate counts`(_ row: Row) {
        let reports = row.samples.enumerated().map { Self.report($1, for: "p\($0)") }
        let outcome = JointReport(reports[0], Array(reports.dropFirst())).outcome
        #expect(outcome.gate == row.gate)
        #expect(outcome.exitCode == row.exitCode)
        #expect(outcome.summary == row.summary)
    }

    @Test(arguments: ReportFormat.allCases, SampleReport.allCases)
    func `a single platform has its own report`(_ format: ReportFormat, _ sample: SampleReport) {
        #expect(format.render(JointReport(sample.report)) == format.render(sample.report))
        #expect(JointReport(sample.report).outcome == sample.report.outcome)
    }

    @Test func `a finding that blocks two platforms is listed once`() {
        let closing = SampleReport.closed.report.entries.filter { $0.closesGate || $0.blocksOpening }
        let blockers = Self.three.blockers
        #expect(!closing.isEmpty)
        #expect(blockers.map(\.entry.id) == closing.map(\.id))
        #expect(blockers.allSatisfy { $0.platforms == ["beta", "gamma"] })
    }

    @Test func `a finding of two runs is listed once`() throws {
        var other = Self.report(.closed, for: "gamma")
        let place = try #require(other.entries.firstIndex { $0.closesGate })
        let findings = other.entries[place].verdict.findings
            .map { finding in
                var finding = finding
                finding.found = "a value of another run"
                finding.exchange = 4_711
                return finding
            }
        other.entries[place].verdict = .failed(findings)
        let joint = JointReport(Self.report(.closed, for: "beta"), [other])
        let platforms = joint.blockers.filter { $0.entry.id == other.entries[place].id }.map(\.platforms)
        #expect(platforms == [["beta", "gamma"]])
    }

    @Test func `a finding of another platform's rule is separate, with its own reason`() throws {
        let reports = try ["beta", "gamma"]
            .map { name in
                var report = Self.report(.closed, for: name)
                let place = try #require(report.entries.firstIndex { $0.closesGate })
                report.entries[place].verdict = .failed(
                    report.entries[place].verdict.findings
                        .map { finding in
                            var finding = finding
                            finding.authority = Finding.Authority(
                                profile: name,
                                because: "\(name) refuses it",
                                source: "a test"
                            )
                            return finding
                        }
                )
                return report
            }
        let joint = JointReport(reports[0], [reports[1]])
        for format in [ReportFormat.text, .markdown] {
            let text = format.render(joint)
            #expect(text.contains("beta refuses it") && text.contains("gamma refuses it"), "\(text)")
        }
    }

    @Test func `different findings are separate`() throws {
        var other = Self.report(.closed, for: "gamma")
        let place = try #require(other.entries.firstIndex { $0.closesGate })
        other.entries[place].verdict = .failed([Finding("another cause", fix: "another fix")])
        let joint = JointReport(Self.report(.closed, for: "beta"), [other])
        let platforms = joint.blockers.filter { $0.entry.id == other.entries[place].id }.map(\.platforms)
        #expect(platforms == [["beta"], ["gamma"]])
    }

    @Test(arguments: [40, 60, 80, 120])
    func `no line but the verdict is wider than the terminal`(_ width: Int) {
        let text = ReportFormat.text.render(Self.three, options: ReportOptions(width: width))
        let lines = text.split(separator: "\n")
        #expect(lines.dropLast().allSatisfy { $0.count <= width })
        #expect(lines.last.map(String.init) == "\(Self.three.outcome.summary); exit code 1")
    }

    @Test func `lighter and waived failures are printed once, with their platforms unless they concern all`() throws {
        let (left, right) = (Self.report(.closed, for: "beta"), Self.report(.closed, for: "gamma"))
        let common = left.entries.filter { !$0.verdict.findings.isEmpty && !$0.closesGate && $0.waiver == nil }
        let waived = left.entries.filter { !$0.verdict.findings.isEmpty && $0.waiver != nil }
        let first = try #require(common.first)
        var other = right
        other.entries.removeAll { $0.id == first.id }
        for verbosity in [ReportOptions.Verbosity.brief, .full] {
            let options = ReportOptions(width: 200, verbosity: verbosity)
            let text = ReportFormat.text.render(JointReport(left, [other]), options: options)
            let end = verbosity == .brief ? ": " : "\n    "
            #expect(text.contains("not blocking (\(common.count))\n  \(first.id.rawValue) (beta)\(end)"), "\(text)")
            #expect(waived.isEmpty || text.contains("WAIVED (\(waived.count))\n"))
            let alike = ReportFormat.text.render(JointReport(left, [right]), options: options)
            #expect(alike.contains("not blocking (\(common.count))\n  \(first.id.rawValue)\(end)"), "\(alike)")
        }
    }

    @Test func `a reason for many inconclusive checks is printed once, and blocks nothing`() throws {
        let joint = JointReport(Self.report(.inconclusive, for: "beta"), [Self.report(.inconclusive, for: "gamma")])
        let unclear = joint.blockers.filter { !$0.entry.closesGate }
        let reason = try #require(unclear.first?.entry.verdict.reason)
        #expect(unclear.count(where: { $0.entry.verdict.reason == reason }) > 1)
        let text = ReportFormat.text.render(joint, options: ReportOptions(width: 100_000))
        #expect(text.split(separator: reason.shown(limit: 1_000)).count == 2)
        #expect(unclear.allSatisfy { text.contains($0.entry.id.rawValue) })
        #expect(!text.contains("blocks  "))
        #expect(text.contains("for       beta, gamma"))
    }

    @Test(arguments: [40, 80])
    func `each platform has its three answers and its gate`(_ width: Int) {
        let text = ReportFormat.text.render(Self.three, options: ReportOptions(width: width, verbosity: .brief))
        let lines = text.split(separator: "\n")
        #expect(lines.count <= 60)
        for report in Self.three.reports {
            let start = lines.firstIndex { $0.hasPrefix("  \(report.profile.name) ") }
            let row = start.map { lines[$0...].prefix(width < 60 ? 3 : 1).joined(separator: " ") } ?? ""
            let gate = report.outcome.gate == .open ? "open" : "CLOSED"
            #expect(row.contains(gate) && (row.contains("not tried") || row.contains("fails")), "\(text)")
        }
        let markdown = ReportFormat.markdown.render(Self.three)
        #expect(markdown.contains("| platform | sign-in | safety | conformance | gate | checks evaluated |"))
    }

    @Test func `the cost of a shared run is printed once`() {
        let timings = Self.three.reports[0].timings
        let text = ReportFormat.text.render(Self.three)
        #expect(text.contains("1 run for 3 platforms: \(timings.requests) requests"))
    }

    @Test(.oracle(.program("xmllint")))
    func `libxml2 accepts the JUnit report, and it has the structure that Jenkins reads`()
        async throws
    {
        let schema = try await Fixture.file("junit/jenkins-junit.xsd.gz")
        let xml = ReportFormat.junit.render(Self.three)
        let answer = try await OtherProgram.run("xmllint", ["--noout", "--schema", schema, "-"], input: xml)
        #expect(answer.isSuccess, "\(answer.errors.prefix(500))")
        // A check that closes two gates is one failure, with both platforms.
        let closing = SampleReport.closed.report.entries.count(where: \.closesGate)
        #expect(xml.matches(of: #/<failure /#).count == closing)
        #expect(xml.contains("platforms: beta, gamma"))
        #expect(xml.contains(#"<property name="alpha.gate" value="open"/>"#))
    }

    private static let jsonschema = Oracle.python("jsonschema", "referencing")

    @Test(.oracle(jsonschema)) func `jsonschema accepts the JSON report`() async throws {
        let python = try await Self.jsonschema.path()
        let validator = """
            import json, sys
            from jsonschema import Draft202012Validator
            from referencing import Registry, Resource
            joint, single = (json.load(open(name)) for name in sys.argv[1:3])
            registry = Resource.from_contents(single) @ Registry()
            errors = list(Draft202012Validator(joint, registry=registry).iter_errors(json.load(sys.stdin)))
            for error in errors[:5]:
                print(error.json_path, error.message[:200])
            sys.exit(1 if errors else 0)
            """
        let schemas = ["joint-report", "report"].map { Repository.folder("Reports/\($0).schema.json").path }
        let text = ReportFormat.json.render(Self.three)
        let answer = try await OtherProgram.run(python, ["-c", validator] + schemas, input: text)
        #expect(answer.isSuccess, "\(answer.text)\(answer.errors.suffix(500))")
        let broken = text.replacing("\"gate\": \"open\"", with: "\"gate\": \"ajar\"")
        let refusal = try await OtherProgram.run(python, ["-c", validator] + schemas, input: broken)
        #expect(refusal.text.contains("$.reports[0].outcome.gate"), "\(refusal.errors.suffix(300))")
    }

    @Test func `the Markdown report is bounded, whatever the number of findings`() {
        let hostile = HostileTests.report(String(repeating: "é|`<", count: 3_000), checks: 200, findings: 20)
        let joint = JointReport(hostile, [Self.report(.closed, for: "beta")])
        #expect(ReportFormat.markdown.render(joint).utf8.count < 60_000)
    }
}
