import Conformance
import JSONTree
import Reporting
import Testing

/// A report for a platform that was not measured says so, and names the source of its rules.
@Suite(.timeLimit(.minutes(5))) struct ProvenanceTests {
    private static func report(_ name: String, from source: String?) -> Report {
        var report = SampleReport.open.report
        report.profile = Report.ProfileSummary(Profile(name: name, title: "The platform", knownFrom: source))
        return report
    }

    @Test(arguments: [ReportFormat.text, .markdown, .html], ["the maker's <documentation>", nil])
    func `a report names the source`(_ format: ReportFormat, _ source: String?) {
        let report = Self.report("mine", from: source)
        for verbosity in [ReportOptions.Verbosity.brief, .full] {
            let text = format.render(report, options: ReportOptions(width: 200, verbosity: verbosity))
            #expect(text.contains("Platform: the rules come from the maker") == (source != nil), "\(text)")
            #expect(text.contains("and were not measured") == (source != nil), "\(text)")
            if format == .html { #expect(!text.contains("<documentation>")) }
        }
    }

    @Test(arguments: ["the maker's documentation", nil])
    func `JSON has the source as a member of the profile`(_ source: String?) throws {
        let tree = try JSONDocument.parse(ReportFormat.json.render(Self.report("mine", from: source))).root
        #expect(tree["profile"]?["knownFrom"] == (source.map { .string($0) } ?? .null))
    }

    @Test(arguments: [ReportFormat.text, .markdown, .html])
    func `a report of several platforms lists those that were not measured`(_ format: ReportFormat) {
        let reports = [("a", "documents"), ("b", nil), ("c", "source code")].map { Self.report($0.0, from: $0.1) }
        let text = format.render(
            JointReport(reports[0], Array(reports.dropFirst())),
            options: ReportOptions(width: 200, verbosity: .brief)
        )
        #expect(
            text.contains(
                "the rules of 2 platforms come from documentation or source code, and were not tested on the platform: a, c"
            ),
            "\(text)"
        )
    }
}
