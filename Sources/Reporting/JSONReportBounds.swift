import Conformance

/// Reduces a report that would be too large.
enum JSONReportBounds {
    /// The limits for the bytes of a body and the findings of a check, from large to small.
    private static let steps: [(body: Int, findings: Int)] = [
        (65_536, .max), (16_384, 2_000), (2_048, 500), (256, 100), (0, 20),
    ]

    /// The report with as much of its bodies and findings as fits; the last note counts the rest.
    static func bounded(_ report: Report, to bytes: Int) -> Report {
        let step = steps.first { size(report, $0) <= bytes } ?? (0, 20)
        guard step.findings < .max else { return report }
        var report = report
        var bodies = 0
        var findings = 0
        for place in report.exchanges.indices {
            guard let body = report.exchanges[place].response?.body, count(body) > step.body else { continue }
            report.exchanges[place].response?.body = .omitted("\(count(body)) bytes, omitted from this report")
            bodies += 1
        }
        for place in report.entries.indices {
            guard case .failed(let all) = report.entries[place].verdict, all.count > step.findings else { continue }
            report.entries[place].verdict = .failed(Array(all.prefix(step.findings)))
            findings += all.count - step.findings
        }
        report.notes.append(
            "The size of this report is limited: \(bodies) response \(bodies == 1 ? "body" : "bodies") and "
                + "\(counted(findings, "finding")) are omitted. Use check --save-evidence to keep all of them."
        )
        return report
    }

    private static func size(_ report: Report, _ step: (body: Int, findings: Int)) -> Int {
        let exchanges = report.exchanges.reduce(0) { total, exchange in
            let request = exchange.request.url.utf8.count + (exchange.request.body?.utf8.count ?? 0)
            let body = exchange.response.map { count($0.body) } ?? 0
            // The writer cuts longer bodies anyway if all are kept.
            let kept = body <= step.body ? body : step.findings == .max ? step.body : 0
            let headers = (exchange.request.headers + (exchange.response?.headers ?? []))
                .reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 40 }
            return total + request + kept + headers + 500
        }
        return report.entries.reduce(exchanges) { total, entry in
            total + 1_200 + entry.verdict.findings.prefix(step.findings).reduce(0) { $0 + size($1) }
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
