import Conformance

/// Every check of the profile, stage by stage, with the found value and the verdict; the last line is the gate.
struct FullTextReport {
    /// After this many lines, findings are only counted, because a provider decides on their number and length.
    private static let mostLines = 1_000

    private let options: ReportOptions
    private var layout: TextLayout

    init(_ options: ReportOptions) {
        self.options = options
        self.layout = TextLayout(options)
    }

    func render(_ report: Report) -> String {
        var writer = self
        writer.write(report)
        return writer.layout.text
    }

    private mutating func write(_ report: Report) {
        head(report)
        for cause in report.causes { render(cause, report) }
        for (stage, members) in report.stages {
            let entries = members.filter { !$0.isForeign }
            if entries.isEmpty { continue }
            layout.blank()
            layout.paragraph("\(stage.title): \(Self.tally(entries))", hanging: 2)
            let shared = Self.sharedReasons(entries)
            for entry in entries where isListed(entry) && !shared.contains(entry.verdict.reason ?? "") { judged(entry) }
            grouped(entries, shared: shared)
        }
        if let comparison = report.comparison {
            layout.blank()
            layout.append(ComparisonParts(comparison, options).rest(beside: report.entries))
        }
        layout.blank()
        for note in report.notes { layout.labelled("note", note.shown(limit: 1_000), indent: 0) }
        layout.blank()
        layout.paragraph(Self.coverage(report), hanging: 2)
        layout.unwrapped(VerdictLine.text(report, isAlone: false), VerdictLine.ink(report.outcome.gate))
    }

    private mutating func head(_ report: Report) {
        layout.paragraph(report.tool.shown(), hanging: 2)
        layout.labelled("issuer", report.target.issuer.shown(), indent: 0)
        layout.labelled("profile", report.profileLine, indent: 0)
        layout.labelled(
            report.offlineInput == nil ? "tier" : "input",
            "\(report.offlineInput?.rawValue ?? report.tier.rawValue); the gate closes at level \(report.threshold.rawValue)",
            indent: 0
        )
        layout.blank()
        for sentence in report.sentences { layout.paragraph(sentence, hanging: 2) }
    }

    /// A root cause, before its consequences.
    private mutating func render(_ cause: Cause, _ report: Report) {
        layout.blank()
        layout.paragraph(
            (cause.mayBeConfiguration ? "INCONCLUSIVE: " : "ROOT CAUSE: ") + cause.message.shown(limit: 1_000),
            hanging: 2,
            .yellow
        )
        if let words = cause.words { layout.labelled("message", words.quoted, indent: 2) }
        layout.labelled("action", cause.advice.shown(limit: 1_000), indent: 2)
        if !cause.places.isEmpty { layout.labelled("see", cause.shownPlaces, indent: 2) }
        layout.labelled("affects", report.shownWaiting(for: cause), indent: 2)
        for page in cause.pages {
            layout.labelled("page \(page.number)", page.lines.joined(separator: "; "), indent: 2)
        }
    }

    private static func tally(_ entries: [Report.Entry]) -> String {
        let words: [(CheckState, String)] = [
            (.closes, "failed"), (.known, "known before"), (.inconclusive, "inconclusive"),
            (.belowThreshold, "not blocking"),
            (.waived, "waived"), (.superseded, "superseded"), (.passed, "passed"), (.notApplicable, "not applicable"),
            (.notAttempted, "skipped"),
        ]
        return
            words.compactMap { state, word in
                let count = entries.count { CheckState($0) == state }
                return count == 0 ? nil : "\(count) \(word)"
            }
            .joined(separator: ", ")
    }

    /// The counts of all checks of this profile, skipped ones included.
    private static func coverage(_ report: Report) -> String {
        let entries = report.entries.filter { !$0.isForeign }
        return "\(counted(entries.count, "check")): \(tally(entries)); "
            + "\(counted(report.timings.requests, "request")), \(counted(report.timings.signIns, "sign-in")), "
            + "\(Format.seconds(report.timings.duration)) s"
    }

    // MARK: Checks

    private func isListed(_ entry: Report.Entry) -> Bool {
        switch CheckState(entry) {
        case .closes, .known, .inconclusive, .belowThreshold, .waived, .passed: true
        case .superseded, .notApplicable, .notAttempted: false
        }
    }

    private mutating func judged(_ entry: Report.Entry) {
        let findings = entry.verdict.findings
        let value = findings.first?.shownFound().flatMap { $0.count > 60 ? nil : "found \($0)" }
        switch CheckState(entry) {
        case .passed: layout.check(entry.id.rawValue, value: nil, verdict: "passed", .green)
        case .closes: layout.check(entry.id.rawValue, value: value, verdict: "FAILED", .red)
        case .known: layout.check(entry.id.rawValue, value: value, verdict: "known", .yellow)
        case .belowThreshold: layout.check(entry.id.rawValue, value: value, verdict: entry.level.rawValue, .yellow)
        case .waived: layout.check(entry.id.rawValue, value: value, verdict: "waived", .yellow)
        default: layout.check(entry.id.rawValue, value: nil, verdict: "inconclusive", .yellow)
        }
        guard layout.lines.count < Self.mostLines else {
            return layout.paragraph(findings.isEmpty ? "" : counted(findings.count, "finding"), indent: 4)
        }
        if let reason = entry.verdict.reason { layout.labelled("because", reason.shown(limit: 1_000), indent: 4) }
        layout.findings(findings, indent: 4)
        if let waiver = entry.waiver {
            layout.labelled("waived", waiver.sentence(limit: 300), indent: 4)
        }
        if findings.isEmpty { return }
        if let reason = entry.levelReason {
            layout.labelled("level", "\(entry.level.rawValue), because \(reason.shown())", indent: 4)
        }
        layout.labelled("rule", entry.authority, indent: 4)
        guard options.explains else { return }
        layout.labelled("words", entry.citation.shownWords(limit: 500), indent: 4)
        layout.labelled("link", entry.citation.link, indent: 4)
        layout.labelled("why", entry.why.shown(limit: 1_000), indent: 4)
    }

    /// The reasons that many inconclusive checks of a stage share; each is printed once.
    private static func sharedReasons(_ entries: [Report.Entry]) -> Set<String> {
        let groups = entries.filter { CheckState($0) == .inconclusive }.grouped { $0.verdict.reason ?? "" }
        return Set(groups.filter { $0.members.count > 2 }.map(\.key))
    }

    /// The checks without a result, grouped by reason.
    private mutating func grouped(_ entries: [Report.Entry], shared: Set<String>) {
        let states: [(CheckState, String, TerminalColor)] = [
            (.inconclusive, "inconclusive", .yellow), (.superseded, "superseded", .dim),
            (.notApplicable, "not applicable", .dim),
            (.notAttempted, "skipped", .dim),
        ]
        for (state, word, ink) in states {
            let members = entries.filter { entry in
                CheckState(entry) == state && (state != .inconclusive || shared.contains(entry.verdict.reason ?? ""))
            }
            for (reason, members) in members.grouped(by: { ($0.verdict.reason ?? "").shown(limit: 1_000) }) {
                layout.paragraph("\(members.count) \(word): \(reason)", indent: 2, hanging: 4, ink)
                // Checks that the user excluded are only counted; their names would hide the others.
                let named = options.explains ? members : members.filter(\.wasSelected)
                if named.isEmpty { continue }
                let names = named.map(\.id.rawValue).joined(separator: ", ")
                layout.paragraph(names, indent: 6, .dim)
            }
        }
    }
}

extension String {
    /// In quotation marks, bounded, made visible.
    func quoted(limit: Int) -> String { "“\(shown(limit: limit))”" }
}

extension Citation {
    /// The words, in quotation marks only if they are a quotation.
    func shownWords(limit: Int) -> String {
        isQuotation ? words.quoted(limit: limit) : words.shown(limit: limit)
    }
}
