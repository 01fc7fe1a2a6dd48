import Conformance

/// The form for the terminal, for several platforms: a line for each, then what stands in the way of which.
///
/// The short form has at most as many lines as that of one platform: what finds no room is named or counted.
struct JointTextReport {
    private let options: ReportOptions
    private var layout: TextLayout

    init(_ options: ReportOptions) {
        self.options = options
        layout = TextLayout(options)
    }

    func render(_ joint: JointReport) -> String {
        var writer = self
        writer.write(joint)
        return writer.layout.text
    }

    private var isBrief: Bool { options.verbosity == .brief }

    private mutating func write(_ joint: JointReport) {
        let first = joint.reports[0]
        layout.paragraph(first.heading, hanging: 2)
        layout.paragraph(
            "\(first.extent), the gate closes at level \(first.threshold.rawValue)",
            indent: 2
        )
        layout.blank()
        for report in joint.reports {
            layout.check(
                report.profile.name.shown(),
                value: JointWording.counts(report),
                verdict: JointWording.verdict(report.outcome.gate),
                VerdictLine.ink(report.outcome.gate)
            )
        }
        var rest = TextLayout(options)
        for note in JointWording.notes(joint) {
            rest.paragraph("note: " + note.shown(limit: isBrief ? 240 : 1_000), hanging: 2)
        }
        if isBrief { rest.cut(to: 6) }
        rest.blank()
        rest.paragraph(JointWording.cost(joint), hanging: 2)
        // What broke for one platform broke for all that share its run.
        let broken = joint.reports.first { !$0.causes.isEmpty }.map { BriefParts($0, options).causes() }
        if let broken {
            layout.blank()
            layout.append(broken)
        }
        if isBrief { layout.cut(to: 30) }
        // The verdict, and two blank lines.
        obstacles(joint, room: BriefTextReport.mostLines - layout.lines.count - rest.lines.count - 3)
        layout.blank()
        layout.append(rest)
        layout.unwrapped(VerdictLine.text(joint), VerdictLine.ink(joint.outcome.gate))
    }

    private mutating func obstacles(_ joint: JointReport, room: Int) {
        let causes = joint.reports.first { !$0.causes.isEmpty }?.causes ?? []
        let obstacles = joint.obstacles.filter { obstacle in !causes.contains { obstacle.entry.isWaiting(for: $0) } }
        guard !obstacles.isEmpty else { return }
        layout.blank()
        var blocks: [TextLayout] = []
        for obstacle in obstacles where obstacle.entry.closesGate {
            var block = BriefParts(joint.reports[0], options).block(obstacle.entry)
            block.labelled("closes", Self.names(obstacle), indent: 6)
            blocks.append(block)
        }
        // One cause leaves many checks without evidence: it is told once.
        let unclear = obstacles.filter { !$0.entry.closesGate }
            .grouped { [$0.entry.verdict.reason ?? "", Self.names($0)] }
        for (cause, members) in unclear {
            var block = TextLayout(options)
            block.paragraph("\(counted(members.count, "check")) could not be judged", indent: 2, .yellow)
            block.labelled("because", cause[0].shown(limit: isBrief ? 300 : 1_000), indent: 4)
            if !isBrief {
                block.labelled("checks", members.map(\.entry.id.rawValue).joined(separator: ", "), indent: 4)
            }
            block.labelled("for", cause[1], indent: 4)
            blocks.append(block)
        }
        var told = TextLayout(options)
        told.paragraph("WHAT STANDS IN THE WAY (\(obstacles.count))", .red)
        for (index, block) in blocks.enumerated() {
            if isBrief, index > 0, told.lines.count + block.lines.count + 1 > room {
                told.paragraph("and \(blocks.count - index) more; --verbose lists them", indent: 2)
                break
            }
            told.append(block)
        }
        if isBrief { told.cut(to: room) }
        layout.append(told)
    }

    private static func names(_ obstacle: JointReport.Obstacle) -> String {
        obstacle.platforms.joined(separator: ", ").shown(limit: 1_000)
    }
}

/// What all forms say of several platforms.
enum JointWording {
    static func verdict(_ gate: Report.Gate) -> String {
        switch gate {
        case .open: "open"
        case .closed: "CLOSED"
        case .undecided: "undecided"
        }
    }

    /// `2 findings, 1 below, 40 judged`.
    static func counts(_ report: Report) -> String {
        let closing = report.entries(.closes).count
        let below = report.entries(.belowThreshold).count
        let unclear = report.entries.count(where: \.blocksOpening)
        let parts = [
            closing == 0 ? nil : "\(counted(closing, "check")) failed", unclear == 0 ? nil : "\(unclear) unclear",
            below == 0 ? nil : counted(below, "remark"), "\(report.coverage.judged) judged",
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// The notes of all reports, each once.
    static func notes(_ joint: JointReport) -> [String] {
        var notes: [String] = []
        for note in joint.reports.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
        return notes
    }

    /// What the runs sent: platforms that one run was judged for share its cost.
    static func cost(_ joint: JointReport) -> String {
        var runs: [Report.Timings] = []
        for report in joint.reports where !runs.contains(report.timings) { runs.append(report.timings) }
        let requests = runs.map(\.requests).reduce(0, +)
        let signIns = runs.map(\.signIns).reduce(0, +)
        return "\(counted(runs.count, "run")) judged for \(counted(joint.reports.count, "platform")): "
            + "\(counted(requests, "request")), \(counted(signIns, "sign-in")), "
            + "\(Format.seconds(runs.map(\.duration).reduce(0, +))) s"
    }
}
