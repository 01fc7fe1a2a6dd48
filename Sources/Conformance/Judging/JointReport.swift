/// One provider checked by the rules of several platforms: where it can be registered, and what blocks it.
package struct JointReport: Sendable {
    /// One for each platform, in the order in which they were named; never empty.
    package let reports: [Report]

    package init(_ first: Report, _ others: [Report] = []) {
        reports = [first] + others
    }

    /// The worst of all.
    package var outcome: Report.Outcome {
        guard reports.count > 1 else { return reports[0].outcome }
        let members = reports.map { report in
            GateCount.Member(
                name: report.profile.name,
                outcome: report.outcome,
                triedSignIn: report.answers.signIn.wasTried,
                known: Set(report.entries.filter(\.isKnown).map(\.id))
            )
        }
        return GateCount(members, noun: "platform").outcome
    }

    /// A check that blocks platforms, and which.
    package struct Blocker: Sendable {
        /// As the first of these platforms sees it.
        package let entry: Report.Entry
        package let platforms: [String]
    }

    /// The checks that close a gate, or make it inconclusive, in the order of the report.
    package var blockers: [Blocker] {
        reported.filter { $0.entry.closesGate || $0.entry.blocksOpening }
    }

    /// The results of each check at the platforms, reported once if they are equal, in the order of the report.
    ///
    /// Findings with other words, another fix or another platform's rule are separate: one platform's advice does not apply to
    /// another. The observed values may differ: each run has codes and tokens of its own.
    package var reported: [Blocker] {
        var kept: [(entry: Report.Entry, platforms: [String])] = []
        var places: [CheckID: [Int]] = [:]
        for report in reports {
            for entry in report.entries {
                let place = places[entry.id]?.first { Self.isReportedAlike(kept[$0].entry, entry) }
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
            .map { Blocker(entry: $0.element.entry, platforms: $0.element.platforms) }
    }

    private static func isReportedAlike(_ left: Report.Entry, _ right: Report.Entry) -> Bool {
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
