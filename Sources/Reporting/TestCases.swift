import Conformance

/// The checks as cases of a test run, a suite for each stage: the source of JUnit, TAP and CTRF.
///
/// A case is an evaluated check of the profile, and a failure exactly if it closes the gate. A root cause is an error, and the
/// checks that it leaves inconclusive are skipped. Warnings, notices, waived and known failures are in a separate suite, so that
/// they are visible and fail nothing. Each case is listed once, with its platforms if there are several.
struct TestSuite {
    static let root = "oidc-preflight"
    /// The space that is left in a report, which stays below 20 MiB.
    struct ReportSpace {
        /// Bytes of details, which XML escaping may make six times as long.
        var details = 3 << 20
        /// The number of cases of several targets.
        var cases = 10_000
    }

    private(set) var name: String
    private(set) var cases: [TestCase]
    /// The passed and skipped cases of the target for which the report has no space.
    private(set) var omitted = 0

    func count(_ kind: TestCase.Kind) -> Int { cases.count { $0.kind == kind } }

    /// A suite for root causes, one for each stage, and one for failures that do not block; none is empty.
    static func all(of joint: JointReport) -> [TestSuite] {
        var space = ReportSpace()
        return all(of: joint, target: nil, space: &space)
    }

    /// The same for a target, whose name is part of the suite names.
    ///
    /// Where there is no space, only the failures and errors of a target are listed.
    static func all(of joint: JointReport, target: String?, space: inout ReportSpace) -> [TestSuite] {
        var suites = bounded(unbounded(joint), &space)
        guard let target else { return suites }
        let count = suites.reduce(0) { $0 + $1.cases.count }
        if count > space.cases {
            for place in suites.indices { suites[place].cases.removeAll { [.passed, .skipped].contains($0.kind) } }
            suites.removeAll { $0.cases.isEmpty }
            let left = suites.reduce(0) { $0 + $1.cases.count }
            if !suites.isEmpty { suites[0].omitted = count - left }
        } else {
            space.cases -= count
        }
        return suites.map { $0.owned(by: target) }
    }

    /// The same under the name of a target.
    private func owned(by target: String) -> TestSuite {
        var suite = self
        let renamed = { (name: String) -> String in "\(Self.root).\(target)\(name.dropFirst(Self.root.count))" }
        suite.name = renamed(name)
        for place in suite.cases.indices { suite.cases[place].suite = renamed(suite.cases[place].suite) }
        return suite
    }

    private static func unbounded(_ joint: JointReport) -> [TestSuite] {
        let platforms = Dictionary(joint.reports.map { ($0.profile.name, $0) }) { first, _ in first }
        var judged: [TestCase] = []
        for one in joint.reported {
            guard let report = platforms[one.platforms[0]], !one.entry.isForeign,
                var made = TestCase(one.entry, report)
            else { continue }
            if joint.reports.count > 1, one.platforms.count < joint.reports.count {
                let names = one.platforms.joined(separator: ", ").shown(limit: TestCase.limit)
                made.details += "platforms: \(names)\n"
                // A check that is listed twice in a suite has two names.
                if judged.contains(where: { $0.suite == made.suite && $0.name == made.name }) {
                    // A pass for one platform adds nothing to the failure for another.
                    if made.kind == .passed, made.whyNotBlocking == nil { continue }
                    made.name += " (\(names))"
                }
            }
            judged.append(made)
        }
        let gate = TestSuite(name: "\(root).gate", cases: Blocker.all(of: joint).map(TestCase.init))
        let suites = ([gate] + judged.grouped(by: \.suite).map { TestSuite(name: $0.key, cases: $0.members) })
            .filter { !$0.cases.isEmpty }
        return suites.filter { $0.name != TestCase.warnings } + suites.filter { $0.name == TestCase.warnings }
    }

    /// The suites, with details that do not fit replaced by their size.
    private static func bounded(_ suites: [TestSuite], _ space: inout ReportSpace) -> [TestSuite] {
        var suites = suites
        for suite in suites.indices {
            for place in suites[suite].cases.indices {
                let bytes = suites[suite].cases[place].details.utf8.count
                space.details -= bytes
                guard space.details < 0, bytes > 200 else { continue }
                suites[suite].cases[place].details =
                    "\(bytes) bytes omitted to limit the size of this report; see the JSON report"
            }
        }
        return suites
    }
}

/// An evaluated or inconclusive check, or a root cause.
struct TestCase {
    enum Kind: String {
        case passed
        case failure
        case error
        case skipped
    }

    /// The maximum number of characters of a provider text, well below the limits of XML parsers.
    static let limit = 1_000
    static let warnings = "\(TestSuite.root).remarks"

    fileprivate(set) var suite: String
    fileprivate(set) var name: String
    private(set) var kind = Kind.passed
    /// The duration of its exchanges in seconds.
    private(set) var seconds = 0.0
    /// The finding, or why the check is inconclusive.
    private(set) var message = ""
    private(set) var type = ""
    /// Every finding with its rule and its request.
    fileprivate(set) var details = ""
    /// Why a failure does not block: `warning`, `known before`, `waived (…)`; the kind is then passed.
    private(set) var whyNotBlocking: String?

    /// A check; `nil` if it is superseded, not applicable or skipped.
    fileprivate init?(_ entry: Report.Entry, _ report: Report) {
        name = entry.id.rawValue.shown(limit: 200)
        let cited = Set(entry.verdict.findings.compactMap(\.exchange))
        seconds = report.exchanges.filter { cited.contains($0.id) }.map(\.timings.total).reduce(0, +)
        var suite = "\(TestSuite.root).\(entry.stage.rawValue)"
        switch CheckState(entry) {
        case .passed: break
        case .closes:
            kind = .failure
            type = entry.requirement.rawValue
            message = Self.message(entry)
            details = Self.details(entry, report)
        case .inconclusive:
            kind = .skipped
            message = (entry.verdict.reason ?? "").shown(limit: Self.limit)
        case .known, .waived, .belowThreshold:
            suite = Self.warnings
            whyNotBlocking = entry.whyNotBlocking(limit: Self.limit)
            message = Self.message(entry)
            details = Self.details(entry, report)
        case .superseded, .notApplicable, .notAttempted: return nil
        }
        self.suite = suite
    }

    /// A root cause; without such a case, a server would show success.
    fileprivate init(_ blocker: Blocker) {
        suite = "\(TestSuite.root).gate"
        name = blocker.name
        kind = .error
        seconds = blocker.exchange?.timings.total ?? 0
        message = blocker.message
        type = "undecided"
        details = blocker.details.joined(separator: "\n")
    }

    // MARK: Wording

    private static func message(_ entry: Report.Entry) -> String {
        let findings = entry.verdict.findings
        let more = findings.count > 1 ? " (and \(counted(findings.count - 1, "finding")) more)" : ""
        return (findings.first?.message ?? entry.title).shown(limit: limit) + more
    }

    private static func details(_ entry: Report.Entry, _ report: Report) -> String {
        let listed = 20
        let findings = entry.verdict.findings
        let more = findings.count > listed ? ["and \(findings.count - listed) more"] : []
        let reported = findings.prefix(listed).map(render) + more
        let cited = Set(findings.compactMap(\.exchange))
        let commands = report.exchanges.filter { cited.contains($0.id) }.prefix(2)
            .compactMap { Curl.boundedCommand(for: $0, reach: report.reach) }
            .map { "request: \($0)\n" }
        return reported.joined(separator: "\n") + "\n" + rule(entry) + commands.joined()
    }

    private static func render(_ finding: Finding) -> String {
        let rows: [(String, String?)] = [
            ("with", finding.subjectText?.shown(limit: 400)),
            ("at", finding.place),
            ("found", finding.shownFound(limit: limit)),
            ("expected", finding.shownExpected(limit: limit)),
            ("fix", finding.fix.shown(limit: limit)),
            ("because", finding.authority?.sentence.shown(limit: limit)),
        ]
        return finding.message.shown(limit: limit) + "\n"
            + rows.compactMap { label, text in text.map { "  \(label): \($0)\n" } }.joined()
    }

    private static func rule(_ entry: Report.Entry) -> String {
        "rule: \(entry.title); \(entry.authority): \(entry.citation.shownWords(limit: limit))\n\(entry.citation.link)\n"
            + "explained: \(entry.id.link)\n"
    }
}

extension Report.Entry {
    /// Why a failure does not block: `known before`, `waived (because, until; file:line)`, or its level.
    func whyNotBlocking(limit: Int) -> String {
        if isKnown { return "known before" }
        guard let waiver else { return level.rawValue }
        let end = waiver.until.map { ", until \($0)" } ?? ""
        return "waived (\(waiver.because.shown(limit: limit))\(end); \(waiver.source.shown(limit: limit)))"
    }
}
