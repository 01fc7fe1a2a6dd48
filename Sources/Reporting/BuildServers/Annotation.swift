import Conformance

/// What a build server shows beside a line of a file, or above the log: a finding, or what broke.
struct Annotation {
    let level: Level
    /// The check, or the step that broke.
    let name: String
    /// A line each; the provider's words in them are bounded and hold no control character.
    let lines: [String]
    let place: SourcePlace?

    /// At most so many of a level are shown of one step, by GitHub and by Azure alike.
    private static let most = 10

    /// What broke and what closes the gate, in the order of reading; then the remarks, if they are asked for.
    ///
    /// Where there are more of a level than a server shows, the last that it shows says how many are left out.
    static func all(of joint: JointReport, withRemarks: Bool) -> [Annotation] {
        let first = joint.reports[0]
        let broken = joint.outcome.gate == .undecided ? Hindrance.all(of: joint) : []
        let (findings, left) = ToldFinding.all(of: joint)
        let told = findings.filter { $0.fate == .closes || (withRemarks && $0.fate == .belowThreshold) }
        let all =
            broken.map { one in
                Annotation(
                    level: .error,
                    name: one.name,
                    lines: [one.message] + one.details,
                    place: one.keys.isEmpty ? nil : first.place(ofKeys: one.keys)
                )
            }
            + told.map { one in
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

    private static func bounded(_ annotations: [Annotation], _ level: Level, also others: Int) -> [Annotation] {
        let count = annotations.count + others
        guard count > most else { return annotations }
        let told = annotations.prefix(most - 1)
        let names = annotations.dropFirst(most - 1).prefix(20).map(\.name)
        let rest = Annotation(
            level: level,
            name: Tool.name,
            lines: ["\(count - told.count) more; the reports have them: \(names.joined(separator: ", "))"],
            place: nil
        )
        return told + [rest]
    }
}
