import Conformance
import FoundationEssentials
import JSONTree

/// The stable format: every member is always present, in a fixed order, `null` if it has no value.
///
/// `Reports/report.schema.json` describes it. Changing or removing a member raises `schemaVersion`.
enum JSONReport {
    /// The maximum number of bytes of a response body; the evidence file has all of it.
    private static let bodyLimit = 65_536

    /// At most 20 MiB; the notes count what is omitted.
    static func render(_ joint: JointReport) -> String {
        let reports = trees(joint.reports)
        guard reports.count > 1 else { return reports[0].serialized(pretty: true) + "\n" }
        let tree: JSONObject = [
            "schemaVersion": integer(Report.currentSchemaVersion),
            "outcome": outcome(joint.outcome),
            "platforms": .array(
                joint.reports.map {
                    .object(platform(($0.profile.name, $0.profile.title), $0.answers, $0.outcome.gate))
                }
            ),
            "obstacles": .array(joint.blockers.map(blocker)),
            "reports": .array(reports.map { .object($0) }),
        ]
        return tree.serialized(pretty: true) + "\n"
    }

    /// Several targets, with the same bound for all together; only checks that close a gate may exceed it.
    ///
    /// `Reports/targets-report.schema.json` describes it.
    struct Targets: TargetsRenderer {
        /// The number of all reports.
        let reports: Int
        private var isFirst = true

        init(reports: Int) {
            self.reports = reports
        }

        mutating func part(_ target: TargetsReport.Target) -> String {
            let trees = JSONReport.trees(target.report.reports, of: reports)
                .map { JSON.object(["target": .string(target.name), "report": .object($0)]) }
            defer { isFirst = false }
            return trees.enumerated()
                .map { (isFirst && $0 == 0 ? "\n    " : ",\n    ") + $1.serialized(pretty: true, depth: 2) }.joined()
        }

        func frame(_ targets: TargetsReport) -> (head: String, tail: String) {
            let tree: JSONObject = [
                "schemaVersion": integer(Report.currentSchemaVersion),
                "outcome": outcome(targets.outcome),
                "targets": .array(
                    targets.rows.map { row in
                        let names: JSONObject = ["target": .string(row.target), "issuer": .string(row.issuer)]
                        return .object(names.merging(platform(row.platform, row.answers, row.gate)))
                    }
                ),
            ]
            // The last member follows in parts.
            let head = tree.serialized(pretty: true).dropLast("\n}".count)
            return ("\(head),\n  \"reports\": [", "\n  ]\n}\n")
        }
    }

    /// Each with its share of the size.
    private static func trees(_ reports: [Report], of all: Int? = nil) -> [JSONObject] {
        let share = mostBytes / max(1, all ?? reports.count)
        return reports.map { tree(JSONReportBounds.bounded($0, to: share)) }
    }

    /// The size without escapes and indentation, which may double it.
    private static let mostBytes = 9 << 20

    /// A row of the table of platforms and answers.
    private static func platform(
        _ profile: (name: String, title: String),
        _ answers: Answers,
        _ gate: Report.Gate
    ) -> JSONObject {
        [
            "profile": .string(profile.name),
            "title": .string(profile.title),
            "gate": .string(gate.rawValue),
            "signIn": .string(answers.signIn.verdict.rawValue),
            "safety": .string(answers.safety.verdict.rawValue),
            "conformance": .string(answers.conformance.verdict.rawValue),
        ]
    }

    /// A check that is listed once, with the platforms that it blocks.
    private static func blocker(_ blocker: JointReport.Blocker) -> JSON {
        ["platforms": strings(blocker.platforms), "entry": entry(blocker.entry)]
    }

    private static func tree(_ report: Report) -> JSONObject {
        [
            "schemaVersion": integer(report.schemaVersion),
            "tool": .string(report.tool),
            "target": target(report.target),
            "profile": [
                "name": .string(report.profile.name),
                "title": .string(report.profile.title),
                "knownFrom": text(report.profile.knownFrom),
                "lineage": strings(report.profile.lineage),
            ],
            "tier": .string(report.tier.rawValue),
            "failOn": .string(report.threshold.rawValue),
            "outcome": outcome(report.outcome),
            "answers": answers(report.answers),
            "coverage": coverage(report.coverage),
            "comparison": optional(report.comparison, comparison),
            "causes": .array(report.causes.map { cause($0, waiting: report.waiting(for: $0)) }),
            "entries": .array(report.entries.map(entry)),
            "notes": strings(report.notes),
            "exchanges": .array(report.exchanges.map(exchange)),
            "timings": [
                "startedAt": .string(Format.moment(report.timings.startedAt)),
                "duration": .real(Format.rounded(report.timings.duration)),
                "requests": integer(report.timings.requests),
                "signIns": integer(report.timings.signIns),
            ],
        ]
    }

    // MARK: Parts

    private static func outcome(_ outcome: Report.Outcome) -> JSON {
        [
            "gate": .string(outcome.gate.rawValue),
            "exitCode": integer(outcome.exitCode),
            "summary": .string(outcome.summary),
        ]
    }

    private static func answers(_ answers: Answers) -> JSON {
        let flows = answers.signIn.flows.map { JSONObject.Member(name: $0.name, value: .string($0.verdict.rawValue)) }
        return [
            "signIn": [
                "verdict": .string(answers.signIn.verdict.rawValue),
                "flows": .object(JSONObject(flows)),
                "problems": integer(answers.signIn.problems),
                "waived": integer(answers.signIn.tally.waived),
                "waivedUntil": text(answers.signIn.tally.waivedUntil?.description),
                "skipped": integer(answers.signIn.tally.skipped),
                "reason": text(answers.signIn.reason),
            ],
            "safety": answer(answers.safety),
            "conformance": answer(answers.conformance),
            "skippedBy": strings(answers.skippedBy),
        ]
    }

    private static func answer(_ answer: Answers.Answer) -> JSON {
        [
            "verdict": .string(answer.verdict.rawValue),
            "problems": integer(answer.problems),
            "waived": integer(answer.tally.waived),
            "waivedUntil": text(answer.tally.waivedUntil?.description),
            "skipped": integer(answer.tally.skipped),
            "remarks": integer(answer.belowThreshold),
            "judged": integer(answer.judged),
            "notJudged": integer(answer.notJudged),
        ]
    }

    private static func target(_ target: Target) -> JSON {
        [
            "issuer": .string(target.issuer),
            "client": optional(target.client, client),
            "clients": .array(
                target.clients.map { entry in
                    ["responseType": .string(entry.responseType.text), "client": client(entry.client)]
                }
            ),
            "redirectURI": text(target.redirectURI),
            "scopes": strings(target.scopes),
            "customParameters": fields(target.customParameters),
            "flows": strings(target.flows.map(\.text)),
            "registration": [
                "providerID": text(target.registration.providerID),
                "responseTypes": strings(target.registration.responseTypes.map(\.text)),
            ],
        ]
    }

    private static func client(_ client: Client) -> JSON {
        [
            "id": .string(client.id),
            "authentication": .string(client.authentication.rawValue),
            "hasSecret": .bool(client.hasSecret),
        ]
    }

    private static func coverage(_ coverage: Report.Coverage) -> JSON {
        [
            "total": integer(coverage.total),
            "judged": integer(coverage.judged),
            "passed": integer(coverage.passed),
            "failed": integer(coverage.failed),
            "waived": integer(coverage.waived),
            "excused": integer(coverage.superseded),
            "notApplicable": integer(coverage.notApplicable),
            "inconclusive": integer(coverage.inconclusive),
            "notAttempted": integer(coverage.notAttempted),
        ]
    }

    private static func cause(_ cause: Cause, waiting: Int) -> JSON {
        [
            "rung": .string(cause.signInStep.rawValue),
            "message": .string(cause.message),
            "words": text(cause.words),
            "advice": .string(cause.advice),
            "places": strings(cause.places),
            "mayBeOurs": .bool(cause.mayBeConfiguration),
            "waiting": integer(waiting),
            "exchange": optional(cause.exchange, integer),
            "pages": .array(cause.pages.map(page)),
        ]
    }

    private static func page(_ page: VisitedPage) -> JSON {
        [
            "number": integer(page.number),
            "address": .string(page.address),
            "status": integer(page.status),
            "title": .string(page.title),
            "message": text(page.message),
            "fields": strings(page.fields),
            "filled": strings(page.filled),
            "pressed": text(page.pressed),
        ]
    }

    private static func comparison(_ comparison: Comparison) -> JSON {
        let names = { (changes: [Comparison.Change]) in strings(changes.map(\.id.rawValue)) }
        return [
            "new": names(comparison.new),
            "mended": names(comparison.fixed),
            "changed": names(comparison.changed),
            "known": names(comparison.known),
            "notJudged": names(comparison.withoutResult),
        ]
    }

    private static func entry(_ entry: Report.Entry) -> JSON {
        [
            "id": .string(entry.id.rawValue),
            "title": .string(entry.title),
            "requirement": .string(entry.requirement.rawValue),
            "consequence": .string(entry.consequence.rawValue),
            "features": .array(entry.features.map { .string($0.rawValue) }),
            "level": .string(entry.level.rawValue),
            "verdict": .string(entry.verdict.word),
            "reason": text(entry.verdict.reason),
            "excusedBy": text(entry.verdict.supersede?.rawValue),
            "waiver": optional(entry.waiver) { waiver in
                [
                    "because": .string(waiver.because),
                    "until": text(waiver.until?.description),
                    "source": .string(waiver.source),
                ]
            },
            "citation": [
                "document": .string(entry.citation.document.title),
                "section": .string(entry.citation.section),
                "words": .string(entry.citation.words),
                "link": .string(entry.citation.link),
            ],
            "link": .string(entry.id.link),
            "closesGate": .bool(entry.closesGate),
            "known": .bool(entry.isKnown),
            "blocksOpening": .bool(entry.blocksOpening),
            "selected": .bool(entry.wasSelected),
            "problem": .bool(entry.isProblem),
            "skippedBy": text(entry.skippedBy),
            "levelReason": text(entry.levelReason),
            "why": .string(entry.why),
            "findings": .array(entry.verdict.findings.map(finding)),
        ]
    }

    private static func finding(_ finding: Finding) -> JSON {
        [
            "message": .string(finding.message),
            "pointer": text(finding.pointer),
            "expected": text(finding.expected),
            "found": text(finding.found),
            "fix": .string(finding.fix),
            "authority": optional(finding.authority) { authority in
                [
                    "profile": .string(authority.profile),
                    "because": .string(authority.because),
                    "source": .string(authority.source),
                    "link": .string(authority.link),
                ]
            },
            "exchange": optional(finding.exchange, integer),
            "subject": text(finding.subjectText),
            "subjects": strings(finding.subjects),
            "subjectsLeft": integer(finding.subjectsLeft),
        ]
    }

    private static func exchange(_ exchange: Exchange) -> JSON {
        [
            "id": integer(exchange.id),
            "step": .string(exchange.step),
            "request": [
                "method": .string(exchange.request.method),
                "url": .string(exchange.request.url),
                "headers": fields(exchange.request.headers),
                "body": text(exchange.request.body),
            ],
            "response": optional(exchange.response) { response in
                [
                    "status": integer(response.status),
                    "headers": fields(response.headers),
                    "body": body(response.body),
                ]
            },
            "failure": optional(exchange.failure) { failure in
                ["kind": .string(failure.kind.rawValue), "message": .string(failure.message)]
            },
            "peer": text(exchange.peer),
            "tlsVersion": text(exchange.tlsVersion),
            "startedAt": .string(Format.moment(exchange.startedAt)),
            "seconds": .real(Format.rounded(exchange.timings.total)),
        ]
    }

    /// Text if the bytes are UTF-8, base64 otherwise; both are cut at the limit, and `bytes` is the full size.
    private static func body(_ body: Body) -> JSON {
        let none = JSON.null
        switch body {
        case .omitted(let why):
            return ["text": none, "base64": none, "omitted": .string(why), "octets": none]
        case .text(let whole):
            let kept = whole.utf8.count <= bodyLimit ? whole : whole.prefix(bytes: bodyLimit)
            return ["text": .string(kept), "base64": none, "omitted": none, "octets": integer(whole.utf8.count)]
        case .bytes(let bytes):
            let encoded = Data(bytes.prefix(bodyLimit)).base64EncodedString()
            return ["text": none, "base64": .string(encoded), "omitted": none, "octets": integer(bytes.count)]
        }
    }

    // MARK: Values

    private static func integer(_ number: Int) -> JSON { .integer(Int64(number)) }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    private static func strings(_ list: [String]) -> JSON { .array(list.map(JSON.string)) }

    private static func optional<Value>(_ value: Value?, _ write: (Value) -> JSON) -> JSON {
        value.map(write) ?? .null
    }

    private static func fields(_ fields: [Field]) -> JSON {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

extension String {
    /// The longest prefix with at most that many bytes, cut between scalars.
    func prefix(bytes limit: Int) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            result.append(scalar)
        }
        return String(result)
    }
}
