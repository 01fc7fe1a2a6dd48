package import Conformance

/// A finding or a root cause that a build server shows at a line of a file or above the log.
struct Annotation {
    let level: Level
    /// The check, or the failed step; `nil` for an error in the configuration or the command line.
    let name: String?
    /// The lines of the text; provider text in them is bounded and has no control characters.
    let lines: [String]
    let place: SourcePlace?

    /// GitHub and Azure show at most this many annotations per level and step.
    private static let most = 10

    /// The root causes and blocking findings in reading order, then warnings and notices if requested.
    ///
    /// If a level has more than a server shows, the last one shown says how many are omitted.
    static func all(of joint: JointReport, withWarnings: Bool) -> [Annotation] {
        let first = joint.reports[0]
        let broken = joint.outcome.gate == .inconclusive ? Blocker.all(of: joint) : []
        let (findings, left) = ReportedFinding.all(of: joint)
        let reported = findings.filter { $0.state == .closes || (withWarnings && $0.state == .belowThreshold) }
        let all =
            broken.map { one in
                Annotation(
                    level: .error,
                    name: one.name,
                    lines: [one.message] + one.details,
                    place: one.keys.isEmpty ? nil : first.place(ofKeys: one.keys)
                )
            }
            + reported.map { one in
                Annotation(
                    level: one.severity,
                    name: one.entry.id.rawValue,
                    lines: one.lines() + [one.entry.id.link],
                    place: one.place
                )
            }
        return Level.allCases.reversed()
            .flatMap { level in
                bounded(all.filter { $0.level == level }, level, also: level == .error ? left : 0)
            }
    }

    /// The errors that ended the program before a run; the log has those that a server does not show.
    static func all(of mistakes: [Mistake]) -> [Annotation] {
        mistakes.prefix(most)
            .map { Annotation(level: .error, name: nil, lines: [$0.message.shown(limit: 1_000)], place: $0.place) }
    }

    private static func bounded(_ annotations: [Annotation], _ level: Level, also others: Int) -> [Annotation] {
        let count = annotations.count + others
        guard count > most else { return annotations }
        let reported = annotations.prefix(most - 1)
        let names = annotations.dropFirst(most - 1).prefix(20).compactMap(\.name)
        let rest = Annotation(
            level: level,
            name: Tool.name,
            lines: ["\(count - reported.count) more in the reports: \(names.joined(separator: ", "))"],
            place: nil
        )
        return reported + [rest]
    }
}

/// An error in the configuration, in another file or in the command line.
package struct Mistake: Sendable {
    let message: String
    /// `nil` for the command line or a whole file.
    let place: SourcePlace?

    package init(message: String, place: SourcePlace? = nil) {
        self.message = message
        self.place = place
    }
}
