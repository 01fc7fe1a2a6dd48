import Conformance

/// The form for the test view of a CI server, in the structure that the Jenkins xUnit plugin reads.
///
/// A case is a check of the profile that was judged: `<failure>` exactly when it closes the gate. What broke is one `<error>`, and
/// what waits for it is skipped. Remarks, what is waived and what an earlier report knows have a suite of their own, so that they are
/// seen and fail nothing. Of several platforms each case is told once, with those that it is about.
enum JUnitReport {
    /// Characters of one string of a provider; well below what XML parsers accept.
    private static let limit = 1_000
    private static let root = "oidc-preflight"
    /// Octets of all details, which XML may make six times as long; the file stays below 20 MiB.
    private static let mostDetails = 3 << 20

    static func render(_ joint: JointReport) -> String {
        let suites = bounded(suites(joint))
        let cases = suites.flatMap(\.cases)
        let xml = XMLWriter()
        xml.element(
            "testsuites",
            [
                ("name", root),
                ("tests", String(cases.count)),
                ("failures", String(cases.count { $0.kind == .failure })),
                ("errors", String(cases.count { $0.kind == .error })),
                ("time", Format.seconds(joint.reports.map(\.timings.duration).max() ?? 0)),
            ]
        ) { xml in
            let properties = properties(joint)
            for suite in suites { write(suite, startedAt: joint.reports[0].timings.startedAt, properties, to: xml) }
        }
        return xml.finish()
    }

    /// The suites, in which details that find no room are counted.
    private static func bounded(_ suites: [Suite]) -> [Suite] {
        var suites = suites
        var room = mostDetails
        let none = { (octets: Int) in
            "\(octets) bytes are left out here, because this report is bounded; the JSON report has them"
        }
        for suite in suites.indices {
            for place in suites[suite].cases.indices {
                let one = suites[suite].cases[place]
                let octets = one.details.utf8.count + one.output.utf8.count
                room -= octets
                guard room < 0, octets > 200 else { continue }
                if !one.details.isEmpty { suites[suite].cases[place].details = none(one.details.utf8.count) }
                if !one.output.isEmpty { suites[suite].cases[place].output = none(one.output.utf8.count) }
            }
        }
        return suites
    }

    // MARK: Structure

    private struct Suite {
        var name: String
        var cases: [Case]

        func count(_ kind: Case.Kind) -> Int { cases.count { $0.kind == kind } }
    }

    private struct Case {
        enum Kind: String {
            case passed
            case failure
            case error
            case skipped
        }

        var suite: String
        var name: String
        var kind = Kind.passed
        /// Seconds of the exchanges that it names.
        var seconds = 0.0
        var message = ""
        var type = ""
        /// The contents of the failure or error.
        var details = ""
        /// What a passing case has to say.
        var output = ""
    }

    /// A suite for what broke, one for each stage, one for remarks.
    private static func suites(_ joint: JointReport) -> [Suite] {
        let platforms = Dictionary(joint.reports.map { ($0.profile.name, $0) }) { first, _ in first }
        var judged: [Case] = []
        for one in joint.told {
            guard let report = platforms[one.platforms[0]], !one.entry.isForeign(to: report.profile),
                var made = testCase(one.entry, report)
            else { continue }
            if joint.reports.count > 1, one.platforms.count < joint.reports.count {
                let names = one.platforms.joined(separator: ", ").shown(limit: limit)
                made.details += "platforms: \(names)\n"
                if !made.output.isEmpty { made.output += "platforms: \(names)\n" }
                // A check that is told twice in a suite has two names.
                if judged.contains(where: { $0.suite == made.suite && $0.name == made.name }) {
                    // The pass of one platform adds nothing to what another found.
                    if made.kind == .passed { continue }
                    made.name += " (\(names))"
                }
            }
            judged.append(made)
        }
        let suites = ([obstacles(joint)] + judged.grouped(by: \.suite).map { Suite(name: $0.key, cases: $0.members) })
            .filter { !$0.cases.isEmpty }
        let remarks = "\(root).remarks"
        return suites.filter { $0.name != remarks } + suites.filter { $0.name == remarks }
    }

    /// A check that was judged, or that waits for something; `nil` for one that does not apply or was not to be judged.
    private static func testCase(_ entry: Report.Entry, _ report: Report) -> Case? {
        let stage = "\(root).\(entry.stage.rawValue)"
        var result = Case(suite: stage, name: entry.id.rawValue.shown(limit: 200))
        let cited = Set(entry.verdict.findings.compactMap(\.exchange))
        result.seconds = report.exchanges.filter { cited.contains($0.id) }.map(\.timings.total).reduce(0, +)
        switch Fate(entry) {
        case .passed: break
        case .closes:
            result.kind = .failure
            result.type = entry.requirement.rawValue
            result.message = message(entry)
            result.details = details(entry, report)
        case .undecided:
            result.kind = .skipped
            result.message = (entry.verdict.reason ?? "").shown(limit: limit)
        case .known, .waived, .belowThreshold:
            result.suite = "\(root).remarks"
            result.output = "\(remark(entry)): \(message(entry))\n\(details(entry, report))"
        case .excused, .notApplicable, .notAttempted: return nil
        }
        return result
    }

    /// The cases that fail for no single check: what broke, what left checks without evidence, an interruption.
    ///
    /// Without them the server would show success.
    private static func obstacles(_ joint: JointReport) -> Suite {
        let name = "\(root).gate"
        var cases: [Case] = []
        func add(_ title: String, _ message: String, _ details: [String?], seconds: Double = 0) {
            let earlier = cases.count { $0.name == title || $0.name.hasPrefix(title + "-") }
            cases.append(
                Case(
                    suite: name,
                    name: earlier == 0 ? title : "\(title)-\(earlier + 1)",
                    kind: .error,
                    seconds: seconds,
                    message: message.shown(limit: limit),
                    type: "undecided",
                    details: details.compactMap(\.self).map { $0.shown(limit: limit) }.joined(separator: "\n")
                )
            )
        }
        // What broke for one platform broke for all that share its run.
        let broken = joint.reports.first { !$0.causes.isEmpty } ?? joint.reports[0]
        for cause in broken.causes {
            let exchange = cause.exchange.flatMap { id in broken.exchanges.first { $0.id == id } }
            add(
                cause.rung.key,
                cause.message,
                [
                    cause.words.map { "it says: \($0)" }, "do: \(cause.advice)",
                    cause.places.isEmpty ? nil : "see: \(cause.shownPlaces)",
                    "\(counted(broken.waiting(for: cause), "check")) could not be judged for it",
                ],
                seconds: exchange?.timings.total ?? 0
            )
        }
        let blocked = joint.obstacles
            .filter { one in
                one.entry.blocksOpening && !broken.causes.contains { one.entry.isWaiting(for: $0) }
            }
        for (reason, members) in blocked.grouped(by: { $0.entry.verdict.reason ?? "" }) {
            add("evidence", reason, members.prefix(20).map(\.entry.id.rawValue) + [more(members.count - 20)])
        }
        if cases.isEmpty, joint.outcome.gate == .undecided { add("decided", joint.outcome.summary, []) }
        return Suite(name: name, cases: cases)
    }

    // MARK: Wording

    private static func message(_ entry: Report.Entry) -> String {
        let findings = entry.verdict.findings
        let more = findings.count > 1 ? " (and \(counted(findings.count - 1, "finding")) more)" : ""
        return (findings.first?.message ?? entry.title).shown(limit: limit) + more
    }

    private static func remark(_ entry: Report.Entry) -> String {
        if entry.isKnown { return "known before" }
        guard let waiver = entry.waiver else { return entry.level.rawValue }
        let end = waiver.until.map { ", until \($0)" } ?? ""
        return "waived (\(waiver.because.shown(limit: limit))\(end); \(waiver.source.shown(limit: limit)))"
    }

    private static func details(_ entry: Report.Entry, _ report: Report) -> String {
        let listed = 20
        let findings = entry.verdict.findings
        let told = findings.prefix(listed).map(render) + [more(findings.count - listed)].compactMap(\.self)
        let cited = Set(findings.compactMap(\.exchange))
        let commands = report.exchanges.filter { cited.contains($0.id) }.prefix(2)
            .compactMap { Curl.boundedCommand(for: $0, reach: report.reach) }
            .map { "request: \($0)\n" }
        return told.joined(separator: "\n") + "\n" + rule(entry) + commands.joined()
    }

    private static func more(_ count: Int) -> String? { count > 0 ? "and \(count) more" : nil }

    private static func render(_ finding: Finding) -> String {
        let subject = finding.subject.map { "\($0.shown(limit: 400)): " } ?? ""
        let rows: [(String, String?)] = [
            ("at", finding.place),
            ("found", finding.shownFound(limit: limit)),
            ("expected", finding.shownExpected(limit: limit)),
            ("fix", finding.fix.shown(limit: limit)),
            ("because", finding.authority?.sentence.shown(limit: limit)),
        ]
        return subject + finding.message.shown(limit: limit) + "\n"
            + rows.compactMap { label, text in text.map { "  \(label): \($0)\n" } }.joined()
    }

    private static func rule(_ entry: Report.Entry) -> String {
        "rule: \(entry.title); \(entry.authority): \(entry.citation.shownWords(limit: limit))\n\(entry.citation.link)\n"
            + "explained: \(entry.id.link)\n"
    }

    /// What a reader of the file asks first, beside every suite: servers show those of a suite alone.
    private static func properties(_ joint: JointReport) -> [(String, String)] {
        let first = joint.reports[0]
        let names = joint.reports.map(\.profile.name).joined(separator: ", ").shown(limit: limit)
        var properties = [
            ("tool", first.tool.shown()), ("issuer", first.target.issuer.shown()), ("profile", names),
            ("tier", first.tier.rawValue), ("gate", joint.outcome.gate.rawValue),
            ("exitCode", String(joint.outcome.exitCode)), ("summary", joint.outcome.summary.shown(limit: limit)),
        ]
        for report in joint.reports {
            let prefix = joint.reports.count == 1 ? "" : report.profile.name.shown() + "."
            if !prefix.isEmpty { properties.append((prefix + "gate", report.outcome.gate.rawValue)) }
            properties += [
                (prefix + "signIn", report.answers.signIn.verdict.rawValue),
                (prefix + "safety", report.answers.safety.verdict.rawValue),
                (prefix + "conformance", report.answers.conformance.verdict.rawValue),
                (prefix + "remarks", String(report.entries(.belowThreshold).count)),
            ]
        }
        return properties
    }

    // MARK: XML

    private static func write(
        _ suite: Suite,
        startedAt: Double,
        _ properties: [(String, String)],
        to xml: borrowing XMLWriter
    ) {
        xml.element(
            "testsuite",
            [
                ("name", suite.name),
                ("tests", String(suite.cases.count)),
                ("failures", String(suite.count(.failure))),
                ("errors", String(suite.count(.error))),
                ("skipped", String(suite.count(.skipped))),
                ("time", Format.seconds(suite.cases.map(\.seconds).reduce(0, +))),
                ("timestamp", String(Format.moment(startedAt).dropLast())),
            ]
        ) { xml in
            xml.element("properties") { xml in
                for (name, value) in properties { xml.element("property", [("name", name), ("value", value)]) }
            }
            for one in suite.cases { write(one, to: xml) }
        }
    }

    private static func write(_ one: Case, to xml: borrowing XMLWriter) {
        let attributes = [("classname", one.suite), ("name", one.name), ("time", Format.seconds(one.seconds))]
        xml.element("testcase", attributes) { xml in
            switch one.kind {
            case .passed:
                if !one.output.isEmpty { xml.element("system-out") { xml in xml.text(one.output) } }
            case .failure, .error:
                xml.element(one.kind.rawValue, [("message", one.message), ("type", one.type)]) { xml in
                    xml.text(one.details)
                }
            case .skipped: xml.element("skipped", [("message", one.message)])
            }
        }
    }
}
