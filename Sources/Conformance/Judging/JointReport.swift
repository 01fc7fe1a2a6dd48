/// One provider judged by the rules of several platforms: where it can be registered, and what stands in the way.
package struct JointReport: Sendable {
    /// One for each platform, in the order in which they were named; never empty.
    package let reports: [Report]

    package init(_ first: Report, _ others: [Report] = []) {
        reports = [first] + others
    }

    /// The worst of all: a pipeline that names several platforms must not let one pass that is closed.
    package var outcome: Report.Outcome {
        let worst = reports.map(\.outcome).max { Self.weight($0) < Self.weight($1) }
        guard reports.count > 1, let worst else { return reports[0].outcome }
        return Report.Outcome(gate: worst.gate, exitCode: worst.exitCode, summary: summary)
    }

    /// `Gate open for 2 of 3 platforms; closed for supabase`.
    private var summary: String {
        let names = { (gate: Report.Gate) in
            reports.filter { $0.outcome.gate == gate }.map(\.profile.name).joined(separator: ", ")
        }
        let parts = [(Report.Gate.closed, "closed for "), (.undecided, "undecided for ")]
            .compactMap { gate, words in names(gate).isEmpty ? nil : words + names(gate) }
        let open = reports.count { $0.outcome.gate == .open }
        if parts.isEmpty { return "Gate open for all \(reports.count) platforms" }
        let opened = open == 0 ? "none" : "\(open)"
        return "Gate open for \(opened) of \(reports.count) platforms; " + parts.joined(separator: "; ")
    }

    /// An interruption weighs most of those that are not closed; a closed gate stays closed.
    private static func weight(_ outcome: Report.Outcome) -> Int {
        let gate =
            switch outcome.gate {
            case .open: 0
            case .undecided: 1
            case .closed: 2
            }
        return outcome.exitCode == 130 ? 3 + gate : gate
    }

    /// A check that stands in the way of platforms, and which.
    package struct Obstacle: Sendable {
        /// As the first of these platforms sees it.
        package let entry: Report.Entry
        package let platforms: [String]
    }

    /// What closes a gate, or keeps one from opening, check by check in the order of the report.
    ///
    /// Findings that differ between platforms stand apart: one's advice is not another's.
    package var obstacles: [Obstacle] {
        var kept: [(entry: Report.Entry, platforms: [String])] = []
        for report in reports {
            for entry in report.entries where entry.closesGate || entry.blocksOpening {
                if let place = kept.firstIndex(where: { $0.entry.id == entry.id && $0.entry.verdict == entry.verdict })
                {
                    kept[place].platforms.append(report.profile.name)
                } else {
                    kept.append((entry, [report.profile.name]))
                }
            }
        }
        return kept.enumerated()
            .sorted { ($0.element.entry.stage, $0.offset) < ($1.element.entry.stage, $1.offset) }
            .map { Obstacle(entry: $0.element.entry, platforms: $0.element.platforms) }
    }
}
