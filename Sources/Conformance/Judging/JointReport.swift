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
        let names = { (reports: [Report]) in reports.map(\.profile.name).joined(separator: ", ") }
        let open = reports.filter { $0.outcome.gate == .open }
        // An open gate alone would promise that sign-in works, also where nobody tried.
        let untried = open.filter { !$0.answers.signIn.wasTried }
        let others = [(Report.Gate.closed, "closed for "), (.undecided, "undecided for ")]
            .compactMap { gate, words in
                let members = reports.filter { $0.outcome.gate == gate }
                return members.isEmpty ? nil : words + names(members)
            }
        let known = Set(reports.flatMap { $0.entries.filter(\.isKnown).map(\.id) }).count
        let count = open.isEmpty ? "none" : "\(open.count)"
        let opened =
            others.isEmpty
            ? "Gate open for all \(reports.count) platforms" : "Gate open for \(count) of \(reports.count) platforms"
        let tried = untried.count == reports.count ? "sign-in not tried" : "sign-in not tried for \(names(untried))"
        let parts =
            [opened] + others + (untried.isEmpty ? [] : [tried])
            + (known == 0 ? [] : ["\(counted(known, "error")) known before"])
        return parts.joined(separator: "; ")
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
    package var obstacles: [Obstacle] {
        told.filter { $0.entry.closesGate || $0.entry.blocksOpening }
    }

    /// What became of each check at the platforms, told once for all that it is the same for, in the order of the report.
    ///
    /// Findings with other words, another fix or another platform's rule stand apart: one platform's advice is not another's. What was found may differ: each run
    /// has codes and tokens of its own.
    package var told: [Obstacle] {
        var kept: [(entry: Report.Entry, platforms: [String])] = []
        var places: [CheckID: [Int]] = [:]
        for report in reports {
            for entry in report.entries {
                let place = places[entry.id]?.first { Self.isToldAlike(kept[$0].entry, entry) }
                if let place {
                    kept[place].platforms.append(report.profile.name)
                } else {
                    places[entry.id, default: []].append(kept.count)
                    kept.append((entry, [report.profile.name]))
                }
            }
        }
        return kept.enumerated()
            .sorted { ($0.element.entry.stage, $0.offset) < ($1.element.entry.stage, $1.offset) }
            .map { Obstacle(entry: $0.element.entry, platforms: $0.element.platforms) }
    }

    private static func isToldAlike(_ left: Report.Entry, _ right: Report.Entry) -> Bool {
        guard left.closesGate == right.closesGate, left.blocksOpening == right.blocksOpening,
            left.isKnown == right.isKnown, left.waiver == right.waiver, left.level == right.level
        else { return false }
        switch (left.verdict, right.verdict) {
        case (.failed(let left), .failed(let right)):
            return left.elementsEqual(right) { left, right in
                left.message == right.message && left.fix == right.fix && left.pointer == right.pointer
                    && left.authority == right.authority
            }
        default: return left.verdict == right.verdict
        }
    }
}
