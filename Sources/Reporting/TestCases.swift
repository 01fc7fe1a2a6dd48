import Conformance

/// The checks as cases of a test run, a suite for each stage: what JUnit, TAP and CTRF are written from.
///
/// A case is a check of the profile that was judged, and a failure exactly when it closes the gate. What broke is an error, and what
/// waits for it is skipped. Remarks, what is waived and what an earlier report knows have a suite of their own, so that they are
/// seen and fail nothing. Of several platforms each case is told once, with those that it is about.
struct TestSuite {
    static let root = "oidc-preflight"
    /// Octets of all details, which XML may make six times as long; a file stays below 20 MiB.
    private static let mostDetails = 3 << 20

    private(set) var name: String
    private(set) var cases: [TestCase]
    /// Which of several targets it is of.
    private(set) var owner = 0

    func count(_ kind: TestCase.Kind) -> Int { cases.count { $0.kind == kind } }

    /// A suite for what broke, one for each stage, one for remarks; none of them empty.
    static func all(of joint: JointReport) -> [TestSuite] { all(of: [(nil, joint)]) }

    /// The same of each of several targets, whose names stand in those of their suites.
    static func all(of members: [(target: String?, joint: JointReport)]) -> [TestSuite] {
        bounded(
            members.enumerated()
                .flatMap { index, member in
                    unbounded(member.joint).map { $0.owned(by: member.target, index) }
                }
        )
    }

    /// The same under the name of a target.
    private func owned(by target: String?, _ owner: Int) -> TestSuite {
        var suite = self
        suite.owner = owner
        guard let target else { return suite }
        let renamed = { (name: String) -> String in "\(Self.root).\(target)\(name.dropFirst(Self.root.count))" }
        suite.name = renamed(name)
        for place in suite.cases.indices { suite.cases[place].suite = renamed(suite.cases[place].suite) }
        return suite
    }

    private static func unbounded(_ joint: JointReport) -> [TestSuite] {
        let platforms = Dictionary(joint.reports.map { ($0.profile.name, $0) }) { first, _ in first }
        var judged: [TestCase] = []
        for one in joint.told {
            guard let report = platforms[one.platforms[0]], !one.entry.isForeign,
                var made = TestCase(one.entry, report)
            else { continue }
            if joint.reports.count > 1, one.platforms.count < joint.reports.count {
                let names = one.platforms.joined(separator: ", ").shown(limit: TestCase.limit)
                made.details += "platforms: \(names)\n"
                // A check that is told twice in a suite has two names.
                if judged.contains(where: { $0.suite == made.suite && $0.name == made.name }) {
                    // The pass of one platform adds nothing to what another found.
                    if made.kind == .passed, made.remark == nil { continue }
                    made.name += " (\(names))"
                }
            }
            judged.append(made)
        }
        let gate = TestSuite(name: "\(root).gate", cases: Hindrance.all(of: joint).map(TestCase.init))
        let suites = ([gate] + judged.grouped(by: \.suite).map { TestSuite(name: $0.key, cases: $0.members) })
            .filter { !$0.cases.isEmpty }
        return suites.filter { $0.name != TestCase.remarks } + suites.filter { $0.name == TestCase.remarks }
    }

    /// The suites, in which details that find no room are counted.
    private static func bounded(_ suites: [TestSuite]) -> [TestSuite] {
        var suites = suites
        var room = mostDetails
        for suite in suites.indices {
            for place in suites[suite].cases.indices {
                let octets = suites[suite].cases[place].details.utf8.count
                room -= octets
                guard room < 0, octets > 200 else { continue }
                suites[suite].cases[place].details =
                    "\(octets) bytes are left out here, because this report is bounded; the JSON report has them"
            }
        }
        return suites
    }
}

/// A check that was judged or waits for something, or what broke.
struct TestCase {
    enum Kind: String {
        case passed
        case failure
        case error
        case skipped
    }

    /// Characters of one string of a provider; well below what XML parsers accept.
    static let limit = 1_000
    static let remarks = "\(TestSuite.root).remarks"

    fileprivate(set) var suite: String
    fileprivate(set) var name: String
    private(set) var kind = Kind.passed
    /// Seconds of the exchanges that it names.
    private(set) var seconds = 0.0
    /// What was found, or why it was not judged.
    private(set) var message = ""
    private(set) var type = ""
    /// Every finding with its rule and its request.
    fileprivate(set) var details = ""
    /// Why a failure closes nothing: `warning`, `known before`, `waived (…)`; then the kind is passed.
    private(set) var remark: String?

    /// A check; `nil` for one that does not apply or was not to be judged.
    fileprivate init?(_ entry: Report.Entry, _ report: Report) {
        name = entry.id.rawValue.shown(limit: 200)
        let cited = Set(entry.verdict.findings.compactMap(\.exchange))
        seconds = report.exchanges.filter { cited.contains($0.id) }.map(\.timings.total).reduce(0, +)
        var suite = "\(TestSuite.root).\(entry.stage.rawValue)"
        switch Fate(entry) {
        case .passed: break
        case .closes:
            kind = .failure
            type = entry.requirement.rawValue
            message = Self.message(entry)
            details = Self.details(entry, report)
        case .undecided:
            kind = .skipped
            message = (entry.verdict.reason ?? "").shown(limit: Self.limit)
        case .known, .waived, .belowThreshold:
            suite = Self.remarks
            remark = entry.shownRemark(limit: Self.limit)
            message = Self.message(entry)
            details = Self.details(entry, report)
        case .excused, .notApplicable, .notAttempted: return nil
        }
        self.suite = suite
    }

    /// What broke: without such a case a server would show success.
    fileprivate init(_ hindrance: Hindrance) {
        suite = "\(TestSuite.root).gate"
        name = hindrance.name
        kind = .error
        seconds = hindrance.exchange?.timings.total ?? 0
        message = hindrance.message
        type = "undecided"
        details = hindrance.details.joined(separator: "\n")
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
        let told = findings.prefix(listed).map(render) + more
        let cited = Set(findings.compactMap(\.exchange))
        let commands = report.exchanges.filter { cited.contains($0.id) }.prefix(2)
            .compactMap { Curl.boundedCommand(for: $0, reach: report.reach) }
            .map { "request: \($0)\n" }
        return told.joined(separator: "\n") + "\n" + rule(entry) + commands.joined()
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
    /// Why a failure closes no gate: `known before`, `waived (because, until; file:line)`, or its level.
    func shownRemark(limit: Int) -> String {
        if isKnown { return "known before" }
        guard let waiver else { return level.rawValue }
        let end = waiver.until.map { ", until \($0)" } ?? ""
        return "waived (\(waiver.because.shown(limit: limit))\(end); \(waiver.source.shown(limit: limit)))"
    }
}
