import Conformance
import Foundation
import JSONTree
import Reporting
import Testing

/// Build servers get only this program's commands, never those of a provider.
@Suite(.timeLimit(.minutes(5))) struct BuildServerTests {
    /// Texts that try to inject commands.
    static let orders =
        HostileTests.strings + [
            "a%0A::set-output name=gate::open", "x\r\n::error::forged", "100% %25 %0D", "a:b,c;d]e=f",
            "]##vso[task.setvariable variable=secret]x", "\u{1B}[0Ksection_end:1:oidc_preflight_checks\r\u{1B}[0K",
            "section_start:1:x[collapsed=true]", "::stop-commands::token", "##[endgroup]",
            "%AZP25%0A##vso[task.complete]",
        ]

    // MARK: GitHub

    /// The commands of a log, as GitHub's runner parses them: at the beginning of a line, comma-separated properties, then data.
    private static func commands(_ log: String) throws -> [(name: String, properties: [String: String], data: String)] {
        try log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { line in
                let parts = try #require(line.wholeMatch(of: #/::([a-z-]+)(?: ([^:]*))?::(.*)/#), "\(line)")
                let plain = { (text: Substring) in
                    [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
                        .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
                }
                let properties = (parts.2 ?? "").split(separator: ",")
                    .map { pair in
                        let end = pair.firstIndex(of: "=") ?? pair.endIndex
                        return (String(pair[..<end]), plain(pair[end...].dropFirst()))
                    }
                return (String(parts.1), Dictionary(uniqueKeysWithValues: properties), plain(parts.3))
            }
    }

    @Test func `GitHub shows blocking findings at their line, and warnings and notices on request`() throws {
        let report = JointReport(MachineReports.placed(SampleReport.closed.report))
        let all = try Self.commands(
            ReportFormat.github.render(report, options: ReportOptions(root: MachineReports.root))
        )
        #expect(all.map(\.name) == ["error", "error", "error", "error", "warning"])
        #expect(
            all[0].properties == [
                "file": "sign-in/preflight.yaml", "line": "2", "title": "discovery.issuer.matches-request",
            ]
        )
        #expect(
            all[0].data.split(separator: "\n") == [
                "The issuer in the document has a terminating slash that the registered one lacks.",
                "found: https://idp.example.com/", "expected: https://idp.example.com",
                "fix: Register “https://idp.example.com/”, or remove the slash from issuer.",
                Substring(CheckID("discovery.issuer.matches-request").link),
            ]
        )
        let errors = GitHubCommands.annotations(report, root: MachineReports.root, withWarnings: false)
        #expect(try Self.commands(errors).map(\.name) == ["error", "error", "error", "error"])
        #expect(
            GitHubCommands.annotations(JointReport(SampleReport.open.report), root: SourceRoot(), withWarnings: false)
                .isEmpty
        )
    }

    @Test func `a root cause is an error at the configuration key to check`() throws {
        let commands = try Self.commands(
            GitHubCommands.annotations(JointReport(MachineReports.broken()), root: SourceRoot(), withWarnings: false)
        )
        let first = try #require(commands.first)
        #expect(first.properties == ["file": "preflight.yaml", "line": "12", "title": "sign-in"])
        #expect(first.data.contains(#"message: Sign in #\u{23}[error]x ::set-output name=gate::open"#), "\(first.data)")
    }

    @Test func `ten of a level are shown, and the last counts the others`() throws {
        let report = JointReport(HostileTests.report("x", checks: 40, findings: 1))
        let commands = try Self.commands(ReportFormat.github.render(report))
        #expect(commands.count { $0.name == "error" } == 10 && commands.count { $0.name == "warning" } == 10)
        let last = try #require(commands.last { $0.name == "error" })
        #expect(last.properties["title"] == "oidc-preflight" && last.data.hasPrefix("31 more in the reports: "))
    }

    @Test(arguments: orders)
    func `a provider cannot inject GitHub commands`(_ text: String) throws {
        for root in [SourceRoot(), MachineReports.root] {
            let log = ReportFormat.github.render(MachineReports.hostile(text), options: ReportOptions(root: root))
            #expect(!log.contains("\r") && !log.contains("\u{1B}") && !log.contains("##["))
            for command in try Self.commands(log) {
                #expect(["error", "warning", "notice"].contains(command.name))
                #expect(Set(command.properties.keys).isSubset(of: ["file", "line", "title"]))
            }
            #expect(log.utf8.count < 200_000)
        }
    }

    @Test(arguments: orders)
    func `an error before a run cannot inject commands`(_ text: String) throws {
        let mistakes = [
            Mistake(message: text), Mistake(message: text, place: SourcePlace(file: text, line: 12)),
        ]
        let commands = try Self.commands(GitHubCommands.annotations(of: mistakes, root: SourceRoot()))
        #expect(commands.map(\.name) == ["error", "error"])
        #expect(commands.map { Set($0.properties.keys) } == [[], ["file", "line"]])
        let issues = AzureCommands.issues(of: mistakes, root: SourceRoot())
        #expect(
            issues.split(separator: "\n").count == 2 && issues.components(separatedBy: "##").count == 3,
            "\(issues)"
        )
    }

    @Test(arguments: [(130, "interrupted"), (2, "inconclusive")])
    func `an inconclusive run without a cause has a title that says what happened`(code: Int, title: String) throws {
        var report = SampleReport.open.report
        report.outcome.gate = .inconclusive
        report.outcome.exitCode = code
        let log = GitHubCommands.annotations(JointReport(report), root: SourceRoot(), withWarnings: false)
        #expect(try Self.commands(log).map { $0.properties["title"] } == [title], "\(log)")
    }

    struct Output: Sendable {
        var signIn: [Answers.SignInVerdict]
        var path: String?
        var lines: [String]
    }

    @Test(
        arguments: [
            Output(
                signIn: [.works],
                path: "reports/report.json",
                lines: ["gate=closed", "sign-in=works", "report=reports/report.json"]
            ),
            Output(signIn: [.works, .notTried], path: nil, lines: ["gate=closed", "sign-in=not-tried"]),
            Output(signIn: [.inconclusive, .works, .fails], path: "a\nb", lines: ["gate=closed", "sign-in=fails"]),
            Output(signIn: [.inconclusive], path: nil, lines: ["gate=closed", "sign-in=undecided"]),
        ]
    )
    func `a step outputs gate, sign-in and report`(_ output: Output) {
        let reports = output.signIn.enumerated()
            .map { place, verdict in
                var report = JointReportTests.report(.closed, for: "p\(place)")
                report.answers.signIn = .init(verdict)
                return report
            }
        var targets = TargetsReport()
        targets.add(.init(name: "", report: JointReport(reports[0], Array(reports.dropFirst()))))
        #expect(GitHubCommands.outputs(targets, report: output.path) == output.lines.joined(separator: "\n") + "\n")
    }

    // MARK: Azure

    @Test func `Azure gets each error with its check as code`() {
        let issues = AzureCommands.issues(
            JointReport(MachineReports.placed(SampleReport.closed.report)),
            root: MachineReports.root
        )
        let start =
            "##vso[task.logissue type=error;sourcepath=sign-in/preflight.yaml;linenumber=2;code=discovery.issuer.matches-request;]"
            + "The issuer in the document has"
        #expect(issues.hasPrefix(start), "\(issues)")
        #expect(issues.split(separator: "\n").count == 4)
        #expect(AzureCommands.summary(at: "/tmp/a%b.md") == "##vso[task.uploadsummary]/tmp/a%AZP25b.md\n")
    }

    @Test(arguments: orders)
    func `a provider cannot inject Azure commands`(_ text: String) {
        let log = AzureCommands.issues(JointReport(MachineReports.hostile(text)), root: SourceRoot())
        for line in log.split(separator: "\n") {
            #expect(line.hasPrefix("##vso[task.logissue type=error;"), "\(line)")
            // The agent reads the first command of a line up to the first closing bracket.
            #expect(line.ranges(of: "##vso[").count == 1 && !line.contains("##["), "\(line)")
            let properties = line.prefix { $0 != "]" }.dropFirst("##vso[task.logissue ".count).split(separator: ";")
            let names = properties.map { String($0.prefix { $0 != "=" }) }
            #expect(Set(names).isSubset(of: ["type", "sourcepath", "linenumber", "code"]), "\(names)")
        }
        #expect(!log.contains("\r") && !log.contains("\u{1B}"))
    }

    // MARK: GitLab

    @Test(arguments: orders)
    func `a provider cannot open or close a section of GitLab`(_ text: String) {
        let whole = ReportFormat.text.render(MachineReports.hostile(text))
        let section = GitLabSection(name: "checks", title: text, at: 1_790_000_000.9)
        let log = section.start + LogText.defused(whole + text + "\n") + section.end
        let marks = log.matches(of: #/\x1B\[0Ksection_(start|end):([0-9]+):([A-Za-z0-9_.-]+)(\[[^\]]*\])?\r\x1B\[0K/#)
        #expect(
            marks.map { "\($0.1) \($0.2) \($0.3) \($0.4 ?? "")" } == [
                "start 1790000000 checks [collapsed=true]", "end 1790000000 checks ",
            ]
        )
        #expect(log.count { $0 == "\r" } == 2 && log.hasSuffix("\u{1B}[0K\n"))
    }

    // MARK: GitLab's code quality

    @Test func `each issue has the members that GitLab documents, and fingerprints are unique`() throws {
        for (name, report) in MachineReports.all() {
            let text = ReportFormat.codeQuality.render(report, options: ReportOptions(root: MachineReports.root))
            let issues = try #require(try JSONDocument.parse(text).root.arrayValue, "\(name)")
            var prints: Set<String> = []
            for issue in issues {
                // https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
                #expect(
                    issue.objectValue?.names == ["description", "check_name", "fingerprint", "severity", "location"]
                )
                let severity = issue["severity"]?.stringValue ?? ""
                #expect(["info", "minor", "major", "critical", "blocker"].contains(severity), "\(name)")
                let path = issue["location"]?["path"]?.stringValue ?? "/"
                #expect(!path.hasPrefix("/") && !path.hasPrefix("./") && !path.isEmpty, "\(name): \(path)")
                #expect(issue["location"]?["lines"]?["begin"]?.integerValue ?? 0 >= 1)
                #expect(issue["description"]?.stringValue?.isEmpty == false)
                let isNew = prints.insert(issue["fingerprint"]?.stringValue ?? "").inserted
                #expect(isNew, "\(name)")
            }
            #expect(issues.count <= 1_010)
        }
    }

    @Test func `severities follow the consequence, and a root cause is a blocker`() throws {
        let reported = { (report: JointReport) throws -> [String] in
            try #require(try JSONDocument.parse(ReportFormat.codeQuality.render(report)).root.arrayValue)
                .map { "\($0["check_name"]?.stringValue ?? "") \($0["severity"]?.stringValue ?? "")" }
        }
        #expect(
            try reported(JointReport(SampleReport.closed.report)) == [
                "discovery.issuer.matches-request critical", "token.made-up-code.is-invalid-grant critical",
                "platform.custom-parameters.are-not-reserved critical",
                "platform.custom-parameters.are-not-reserved critical", "discovery.cache.is-stated minor",
                "transport.certificate.is-fresh info",
            ]
        )
        #expect(try reported(JointReport(MachineReports.broken())).first == "sign-in blocker")
        #expect(try reported(JointReport(MachineReports.known())).filter { $0.hasSuffix(" info") }.count == 5)
        let text = ReportFormat.codeQuality.render(JointReport(SampleReport.closed.report))
        #expect(text.contains(#""path": "idp.example.com""#) && text.contains("waived (renewed by hand"))
    }
}
