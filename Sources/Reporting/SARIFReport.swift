import Conformance
import JSONTree

/// The report for code scanning and editors: SARIF 2.1.0 (OASIS Standard, errata 01).
///
/// One run has one result per finding, whatever the number of platforms; a check is a rule. Blocking findings have the level
/// `error`. Waived and known findings are suppressed. A root cause is a notification of an unsuccessful invocation.
enum SARIFReport {
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    private static let limit = 1_000
    /// The root of the source files, as servers name it (section 3.14.14).
    private static let base = "%SRCROOT%"

    static func render(_ joint: JointReport, root: SourceRoot) -> String {
        let (findings, left) = ReportedFinding.all(of: joint)
        let rules = findings.map(\.entry).grouped(by: \.id).map { ($0.key, $0.members[0]) }
        let places = Dictionary(rules.enumerated().map { ($0.element.0, $0.offset) }) { first, _ in first }
        let log: JSONObject = [
            "$schema": .string(schema),
            "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": .object(driver(joint, rules: rules.map { $0.1 }))],
                    "automationDetails": ["id": .string(automation(joint))],
                    "originalUriBaseIds": [
                        base: ["description": ["text": "The folder that file names are relative to."]]
                    ],
                    "invocations": [.object(invocation(joint, left: left, root))],
                    "results": .array(
                        findings.map { .object(result($0, places[$0.entry.id] ?? 0, joint.reports[0], root)) }
                    ),
                    "properties": .object(properties(joint)),
                ]
            ],
        ]
        return log.serialized(pretty: true) + "\n"
    }

    // MARK: The run

    private static func driver(_ joint: JointReport, rules: [Report.Entry]) -> JSONObject {
        let words = joint.reports[0].tool.split(separator: " ")
        let version = words.count > 1 ? String(words[words.count - 1]).shown(limit: 60) : Tool.version
        return [
            "name": .string(Tool.name),
            "version": .string(version),
            "informationUri": .string(Publication.address),
            "rules": .array(rules.map { .object(rule($0)) }),
        ]
    }

    private static func rule(_ entry: Report.Entry) -> JSONObject {
        let words = entry.citation.words.isEmpty ? "" : ": " + entry.citation.shownWords(limit: limit)
        let authority = "\(entry.authority)\(words)"
        let mark = entry.citation.isQuotation ? "> " : ""
        let quotation = entry.citation.words.isEmpty ? "" : "\n\n\(mark)\(MarkdownText.prose(entry.citation.words))"
        return [
            "id": .string(entry.id.rawValue),
            "shortDescription": ["text": .string(entry.title.shown(limit: limit))],
            "fullDescription": ["text": .string(entry.why.shown(limit: limit))],
            "help": [
                "text": .string(
                    "\(entry.why.shown(limit: limit))\nRule: \(authority)\n\(entry.citation.link)\nExplained: \(entry.id.link)"
                ),
                "markdown": .string(
                    "\(MarkdownText.prose(entry.why))\n\nRule: [\(MarkdownText.prose(entry.authority))](<\(entry.citation.link)>)"
                        + "\(quotation)\n\n[Explained](<\(entry.id.link)>)"
                ),
            ],
            "helpUri": .string(entry.id.link),
            "defaultConfiguration": ["level": .string(word(entry.requirement.level))],
            "properties": [
                "tags": [.string(entry.stage.rawValue), .string(entry.consequence.rawValue)],
                "requirement": .string(entry.requirement.rawValue),
                "consequence": .string(entry.consequence.rawValue),
            ],
        ]
    }

    /// Distinguishes the runs of a pipeline by issuer and platforms.
    private static func automation(_ joint: JointReport) -> String {
        let issuer = joint.reports[0].target.issuer.replacing("https://", with: "").prefix(200)
        let names = joint.reports.map(\.profile.name).joined(separator: ",").prefix(200)
        let parts = [Tool.name, String(issuer), String(names)]
            .map { part in
                String(part.unicodeScalars.map { Self.nameScalars.contains($0) ? Character($0) : "-" })
            }
        return parts.filter { !$0.isEmpty }.joined(separator: "/") + "/"
    }

    private static let nameScalars = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:,-_".unicodeScalars
    )

    private static func invocation(_ joint: JointReport, left: Int, _ root: SourceRoot) -> JSONObject {
        let first = joint.reports[0]
        let isDecided = joint.outcome.gate != .inconclusive && joint.outcome.exitCode != 130
        let broken = Blocker.all(of: joint)
            .map { one in
                notification(
                    [one.message] + one.details,
                    isDecided ? "warning" : "error",
                    of: one.name,
                    at: one.keys.isEmpty ? nil : first.place(ofKeys: one.keys),
                    root
                )
            }
        let notes = JointWording.notes(joint).prefix(20).map { notification([$0], "note", root) }
        let cut = "\(counted(left, "finding")) more; see the JSON report."
        let ended = first.timings.startedAt + (joint.reports.map(\.timings.duration).max() ?? 0)
        return [
            "executionSuccessful": .bool(isDecided),
            "exitCode": .integer(Int64(joint.outcome.exitCode)),
            "exitCodeDescription": .string(joint.outcome.summary.shown(limit: limit)),
            "startTimeUtc": .string(Format.moment(first.timings.startedAt)),
            "endTimeUtc": .string(Format.moment(ended)),
            "toolExecutionNotifications": .array(
                (broken + notes + (left > 0 ? [notification([cut], "warning", root)] : [])).map { .object($0) }
            ),
        ]
    }

    private static func notification(
        _ lines: [String],
        _ level: String,
        of name: String? = nil,
        at place: SourcePlace? = nil,
        _ root: SourceRoot
    ) -> JSONObject {
        var notification: JSONObject = ["level": .string(level), "message": message(lines)]
        if let name { notification["descriptor"] = ["id": .string(name)] }
        if let place { notification["locations"] = [.object(location(place, root))] }
        return notification
    }

    private static func properties(_ joint: JointReport) -> JSONObject {
        [
            "issuer": .string(joint.reports[0].target.issuer.shown(limit: limit)),
            "tier": .string(joint.reports[0].tier.rawValue),
            "gate": .string(joint.outcome.gate.rawValue),
            "platforms": .array(
                joint.reports.map { report in
                    [
                        "profile": .string(report.profile.name.shown(limit: limit)),
                        "gate": .string(report.outcome.gate.rawValue),
                        "signIn": .string(report.answers.signIn.verdict.rawValue),
                        "safety": .string(report.answers.safety.verdict.rawValue),
                        "conformance": .string(report.answers.conformance.verdict.rawValue),
                    ]
                }
            ),
        ]
    }

    // MARK: Results

    private static func result(
        _ reported: ReportedFinding,
        _ rule: Int,
        _ report: Report,
        _ root: SourceRoot
    ) -> JSONObject {
        var result: JSONObject = [
            "ruleId": .string(reported.entry.id.rawValue),
            "ruleIndex": .integer(Int64(rule)),
            "level": .string(word(reported.severity)),
            "message": message(reported.lines(limit: limit)),
            "locations": [.object(reported.place.map { location($0, root) } ?? location(of: report))],
            "partialFingerprints": ["checkPlace/v1": .string(reported.fingerprint)],
        ]
        if let reason = suppression(reported) {
            result["suppressions"] = [
                ["kind": "external", "status": "accepted", "justification": .string(reason)]
            ]
        }
        if let exchange = reported.exchange {
            result["webRequest"] = [
                "method": .string(exchange.request.method.shown(limit: 40)),
                "target": .string(exchange.request.url.shown(limit: limit)),
            ]
            if let status = exchange.response?.status {
                result["webResponse"] = ["statusCode": .integer(Int64(status))]
            }
        }
        var properties: JSONObject = [
            "consequence": .string(reported.entry.consequence.rawValue), "closesGate": .bool(reported.entry.closesGate),
        ]
        if !reported.closes.isEmpty {
            properties["closes"] = .array(reported.closes.map { .string($0.shown(limit: limit)) })
        }
        result["properties"] = .object(properties)
        return result
    }

    /// Why a finding does not count; `nil` if it does.
    private static func suppression(_ reported: ReportedFinding) -> String? {
        switch reported.state {
        case .known, .waived: reported.entry.whyNotBlocking(limit: limit)
        default: nil
        }
    }

    private static func location(_ place: SourcePlace, _ root: SourceRoot) -> JSONObject {
        let path = root.path(of: place.file)
        var artifact: JSONObject = ["uri": .string(URIText.ofFile(path))]
        if !path.hasPrefix("/"), !path.contains("://") { artifact["uriBaseId"] = .string(base) }
        return [
            "physicalLocation": [
                "artifactLocation": .object(artifact),
                "region": ["startLine": .integer(Int64(max(1, place.line)))],
            ]
        ]
    }

    /// The issuer as a path, if no file is known: GitHub rejects a file with any scheme but that of its checkout.
    private static func location(of report: Report) -> JSONObject {
        [
            "physicalLocation": [
                "artifactLocation": ["uri": .string(URIText.ofFile(report.issuerAsPath.prefix(bytes: 2_000)))]
            ]
        ]
    }

    /// Single braces mark arguments (section 3.11.5), and `[text](address)` is a link (section 3.11.6), so both are escaped.
    private static func message(_ lines: [String]) -> JSON {
        let text = lines.map { $0.shown(limit: 2 * limit) }.joined(separator: "\n")
        let plain = text.replacing("](", with: "\\](")
        return ["text": .string(plain.replacing("{", with: "{{").replacing("}", with: "}}"))]
    }

    private static func word(_ level: Level) -> String { level == .notice ? "note" : level.rawValue }
}
