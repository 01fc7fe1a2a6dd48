import Conformance
import JSONTree
import Reporting
import TestSupport
import Testing

/// The formats for monitoring and badges.
@Suite(.timeLimit(.minutes(5))) struct MonitoringFormatTests {
    private static let prometheus = Oracle.python("prometheus_client")

    @Test(.oracle(prometheus)) func `the parser of prometheus_client reads every report as OpenMetrics`() async throws {
        let script = """
            import json, sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            for text in json.load(sys.stdin):
                families = {one.name: one for one in text_string_to_metric_families(text)}
                gate = [(s.labels["profile"], s.labels["oidc_preflight_gate"]) for s in families["oidc_preflight_gate"].samples if s.value == 1]
                failed = sum(s.value for s in families["oidc_preflight_failed_checks"].samples if s.labels["effect"] == "closes")
                types = sorted({one.type for one in families.values()})
                print(json.dumps([[g for _, g in gate], int(failed), types]))
            """
        let reports = MachineReports.all()
        let texts = reports.map { ReportFormat.openmetrics.render($0.report) }
        let lines = try await MachineReports.read(texts, by: script, with: Self.prometheus)
        for (line, (name, report)) in zip(lines, reports) {
            let gates = report.reports.map { JSON.string($0.outcome.gate.rawValue) }
            let closing = report.reports.map { $0.entries.count(where: \.closesGate) }.reduce(0, +)
            let expected: JSON = [.array(gates), .integer(Int64(closing)), ["gauge", "info", "stateset"]]
            #expect(try JSONDocument.parse(line).root == expected, "\(name)")
        }
    }

    @Test func `metrics cover answers, findings, the run, certificates and keys`() {
        let lines = ReportFormat.openmetrics.render(MachineReports.placed(SampleReport.closed.report))
            .split(separator: "\n").map(String.init)
        let issuer = #"issuer="https://idp.example.com""#
        let both = issuer + #",profile="firebase-oidc""#
        let kid = #"kid="a\\"b\\\\c\\\\u{A}d""#.replacing(#"\\"#, with: #"\"#)
        for line in [
            "oidc_preflight_info{\(issuer),tool=\"oidc-preflight 0.1.0\",tier=\"full\"} 1",
            "oidc_preflight_gate{\(both),oidc_preflight_gate=\"closed\"} 1",
            "oidc_preflight_gate{\(both),oidc_preflight_gate=\"open\"} 0",
            "oidc_preflight_sign_in{\(both),oidc_preflight_sign_in=\"fails\"} 1",
            "oidc_preflight_failed_checks{\(both),level=\"error\",effect=\"closes\"} 3",
            "oidc_preflight_failed_checks{\(both),level=\"error\",effect=\"waived\"} 1",
            "oidc_preflight_failed_checks{\(both),level=\"warning\",effect=\"remark\"} 1",
            "oidc_preflight_run_timestamp_seconds{\(both)} 1789999990.000",
            "oidc_preflight_run_duration_seconds{\(both)} 1.250",
            "oidc_preflight_certificate_not_after_timestamp_seconds{\(issuer),host=\"idp.example.com:443\"} 1795000000.500",
            "oidc_preflight_key_info{\(issuer),\(kid),index=\"0\",kty=\"RSA\",alg=\"RS256\",use=\"sig\"} 1",
            "oidc_preflight_key_certificate_not_after_timestamp_seconds{\(issuer),\(kid),index=\"0\"} 1790000000.000",
            "# EOF",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(lines.last == "# EOF")
        let broken = ReportFormat.openmetrics.render(MachineReports.broken())
        #expect(broken.contains(#"oidc_preflight_gate="undecided"} 1"#) && broken.contains(#"step="sign-in"} 0"#))
    }

    struct Badge: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var report: @Sendable () -> JointReport
        var message: String
        var color: String
        var isError: Bool
    }

    /// The members are those that shields.io documents for its endpoint; no program reads them here.
    @Test(
        arguments: [
            Badge(
                testDescription: "open",
                report: { JointReport(SampleReport.open.report) },
                message: "open, sign-in fails",
                color: "yellowgreen",
                isError: false
            ),
            Badge(
                testDescription: "closed",
                report: { JointReport(SampleReport.closed.report) },
                message: "closed: 3 problems",
                color: "red",
                isError: true
            ),
            Badge(
                testDescription: "undecided",
                report: { JointReport(MachineReports.broken()) },
                message: "inconclusive",
                color: "lightgrey",
                isError: true
            ),
            Badge(
                testDescription: "known",
                report: { JointReport(MachineReports.known()) },
                message: "open, 3 known errors",
                color: "yellowgreen",
                isError: false
            ),
            Badge(
                testDescription: "several",
                report: { MachineReports.joint() },
                message: "open for 1 of 3 platforms",
                color: "red",
                isError: true
            ),
            Badge(
                testDescription: "signed in",
                report: {
                    var report = SampleReport.open.report
                    report.answers.signIn = .init(.works)
                    return JointReport(report)
                },
                message: "sign-in works",
                color: "brightgreen",
                isError: false
            ),
        ]
    )
    func `a badge has a short message`(_ badge: Badge) throws {
        let root = try JSONDocument.parse(ReportFormat.badge.render(badge.report())).root
        #expect(
            root == [
                "schemaVersion": 1, "label": "OpenID Provider", "message": .string(badge.message),
                "color": .string(badge.color), "isError": .bool(badge.isError),
            ]
        )
    }
}
