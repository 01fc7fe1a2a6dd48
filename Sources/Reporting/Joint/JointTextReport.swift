import Conformance

/// The terminal report for several platforms: a line for each, then the blocking and inconclusive checks of each.
///
/// The short form has at most as many lines as for one platform; checks that do not fit are named or counted.
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
        // Nothing distinguishes the platforms, so there is only the root cause to report.
        if isBrief, joint.reports.allSatisfy({ BriefParts($0, options).isStopped }) {
            layout.append(BriefParts(first, options).causes())
            layout.cut(to: BriefTextReport.mostLines - 1)
            return verdict(joint)
        }
        layout.paragraph(first.heading, hanging: 2)
        layout.paragraph(
            "\(first.extent), the gate closes at level \(first.threshold.rawValue)",
            indent: 2
        )
        layout.blank()
        let isCrowded = isBrief && joint.reports.count > 20
        if isCrowded {
            platforms(joint)
        } else {
            layout.answers(
                joint.reports.map {
                    TextLayout.AnswerRow(name: $0.profile.name, answers: $0.answers, gate: $0.outcome.gate)
                },
                // Every platform is named before the answers of any.
                isShort: isBrief && joint.reports.count > 10
            )
        }
        let entries = joint.reports.flatMap(\.entries)
        let compared = JointWording.comparison(joint).map { ComparisonParts($0, options).rest(beside: entries) }
        var rest = compared ?? TextLayout(options)
        if isBrief { rest.cut(to: 12) }
        rest.blank()
        for note in JointWording.notes(joint, isShort: isCrowded) {
            rest.paragraph("note: " + note.shown(limit: isBrief ? 240 : 1_000), hanging: 2)
        }
        if isBrief { rest.cut(to: isCrowded ? 7 : 18) }
        rest.blank()
        rest.paragraph(JointWording.cost(joint), hanging: 2)
        // Platforms share a run, and so its root causes.
        let broken = joint.reports.first { !$0.causes.isEmpty }.map { BriefParts($0, options).causes() }
        if let broken {
            layout.blank()
            layout.append(broken)
        }
        // On a narrow terminal the names of all platforms take most of the screen.
        let isFull = isCrowded && layout.width < 80
        let below = isFull ? TextLayout(options) : below(joint, most: isBrief ? (isCrowded ? 0 : 3) : .max)
        let lower = rest.lines.count + (below.lines.isEmpty ? 0 : below.lines.count + 1)
        if isBrief { layout.cut(to: isFull ? BriefTextReport.mostLines - 10 : 36) }
        // The verdict, and two blank lines.
        let most = isCrowded && layout.width >= 80 ? 40 : BriefTextReport.mostLines
        blockers(joint, isCrowded: isCrowded, room: most - layout.lines.count - lower - 3)
        if !below.lines.isEmpty {
            layout.blank()
            layout.append(below)
        }
        if !isBrief { everyCheck(joint) }
        layout.blank()
        layout.append(rest)
        verdict(joint)
    }

    private mutating func verdict(_ joint: JointReport) {
        layout.unwrapped(VerdictLine.text(joint.outcome), VerdictLine.ink(joint.outcome.gate))
    }

    /// The waived, skipped and lighter failures, each once, with its platforms unless it concerns all.
    ///
    /// - Parameter most: The maximum number of checks in each part.
    private func below(_ joint: JointReport, most: Int) -> TextLayout {
        let reported = joint.reported.map { one in
            (entry: one.entry, platforms: one.platforms.count == joint.reports.count ? nil : Self.names(one))
        }
        let warnings = reported.filter { CheckState($0.entry) == .belowThreshold }
        let parts = BriefParts(joint.reports[0], options)
        let all = [
            parts.skipped(), parts.waived(reported.filter { CheckState($0.entry) == .waived }, most: most),
            parts.warnings(
                warnings.filter { $0.entry.level == .warning } + warnings.filter { $0.entry.level != .warning },
                most: most
            ),
        ]
        return all.reduce(into: TextLayout(options)) { $0.append($1) }
    }

    /// The platforms by their gates, where a line for each would fill the screen.
    private mutating func platforms(_ joint: JointReport) {
        for gate in [Report.Gate.open, .closed, .undecided] {
            let names = joint.reports.filter { $0.outcome.gate == gate }.map(\.profile.name)
            guard !names.isEmpty else { continue }
            let heading = "\(JointWording.verdict(gate)) (\(names.count)): "
            layout.paragraph(heading + names.joined(separator: ", "), indent: 2, hanging: 4, VerdictLine.ink(gate))
        }
    }

    /// Each change once, the one that opens most platforms first and in full.
    private func changes(_ joint: JointReport) -> [TextLayout] {
        joint.changes.enumerated()
            .map { index, change in
                var block = TextLayout(options)
                guard index == 0 else {
                    let message = change.entry.verdict.findings.first?.message ?? ""
                    block.single("\(change.entry.id.rawValue): \(message)", indent: 2)
                    for (verb, platforms) in JointWording.effects(change) {
                        block.single("\(verb) \(platforms)", indent: 4)
                    }
                    return block
                }
                block.paragraph("BLOCKING (\(joint.changes.count)), the change that opens most platforms first", .red)
                block.append(BriefParts(joint.reports[0], options).block(change.entry))
                for (verb, platforms) in JointWording.effects(change) {
                    block.labelled(verb, platforms.shown(limit: 1_000), indent: 6)
                }
                return block
            }
    }

    private mutating func blockers(_ joint: JointReport, isCrowded: Bool, room: Int) {
        let causes = joint.reports.first { !$0.causes.isEmpty }?.causes ?? []
        let blockers = joint.blockers.filter { blocker in !causes.contains { blocker.entry.isWaiting(for: $0) } }
        guard !blockers.isEmpty else { return }
        layout.blank()
        let closing = isCrowded ? [] : JointWording.closing(joint)
        var blocks = isCrowded ? changes(joint) : []
        for (index, blocker) in closing.enumerated() {
            var block = TextLayout(options)
            let consequence = blocker.entry.consequence
            if index == 0 || closing[index - 1].entry.consequence != consequence {
                let count = closing.count { $0.entry.consequence == consequence }
                block.paragraph("BLOCKING: \(consequence.heading) (\(count))", .red)
            }
            block.append(BriefParts(joint.reports[0], options).block(blocker.entry))
            block.labelled("blocks", Self.names(blocker), indent: 6)
            blocks.append(block)
        }
        // One root cause leaves many checks without evidence, so it is printed once.
        let unclear = blockers.filter { !$0.entry.closesGate }
            .grouped { [$0.entry.verdict.reason ?? "", Self.names($0)] }
        for (cause, members) in unclear {
            var block = TextLayout(options)
            block.paragraph("INCONCLUSIVE (\(members.count))", .yellow)
            if isBrief {
                let more = members.count > 1 ? ", and \(members.count - 1) more" : ""
                block.paragraph(members[0].entry.id.rawValue + more, indent: 2, hanging: 4)
            }
            block.labelled("because", cause[0].shown(limit: isBrief ? 300 : 1_000), indent: 4)
            if !isBrief {
                block.labelled("checks", members.map(\.entry.id.rawValue).joined(separator: ", "), indent: 4)
            }
            block.labelled("for", cause[1], indent: 4)
            blocks.append(block)
        }
        var reported = TextLayout(options)
        for (index, block) in blocks.enumerated() {
            if isBrief, index > 0, reported.lines.count + block.lines.count + min(blocks.count - index, 8) > room {
                reported.append(left(blocks.count - index, closing.dropFirst(index), room: room - reported.lines.count))
                break
            }
            reported.append(block)
        }
        if isBrief, reported.lines.count > room {
            reported.cut(to: max(1, room - 1))
            reported.paragraph("--verbose shows the rest", indent: 2)
        }
        layout.append(reported)
    }

    /// Names the checks that did not fit, with the number of their platforms, as far as there is space, and counts the others.
    private func left(_ count: Int, _ closing: ArraySlice<JointReport.Blocker>, room: Int) -> TextLayout {
        var layout = TextLayout(options)
        for blocker in closing.prefix(count <= room ? count : max(0, room - 1)) {
            let platforms = counted(blocker.platforms.count, "platform")
            layout.single("\(blocker.entry.id.rawValue), \(platforms)", indent: 2)
        }
        let more = count - layout.lines.count
        if more > 0 { layout.paragraph("and \(more) more; --verbose lists them", indent: 2) }
        return layout
    }

    /// Each evaluated check once, with its platforms if its verdict differs between platforms.
    private mutating func everyCheck(_ joint: JointReport) {
        let words: [CheckState: (String, Ink)] = [
            .passed: ("passed", .green), .closes: ("FAILED", .red), .known: ("known", .yellow),
            .belowThreshold: ("", .yellow), .waived: ("waived", .yellow), .undecided: ("inconclusive", .yellow),
        ]
        for (stage, members) in joint.reported.grouped(by: \.entry.stage) {
            let judged = members.filter { words[CheckState($0.entry)] != nil }
            if judged.isEmpty { continue }
            layout.blank()
            layout.paragraph(stage.title, hanging: 2)
            for one in judged {
                let (word, ink) = words[CheckState(one.entry)] ?? ("", .dim)
                let isOfAll = one.platforms.count == joint.reports.count
                layout.check(
                    one.entry.id.rawValue,
                    value: isOfAll ? nil : Self.names(one),
                    verdict: word.isEmpty ? one.entry.level.rawValue : word,
                    ink
                )
            }
        }
    }

    private static func names(_ blocker: JointReport.Blocker) -> String {
        blocker.platforms.joined(separator: ", ").shown(limit: 1_000)
    }
}

/// The wording for several platforms that all formats share.
enum JointWording {
    static func verdict(_ gate: Report.Gate) -> String {
        switch gate {
        case .open: "open"
        case .closed: "CLOSED"
        case .undecided: "inconclusive"
        }
    }

    /// The findings that close a gate: safety first, conformance last.
    static func closing(_ joint: JointReport) -> [JointReport.Blocker] {
        let closing = joint.blockers.filter(\.entry.closesGate)
        return Consequence.inOrderOfReading.flatMap { consequence in
            closing.filter { $0.entry.consequence == consequence }
        }
    }

    /// The platforms that a change opens, and those that its check blocks beside other checks.
    static func effects(_ change: JointReport.Change) -> [(verb: String, platforms: String)] {
        let others = change.platforms.filter { !change.opens.contains($0) }
        let names = { (names: [String], warning: String) in
            "\(counted(names.count, "platform"))\(warning): \(names.joined(separator: ", "))"
        }
        return (change.opens.isEmpty ? [] : [("opens", names(change.opens, ""))])
            + (others.isEmpty ? [] : [("blocks", names(others, " that other checks block too"))])
    }

    /// The comparison with an earlier report over all platforms, each check once; `nil` without an earlier report.
    static func comparison(_ joint: JointReport) -> Comparison? {
        let comparisons = joint.reports.compactMap(\.comparison)
        return comparisons.first.map { comparisons.dropFirst().reduce($0) { $0.merged(with: $1) } }
    }

    /// The platforms that were not measured, then the notes of all reports, each once.
    ///
    /// - Parameter isShort: Whether these platforms are only counted.
    static func notes(_ joint: JointReport, isShort: Bool = false) -> [String] {
        let unmeasured = joint.reports.map(\.profile).filter { $0.knownFrom != nil }.map(\.name)
        let count = counted(unmeasured.count, "platform")
        var notes: [String] = []
        if !unmeasured.isEmpty {
            notes.append(
                "the rules of \(count) come from documents or source code, and were not measured"
                    + (isShort ? "" : ": " + unmeasured.joined(separator: ", "))
            )
        }
        for note in joint.reports.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
        return notes
    }

    /// The requests and sign-ins of all runs; platforms that share a run share its cost.
    static func cost(_ joint: JointReport) -> String {
        var runs: [Report.Timings] = []
        for report in joint.reports where !runs.contains(report.timings) { runs.append(report.timings) }
        let requests = runs.map(\.requests).reduce(0, +)
        let signIns = runs.map(\.signIns).reduce(0, +)
        return "\(counted(runs.count, "run")) for \(counted(joint.reports.count, "platform")): "
            + "\(counted(requests, "request")), \(counted(signIns, "sign-in")), "
            + "\(Format.seconds(runs.map(\.duration).reduce(0, +))) s"
    }
}
