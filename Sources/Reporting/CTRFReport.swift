import Conformance
import JSONTree

/// The report in the Common Test Report Format, which dashboards and chat bots read.
///
/// The cases are those of JUnit. A failure that does not block has the status `other`.
enum CTRFReport {
    static func render(_ joint: JointReport) -> String {
        let cases = TestSuite.all(of: joint).flatMap(\.cases)
        let first = joint.reports[0]
        let start = milliseconds(first.timings.startedAt)
        let duration = milliseconds(joint.reports.map(\.timings.duration).max() ?? 0)
        var summary: JSONObject = ["tests": .integer(Int64(cases.count))]
        for status in Status.allCases {
            summary[status.rawValue] = .integer(Int64(cases.count { Status($0) == status }))
        }
        summary["pending"] = 0
        summary["start"] = .integer(start)
        summary["stop"] = .integer(start + duration)
        let report: JSONObject = [
            "reportFormat": "CTRF",
            "specVersion": "0.0.0",
            "generatedBy": .string(first.tool.shown(limit: 100)),
            "results": [
                "tool": [
                    "name": .string(Tool.name),
                    "extra": [
                        "issuer": .string(first.target.issuer.shown(limit: 1_000)),
                        "gate": .string(joint.outcome.gate.rawValue),
                        "exitCode": .integer(Int64(joint.outcome.exitCode)),
                        "summary": .string(joint.outcome.summary.shown(limit: 1_000)),
                    ],
                ],
                "summary": .object(summary),
                "tests": .array(cases.map { .object(test($0)) }),
            ],
        ]
        return report.serialized(pretty: true) + "\n"
    }

    private enum Status: String, CaseIterable {
        case passed
        case failed
        case skipped
        case other

        init(_ one: TestCase) {
            self =
                switch one.kind {
                case .passed: one.whyNotBlocking == nil ? .passed : .other
                case .failure, .error: .failed
                case .skipped: .skipped
                }
        }
    }

    private static func test(_ one: TestCase) -> JSONObject {
        var test: JSONObject = [
            "name": .string(one.name),
            "status": .string(Status(one).rawValue),
            "duration": .integer(milliseconds(one.seconds)),
            "suite": [.string(one.suite)],
        ]
        if let whyNotBlocking = one.whyNotBlocking { test["rawStatus"] = .string(whyNotBlocking) }
        if one.kind == .error { test["rawStatus"] = "undecided" }
        if !one.message.isEmpty { test["message"] = .string(one.message) }
        if !one.details.isEmpty { test["trace"] = .string(one.details) }
        return test
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64((min(max(seconds.isNaN ? 0 : seconds, 0), 1e12) * 1_000).rounded())
    }
}
