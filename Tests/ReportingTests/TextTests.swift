import Conformance
import Reporting
import TestSupport
import Testing

/// The terminal reports, as a user sees them.
@Suite(.timeLimit(.minutes(5))) struct TextTests {
    @Test(arguments: [40, 60, 80, 120], SampleReport.allCases)
    func `no line but the verdict is wider than the terminal`(_ width: Int, _ sample: SampleReport) {
        for verbosity in ReportOptions.Verbosity.allCases {
            let options = ReportOptions(width: width, verbosity: verbosity)
            let text = ReportFormat.text.render(sample.report, options: options)
            let lines = text.split(separator: "\n")
            let tooWide = lines.dropLast().filter { $0.count > width && !$0.isCommand }
            #expect(tooWide.isEmpty)
            let outcome = sample.report.outcome
            #expect(
                lines.last?.hasPrefix(outcome.gate == .inconclusive ? "Inconclusive" : "Gate \(outcome.gate.rawValue)")
                    == true
            )
            #expect(lines.last?.hasSuffix("; exit code \(outcome.exitCode)") == true)
        }
    }

    @Test func `color changes nothing but color`() {
        let report = SampleReport.closed.report
        let plain = ReportFormat.text.render(report)
        let colored = ReportFormat.text.render(report, options: ReportOptions(color: true))
        #expect(colored != plain)
        #expect(colored.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
    }

    @Test(arguments: SampleReport.allCases)
    func `every check is named`(_ sample: SampleReport) {
        let report = sample.report
        let text = ReportFormat.text.render(report)
        let missing = report.entries.filter { !text.contains($0.id.rawValue) }
        #expect(missing.isEmpty)
        for entry in report.entries {
            let words = (entry.verdict.reason ?? "").split(separator: " ")
            #expect(words.allSatisfy { text.contains($0) })
        }
    }

    @Test func `the found value precedes the verdict, and is separate from it`() throws {
        let text = ReportFormat.text.render(SampleReport.closed.report)
        let line = try #require(text.split(separator: "\n").first { $0.contains("discovery.issuer.matches-request") })
        #expect(line.hasSuffix("found https://idp.example.com/ · FAILED"))
    }
}
