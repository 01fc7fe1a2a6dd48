/// The part of a report that is compared: of this run, or of an earlier one that was read from a file.
package struct ReportDigest: Sendable, Hashable {
    package var issuer: String
    /// The name of the profile.
    package var profile: String
    package var gate: Report.Gate
    /// The verdicts of the three answers, in their order: `signIn`, `safety`, `conformance`.
    var answers: [Field]
    /// The root causes, one sentence each.
    var causes: [String]
    package var entries: [Entry]

    package init(
        issuer: String,
        profile: String,
        gate: Report.Gate,
        answers: [Field],
        causes: [String],
        entries: [Entry]
    ) {
        self.issuer = issuer
        self.profile = profile
        self.gate = gate
        self.answers = answers
        self.causes = causes
        self.entries = entries
    }

    /// The report of this run, before anything is known of an earlier one.
    package init(_ report: Report) {
        self.init(
            issuer: report.target.issuer,
            profile: report.profile.name,
            gate: report.outcome.gate,
            answers: [
                Field("signIn", report.answers.signIn.verdict.rawValue),
                Field("safety", report.answers.safety.verdict.rawValue),
                Field("conformance", report.answers.conformance.verdict.rawValue),
            ],
            causes: report.causes.map(\.message),
            entries: report.entries.map(Entry.init)
        )
    }

    /// A check and what became of it.
    package struct Entry: Sendable, Hashable {
        var id: CheckID
        var level: Level
        /// The word of the verdict: `passed`.
        var verdict: String
        /// Of a verdict that is neither passed nor failed.
        var reason: String?
        var isWaived: Bool
        /// Whether it closed the gate, or would have if an earlier run had not known it.
        var closes: Bool
        package var findings: [Finding]

        package init(
            id: CheckID,
            level: Level,
            verdict: String,
            reason: String?,
            isWaived: Bool,
            closes: Bool,
            findings: [Finding]
        ) {
            self.id = id
            self.level = level
            self.verdict = verdict
            self.reason = reason
            self.isWaived = isWaived
            self.closes = closes
            self.findings = findings
        }

        init(_ entry: Report.Entry) {
            self.init(
                id: entry.id,
                level: entry.level,
                verdict: entry.verdict.word,
                reason: entry.verdict.reason,
                isWaived: entry.waiver != nil,
                closes: entry.closesGate || entry.isKnown,
                findings: entry.verdict.findings
            )
        }

        /// A waived failure is not one: it counts again on the day that the waiver ends.
        var hasFailed: Bool { verdict == Verdict.failed([]).word && !isWaived }
    }
}

/// The changes since an earlier report, check by check in the order of the report.
///
/// A finding is the same when check, place (``Finding/pointer``) and subject are the same. Its observation may differ from run
/// to run, and is then reported as changed. A check that fails in a further place, or at a higher level, has a new finding.
package struct Comparison: Sendable, Hashable {
    package struct Change: Sendable, Hashable {
        package var id: CheckID
        package var level: Level
        /// Whether it closes the gate where nothing is known beforehand.
        package var closes: Bool
        /// The reported findings: the new ones, the current ones, or those that disappeared.
        package var findings: [Finding]
        /// The earlier report's text for the same place, if it differs.
        package var before: [Finding] = []
        /// Why the check was skipped or is inconclusive, or does not apply any more.
        package var reason: String?
    }

    /// Failed now, and not before: the check passed, was waived or skipped, or it failed elsewhere or at a lower level.
    package var new: [Change] = []
    /// Failed before, and was checked now without a finding.
    package var fixed: [Change] = []
    /// Failed at the same places, with another observation.
    package var changed: [Change] = []
    /// Failed as before.
    package var known: [Change] = []
    /// Failed before, and was skipped or inconclusive now: neither fixed nor known.
    package var withoutResult: [Change] = []
    /// The answers that differ: name, verdict before, verdict now.
    package var answers: [[String]] = []
    /// The root causes before and now, if they differ.
    package var causes: (before: [String], now: [String])? {
        causesBefore == causesNow ? nil : (causesBefore, causesNow)
    }
    private var causesBefore: [String] = []
    private var causesNow: [String] = []

    /// New findings that close a gate.
    package var newErrors: Int { new.count(where: \.closes) }

    package init(from before: ReportDigest, to now: ReportDigest) {
        // Of two checks that are one today, the one that failed is the earlier one.
        let then = Dictionary(before.entries.map { ($0.id, $0) }) { $0.hasFailed ? $0 : $1 }
        for entry in now.entries { add(entry, then[entry.id]) }
        let present = Set(now.entries.map(\.id))
        for entry in before.entries where entry.hasFailed && !present.contains(entry.id) {
            withoutResult.append(Self.change(entry, entry.findings, because: "there is no such check any more"))
        }
        answers = zip(before.answers, now.answers).filter { $0.value != $1.value }
            .map { [$0.name, $0.value, $1.value] }
        causesBefore = before.causes
        causesNow = now.causes
    }

    /// The comparison of two platforms together; a check that both report is reported once.
    package func merged(with other: Comparison) -> Comparison {
        var merged = self
        for list in [\Comparison.new, \.fixed, \.changed, \.known, \.withoutResult] {
            let reported = Set(merged[keyPath: list].map(\.id))
            merged[keyPath: list] += other[keyPath: list].filter { !reported.contains($0.id) }
        }
        return merged
    }

    private mutating func add(_ entry: ReportDigest.Entry, _ earlier: ReportDigest.Entry?) {
        let earlier = earlier.flatMap { $0.hasFailed ? $0 : nil }
        guard entry.hasFailed else {
            guard let earlier, !entry.isWaived else { return }
            var change = Self.change(entry, earlier.findings, because: entry.reason)
            change.level = earlier.level
            change.closes = earlier.closes
            let hasResult = [Verdict.passed.word, Verdict.notApplicable("").word].contains(entry.verdict)
            if hasResult { fixed.append(change) } else { withoutResult.append(change) }
            return
        }
        guard let earlier, earlier.level >= entry.level else {
            return new.append(Self.change(entry, entry.findings))
        }
        let places = Set(earlier.findings.flatMap(Self.places))
        // Subjects that the earlier report only counts may be any.
        var unnamed: [String?: Int] = [:]
        for finding in earlier.findings { unnamed[finding.pointer, default: 0] += finding.subjectsLeft }
        let elsewhere = entry.findings.filter { finding in
            let unknown = Self.places(of: finding).count { !places.contains($0) } + finding.subjectsLeft
            unnamed[finding.pointer, default: 0] -= unknown
            return unknown > 0 && unnamed[finding.pointer, default: 0] < 0
        }
        if !elsewhere.isEmpty {
            new.append(Self.change(entry, elsewhere))
        } else if entry.findings.map(Self.content) == earlier.findings.map(Self.content) {
            known.append(Self.change(entry, entry.findings))
        } else {
            var change = Self.change(entry, entry.findings)
            change.before = earlier.findings
            changed.append(change)
        }
    }

    private static func change(
        _ entry: ReportDigest.Entry,
        _ findings: [Finding],
        because reason: String? = nil
    ) -> Change {
        Change(id: entry.id, level: entry.level, closes: entry.closes, findings: findings, before: [], reason: reason)
    }

    /// The places where it was seen, once for each of its subjects.
    private static func places(of finding: Finding) -> [[String?]] {
        finding.subjects.isEmpty ? [[finding.pointer, nil]] : finding.subjects.map { [finding.pointer, $0] }
    }

    /// Its content, whichever request it was seen in.
    private static func content(_ finding: Finding) -> Finding {
        var finding = finding
        finding.exchange = nil
        return finding
    }
}
