internal import Conformance
internal import Preflight
internal import Reporting

/// The result of a run: whether the provider may be registered, and the findings.
public struct Report: Sendable {
    /// Whether the provider may be registered.
    public enum Gate: String, Sendable {
        /// All required checks ran, and there is no blocking finding.
        case open
        /// There is at least one blocking finding.
        case closed
        /// A required check did not run or was inconclusive; ``Report/causes`` and ``Report/unjudged`` contain the reasons.
        case undecided
    }

    /// The answer to one of the three questions before a registration.
    public enum Answer: String, Sendable {
        /// Yes, according to the checks that ran.
        case yes
        /// No, because of a finding.
        case no
        /// Inconclusive.
        case undecided
        /// Not part of the run: there was no sign-in, or no check of this kind was selected.
        case notTried
    }

    /// Whether the provider may be registered.
    public let gate: Gate
    /// The verdict in one sentence, with the counts.
    public let summary: String
    /// Whether users can sign in.
    public let signInWorks: Answer
    /// Whether attackers gain no access, and no secret is exposed.
    public let isSafe: Answer
    /// Whether the provider follows the specifications.
    public let conforms: Answer
    /// All findings, those that close the gate first.
    public let findings: [Finding]
    /// The root causes of a failed sign-in, each in a sentence with advice, instead of all superseded findings.
    public let causes: [String]
    /// The required checks that were skipped or inconclusive, each with the reason.
    public let unjudged: [String]
    /// The number of passed checks.
    public let passed: Int
    /// Notes about the whole run, such as an interruption or missing TLS checks.
    public let notes: [String]
    private let conclusion: RedactableReport

    init(_ conclusion: RedactableReport) {
        let report = conclusion.target.withoutScreenshots.report.reports[0]
        let clean = { (text: String) in conclusion.withoutSecrets(text) }
        self.conclusion = conclusion
        gate = Gate(report.outcome.gate)
        summary = clean(report.outcome.summary)
        signInWorks = Answer(report.answers.signIn.verdict)
        isSafe = Answer(report.answers.safety.verdict)
        conforms = Answer(report.answers.conformance.verdict)
        let all = report.entries.flatMap { entry in entry.verdict.findings.map { Finding(entry, $0, clean) } }
        findings = all.filter(\.closesGate) + all.filter { !$0.closesGate }
        causes = report.causes.map { cause in
            clean(cause.message + (cause.words.map { " Message: \($0.quoted)." } ?? "") + " " + cause.advice)
        }
        unjudged = report.entries.filter(\.blocksOpening)
            .map { clean("\($0.id): \($0.verdict.reason ?? "no evidence")") }
        passed = report.coverage.passed
        notes = report.notes.map(clean)
    }

    /// The findings that close the gate.
    public var closing: [Finding] { findings.filter(\.closesGate) }

    /// The report for a terminal, at most 60 lines; its last line is the verdict.
    ///
    /// - Parameter isWhole: Whether every check is listed; then there is no limit.
    public func text(isWhole: Bool = false) -> String {
        let options = ReportOptions(width: 100, verbosity: isWhole ? .full : .brief)
        return conclusion.text(.text, options)
    }

    /// A format of the report for other programs.
    public enum Form: String, Sendable, CaseIterable {
        /// JSON with a stable schema (`Reports/report.schema.json`).
        case json
        /// JUnit, for the test view of a build server.
        case junit
        /// Markdown, for a pull request.
        case markdown
        /// SARIF 2.1.0, for code scanning and editors.
        case sarif
        /// HTML: one page without external resources.
        case html
        /// OpenMetrics, for monitoring.
        case openmetrics
    }

    /// The full report in another format.
    public func rendered(as form: Form) -> String {
        let format: ReportFormat =
            switch form {
            case .json: .json
            case .junit: .junit
            case .markdown: .markdown
            case .sarif: .sarif
            case .html: .html
            case .openmetrics: .openmetrics
            }
        return conclusion.text(format, ReportOptions())
    }
}

extension Report.Gate {
    init(_ gate: Conformance.Report.Gate) {
        self =
            switch gate {
            case .open: .open
            case .closed: .closed
            case .inconclusive: .undecided
            }
    }
}

extension Report.Answer {
    init(_ verdict: Answers.SignInVerdict) {
        self =
            switch verdict {
            case .works: .yes
            case .fails: .no
            case .inconclusive: .undecided
            case .notTried: .notTried
            }
    }

    init(_ verdict: Answers.Verdict) {
        self =
            switch verdict {
            case .sound: .yes
            case .problems: .no
            case .inconclusive: .undecided
            case .notTried: .notTried
            }
    }
}
