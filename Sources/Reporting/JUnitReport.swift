import Conformance

/// The report for the test view of a CI server, in the structure that the Jenkins xUnit plugin reads.
///
/// `<failure>` is a blocking check, `<error>` a root cause; see ``TestSuite``.
enum JUnitReport {
    /// The maximum number of characters of a provider text, well below the limits of XML parsers.
    private static let limit = 1_000

    static func render(_ joint: JointReport) -> String {
        var targets = Targets()
        let part = targets.part(joint, target: nil)
        let frame = targets.frame
        return frame.head + part + frame.tail
    }

    /// Several targets: the name of each is part of the names of its suites.
    struct Targets: TargetsRenderer {
        private var counts: [TestCase.Kind: Int] = [:]
        /// The duration of the longest run in seconds.
        private var duration = 0.0
        private var space = TestSuite.ReportSpace()

        mutating func part(_ target: TargetsReport.Target) -> String { part(target.report, target: target.name) }

        fileprivate mutating func part(_ joint: JointReport, target: String?) -> String {
            let suites = TestSuite.all(of: joint, target: target, space: &space)
            for one in suites.flatMap(\.cases) { counts[one.kind, default: 0] += 1 }
            duration = joint.reports.map(\.timings.duration).reduce(duration, max)
            var properties = properties(joint)
            if let target { properties.insert(("target", target), at: 0) }
            return XMLWriter.content(of: "testsuites") { xml in
                for suite in suites {
                    let omitted = suite.omitted == 0 ? [] : [("omitted", counted(suite.omitted, "case"))]
                    write(suite, startedAt: joint.reports[0].timings.startedAt, properties + omitted, to: xml)
                }
            }
        }

        func frame(_ targets: TargetsReport) -> (head: String, tail: String) { frame }

        fileprivate var frame: (head: String, tail: String) {
            let xml = XMLWriter()
            xml.element(
                "testsuites",
                [
                    ("name", TestSuite.root),
                    ("tests", String(counts.values.reduce(0, +))),
                    ("failures", String(counts[.failure] ?? 0)),
                    ("errors", String(counts[.error] ?? 0)),
                    ("time", Format.seconds(duration)),
                ]
            )
            // libxml2 closes an element without content in its start tag.
            let head = xml.finish().replacing("/>", with: ">")
            return (head, "</testsuites>\n")
        }
    }

    /// The properties of the run, repeated in every suite, because servers show only those of suites.
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
        _ suite: TestSuite,
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

    private static func write(_ one: TestCase, to xml: borrowing XMLWriter) {
        let attributes = [("classname", one.suite), ("name", one.name), ("time", Format.seconds(one.seconds))]
        xml.element("testcase", attributes) { xml in
            switch one.kind {
            case .passed:
                guard let whyNotBlocking = one.whyNotBlocking else { break }
                xml.element("system-out") { xml in xml.text("\(whyNotBlocking): \(one.message)\n\(one.details)") }
            case .failure, .error:
                xml.element(one.kind.rawValue, [("message", one.message), ("type", one.type)]) { xml in
                    xml.text(one.details)
                }
            case .skipped: xml.element("skipped", [("message", one.message)])
            }
        }
    }
}
