import Conformance
import Reporting
import Testing

/// The terminal report for several platforms.
@Suite(.timeLimit(.minutes(5))) struct JointTextTests {
    /// Platforms with equal results.
    private static func joint(_ count: Int, _ report: Report) -> JointReport {
        let reports = (0..<count)
            .map { number in
                var report = report
                let profile = Profile(name: "platform-\(number)", title: "The platform \(number)")
                report.profile = Report.ProfileSummary(profile)
                return report
            }
        return JointReport(reports[0], Array(reports.dropFirst()))
    }

    private static func lines(_ joint: JointReport, _ options: ReportOptions) -> [String] {
        ReportFormat.text.render(joint, options: options).split(separator: "\n").map(String.init)
    }

    /// The sample with only so many blocking checks.
    private static func report(closing count: Int) -> Report {
        var report = SampleReport.closed.report
        let kept = report.entries.filter(\.closesGate).prefix(count).map(\.id)
        report.entries = report.entries.filter { !$0.closesGate || kept.contains($0.id) }
        return report
    }

    @Test(arguments: [40, 60, 80, 120], [2, 12, 25, 63])
    func `headings of blocking checks are never dropped, and identifiers have no ellipsis`(_ width: Int, _ count: Int) {
        let options = ReportOptions(width: width, verbosity: .brief)
        let lines = Self.lines(Self.joint(count, SampleReport.closed.report), options)
        #expect(lines.count <= 60)
        #expect(lines.dropLast().allSatisfy { $0.count <= width })
        let consequences = Set(SampleReport.closed.report.entries.filter(\.closesGate).map(\.consequence.heading))
        let headings = Set(lines.compactMap { $0.firstMatch(of: /^BLOCKING: (.+) \(/).map { String($0.1) } })
        // Many platforms have one list of changes.
        let isOneList = lines.contains { $0.hasPrefix("BLOCKING (") }
        #expect(isOneList || headings == consequences, "\(lines)")
        #expect(!lines.contains { $0.hasSuffix(" …") }, "\(lines)")
    }

    @Test(arguments: [60, 80, 120])
    func `a list of opened platforms ends with the number of the others`(_ width: Int) throws {
        let options = ReportOptions(width: width, verbosity: .brief)
        let lines = Self.lines(Self.joint(63, Self.report(closing: 1)), options)
        let line = try #require(lines.first { $0.contains("opens 63 platforms: platform-0, ") }, "\(lines)")
        #expect(line.firstMatch(of: /, and [0-9]+ more$/) != nil, "\(line)")
    }

    @Test(
        arguments: [
            (.static, "  open as far as checked without a sign-in (25): platform-0"),
            (.full, "  open (25): platform-0"),
        ] as [(Tier, String)]
    )
    func `an open gate without a sign-in says so`(_ tier: Tier, _ expected: String) {
        var report = SampleReport.open.report
        report.tier = tier
        let lines = Self.lines(Self.joint(25, report), ReportOptions(width: 120, verbosity: .brief))
        #expect(lines.contains { $0.hasPrefix(expected) }, "\(lines)")
    }

    @Test(
        arguments: [
            ([.open, .closed], "register", "next: register"), ([.open, .closed], nil, "next: check p1"),
            ([.inconclusive, .closed], "register", "next: check p1"), ([.open, .inconclusive], nil, "next: check p1"),
            ([.closed, .closed], nil, "next: check p0"), ([.open, .open], nil, nil),
        ] as [([SampleReport], String?, String?)]
    )
    func `the next command is for the first platform where something can be done`(
        _ samples: [SampleReport],
        _ register: String?,
        _ expected: String?
    ) {
        var reports = samples.enumerated().map { JointReportTests.report($1, for: "p\($0)") }
        // `register` rejects a waived error.
        for index in reports.indices { reports[index].entries.removeAll { $0.waiver != nil } }
        var options = ReportOptions(width: 120, verbosity: .brief)
        options.suggestions.register = register
        options.suggestions.checks = ["p0": "check p0", "p1": "check p1"]
        let lines = Self.lines(JointReport(reports[0], Array(reports.dropFirst())), options)
        #expect(lines.first(where: { $0.hasPrefix("next: ") }) == expected, "\(lines)")
    }

    @Test(arguments: [Level.error, .warning])
    func `the verbose report has messages and fixes in full`(_ level: Level) {
        let message = (0..<120).map { "word\($0)" }.joined(separator: " ")
        let fix = (0..<120).map { "fix\($0)" }.joined(separator: " ")
        var report = SampleReport.closed.report
        report.entries = [BriefSectionTests.entry("keys.a.is-b", message, fix: fix, level: level)]
        let text = Self.lines(Self.joint(2, report), ReportOptions()).joined(separator: " ")
            .replacing(#/ +/#, with: " ")
        #expect(text.contains(message) && text.contains(fix), "\(text)")
    }

    @Test func `findings of one change with different reasons are counted as findings and as changes`() throws {
        let reports = try ["beta", "gamma"]
            .map { name in
                var report = JointReportTests.report(.closed, for: name)
                let place = try #require(report.entries.firstIndex { $0.closesGate })
                var findings = report.entries[place].verdict.findings
                for index in findings.indices {
                    findings[index].authority = Finding.Authority(profile: name, because: name, source: "a test")
                }
                report.entries[place].verdict = .failed(findings)
                return report
            }
        let text = ReportFormat.text.render(JointReport(reports[0], [reports[1]]))
        #expect(text.contains("(4 for 3 changes)"), "\(text)")
    }
}
