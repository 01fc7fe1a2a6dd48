import Conformance

/// The short terminal report: root causes, blocking findings, skipped checks and the verdict.
///
/// At most ``mostLines`` lines, whatever the provider sent and whatever the width of the terminal; the rest is counted.
struct BriefTextReport {
    static let mostLines = 60

    private let report: Report
    private let options: ReportOptions
    private let parts: BriefParts

    init(_ report: Report, _ options: ReportOptions) {
        self.report = report
        self.options = options
        parts = BriefParts(report, options)
    }

    var text: String {
        var whole = TextLayout(options)
        if parts.isStopped {
            var space = Self.mostLines - 1
            for part in [parts.title(), parts.causes()] { whole.append(fit(part, &space)) }
        } else {
            for part in ordinary where !part.lines.isEmpty {
                whole.blank()
                whole.append(part)
            }
            if !parts.hasNext { whole.blank() }
        }
        whole.unwrapped(VerdictLine.text(report, isAlone: false), VerdictLine.ink(report.outcome.gate))
        return whole.text
    }

    /// In reading order; blocking findings get the space that the other, short parts leave.
    private var ordinary: [TextLayout] {
        // The verdict, and a blank line before each part.
        var space = Self.mostLines - 10
        let hasFindings = report.entries.contains { $0.closesGate || $0.blocksOpening }
        let head = fit(parts.head(), &space)
        let causes = fit(parts.causes(), &space)
        let next = fit(parts.next(), &space)
        // If there is something to fix, skipped checks are only counted.
        let isSound = !hasFindings && report.entries(.belowThreshold).isEmpty
        let above = [
            parts.skipped(), parts.waived(most: 6), parts.blocking(), parts.comparison(most: 12),
        ]
        let mostWarnings = hasFindings ? 10 : 16
        let warnings = parts.warnings(space: mostWarnings)
        var left = parts.gaps(most: isSound ? 4 : 0)
        left.append(parts.notes(most: hasFindings ? 4 : 6))
        let others = (above + [left]).map(\.lines.count).reduce(0, +)
        // Every blocking check is named before the parts below get lines, and has its sentence before warnings do.
        let sentences = min(parts.closingWithSentences, space - others - 2)
        let least = min(space - min(warnings.lines.count, 2), max(parts.leastClosing, sentences))
        let closing = fit(parts.closing(space: max(least, space - others - warnings.lines.count)), &space)
        let middle = above.map { fit($0, &space) }
        let lighter = fit(parts.warnings(space: min(mostWarnings, space - left.lines.count)), &space)
        return [head, causes, closing] + middle + [lighter, fit(left, &space), next]
    }

    private func fit(_ part: TextLayout, _ space: inout Int) -> TextLayout {
        var part = part
        part.cut(to: space)
        space -= part.lines.count
        return part
    }
}

/// The parts of a short report.
struct BriefParts {
    let report: Report
    let options: ReportOptions
    private let selected: [Report.Entry]
    /// Whether texts are printed in full: for the verbose report of several platforms.
    var isFull: Bool { options.verbosity == .full }

    init(_ report: Report, _ options: ReportOptions) {
        self.report = report
        self.options = options
        selected = report.entries.filter(\.wasSelected)
    }

    var empty: TextLayout { TextLayout(options) }

    /// Whether a step failed, possibly because of the configuration, and no check blames the provider.
    var isStopped: Bool {
        report.outcome.gate == .inconclusive && report.causes.contains(where: \.mayBeConfiguration)
    }

    var isNothingChecked: Bool {
        !selected.contains { [.passed, .closes, .known, .belowThreshold, .waived].contains(CheckState($0)) }
    }

    /// The issuer, and the extent of the run.
    func head() -> TextLayout {
        var layout = empty
        layout.paragraph(report.heading, hanging: 2)
        let threshold = report.threshold == .error ? "" : "; the gate closes at level \(report.threshold.rawValue)"
        let reported = [rules] + [reach].compactMap(\.self)
        layout.paragraph(reported.joined(separator: ", ") + threshold, indent: 2)
        for sentence in report.sentences { layout.paragraph(sentence, indent: 2, hanging: 4) }
        return layout
    }

    /// The same in one line, for a run that stopped early; empty if no check has a result.
    func title() -> TextLayout {
        var layout = empty
        if isNothingChecked { return layout }
        layout.paragraph("\(report.target.issuer.shown(limit: 200)), \(rules):", hanging: 2)
        return layout
    }

    private var rules: String {
        "profile \(report.profile.name.shown(limit: 60)), \(report.extent)"
    }

    private var byHand: String { report.answers.signIn.verdict == .works ? "signed in by hand" : "no user signed in" }

    /// The user that signed in; `nil` without a run.
    private var reach: String? {
        if report.offlineInput != nil { return nil }
        let signIns = report.timings.signIns
        let isBroken = report.causes.contains { $0.signInStep <= .signIn }
        guard report.tier == .full, signIns > 0, !isBroken else {
            if report.isByHand { return byHand }
            // With a saved session, or with a provider that shows no sign-in page.
            return report.answers.signIn.verdict == .works ? "no sign-in required" : "no user signed in"
        }
        return counted(signIns, "sign-in") + (options.user.map { " as \($0.shown(limit: 60))" } ?? "")
    }

    // MARK: Root causes

    func causes() -> TextLayout {
        var layout = empty
        let most = isFull ? Int.max : 3
        for cause in report.causes.prefix(most) { write(cause, to: &layout) }
        if report.causes.count > most {
            layout.paragraph("and \(report.causes.count - most) more root causes; --verbose lists them", indent: 2)
        }
        return hinted(layout)
    }

    /// With a line that says how to see the texts that were cut.
    private func hinted(_ part: TextLayout) -> TextLayout {
        var part = part
        if !isFull { part.hint() }
        return part
    }

    private func write(_ cause: Cause, to layout: inout TextLayout) {
        let exchange = cause.exchange.flatMap { id in report.exchanges.first { $0.id == id } }
        let count = report.waiting(for: cause)
        // The verdict of a stopped run includes the count.
        let waiting =
            count == 0 || isStopped
            ? "" : " \(counted(count, "check")) \(count == 1 ? "is" : "are") inconclusive for this reason."
        let message = cause.message.shown(limit: isFull ? 1_000 : 300).asSentence
        layout.paragraph(message.sentenceStart + waiting, hanging: 2, .yellow)
        // The message of a network failure already says what to check.
        if let failure = exchange?.failure {
            guard isNothingChecked, failure.kind == .refused else { return }
            return layout.paragraph("Use --wait-for-issuer 60 if the server is still starting.", indent: 2)
        }
        // The message names the endpoint, but not the address of a page.
        if let exchange, cause.signInStep == .signIn || cause.signInStep <= .keys {
            let request = "\(exchange.request.method) \(exchange.request.url)"
            // The query is long, and only repeats the configuration.
            layout.labelled("at", request.prefix { $0 != "?" }.description.shown(limit: 120), indent: 2)
        }
        if let words = cause.words { layout.labelled("message", words.quoted(limit: 240), indent: 2) }
        layout.labelled("action", cause.advice.shown(limit: isFull ? 1_000 : 400), indent: 2)
        if !cause.places.isEmpty { layout.labelled("see", Self.fileNames(cause.shownPlaces), indent: 2) }
        for page in cause.pagesWorthALine {
            let line = "page \(page.number): \(page.sentence)"
            if isFull { layout.paragraph(line, indent: 2, hanging: 4) } else { layout.single(line, indent: 2) }
        }
        if let check = report.closing(besides: cause) {
            layout.labelled(
                "also",
                "\(check.rawValue), below, concerns the same line; fix both together.",
                indent: 2
            )
        }
    }

    /// Places in files, without their folders: `client.id (preflight.yaml:4)`.
    private static func fileNames(_ places: String) -> String {
        places.shown(limit: 300).split(separator: " ")
            .map { place in
                guard place.hasPrefix("("), let slash = place.lastIndex(of: "/") else { return String(place) }
                return "(" + place[place.index(after: slash)...]
            }
            .joined(separator: " ")
    }

    // MARK: Other parts

    /// The number of checks that the user skipped, by option or variable, on one line.
    func skipped() -> TextLayout {
        var layout = empty
        let counts = report.skipped.map { "\($0.count) by \($0.source)" }
        if !counts.isEmpty {
            layout.paragraph(
                "SKIPPED ON REQUEST: \(counts.joined(separator: ", ")); --verbose lists them",
                hanging: 2,
                .yellow
            )
        }
        return layout
    }

    /// The comparison with an earlier report, if one was given.
    ///
    /// - Parameter most: Lines.
    func comparison(most: Int) -> TextLayout {
        var layout = report.comparison.map { ComparisonParts($0, options).rest(beside: report.entries) } ?? empty
        layout.cut(to: most)
        return hinted(layout)
    }

    /// The inconclusive checks without a reported root cause, if some of them keep the gate from opening.
    func blocking() -> TextLayout {
        let most = 3
        let entries = blocked
        var layout = empty
        guard !entries.isEmpty else { return layout }
        let effect = report.outcome.gate == .inconclusive ? ": the gate cannot open" : ""
        // The number is that of the verdict.
        let all = selected.count { CheckState($0) == .inconclusive }
        let reasons = report.causes.count == 1 ? "the reason above" : "the reasons above"
        let explained = all == entries.count ? "" : ", of which \(all - entries.count) for \(reasons)"
        layout.paragraph("INCONCLUSIVE (\(all)\(explained))\(effect)", .yellow)
        let groups = largestFirst(entries)
        for (reason, members) in groups.prefix(most) {
            let more = members.count > 1 ? ", and \(members.count - 1) more" : ""
            layout.paragraph(members[0].id.rawValue + more, indent: 2, hanging: 4)
            layout.labelled("because", reason.shown(), indent: 4)
        }
        let others = groups.dropFirst(most).map(\.members.count).reduce(0, +)
        if others > 0 { layout.paragraph("and \(others) for other reasons; --verbose lists them", indent: 2) }
        return hinted(layout)
    }

    private var blocked: [Report.Entry] {
        let entries = selected.filter { CheckState($0) == .inconclusive && !isReported($0) }
        return entries.contains(where: \.blocksOpening) ? entries : []
    }

    /// Whether a root cause explains it.
    private func isReported(_ entry: Report.Entry) -> Bool {
        report.causes.contains { entry.isWaiting(for: $0) }
    }

    private func largestFirst(_ entries: [Report.Entry]) -> [(reason: String, members: [Report.Entry])] {
        entries.grouped { $0.verdict.reason ?? "" }.enumerated()
            .sorted { ($0.element.members.count, -$0.offset) > ($1.element.members.count, -$1.offset) }
            .map { ($0.element.key, $0.element.members) }
    }

    /// The checks without a result, by reason, largest groups first.
    ///
    /// - Parameter most: The maximum number of groups with a line; 0 for the count only.
    func gaps(most: Int) -> TextLayout {
        let isReported = blocked.isEmpty ? isReported : { _ in true }
        let left = report.entries.filter { entry in
            switch CheckState(entry) {
            case .inconclusive: !isReported(entry)
            case .notAttempted: !entry.isForeign && !entry.isLeftOutByChoice
            default: false
            }
        }
        let title = left.contains { CheckState($0) == .inconclusive } ? "SKIPPED OR INCONCLUSIVE" : "SKIPPED"
        let largest = largestFirst(left)
        var layout = empty
        guard !left.isEmpty else { return layout }
        if most == 0 {
            layout.paragraph("\(title) (\(left.count)): use --verbose for reasons", .dim)
            return layout
        }
        layout.paragraph("\(title) (\(left.count))", .dim)
        for (reason, members) in largest.prefix(most) {
            let text = "\(members.count): \(reason.shown(limit: 140))"
            if most > 1 { layout.paragraph(text, indent: 2, hanging: 4) } else { layout.single(text, indent: 2) }
        }
        let others = largest.dropFirst(most).map(\.members.count).reduce(0, +)
        if others > 0 { layout.paragraph("\(others): for other reasons; --verbose lists them", indent: 2, hanging: 4) }
        return hinted(layout)
    }

    /// - Parameter most: Lines.
    func notes(most: Int) -> TextLayout {
        var layout = empty
        for note in report.notes { layout.paragraph("note: " + note.shown(limit: 480), hanging: 2) }
        layout.cut(to: most)
        return hinted(layout)
    }

    // MARK: Next commands

    var hasNext: Bool { !command.isEmpty }

    func next() -> TextLayout {
        var layout = empty
        // A command that is wrapped cannot be pasted.
        if hasNext { layout.unwrapped("next: " + command) }
        if let request { layout.unwrapped("repeat the request: " + request) }
        return layout
    }

    /// The command that prints the request of the first finding, if there is one and the evidence was saved.
    private var request: String? {
        guard let words = options.suggestions.request, let first = inOrderOfReading.first,
            first.verdict.findings.contains(where: { $0.exchange != nil })
        else { return nil }
        return "oidc-preflight curl \(first.id.rawValue) \(words)"
    }

    /// The command to run next; empty if there is none.
    var command: String {
        let platforms = report.answers.platform == nil ? options.suggestions.platforms : nil
        if let first = inOrderOfReading.first {
            // A deviation alone closes this gate, and few platforms close for it.
            let isHarmless =
                report.answers.signIn.verdict == .works && report.answers.safety.verdict == .sound
                && inOrderOfReading.allSatisfy { $0.consequence == .conformance }
            if report.outcome.gate == .closed, isHarmless, let platforms { return platforms }
            return "oidc-preflight checks explain \(first.id.rawValue)"
        }
        if report.outcome.gate == .open, report.tier == .full {
            if let refused = report.refused { return "oidc-preflight checks explain \(refused.id.rawValue)" }
            if let next = options.suggestions.register ?? platforms { return next }
        }
        if report.outcome.gate == .inconclusive, let cause = report.causes.first, cause.isOfTheConfiguration,
            let trial = options.suggestions.trial
        {
            return trial
        }
        // A document or a token from a file involves no run, and no configuration would change that.
        guard report.outcome.gate == .open || report.outcome.shortfall != nil, report.tier == .static,
            report.offlineInput == nil, report.timings.requests > 0, report.target.client == nil
        else { return "" }
        let words = options.suggestions.initialising
        return "oidc-preflight init \(issuerForShell)" + (words.isEmpty ? "" : " " + words)
    }

    /// The issuer if a shell needs no quoting for it; otherwise a placeholder.
    private var issuerForShell: String {
        Self.isPlain(report.target.issuer) ? report.target.issuer : "ISSUER"
    }

    private static func isPlain(_ word: String) -> Bool {
        word.utf8.count <= 200
            && word.utf8.allSatisfy { byte in
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                    || "-._~:/".utf8.contains(byte)
            }
    }
}
