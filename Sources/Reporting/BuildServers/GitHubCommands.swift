package import Conformance

/// The workflow commands of GitHub Actions, which Gitea and Forgejo support as well: one line each.
package enum GitHubCommands {
    /// `::error file=preflight.yaml,line=1,title=ID::text` for root causes and blocking findings, and on request for warnings
    /// and notices; empty without any.
    package static func annotations(_ joint: JointReport, root: SourceRoot, withWarnings: Bool) -> String {
        Annotation.all(of: joint, withWarnings: withWarnings).map { command($0, root) }.joined()
    }

    /// `::error file=preflight.yaml,line=12::text` for errors that ended the program before a run.
    package static func annotations(of mistakes: [Mistake], root: SourceRoot) -> String {
        Annotation.all(of: mistakes).map { command($0, root) }.joined()
    }

    private static func command(_ one: Annotation, _ root: SourceRoot) -> String {
        var properties: [(String, String)] = []
        if let place = one.place {
            properties = [("file", root.path(of: place.file)), ("line", String(place.line))]
        }
        if let name = one.name { properties.append(("title", name)) }
        let list = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
        let command = list.isEmpty ? one.level.rawValue : "\(one.level.rawValue) \(list)"
        return "::\(command)::\(data(one.lines.joined(separator: "\n")))\n"
    }

    /// The outputs of a step for `$GITHUB_OUTPUT`, a line each: `gate`, `sign-in`, and the path of the JSON report.
    ///
    /// Of several targets, the worst counts.
    package static func outputs(_ targets: TargetsReport, report: String?) -> String {
        var lines = ["gate=\(targets.outcome.gate.rawValue)", "sign-in=\(signIn(targets.rows.map(\.answers)))"]
        // A name with a line break would be a second output.
        if let report, !report.unicodeScalars.contains(where: { $0.value < 0x20 }) { lines.append("report=\(report)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The worst answer of all platforms.
    private static func signIn(_ answers: [Answers]) -> String {
        let verdicts = Set(answers.map(\.signIn.verdict))
        let worst: [Answers.SignInVerdict] = [.fails, .inconclusive, .notTried, .works]
        switch worst.first(where: verdicts.contains) ?? .notTried {
        case .fails: return "fails"
        case .inconclusive: return "undecided"
        case .notTried: return "not-tried"
        case .works: return "works"
        }
    }

    /// The escapes of the runner: a line break would end the command.
    private static func data(_ text: String) -> String {
        LogText.defused(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// A colon or a comma would end the property.
    private static func property(_ text: String) -> String {
        data(text.shown(limit: 300)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
