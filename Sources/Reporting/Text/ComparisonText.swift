package import Conformance

/// The comparison of two reports for the terminal: new, fixed and changed findings.
///
/// At most as many lines as a report, unless verbose; the last line has the counts and the exit code.
package enum ComparisonText {
    package static func render(_ compared: ComparedReports, options: ReportOptions = ReportOptions()) -> String {
        var layout = TextLayout(options)
        if options.verbosity != .quiet {
            let isBrief = options.verbosity == .brief
            for pair in compared.pairs {
                var part = TextLayout(options)
                part.append(head(pair, options))
                part.append(ComparisonParts(pair.comparison, options).whole)
                if isBrief { part.cut(to: max(8, (BriefTextReport.mostLines - 2) / compared.pairs.count - 1)) }
                layout.append(part)
                layout.blank()
            }
            if isBrief { layout.cut(to: BriefTextReport.mostLines - 1) }
        }
        let ink: TerminalColor = compared.exitCode == 0 ? .green : .red
        layout.unwrapped("\(counts(compared)); exit code \(compared.exitCode)", ink)
        return layout.text
    }

    private static func head(_ pair: ComparedReports.Pair, _ options: ReportOptions) -> TextLayout {
        var layout = TextLayout(options)
        let issuers = pair.before.issuer == pair.now.issuer ? [pair.now.issuer] : [pair.before.issuer, pair.now.issuer]
        layout.paragraph(
            "\(issuers.map { $0.shown(limit: 200) }.joined(separator: ", then ")), profile \(pair.now.profile.shown(limit: 60))",
            hanging: 2
        )
        if pair.before.gate != pair.now.gate {
            layout.paragraph("gate: \(pair.before.gate.word) before, \(pair.now.gate.word) now", indent: 2)
        }
        return layout
    }

    /// `1 new error, 2 fixed, 3 unchanged`.
    private static func counts(_ compared: ComparedReports) -> String {
        let comparisons = compared.pairs.map(\.comparison)
        let total = { (count: (Comparison) -> Int) in comparisons.map(count).reduce(0, +) }
        let errors = total(\.newErrors)
        let warnings = total { $0.new.count } - errors
        let parts = [
            errors == 0 ? "no new errors" : counted(errors, "new error"),
            warnings == 0 ? nil : warnings == 1 ? "1 new warning or notice" : "\(warnings) new warnings or notices",
            part(total { $0.fixed.count }, "fixed"), part(total { $0.changed.count }, "changed"),
            part(total { $0.known.count }, "unchanged"),
            part(total { $0.withoutResult.count }, "without a result this time"),
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.sentenceStart
    }

    private static func part(_ count: Int, _ word: String) -> String? { count == 0 ? nil : "\(count) \(word)" }
}

/// The parts of a comparison, each by itself.
struct ComparisonParts {
    private let comparison: Comparison
    private let options: ReportOptions
    /// How many of each kind are named.
    private let most: Int

    init(_ comparison: Comparison, _ options: ReportOptions) {
        self.comparison = comparison
        self.options = options
        most = options.verbosity == .full ? 1_000 : 8
    }

    var whole: TextLayout {
        var layout = beside
        layout.append(list("NEW", comparison.new, .red, showsFindings: true))
        layout.append(list("FIXED", comparison.fixed, .green))
        layout.append(list("CHANGED", comparison.changed, .yellow, showsFindings: true))
        layout.append(list("NO RESULT THIS TIME", comparison.withoutResult, .yellow, ", neither fixed nor known"))
        layout.append(list("UNCHANGED", comparison.known, .dim))
        return layout
    }

    /// The parts that a report adds to its own findings, which include the new ones, and to its inconclusive checks.
    func rest(beside entries: [Report.Entry]) -> TextLayout {
        var layout = TextLayout(options)
        let reported = Set(entries.filter(\.blocksOpening).map(\.id))
        let known = (comparison.known + comparison.changed).filter(\.closes)
        layout.append(list("KNOWN ERRORS", known, .yellow, ", not blocking"))
        layout.append(list("FIXED", comparison.fixed, .green))
        let left = comparison.withoutResult.filter { !reported.contains($0.id) }
        layout.append(list("NO RESULT THIS TIME", left, .yellow, ", neither fixed nor known"))
        return layout
    }

    /// The answers and causes that differ.
    private var beside: TextLayout {
        var layout = TextLayout(options)
        let names = [
            "signIn": "sign-in", "notTried": "not tried", "sound": "no problems", "undecided": "inconclusive",
        ]
        for answer in comparison.answers {
            let words = answer.map { names[$0] ?? $0 }
            layout.paragraph("\(words[0]): \(words[1]) before, \(words[2]) now", indent: 2, hanging: 4)
        }
        if let causes = comparison.causes {
            for (word, messages) in [("root cause before", causes.before), ("root cause now", causes.now)] {
                let reported = messages.isEmpty ? "none" : messages[0].shown(limit: 300)
                layout.paragraph("\(word): \(reported)", indent: 2, hanging: 4)
            }
        }
        return layout
    }

    private func list(
        _ title: String,
        _ changes: [Comparison.Change],
        _ ink: TerminalColor,
        _ warning: String = "",
        showsFindings: Bool = false
    ) -> TextLayout {
        var layout = TextLayout(options)
        guard !changes.isEmpty else { return layout }
        layout.paragraph("\(title) (\(changes.count))\(warning)", ink)
        // Errors first, so that a list that is cut loses warnings and notices.
        for change in changes.filter(\.closes).prefix(most) + changes.filter({ !$0.closes }).prefix(most) {
            let level = change.closes ? "" : " (\(change.level.rawValue))"
            layout.paragraph(change.id.rawValue.shown(limit: 200) + level, indent: 2, hanging: 4)
            if showsFindings {
                layout.findings(change.findings, indent: 4, few: 2, most: 3)
                if let before = change.before.first {
                    layout.labelled("before", before.shownFound(limit: 160) ?? before.sentence(limit: 300), indent: 6)
                }
            } else if let reason = change.reason {
                layout.labelled("because", reason.shown(limit: 300), indent: 4)
            }
        }
        let reported = min(most, changes.count(where: \.closes)) + min(most, changes.count { !$0.closes })
        if reported < changes.count {
            layout.paragraph("and \(changes.count - reported) more; --verbose lists them", indent: 2)
        }
        return layout
    }
}
