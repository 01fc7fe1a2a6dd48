import Conformance
import JSONTree
import Reporting
import Testing

/// Reports of several targets are rendered in parts, and together are one document.
@Suite("Reports of several targets", .timeLimit(.minutes(5)))
struct TargetsRenderingTests {
    private static func text(_ format: ReportFormat, _ targets: [TargetsReport.Target]) -> String {
        var rendering = TargetsRendering(format, ReportOptions(), targets: targets.count, reports: targets.count)
        var report = TargetsReport()
        let parts = targets.map { target in
            report.add(target)
            return rendering.part(target)
        }
        let frame = rendering.frame(report)
        return frame.head + parts.joined() + frame.tail
    }

    private static let targets = SampleReport.allCases.map {
        TargetsReport.Target(name: $0.rawValue, report: JointReport($0.report))
    }

    @Test func `the JSON is one document with the report of each target`() throws {
        let text = Self.text(.json, Self.targets)
        let root = try JSONDocument.parse(text, valueLimit: JSONDocument.ownValueLimit).root
        let reports = try #require(root["reports"]?.arrayValue)
        #expect(reports.map { $0["target"]?.stringValue } == Self.targets.map(\.name))
        for (found, target) in zip(reports, Self.targets) {
            #expect(found["report"] == (try JSONDocument.parse(ReportFormat.json.render(target.report)).root))
        }
        // The parts are indented as in one document.
        #expect(root.serialized(pretty: true) + "\n" == text)
    }

    @Test func `the JUnit report counts the cases of all targets`() throws {
        let text = Self.text(.junit, Self.targets)
        let alone = Self.targets.map { ReportFormat.junit.render($0.report) }
        let count = { (text: String, name: String) in
            text.firstMatch(of: try Regex("<testsuites[^>]* \(name)=\"([0-9]+)\"", as: (Substring, Substring).self))
                .flatMap { Int($0.output.1) }
        }
        for name in ["tests", "failures", "errors"] {
            let sum = try alone.compactMap { try count($0, name) }.reduce(0, +)
            #expect(try count(text, name) == sum, "\(name)")
        }
        #expect(text.ranges(of: "<testcase ").count == alone.map { $0.ranges(of: "<testcase ").count }.reduce(0, +))
        #expect(text.ranges(of: "</testsuites>").count == 1 && text.hasSuffix("</testsuites>\n"))
    }

    @Test func `the JUnit report of many targets has at most 20 MiB, with every failure and error`() throws {
        let joint = Self.targets[1].report
        let text = Self.text(.junit, (0..<3_000).map { TargetsReport.Target(name: "t\($0)", report: joint) })
        #expect(text.utf8.count <= 20 << 20, "\(text.utf8.count) bytes")
        let alone = ReportFormat.junit.render(joint)
        for kind in ["<failure ", "<error "] {
            #expect(text.ranges(of: kind).count == 3_000 * alone.ranges(of: kind).count)
        }
        #expect(text.contains("<property name=\"omitted\" value="))
    }

    @Test func `the worst gate of all is the outcome, and a single target has its own`() {
        var report = TargetsReport()
        for target in Self.targets { report.add(target) }
        #expect(report.outcome.gate == .closed && report.rows.count == 3)
        var single = TargetsReport()
        single.add(Self.targets[0])
        #expect(single.outcome == Self.targets[0].report.outcome)
    }

    @Test func `a single target is rendered as without targets`() {
        for format in ReportFormat.allCases {
            #expect(Self.text(format, [Self.targets[1]]) == format.render(Self.targets[1].report), "\(format)")
        }
    }

    @Test(arguments: [(SampleReport.closed, 40, 800), (.inconclusive, 5_000, 0)])
    func `the JSON report has at most 20 MiB, and counts what is omitted`(
        _ sample: SampleReport,
        _ count: Int,
        _ entries: Int
    ) throws {
        var report = sample.report
        let sample = report.entries
        while report.entries.count < entries { report.entries += sample }
        let joint = JointReport(report)
        let text = Self.text(.json, (0..<count).map { TargetsReport.Target(name: "t\($0)", report: joint) })
        #expect(text.utf8.count <= 20 << 20, "\(text.utf8.count) bytes")
        let first = try #require(
            try JSONDocument.parse(text, valueLimit: JSONDocument.ownValueLimit).root["reports"]?.arrayValue?.first?[
                "report"
            ]
        )
        let closing = first["entries"]?.arrayValue?.count { $0["closesGate"] == .bool(true) }
        #expect(closing == report.entries.count(where: \.closesGate))
        #expect(first["notes"]?.arrayValue?.last?.stringValue?.contains("checks") == true, "\(first["notes"] ?? .null)")
    }
}
