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

    /// A check that closes gates, and what a change there achieves.
    package struct Change: Sendable {
        /// As the first of its platforms sees it.
        package let entry: Report.Entry
        /// The platforms whose gate it closes.
        package fileprivate(set) var platforms: [String]
        /// Those among them that nothing else blocks: the change opens their gates.
        package fileprivate(set) var opens: [String]
    }

    /// The checks that close gates, with the platforms that need the same change: the one that opens most platforms first, then
    /// the one that blocks most.
    package var changes: [Change] {
        var changes: [Change] = []
        for report in reports {
            let blocking = report.entries.filter { $0.closesGate || $0.blocksOpening }
            for entry in blocking where entry.closesGate {
                let place =
                    changes.firstIndex { $0.entry.id == entry.id && Self.hasEqualFindings($0.entry, entry) }
                    ?? changes.count
                if place == changes.count { changes.append(Change(entry: entry, platforms: [], opens: [])) }
                changes[place].platforms.append(report.profile.name)
                if blocking.count == 1 { changes[place].opens.append(report.profile.name) }
            }
        }
        return changes.enumerated()
            .sorted { left, right in
                let (a, b) = (left.element, right.element)
                return (-a.opens.count, -a.platforms.count, left.offset)
                    < (-b.opens.count, -b.platforms.count, right.offset)
            }
            .map(\.element)
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
        guard case .failed(let first) = left.verdict, case .failed(let second) = right.verdict else {
            return left.verdict == right.verdict
        }
        // Profiles that extend the same one state its rule with the same reason.
        return hasEqualFindings(left, right) && first.map(\.authority?.because) == second.map(\.authority?.because)
    }

    /// Whether two platforms need the same change, whatever their reasons.
    private static func hasEqualFindings(_ left: Report.Entry, _ right: Report.Entry) -> Bool {
        left.verdict.findings.elementsEqual(right.verdict.findings) { left, right in
            left.message == right.message && left.fix == right.fix && left.pointer == right.pointer
        }
    }
}
