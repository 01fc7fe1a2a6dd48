import Conformance
import JSONTree
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// Reports of every kind for formats that programs read, and the programs that read them.
enum MachineReports {
    static let root = SourceRoot(workingFolder: "/srv/checkout/sign-in", root: "/srv/checkout")

    /// The lines of a configuration, as in a run.
    static func placed(_ report: Report) -> Report {
        var report = report
        report.sources.configuration = [
            "issuer": SourcePlace(file: "./preflight.yaml", line: 2),
            "client.id": SourcePlace(file: "./preflight.yaml", line: 4),
            "redirect_uri": SourcePlace(file: "./preflight.yaml", line: 7),
            "sign_in.password": SourcePlace(file: "./preflight.yaml", line: 12),
        ]
        report.lifetimes.certificates = [
            .init(host: "idp.example.com:443", notBefore: 1_780_000_000, notAfter: 1_795_000_000.5)
        ]
        report.lifetimes.keys = [
            .init(
                index: 0,
                kid: "a\"b\\c\nd",
                type: "RSA",
                algorithm: "RS256",
                use: "sig",
                notBefore: 1_780_000_000,
                notAfter: 1_790_000_000
            ), .init(index: 1, kid: "a\"b\\c\nd", type: "EC", algorithm: nil, use: nil),
        ]
        return report
    }

    /// The sample with a failed step.
    static func broken() -> Report {
        var report = placed(SampleReport.inconclusive.report)
        let words = "Sign in ##[error]x ::set-output name=gate::open"
        report.causes = [
            Cause(
                .signIn,
                "The provider rejects the user name or the password.",
                words: words,
                advice: "Check sign_in.username and the password.",
                keys: ["sign_in.password"],
                mayBeConfiguration: true
            )
        ]
        return report
    }

    /// The sample with errors that are known from an earlier report.
    static func known() -> Report {
        var report = placed(SampleReport.closed.report)
        for place in report.entries.indices where report.entries[place].closesGate {
            report.entries[place].closesGate = false
            report.entries[place].isKnown = true
        }
        report.outcome = .init(gate: .open, exitCode: 0, summary: "Gate open: 3 known errors")
        return report
    }

    static func joint() -> JointReport {
        JointReport(
            placed(JointReportTests.report(.open, for: "alpha")),
            [.closed, .closed].enumerated().map { placed(JointReportTests.report($1, for: "beta\($0)")) }
        )
    }

    static func all() -> [(name: String, report: JointReport)] {
        let samples = SampleReport.allCases.map { ($0.rawValue, JointReport(placed($0.report))) }
        let strings = HostileTests.strings.indices.map { index in
            ("string \(index)", JointReport(hostile(HostileTests.strings[index])))
        }
        return samples + strings + [
            ("broken", JointReport(broken())), ("known", JointReport(known())), ("several", joint()),
            ("without places", JointReport(SampleReport.closed.report)),
            ("many", JointReport(HostileTests.report("x", checks: 20, findings: 200))),
            ("empty", JointReport(HostileTests.report("", checks: 0))),
        ]
    }

    /// A report in which every text is the given one, including names of files and keys.
    static func hostile(_ text: String) -> Report {
        var report = HostileTests.report(text, checks: 1, findings: 2)
        report.causes = [Cause(.signIn, text, words: text, advice: text, keys: ["issuer"], mayBeConfiguration: true)]
        report.sources.configuration = ["issuer": SourcePlace(file: text, line: 3)]
        report.lifetimes.certificates = [.init(host: text, notBefore: .infinity, notAfter: .nan)]
        report.lifetimes.keys = [.init(index: 0, kid: text, type: text, algorithm: text, use: text)]
        return report
    }

    /// The output of a Python program, a line for each report.
    ///
    /// - Parameter script: Reads a list of texts from standard input.
    static func read(_ texts: [String], by script: String, with python: Oracle) async throws -> [String] {
        let python = try await python.path()
        let input = JSON.array(texts.map(JSON.string)).serialized()
        let answer = try await OtherProgram.run(python, ["-c", script], input: input)
        try #require(answer.isSuccess, "\(answer.errors.suffix(1_500))")
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        try #require(lines.count == texts.count, "\(answer.errors.suffix(500))")
        return lines
    }

    /// The checks of a report by state.
    static func count(_ report: JointReport, _ isCounted: (Report.Entry) -> Bool) -> Int {
        Set(report.reports.flatMap { $0.entries.filter(isCounted).map(\.id) }).count
    }
}
