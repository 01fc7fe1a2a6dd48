import Conformance
import Reporting
import TestSupport
import Testing

/// The short report stays short, whatever the provider sent.
@Suite(.timeLimit(.minutes(5))) struct BriefTextTests {
    private static let widths = [40, 60, 80, 120]

    private static func lines(_ report: Report, width: Int, explains: Bool = false) -> [String] {
        let options = ReportOptions(width: width, verbosity: .brief, explains: explains)
        return ReportFormat.text.render(report, options: options)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    @Test(arguments: widths, HostileTests.strings.indices)
    func `hostile text does not make a report long`(_ width: Int, _ index: Int) {
        for (checks, findings) in [(3, 2), (150, 1), (2, 500)] {
            let report = HostileTests.report(HostileTests.strings[index], checks: checks, findings: findings)
            for explains in [false, true] {
                let lines = Self.lines(report, width: width, explains: explains)
                #expect(lines.count <= 60)
                #expect(lines.dropLast().allSatisfy { $0.count <= width || $0.isCommand })
                #expect(lines.last?.hasPrefix("Gate closed: \(checks) checks failed, ") == true)
                #expect(lines.last?.hasSuffix("; exit code 1") == true)
            }
            let joint = JointReport(report, [JointReportTests.report(.closed, for: "beta")])
            let options = ReportOptions(width: width, verbosity: .brief)
            #expect(ReportFormat.text.render(joint, options: options).split(separator: "\n").count <= 60)
        }
    }

    @Test(arguments: widths, SampleReport.allCases)
    func `lines fit the terminal, and the verdict is the last line`(_ width: Int, _ sample: SampleReport) {
        let lines = Self.lines(sample.report, width: width)
        #expect(lines.count <= 60)
        #expect(lines.dropLast().allSatisfy { $0.count <= width || $0.isCommand })
        #expect(lines.last?.hasSuffix("; exit code \(sample.report.outcome.exitCode)") == true)
    }

    @Test(arguments: [60, 80, 120]) func `blocking checks are named in full, with their fixes`(_ width: Int) {
        let report = SampleReport.closed.report
        let lines = Self.lines(report, width: width)
        let text = lines.joined(separator: " ").replacing(#/ +/#, with: " ")
        for entry in report.entries where entry.closesGate {
            #expect(lines.contains { $0.contains(entry.id.rawValue) }, "no identifier is broken")
            for finding in entry.verdict.findings { #expect(text.contains(finding.fix)) }
            #expect(text.contains("\(entry.citation)"))
        }
    }

    @Test(arguments: [40, 60, 80], [ReportOptions.Verbosity.brief, .full])
    func `the longest identifier is broken only between its words`(
        _ width: Int,
        _ verbosity: ReportOptions.Verbosity
    ) {
        let id: CheckID = "discovery.authorization-response-iss-parameter-supported.is-a-boolean"
        let words = Set(id.rawValue.split { ".-".contains($0) })
        let finding = Finding("It is a string.", fix: "See the rule.")
        let check = Check.fixed(id, "title", .must, Citation(.core, "2", "REQUIRED"), .failed([finding]))
        var report = SampleReport.closed.report
        report.entries = [
            Report.Entry(
                check: check,
                level: .error,
                verdict: .failed([finding]),
                closesGate: true,
                blocksOpening: false,
                wasSelected: true
            )
        ]
        report.notes = []
        let text = ReportFormat.text.render(report, options: ReportOptions(width: width, verbosity: verbosity))
        let rows = text.split(separator: "\n").drop { !$0.contains("  discovery.") }.prefix { !$0.contains("string") }
        let reported = rows.flatMap { $0.prefix { $0 != "·" }.split { " .-".contains($0) } }
        #expect(words.isSubset(of: reported), "\(text)")
    }

    @Test(arguments: [(Requirement.should, true), (.must, false)])
    func `a level that the profile raised has its reason`(_ requirement: Requirement, _ isRaised: Bool) {
        let finding = Finding("The kid is missing.", fix: "Add it.")
        let check = Check.fixed(
            "keys.kid.is-stated",
            "title",
            requirement,
            Citation(.core, "2", "x"),
            .failed([finding])
        )
        var report = SampleReport.closed.report
        report.entries = [
            Report.Entry(
                check: check,
                level: .error,
                levelReason: "the platform rejects it",
                verdict: .failed([finding]),
                closesGate: true,
                blocksOpening: false,
                wasSelected: true
            )
        ]
        let text = Self.lines(report, width: 80).joined(separator: "\n")
        #expect(text.contains("error, because the platform rejects it") == isRaised, "\(text)")
    }

    @Test func `neither sentences nor values are in quotation marks, and every label has a text`() {
        for sample in SampleReport.allCases {
            for verbosity in [ReportOptions.Verbosity.brief, .full] {
                let text = ReportFormat.text.render(sample.report, options: ReportOptions(verbosity: verbosity))
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ", maxSplits: 1)
                    guard let label = words.first, ["at", "found", "expected"].contains(label) else { continue }
                    #expect(words.count == 2 && !words[1].hasPrefix("“"), "\(line)")
                }
            }
        }
    }

    /// A report with one finding check of the given findings.
    private static func report(_ findings: [Finding]) -> Report {
        var report = SampleReport.closed.report
        report.entries = report.entries.filter(\.closesGate).prefix(1)
            .map { entry in
                var entry = entry
                entry.verdict = .failed(findings)
                return entry
            }
        return report
    }

    @Test(arguments: [ReportOptions.Verbosity.brief, .full])
    func `a shared fix is printed once, and many findings are counted`(_ verbosity: ReportOptions.Verbosity) {
        let options = ReportOptions(verbosity: verbosity)
        let three = (1...3).map { Finding("key \($0) is short", at: "/keys/\($0)", fix: "Make longer keys.") }
        let text = ReportFormat.text.render(Self.report(three), options: options)
        #expect(text.split(separator: "Make longer keys.").count == 2)
        for finding in three { #expect(text.contains(finding.message)) }
        let many = (1...300).map { Finding("key \($0) is short", at: "/keys/\($0)", fix: "Make key \($0) longer.") }
        let counted = ReportFormat.text.render(Self.report(many), options: options)
        #expect(counted.contains(verbosity == .brief ? "and 298 more findings" : "and 295 more findings"))
        #expect(counted.split(separator: "\n").count < 60)
    }

    @Test(
        arguments: [
            // A name is not a value, and the sentence already says that the member is missing.
            (
                Finding("a is missing", at: "/a", expected: "a", found: "no such member", fix: "Add it."),
                [], ["found ", "expected ", "at "]
            ),
            (
                Finding(
                    "The audience is another.",
                    at: "aud",
                    expected: "mine",
                    found: "\"account\"",
                    fix: "Change it."
                ),
                ["found     \"account\" (expected: mine)"], ["“\"account\""]
            ),
            (Finding("The document is wrong.", at: "", found: " x", fix: "Change it."), ["found     \" x\""], ["at "]),
        ] as [(Finding, [String], [String])]
    )
    func `values are printed if they help`(_ finding: Finding, _ reported: [String], _ untold: [String]) {
        let options = ReportOptions(verbosity: .brief)
        let text = ReportFormat.text.render(Self.report([finding]), options: options)
        let block = text.split(separator: "\n").drop { !$0.hasPrefix("BLOCKING") }.prefix { !$0.hasPrefix("Gate") }
            .map { $0.trimmingPrefix { $0 == " " } }
        for part in reported { #expect(block.contains { $0.hasPrefix(part) }, "\(text)") }
        for part in untold { #expect(!block.contains { $0.hasPrefix(part) }, "\(text)") }
    }

    @Test func `quiet prints only the verdict, with the root cause if there is one`() {
        for sample in SampleReport.allCases {
            let text = ReportFormat.text.render(sample.report, options: ReportOptions(verbosity: .quiet))
            #expect(text.split(separator: "\n").count == 1)
            for cause in sample.report.causes.prefix(1) { #expect(text.contains(cause.message.shown(limit: 300))) }
        }
    }

    @Test func `the full report is bounded as well`() {
        let findings = (0..<20).map { Finding(String(repeating: "x \($0) ", count: 300), fix: "fix \($0)") }
        var report = SampleReport.closed.report
        report.entries = (0..<800)
            .map { number in
                var entry = report.entries[number % report.entries.count]
                entry.verdict = .failed(findings)
                return entry
            }
        #expect(ReportFormat.text.render(report).split(separator: "\n").count < 7_000)
    }
}
