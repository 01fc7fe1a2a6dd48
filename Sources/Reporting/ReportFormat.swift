package import Conformance

/// The formats of a report; each is a pure function of the report.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For the terminal and the log of a pipeline.
    case text
    /// For the test view of a CI server.
    case junit
    /// For a pull request or a step summary.
    case markdown
    /// For programs; the only format with stable members (`Reports/report.schema.json`).
    case json
    /// For code scanning and editors (SARIF 2.1.0).
    case sarif
    /// For the log of GitHub Actions, as annotations.
    case github
    /// For GitLab's merge requests.
    case codeQuality = "code-quality"
    /// For harnesses of the Test Anything Protocol.
    case tap
    /// For dashboards that read the Common Test Report Format.
    case ctrf
    /// For monitoring.
    case openmetrics
    /// For a badge of shields.io.
    case badge
    /// For readers: one self-contained page.
    case html
    /// For developer tools: every exchange of the run as an HTTP Archive.
    case har

    /// Without a dot; unique.
    package var fileExtension: String {
        switch self {
        case .text: "txt"
        case .junit: "xml"
        case .markdown: "md"
        case .json: "json"
        case .sarif: "sarif"
        case .github: "github.txt"
        case .codeQuality: "code-quality.json"
        case .tap: "tap"
        case .ctrf: "ctrf.json"
        case .openmetrics: "openmetrics"
        case .badge: "badge.json"
        case .html: "html"
        case .har: "har"
        }
    }

    /// Whether the format is JSON.
    package var isJSON: Bool {
        switch self {
        case .json, .sarif, .codeQuality, .ctrf, .badge, .har: true
        case .text, .junit, .markdown, .github, .tap, .openmetrics, .html: false
        }
    }

    /// The report in this format: total and deterministic, whatever the provider sent.
    ///
    /// The text ends with a line feed unless it is empty.
    package func render(_ report: Report, options: ReportOptions = ReportOptions()) -> String {
        render(JointReport(report), options: options)
    }

    /// Whether the format supports several targets in one file.
    package var supportsTargets: Bool {
        switch self {
        case .text, .junit, .markdown, .json, .github: true
        case .sarif, .codeQuality, .tap, .ctrf, .openmetrics, .badge, .html, .har: false
        }
    }

    /// The reports of one provider for several platforms; a single report is rendered as such.
    package func render(_ joint: JointReport, options: ReportOptions = ReportOptions()) -> String {
        let single = joint.reports.count == 1 ? joint.reports[0] : nil
        return switch self {
        case .text: TextReport(options).render(joint)
        case .junit: JUnitReport.render(joint)
        case .markdown: single.map { MarkdownReport.render($0) } ?? JointMarkdownReport.render(joint)
        case .json: JSONReport.render(joint)
        case .sarif: SARIFReport.render(joint, root: options.root)
        case .github: GitHubCommands.annotations(joint, root: options.root, withWarnings: true)
        case .codeQuality: CodeQualityReport.render(joint, root: options.root)
        case .tap: TAPReport.render(joint)
        case .ctrf: CTRFReport.render(joint)
        case .openmetrics: OpenMetricsReport.render(joint)
        case .badge: BadgeReport.render(joint)
        case .html: HTMLReport.render(joint)
        case .har: HARReport.render(joint)
        }
    }
}

/// The commands that a report suggests, with the options that lead to the same provider and configuration again.
package struct Suggestions: Sendable, Hashable {
    /// The command that writes the platform's registration if the gate is open; `nil` if it cannot be written.
    package var register: String?
    /// The command that checks the provider for every platform; `nil` if the run was for one.
    package var platforms: String?
    /// The commands that check the provider for one of several platforms, by profile.
    package var checks: [String: String] = [:]
    /// The command that tries one sign-in with the same configuration; `nil` without a file.
    package var trial: String?
    /// The options of `init`.
    var initialising: String
    /// The options of `curl`; `nil` if the evidence was not saved.
    package var request: String?

    package init(initialising: String = "") {
        self.initialising = initialising
    }
}

/// The options of text reports; formats that name files use ``root``.
package struct ReportOptions: Sendable, Hashable {
    package enum Verbosity: String, Sendable, CaseIterable {
        /// The verdict alone.
        case quiet
        /// The essential parts, at most 60 lines whatever the provider sent.
        case brief
        /// One line for each evaluated check; the others are grouped by reason.
        case full
    }

    var color: Bool
    /// Columns, at least 40.
    var width: Int
    package var verbosity: Verbosity
    /// Whether findings include the words and the purpose of their rule.
    var explains: Bool
    /// The test user of the configuration; `nil` if unknown.
    package var user: String?
    /// The root of file names.
    package var root: SourceRoot
    /// The commands to run next.
    package var suggestions = Suggestions()

    /// A report is complete by default.
    package init(
        color: Bool = false,
        width: Int = 80,
        verbosity: Verbosity = .full,
        explains: Bool = false,
        user: String? = nil,
        root: SourceRoot = SourceRoot()
    ) {
        self.color = color
        self.width = max(40, width)
        self.verbosity = verbosity
        self.explains = explains
        self.user = user
        self.root = root
    }
}
