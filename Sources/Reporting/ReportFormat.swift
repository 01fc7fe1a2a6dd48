package import Conformance

/// The forms in which a report is written; each is a pure function of the report.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For the terminal and the log of a pipeline.
    case text
    /// For the test view of a CI server.
    case junit
    /// For a pull request or a step summary.
    case markdown
    /// For programs; the one whose members are promised (`Reports/report.schema.json`).
    case json
    /// For people who open a file: one page that loads nothing.
    case html
    /// For developer tools: every exchange of the run as an HTTP Archive.
    case har

    /// Without a dot.
    package var fileExtension: String {
        switch self {
        case .text: "txt"
        case .junit: "xml"
        case .markdown: "md"
        case .json: "json"
        case .html: "html"
        case .har: "har"
        }
    }

    /// Whether the form is a JSON text.
    package var isJSON: Bool {
        switch self {
        case .json, .har: true
        case .text, .junit, .markdown, .html: false
        }
    }

    /// The report in this form: total and deterministic, whatever strings the provider sent.
    ///
    /// The text ends with a line feed.
    package func render(_ report: Report, options: ReportOptions = ReportOptions()) -> String {
        render(JointReport(report), options: options)
    }

    /// The reports of one provider for several platforms in this form; of a single one, that report's own.
    package func render(_ joint: JointReport, options: ReportOptions = ReportOptions()) -> String {
        let single = joint.reports.count == 1 ? joint.reports[0] : nil
        return switch self {
        case .text: TextReport(options).render(joint)
        case .junit: JUnitReport.render(joint)
        case .markdown: single.map { MarkdownReport.render($0) } ?? JointMarkdownReport.render(joint)
        case .json: JSONReport.render(joint)
        case .html: HTMLReport.render(joint)
        case .har: HARReport.render(joint)
        }
    }
}

/// What the reader's place allows, and how much he asked for; only the text form looks at it.
package struct ReportOptions: Sendable, Hashable {
    package enum Verbosity: String, Sendable, CaseIterable {
        /// The verdict alone.
        case quiet
        /// What a person needs to go on, at most 60 lines whatever the provider sent.
        case brief
        /// One line for each judged check; checks that were not judged are named under their reason.
        case full
    }

    package var color: Bool
    /// Columns, at least 40.
    package var width: Int
    package var verbosity: Verbosity
    /// Whether findings come with the words of their rule and what it is for.
    package var explains: Bool
    /// Who was to sign in, as the configuration says it; `nil` where that is not known.
    package var person: String?
    /// The file that the evidence was saved in, where it was.
    package var evidence: String?

    /// A report is whole unless its reader asks for less.
    package init(
        color: Bool = false,
        width: Int = 80,
        verbosity: Verbosity = .full,
        explains: Bool = false,
        person: String? = nil
    ) {
        self.color = color
        self.width = max(40, width)
        self.verbosity = verbosity
        self.explains = explains
        self.person = person
    }
}
