import Conformance
import JSONTree

/// The badge for the endpoint of shields.io.
enum BadgeReport {
    static func render(_ joint: JointReport) -> String {
        let outcome = joint.outcome
        let badge: JSONObject = [
            "schemaVersion": 1,
            "label": "OpenID Provider",
            "message": .string(message(joint)),
            "color": .string(color(joint)),
            // Keeps pages from overriding the color.
            "isError": .bool(outcome.gate != .open),
        ]
        return badge.serialized(pretty: true) + "\n"
    }

    private static func message(_ joint: JointReport) -> String {
        let open = joint.reports.count { $0.outcome.gate == .open }
        guard joint.reports.count == 1 else { return "open for \(open) of \(joint.reports.count) platforms" }
        let report = joint.reports[0]
        switch report.outcome.gate {
        case .inconclusive: return "inconclusive"
        case .closed: return "closed: \(counted(report.entries.count(where: \.closesGate), "problem"))"
        case .open: break
        }
        let known = report.entries.count(where: \.isKnown)
        if known > 0 { return "open, \(counted(known, "known error"))" }
        switch report.answers.signIn.verdict {
        case .works: return "sign-in works"
        case .notTried: return "open, sign-in not tried"
        case .inconclusive: return "open, sign-in inconclusive"
        case .fails: return "open, sign-in fails"
        }
    }

    /// Green only if sign-in was seen to work.
    private static func color(_ joint: JointReport) -> String {
        let works = joint.reports.allSatisfy { $0.answers.signIn.verdict == .works }
        switch joint.outcome.gate {
        case .open: return works ? "brightgreen" : "yellowgreen"
        case .inconclusive: return "lightgrey"
        case .closed: return "red"
        }
    }
}
