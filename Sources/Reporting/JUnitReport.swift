import Conformance

/// The form for the test view of a CI server, in the structure that the Jenkins xUnit plugin reads.
///
/// A suite is a stage and a case is a check. A case has `<failure>` exactly when its entry closes the gate and `<error>`
/// exactly when it keeps the gate from opening, so the server's count is the gate's.
enum JUnitReport {
    /// Characters of one string of a provider; well below what XML parsers accept.
    private static let limit = 1_000

    static func render(_ joint: JointReport) -> String {
        let suites = joint.reports.flatMap { Self.suites(of: $0, isAlone: joint.reports.count == 1) }
        let cases = suites.flatMap { $0.suite.cases }
        let xml = XMLWriter()
        xml.element(
            "testsuites",
            [
                ("name", "oidc-preflight"),
                ("tests", String(cases.count)),
                ("failures", String(cases.count { $0.kind == .failure })),
                ("errors", String(cases.count { $0.kind == .error })),
                ("time", Format.seconds(joint.reports.map(\.timings.duration).max() ?? 0)),
            ]
        ) { xml in
            for (report, suite) in suites { write(suite, of: report, to: xml) }
        }
        return xml.finish()
    }

    /// Suites of several platforms are told apart by the platform's name.
    private static func suites(of report: Report, isAlone: Bool) -> [(report: Report, suite: Suite)] {
        let prefix = "oidc-preflight." + (isAlone ? "" : report.profile.name.shown() + ".")
        let stages = report.stages.map { suite($0.stage, $0.entries, report, prefix) }
        return (stages + [gateSuite(report, prefix)].compactMap(\.self)).map { (report, $0) }
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
        var kind: Kind
        var message = ""
        var type = ""
        /// The contents of the failure or error.
        var details = ""
        /// What a passing case has to say.
        var output = ""
    }

    private static func suite(
        _ stage: Stage,
        _ entries: [Report.Entry],
        _ report: Report,
        _ prefix: String
    ) -> Suite {
        let name = prefix + stage.rawValue
        return Suite(name: name, cases: entries.map { testCase($0, of: report, in: name) })
    }

    private static func testCase(_ entry: Report.Entry, of report: Report, in suite: String) -> Case {
        var result = Case(suite: suite, name: entry.id.rawValue, kind: .passed)
        let reason = (entry.verdict.reason ?? "").shown(limit: limit)
        if entry.closesGate {
            result.kind = .failure
            result.type = entry.requirement.rawValue
            result.message = message(entry)
            result.details = details(entry)
        } else if report.causes.contains(where: entry.isWaiting) {
            // The cause is told once, as a case of its own.
            result.kind = .skipped
            result.message = reason
        } else if entry.blocksOpening {
            result.kind = .error
            result.type = "inconclusive"
            result.message = reason
            result.details = rule(entry)
        } else if entry.verdict.reason != nil {
            result.kind = .skipped
            result.message = "\(entry.verdict.word): \(reason)"
        } else if !entry.verdict.findings.isEmpty {
            result.output = remark(entry) + "\n" + details(entry)
        }
        return result
    }

    /// The cases that fail for no single check: a cause of which many wait, an interrupted run, an empty selection.
    ///
    /// Without them the server would show success.
    private static func gateSuite(_ report: Report, _ prefix: String) -> Suite? {
        let name = prefix + "gate"
        let causes = report.causes.enumerated()
            .map { index, cause in
                var broken = Case(suite: name, name: "gate.cause-\(index + 1).\(cause.rung.key)", kind: .error)
                broken.type = "inconclusive"
                broken.message = cause.message.shown(limit: limit)
                broken.details = [
                    cause.words.map { "it says: \($0)" }, "do: \(cause.advice)",
                    cause.places.isEmpty ? nil : "see: \(cause.shownPlaces)",
                ]
                .compactMap(\.self)
                .joined(separator: "\n").shown(limit: limit)
                return broken
            }
        if !causes.isEmpty { return Suite(name: name, cases: causes) }
        guard report.outcome.gate == .undecided, !report.entries.contains(where: \.blocksOpening) else { return nil }
        var undecided = Case(suite: name, name: "gate.is-decided", kind: .error)
        undecided.type = "undecided"
        undecided.message = report.outcome.summary.shown(limit: limit)
        return Suite(name: undecided.suite, cases: [undecided])
    }

    // MARK: Wording

    private static func message(_ entry: Report.Entry) -> String {
        let findings = entry.verdict.findings
        let more = findings.count > 1 ? " (and \(counted(findings.count - 1, "finding")) more)" : ""
        return (findings.first?.message ?? entry.title).shown(limit: limit) + more
    }

    private static func remark(_ entry: Report.Entry) -> String {
        guard let waiver = entry.waiver else { return "\(entry.level.rawValue), below the level that closes the gate" }
        let end = waiver.until.map { ", until \($0)" } ?? ""
        return "waived: \(waiver.because.shown(limit: limit))\(end) (\(waiver.source.shown(limit: limit)))"
    }

    private static func details(_ entry: Report.Entry) -> String {
        let listed = 20
        let findings = entry.verdict.findings
        let told = findings.prefix(listed).map(render)
        let more = findings.count > listed ? ["and \(findings.count - listed) more\n"] : []
        return (told + more).joined(separator: "\n") + "\n" + rule(entry)
    }

    private static func render(_ finding: Finding) -> String {
        let subject = finding.subject.map { "\($0.shown(limit: 400)): " } ?? ""
        let rows: [(String, String?)] = [
            ("at", finding.pointer?.shown(limit: limit)),
            ("found", finding.found?.quoted(limit: limit)),
            ("expected", finding.expected?.quoted(limit: limit)),
            ("fix", finding.fix.shown(limit: limit)),
        ]
        return subject + finding.message.shown(limit: limit) + "\n"
            + rows.compactMap { label, text in text.map { "  \(label): \($0)\n" } }.joined()
    }

    private static func rule(_ entry: Report.Entry) -> String {
        "rule: \(entry.title); \(entry.authority): \(entry.citation.shownWords(limit: limit))\n\(entry.citation.link)\n"
    }

    // MARK: XML

    private static func write(_ suite: Suite, of report: Report, to xml: borrowing XMLWriter) {
        xml.element(
            "testsuite",
            [
                ("name", suite.name),
                ("tests", String(suite.cases.count)),
                ("failures", String(suite.count(.failure))),
                ("errors", String(suite.count(.error))),
                ("skipped", String(suite.count(.skipped))),
                // A check takes no time of its own; the run's duration stands at the root.
                ("time", Format.seconds(0)),
                ("timestamp", String(Format.moment(report.timings.startedAt).dropLast())),
            ]
        ) { xml in
            xml.element("properties") { xml in
                for (name, value) in properties(report) {
                    xml.element("property", [("name", name), ("value", value)])
                }
            }
            for one in suite.cases { write(one, to: xml) }
        }
    }

    private static func properties(_ report: Report) -> [(String, String)] {
        [
            ("tool", report.tool.shown()),
            ("issuer", report.target.issuer.shown()),
            ("profile", report.profile.name.shown()),
            ("tier", report.tier.rawValue),
            ("gate", report.outcome.gate.rawValue),
            ("exitCode", String(report.outcome.exitCode)),
            ("summary", report.outcome.summary.shown(limit: limit)),
            ("signIn", report.answers.signIn.verdict.rawValue),
            ("safety", report.answers.safety.verdict.rawValue),
            ("conformance", report.answers.conformance.verdict.rawValue),
        ]
    }

    private static func write(_ one: Case, to xml: borrowing XMLWriter) {
        xml.element("testcase", [("classname", one.suite), ("name", one.name), ("time", Format.seconds(0))]) { xml in
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
