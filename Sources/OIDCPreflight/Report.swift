internal import Conformance
internal import Preflight
internal import Reporting

/// What a judgement came to: whether the provider may be registered, and what stands in the way.
public struct Report: Sendable {
    /// Whether the provider may be registered.
    public enum Gate: String, Sendable {
        /// Everything that was to be judged was judged, and nothing stands in the way.
        case open
        /// At least one finding stands in the way.
        case closed
        /// Something that had to be judged could not be: ``Report/causes`` and ``Report/unjudged`` say why.
        case undecided
    }

    /// One of the three answers to what is asked before a provider is registered.
    public enum Answer: String, Sendable {
        /// Yes, as far as was judged.
        case yes
        /// No: a finding stands against it.
        case no
        /// It could not be told.
        case undecided
        /// It was not asked: nobody was to sign in, or nothing of it was judged.
        case notTried
    }

    /// Whether the provider may be registered.
    public let gate: Gate
    /// The verdict in one sentence, with the counts.
    public let summary: String
    /// Whether people can sign in.
    public let signInWorks: Answer
    /// Whether nobody gains what is not theirs, and no secret is exposed.
    public let isSafe: Answer
    /// Whether the specifications are kept.
    public let conforms: Answer
    /// Everything that was found, what closes the gate first.
    public let findings: [Finding]
    /// What broke in an ordinary sign-in, each in a sentence with what to look at: told once, in the place of all that waits for it.
    public let causes: [String]
    /// The checks that had to be judged and could not be, each with the reason.
    public let unjudged: [String]
    /// How many checks passed.
    public let passed: Int
    /// Sentences about the run as a whole: that it was interrupted, that nothing is said of TLS.
    public let notes: [String]
    private let conclusion: Conclusion

    init(_ conclusion: Conclusion) {
        let report = conclusion.report.targets[0].report.reports[0]
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
            clean(cause.message + (cause.words.map { " It says: \($0.quoted)." } ?? "") + " " + cause.advice)
        }
        unjudged = report.entries.filter(\.blocksOpening)
            .map { clean("\($0.id): \($0.verdict.reason ?? "no evidence")") }
        passed = report.coverage.passed
        notes = report.notes.map(clean)
    }

    /// The findings that close the gate.
    public var closing: [Finding] { findings.filter(\.closesGate) }

    /// The report as people read it in a terminal, at most 60 lines; its last line is the verdict.
    ///
    /// - Parameter isWhole: Whether every check is told; then there is no such bound.
    public func text(isWhole: Bool = false) -> String {
        let options = ReportOptions(width: 100, verbosity: isWhole ? .full : .brief)
        return conclusion.text(.text, options)
    }

    /// A form of the report for other programs.
    public enum Form: String, Sendable, CaseIterable {
        /// The one whose members are promised (`Reports/report.schema.json`).
        case json
        /// For the test view of a build server.
        case junit
        /// For a pull request.
        case markdown
        /// For code scanning and editors (SARIF 2.1.0).
        case sarif
        /// For people who open a file: one page that loads nothing.
        case html
        /// For monitoring.
        case openmetrics
    }

    /// The whole report in another form.
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
            case .undecided: .undecided
            }
    }
}

extension Report.Answer {
    init(_ verdict: Answers.SignInVerdict) {
        self =
            switch verdict {
            case .works: .yes
            case .fails: .no
            case .undecided: .undecided
            case .notTried: .notTried
            }
    }

    init(_ verdict: Answers.Verdict) {
        self =
            switch verdict {
            case .sound: .yes
            case .problems: .no
            case .undecided: .undecided
            case .notTried: .notTried
            }
    }
}
