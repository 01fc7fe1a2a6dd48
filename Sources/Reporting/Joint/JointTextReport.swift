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
        layout.paragraph("\(first.extent), the gate closes at level \(first.threshold.rawValue)", indent: 2)
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
        // On a narrow terminal the names of all platforms take most of the screen.
        let isFull = isCrowded && layout.width < 80
        if isBrief {
            rest.cut(to: isFull ? 4 : isCrowded ? 7 : 18)
            rest.hint()
        }
        rest.blank()
        rest.paragraph(JointWording.cost(joint), hanging: 2)
        // A command that is wrapped cannot be pasted.
        if isBrief, let command = next(joint) { rest.unwrapped("next: " + command) }
        // Platforms share a run, and so its root causes.
        let broken = joint.reports.first { !$0.causes.isEmpty }.map { BriefParts($0, options).causes() }
        if let broken {
            layout.blank()
            layout.append(broken)
        }
        var below = isFull ? TextLayout(options) : below(joint, isCrowded: isCrowded)
        if isBrief { below.cut(to: 14) }
        let lower = rest.lines.count + (below.lines.isEmpty ? 0 : below.lines.count + 1)
        // The verdict, and two blank lines.
        let most = isCrowded && layout.width >= 80 ? 40 : BriefTextReport.mostLines
        // Headings of blocking checks have space, whatever is above and below them.
        let least = isFull ? 5 : 6
        if isBrief { layout.cut(to: min(isFull ? most : 36, max(12, most - lower - 3 - least))) }
        blockers(joint, isCrowded: isCrowded, space: most - layout.lines.count - lower - 3)
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

    /// The command to run next: the registration at an open platform, else the check of the first that is not open.
    private func next(_ joint: JointReport) -> String? {
        let suggestions = options.suggestions
        if joint.reports.contains(where: \.mayBeRegistered), let register = suggestions.register { return register }
        for gate in [Report.Gate.closed, .inconclusive] {
            let first = joint.reports.first { $0.outcome.gate == gate }
            if let first, let check = suggestions.checks[first.profile.name] { return check }
        }
        guard joint.outcome.gate == .open else { return nil }
        let command = BriefParts(joint.reports[0], options).command
        return command.isEmpty ? nil : command
    }

    /// The waived, skipped and lighter failures, each once, with its platforms unless it concerns all.
    private func below(_ joint: JointReport, isCrowded: Bool) -> TextLayout {
        let reported = joint.reported.map { one in
            (entry: one.entry, platforms: one.platforms.count == joint.reports.count ? nil : Self.names(one))
        }
        let failed = reported.filter { CheckState($0.entry) == .belowThreshold }
        let warnings = failed.filter { $0.entry.level == .warning } + failed.filter { $0.entry.level != .warning }
        let waived = reported.filter { CheckState($0.entry) == .waived }
        let parts = BriefParts(joint.reports[0], options)
        var layout = parts.skipped()
        layout.append(parts.waived(waived, most: isBrief ? (isCrowded ? 0 : 3) : .max))
        if isBrief {
            let space = min(10, 14 - layout.lines.count)
            layout.append(isCrowded ? parts.warnings(warnings, most: 0) : parts.warnings(warnings, space: space))
        } else {
            layout.append(parts.warnings(warnings, most: .max))
        }
        return layout
    }

    /// The platforms by their gates, where a line for each would fill the screen.
    private mutating func platforms(_ joint: JointReport) {
        for gate in [Report.Gate.open, .closed, .inconclusive] {
            let names = joint.reports.filter { $0.outcome.gate == gate }.map(\.profile.name)
            guard !names.isEmpty else { continue }
            let isUntried = gate == .open && joint.reports.allSatisfy { $0.tier < .full }
            let extent = isUntried ? " as far as checked without a sign-in" : ""
            let heading = "\(JointWording.verdict(gate))\(extent) (\(names.count)): "
            layout.paragraph(heading + names.joined(separator: ", "), indent: 2, hanging: 4, VerdictLine.ink(gate))
        }
    }

    /// A blocking or inconclusive check in the forms for which a report has space.
    private struct Item {
        /// The heading of its group, before the first member of the group; it is never dropped.
        var heading: TextLayout
        /// With findings, fixes and platforms.
        var whole: TextLayout
        /// With the first sentence.
        var short: TextLayout
        var name: TextLayout
    }

    private var empty: TextLayout { TextLayout(options) }

    /// Each change once, the one that opens most platforms first and in full.
    private func changes(_ joint: JointReport) -> [Item] {
        let parts = BriefParts(joint.reports[0], options)
        return joint.changes.enumerated()
            .map { index, change in
                var item = Item(heading: empty, whole: empty, short: empty, name: empty)
                let id = change.entry.id.rawValue
                let effects = JointWording.effects(change)
                let opened = effects.first.map { $0.names.count <= 3 ? $0.names.joined(separator: ", ") : $0.count }
                item.name.paragraph(id + (opened.map { " (\($0))" } ?? ""), indent: 2, hanging: 4)
                let finding = change.entry.verdict.findings.first
                item.short.named(id, finding?.firstSentence(limit: 300) ?? "", most: 2)
                guard index == 0 else {
                    item.whole = item.short
                    for effect in effects {
                        item.whole.names(effect.names, after: "\(effect.verb) \(effect.count)", indent: 4)
                    }
                    return item
                }
                let count = counted(joint.changes.count, "change")
                let order = joint.changes.count > 1 ? ", the one that opens most platforms first" : ""
                item.heading.paragraph("BLOCKING (\(count))\(order)", .red)
                item.whole = parts.block(change.entry)
                item.short.labelled("fix", finding?.fix.shown(limit: 300) ?? "", indent: 4)
                for effect in effects {
                    let beginning = "\(effect.verb) \(effect.count)"
                    item.whole.names(effect.names, after: beginning, indent: 6)
                    item.short.names(effect.names, after: beginning, indent: 4)
                }
                return item
            }
    }

    /// Each check that closes a gate, with the platforms where it does.
    private func closing(_ joint: JointReport) -> [Item] {
        let closing = JointWording.closing(joint)
        let parts = BriefParts(joint.reports[0], options)
        return closing.enumerated()
            .map { index, blocker in
                var item = Item(heading: empty, whole: parts.block(blocker.entry), short: empty, name: empty)
                let consequence = blocker.entry.consequence
                if index == 0 || closing[index - 1].entry.consequence != consequence {
                    let count = JointWording.count(of: consequence, joint)
                    item.heading.paragraph("BLOCKING: \(consequence.heading) (\(count))", .red)
                }
                item.whole.labelled("blocks", Self.names(blocker), indent: 6)
                let names = blocker.platforms
                let platforms = names.count == 1 ? names[0] : counted(names.count, "platform")
                item.name.paragraph("\(blocker.entry.id.rawValue) (\(platforms))", indent: 2, hanging: 4)
                item.short.append(item.name)
                let sentence = blocker.entry.verdict.findings.first?.firstSentence(limit: 300) ?? ""
                item.short.paragraph(sentence, indent: 4, most: 2)
                return item
            }
    }

    /// One root cause leaves many checks without evidence, so it is printed once.
    private func inconclusive(_ blockers: [JointReport.Blocker]) -> [Item] {
        let groups = blockers.filter { !$0.entry.closesGate }
            .grouped { [$0.entry.verdict.reason ?? "", Self.names($0)] }
        let count = groups.map(\.members.count).reduce(0, +)
        return groups.enumerated()
            .map { index, group in
                let (cause, members) = (group.key, group.members)
                var item = Item(heading: empty, whole: empty, short: empty, name: empty)
                if index == 0 { item.heading.paragraph("INCONCLUSIVE (\(count))", .yellow) }
                if isBrief {
                    let more = members.count > 1 ? ", and \(members.count - 1) more" : ""
                    item.name.paragraph(members[0].entry.id.rawValue + more, indent: 2, hanging: 4)
                }
                item.short = item.name
                item.whole = item.name
                item.whole.labelled("because", cause[0].shown(limit: isBrief ? 300 : 1_000), indent: 4)
                if !isBrief {
                    let names = members.map(\.entry.id.rawValue).joined(separator: ", ")
                    item.whole.labelled("checks", names, indent: 4)
                }
                item.whole.labelled("for", cause[1], indent: 4)
                return item
            }
    }

    private mutating func blockers(_ joint: JointReport, isCrowded: Bool, space: Int) {
        let causes = joint.reports.first { !$0.causes.isEmpty }?.causes ?? []
        let blockers = joint.blockers.filter { blocker in !causes.contains { blocker.entry.isWaiting(for: $0) } }
        guard !blockers.isEmpty else { return }
        layout.blank()
        let items = (isCrowded ? changes(joint) : closing(joint)) + inconclusive(blockers)
        guard isBrief else {
            for item in items {
                layout.append(item.heading)
                layout.append(item.whole)
            }
            return
        }
        var reported = fitted(items, space: space, naming: isCrowded)
        reported.cut(to: max(1, space))
        layout.append(reported)
    }

    /// The first check in full, the others in full, with a sentence, by name or counted; the headings of all groups.
    ///
    /// - Parameter namesAll: Whether the names of the others have priority over the first in full.
    private func fitted(_ items: [Item], space: Int, naming namesAll: Bool) -> TextLayout {
        var reported = empty
        var lacksFixes = false
        for (index, item) in items.enumerated() {
            reported.append(item.heading)
            let rest = items[(index + 1)...]
            // The last line is for the hint, or for the number of checks whose names do not fit.
            let left = space - reported.lines.count - 1
            let headings = rest.map(\.heading.lines.count).reduce(0, +)
            let names = min(rest.map(\.name.lines.count).reduce(0, +), 8)
            let reserve = headings + (index == 0 && !namesAll ? 0 : names)
            if item.whole.lines.count + reserve <= left {
                reported.append(item.whole)
            } else if item.short.lines.count + reserve <= left {
                lacksFixes = true
                reported.append(item.short)
            } else if item.name.lines.count + headings <= left {
                lacksFixes = true
                reported.append(item.name)
            } else {
                for one in rest { reported.append(one.heading) }
                reported.paragraph(TextLayout.more(rest.count + 1), indent: 2)
                break
            }
        }
        reported.hint(lacksFixes: lacksFixes)
        return reported
    }

    /// Each evaluated check once, with its platforms if its verdict differs between platforms.
    private mutating func everyCheck(_ joint: JointReport) {
        let words: [CheckState: (String, TerminalColor)] = [
            .passed: ("passed", .green), .closes: ("FAILED", .red), .known: ("known", .yellow),
            .belowThreshold: ("", .yellow), .waived: ("waived", .yellow), .inconclusive: ("inconclusive", .yellow),
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
        JointWording.list(blocker.platforms, limit: 1_000)
    }
}

/// The wording for several platforms that all formats share.
enum JointWording {
    static func verdict(_ gate: Report.Gate) -> String { gate == .closed ? "CLOSED" : gate.word }

    /// The findings that close a gate: safety first, conformance last.
    static func closing(_ joint: JointReport) -> [JointReport.Blocker] {
        let closing = joint.blockers.filter(\.entry.closesGate)
        return Consequence.inOrderOfReading.flatMap { consequence in
            closing.filter { $0.entry.consequence == consequence }
        }
    }

    /// The number of findings under a heading: `6`, or `6 for 5 changes` if one change has reasons of several platforms.
    static func count(of consequence: Consequence, _ joint: JointReport) -> String {
        let checks = closing(joint).count { $0.entry.consequence == consequence }
        let changes = joint.changes.count { $0.entry.consequence == consequence }
        return changes == 0 || checks <= changes ? "\(checks)" : "\(checks) for \(counted(changes, "change"))"
    }

    /// Names up to a length, at least one, and the number of the others: `a, b, and 3 more`.
    static func list(_ names: [String], limit: Int) -> String {
        var length = 0
        let fitting = names.prefix { name in
            length += min(name.unicodeScalars.count, 60) + 2
            return length <= limit
        }
        return TextLayout.list(names, most: max(1, fitting.count))
    }

    /// An effect of a change: `opens`, `2 platforms`, and their names.
    typealias Effect = (verb: String, count: String, names: [String])

    /// The platforms that a change opens, and those that its check blocks beside other checks.
    static func effects(_ change: JointReport.Change) -> [Effect] {
        let others = change.platforms.filter { !change.opens.contains($0) }
        let opened = counted(change.opens.count, "platform")
        let blocked = counted(others.count, "platform") + " that other checks block too"
        let effects: [Effect] = [("opens", opened, change.opens), ("blocks", blocked, others)]
        return effects.filter { !$0.names.isEmpty }
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
                "the rules of \(count) come from documentation or source code, and were not tested on the platform"
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
