import Conformance

/// The form for the terminal, for several platforms: a line for each, then what stands in the way of which.
struct JointTextReport {
    private var layout: TextLayout
    private var text: TextReport

    init(_ options: ReportOptions) {
        layout = TextLayout(width: options.width, color: options.color)
        text = TextReport(options)
    }

    func render(_ joint: JointReport) -> String {
        var writer = self
        writer.write(joint)
        return writer.layout.text
    }

    private mutating func write(_ joint: JointReport) {
        let first = joint.reports[0]
        layout.paragraph(first.tool.shown(), hanging: 2)
        layout.labelled("issuer", first.target.issuer.shown(), indent: 0)
        layout.labelled(
            "tier",
            "\(first.tier.rawValue); the gate closes at level \(first.threshold.rawValue)",
            indent: 0
        )
        layout.blank()
        layout.paragraph("Platforms")
        for report in joint.reports {
            layout.check(
                report.profile.name.shown(),
                value: JointWording.counts(report),
                verdict: JointWording.verdict(report.outcome.gate),
                Self.ink(report.outcome.gate)
            )
        }
        obstacles(joint)
        layout.blank()
        for note in JointWording.notes(joint) { layout.labelled("note", note.shown(limit: 1_000), indent: 0) }
        layout.blank()
        layout.paragraph(JointWording.cost(joint), hanging: 2)
        layout.unwrapped(joint.outcome.summary.shown(limit: 1_000), Self.ink(joint.outcome.gate))
    }

    private mutating func obstacles(_ joint: JointReport) {
        let obstacles = joint.obstacles
        guard !obstacles.isEmpty else { return }
        layout.blank()
        layout.paragraph("What stands in the way")
        for obstacle in obstacles where obstacle.entry.closesGate {
            text.render(obstacle.entry, in: &layout)
            layout.labelled("closes", Self.names(obstacle), indent: 4)
        }
        // One cause leaves many checks without evidence: it is told once.
        let unclear = obstacles.filter { !$0.entry.closesGate }
            .grouped { [$0.entry.verdict.reason ?? "", Self.names($0)] }
        for (cause, members) in unclear {
            layout.paragraph("\(counted(members.count, "check")) inconclusive", indent: 2, .yellow)
            layout.labelled("because", cause[0].shown(limit: 1_000), indent: 4)
            layout.labelled("checks", members.map(\.entry.id.rawValue).joined(separator: ", "), indent: 4)
            layout.labelled("for", cause[1], indent: 4)
        }
    }

    private static func names(_ obstacle: JointReport.Obstacle) -> String {
        obstacle.platforms.joined(separator: ", ").shown(limit: 1_000)
    }

    private static func ink(_ gate: Report.Gate) -> Ink {
        switch gate {
        case .open: .green
        case .closed: .red
        case .undecided: .yellow
        }
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
