import Conformance

/// Reduces a report that would be too large.
enum JSONReportBounds {
    /// The limits for the checks, the bytes of a body and the findings of a check.
    private typealias Step = (checks: Checks, body: Int, findings: Int)

    private enum Checks {
        case all
        /// Those that the run selected: the others say nothing about the provider.
        case selected
        case failedOrBlocking
        /// The least: no limit may hide why a gate is closed.
        case closing

        func keep(_ entry: Report.Entry) -> Bool {
            let isFailed = !entry.verdict.findings.isEmpty
            return switch self {
            case .all: true
            case .selected: entry.wasSelected || isFailed
            case .failedOrBlocking: entry.blocksOpening || isFailed
            case .closing: entry.closesGate
            }
        }
    }

    /// From large to small.
    private static let steps: [Step] = [
        (.all, 65_536, .max), (.selected, 65_536, .max), (.selected, 16_384, 2_000), (.selected, 2_048, 500),
        (.selected, 256, 100), (.selected, 0, 20), (.failedOrBlocking, 0, 20), (.closing, 0, 20),
    ]

    /// The report with as much of its checks, bodies and findings as fits; the last note counts the rest.
    static func bounded(_ whole: Report, to bytes: Int) -> Report {
        guard let step = steps.first(where: { size(whole, $0) <= bytes }) ?? steps.last, step.checks != .all else {
            return whole
        }
        var report = whole
        report.entries.removeAll { !step.checks.keep($0) }
        let checks = whole.entries.count - report.entries.count
        let exchanges = step.checks == .closing ? report.exchanges.count : 0
        report.exchanges.removeFirst(exchanges)
        var bodies = 0
        var findings = 0
        for place in report.exchanges.indices {
            // The writer cuts longer bodies anyway if all are kept.
            guard step.findings < .max, let body = report.exchanges[place].response?.body, count(body) > step.body
            else { continue }
            report.exchanges[place].response?.body = .omitted("\(count(body)) bytes, omitted from this report")
            bodies += 1
        }
        for place in report.entries.indices {
            guard case .failed(let all) = report.entries[place].verdict, all.count > step.findings else { continue }
            report.entries[place].verdict = .failed(Array(all.prefix(step.findings)))
            findings += all.count - step.findings
        }
        report.notes.append(
            "The size of this report is limited: \(counted(checks, "check")), \(counted(exchanges, "exchange")), "
                + "\(bodies) response \(bodies == 1 ? "body" : "bodies") and \(counted(findings, "finding")) are omitted. "
                + "Use check --save-evidence to keep all responses."
        )
        return report
    }

    private static func size(_ report: Report, _ step: Step) -> Int {
        let exchanges = report.exchanges.reduce(0) { total, exchange in
            let request = exchange.request.url.utf8.count + (exchange.request.body?.utf8.count ?? 0)
            let body = exchange.response.map { count($0.body) } ?? 0
            // The writer cuts longer bodies anyway if all are kept.
            let kept = body <= step.body ? body : step.findings == .max ? step.body : 0
            let headers = (exchange.request.headers + (exchange.response?.headers ?? []))
                .reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 40 }
            return total + request + kept + headers + 500
        }
        return report.entries.filter(step.checks.keep)
            .reduce(exchanges) { total, entry in
                // About 1,000 bytes in the end: they are ours, and so no escapes double them.
                total + 600 + entry.verdict.findings.prefix(step.findings).reduce(0) { $0 + size($1) }
            }
    }

    private static func size(_ finding: Finding) -> Int {
        let texts = [
            finding.message, finding.pointer, finding.expected, finding.found, finding.fix, finding.subjectText,
        ]
        return texts.reduce(300) { $0 + ($1?.utf8.count ?? 0) } + finding.subjects.reduce(0) { $0 + $1.utf8.count + 4 }
    }

    private static func count(_ body: Body) -> Int {
        switch body {
        case .omitted: 0
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }
}
