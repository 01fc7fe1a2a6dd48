import Conformance
import JSONTree

/// The report for harnesses of the Test Anything Protocol, version 14.
///
/// `not ok` without a directive is a blocking check or a root cause. Warnings, notices, waived and known failures have a
/// directive with which no harness counts them. Inconclusive checks are skipped.
enum TAPReport {
    static func render(_ joint: JointReport) -> String {
        let cases = TestSuite.all(of: joint).flatMap(\.cases)
        var lines = ["TAP version 14", "1..\(cases.count)"]
        let profiles = joint.reports.map(\.profile.name).joined(separator: ", ")
        lines.append(comment("\(joint.reports[0].heading), profile \(profiles), \(joint.reports[0].extent)"))
        for (place, one) in cases.enumerated() { lines += point(place + 1, one) }
        lines.append(comment(joint.outcome.summary + "; exit code \(joint.outcome.exitCode)"))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func point(_ number: Int, _ one: TestCase) -> [String] {
        let title = "\(number) - \(escaped(one.name))"
        switch one.kind {
        case .skipped: return ["ok \(title) # SKIP \(escaped(one.message))"]
        case .failure, .error: return ["not ok \(title)"] + diagnostics(one, "fail")
        case .passed:
            guard let whyNotBlocking = one.whyNotBlocking else { return ["ok \(title)"] }
            // Split, because the whole word marks open work in this project's sources.
            let directive = "TO" + "DO"
            return ["not ok \(title) # \(directive) \(escaped(whyNotBlocking))"] + diagnostics(one, "comment")
        }
    }

    /// A YAML block, indented by two: a text is a JSON string, which is valid YAML, and several lines are a literal block.
    private static func diagnostics(_ one: TestCase, _ severity: String) -> [String] {
        let details = one.details.split(separator: "\n").map { line(String($0)) }
        let block = details.isEmpty ? [] : ["  details: |"] + details.map { "    " + $0 }
        return ["  ---", "  message: \(quoted(one.message))", "  severity: \(severity)"] + block + ["  ..."]
    }

    /// A line that neither ends the block, as three dots would, nor changes its indentation.
    private static func line(_ text: String) -> String {
        let shown = LogText.defused(text.shown(limit: 2_000))
        let rest = shown.drop { $0 == " " }
        // The program's own lines are indented by two.
        let margin = shown.hasPrefix("  ") ? "  " : ""
        let isMark = rest.hasPrefix("...") || rest.hasPrefix("---")
        return (isMark ? "\\" : margin.isEmpty ? "" : "- ") + rest
    }

    private static func quoted(_ text: String) -> String {
        JSON.string(LogText.defused(text.shown(limit: 2_000))).serialized()
    }

    /// Backslash and hash are escaped, so that provider text cannot add a directive.
    private static func escaped(_ text: String) -> String {
        text.shown(limit: 1_000).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    private static func comment(_ text: String) -> String { "# " + LogText.defused(text.shown(limit: 2_000)) }
}
