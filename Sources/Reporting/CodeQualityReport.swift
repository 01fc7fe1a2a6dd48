import Conformance
import JSONTree

/// The report for the code quality widget of GitLab's merge requests: a list of issues.
///
/// The format has no suppression: waived and known failures have the lowest severity and say so. A root cause is a blocker.
enum CodeQualityReport {
    private static let limit = 400

    static func render(_ joint: JointReport, root: SourceRoot) -> String {
        let first = joint.reports[0]
        let broken = joint.outcome.gate == .inconclusive ? Blocker.all(of: joint) : []
        let (findings, left) = ReportedFinding.all(of: joint)
        var issues = broken.map { one in
            issue(
                one.name,
                ([one.message] + one.details).joined(separator: " · "),
                "blocker",
                Fingerprint.of([one.name, "undecided"]),
                path(one.keys.isEmpty ? nil : first.place(ofKeys: one.keys), first, root)
            )
        }
        issues += findings.map { reported in
            let warning =
                reported.state == .known || reported.state == .waived
                ? "\(reported.entry.whyNotBlocking(limit: limit)): " : ""
            return issue(
                reported.entry.id.rawValue,
                warning + reported.lines(limit: limit).joined(separator: " · "),
                severity(reported),
                reported.fingerprint,
                path(reported.place, first, root)
            )
        }
        if left > 0 {
            issues.append(
                issue(
                    Tool.name,
                    "\(counted(left, "finding")) more; see the JSON report.",
                    "info",
                    Fingerprint.of(["left out"]),
                    path(nil, first, root)
                )
            )
        }
        return JSON.array(issues).serialized(pretty: true) + "\n"
    }

    private static func issue(
        _ name: String,
        _ text: String,
        _ severity: String,
        _ fingerprint: String,
        _ place: (path: String, line: Int)
    ) -> JSON {
        [
            "description": .string(text),
            "check_name": .string(name),
            "fingerprint": .string(fingerprint),
            "severity": .string(severity),
            "location": ["path": .string(place.path), "lines": ["begin": .integer(Int64(place.line))]],
        ]
    }

    private static func severity(_ reported: ReportedFinding) -> String {
        switch (reported.state, reported.entry.consequence, reported.severity) {
        case (.closes, .safety, _), (.closes, .signIn, _): "critical"
        case (.closes, .conformance, _): "major"
        case (.known, _, _), (.waived, _, _): "info"
        case (_, _, .error), (_, _, .warning): "minor"
        case (_, _, .notice): "info"
        }
    }

    /// The path is relative (GitLab's documentation); without a known file, it is the issuer without its scheme.
    private static func path(
        _ place: SourcePlace?,
        _ report: Report,
        _ root: SourceRoot
    ) -> (path: String, line: Int) {
        if let place {
            let path = root.path(of: place.file)
            return (String(path.drop { $0 == "/" }).shown(limit: limit), max(1, place.line))
        }
        return (report.issuerAsPath.shown(limit: limit), 1)
    }
}

extension Report {
    /// The issuer without its scheme, for formats that accept only relative paths.
    var issuerAsPath: String {
        let issuer = target.issuer
        let rest = issuer.firstRange(of: "://").map { issuer[$0.upperBound...] } ?? issuer[...]
        let name = String(rest.drop { $0 == "/" })
        return name.isEmpty ? Tool.name : name
    }
}
