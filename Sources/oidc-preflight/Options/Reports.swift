internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Reporting

/// The reports that a command line asks for: one for the terminal, and those that are written to files.
struct Reports: Sendable {
    private let destinations: [ReportDestination]
    private let folder: String?
    private var options: ReportOptions

    init(_ invocation: Invocation) {
        destinations = invocation[Options.report]
        folder = invocation[Options.reportFolder]
        options = Self.options(
            isQuiet: invocation[Options.quiet],
            isVerbose: invocation[Options.verbose],
            explains: invocation[Options.explain]
        )
    }

    /// How much of a report goes to standard output, and how it looks there.
    static func options(isQuiet: Bool, isVerbose: Bool, explains: Bool = false) -> ReportOptions {
        ReportOptions(
            color: Terminal.wantsColor(Terminal.output),
            width: Terminal.width(Terminal.output),
            verbosity: isQuiet ? .quiet : isVerbose ? .full : .brief,
            explains: explains
        )
    }

    /// Two reports to one place would destroy each other.
    static func objections(_ invocation: Invocation) -> [String] {
        let paths = (invocation[Options.report] + inFolder(invocation[Options.reportFolder])).map(\.path)
        let twice = paths.enumerated().filter { paths[..<$0.offset].contains($0.element) }
            .map { "two reports go to \($0.element == "-" ? "standard output" : $0.element)" }
        return twice + problems(isQuiet: invocation[Options.quiet], isVerbose: invocation[Options.verbose])
    }

    static func problems(isQuiet: Bool, isVerbose: Bool) -> [String] {
        isQuiet && isVerbose ? ["--quiet and --verbose ask for opposite things: leave one out"] : []
    }

    /// Files, each with the form that goes there.
    private var files: [ReportDestination] {
        destinations.filter { $0.path != "-" } + Self.inFolder(folder)
    }

    private static func inFolder(_ folder: String?) -> [ReportDestination] {
        folder.map { folder in ReportFormat.ofFolder.map { ReportDestination($0, inFolder: folder) } } ?? []
    }

    /// Makes sure that every report can be written, before a run is spent on it.
    func prepare() throws(FileError) {
        for file in files { try Files.prepare(file.path) }
    }

    /// Writes every report and ends the program with the outcome's code.
    ///
    /// The verdict always reaches the terminal: with the text on standard output, or on standard error where another
    /// format has taken that or nothing can be written there. Files come first: whoever closes standard output early must
    /// not lose them. One that cannot be written costs no other report, and an open gate ends with 64. Neither judging nor
    /// writing is left off for Ctrl-C.
    ///
    /// - Parameters:
    ///   - judged: The judgement, which is made here.
    ///   - person: Who was to sign in.
    ///   - evidence: The file that the evidence was saved in.
    ///   - preface: What stands before the report for a person on standard output; nowhere else.
    ///   - isWhole: False when something else that was asked for could not be written.
    ///   - run: Knows the secrets that must not be in any of them.
    func conclude(
        _ judged: @autoclosure () -> JointReport,
        of run: JointRun,
        person: String? = nil,
        evidence: String? = nil,
        preface: String? = nil,
        isWhole: Bool = true
    ) throws {
        var reports = self
        reports.options.person = person
        reports.options.evidence = evidence
        try Interruption.finishing { try reports.write(judged(), run, preface, isWhole) }
    }

    private func write(
        _ report: JointReport,
        _ run: JointRun,
        _ preface: String?,
        _ isWholeElsewhere: Bool
    ) throws {
        var isWhole = isWholeElsewhere
        let clean = { (text: String, format: ReportFormat) in run.withoutSecrets(text, isJSON: format.isJSON) }
        for file in files {
            do {
                try Files.write(clean(file.format.render(report), file.format), to: file.path)
            } catch {
                Terminal.complain("The \(file.format.rawValue) report was not written: \(error)")
                isWhole = false
            }
        }
        var isTold = true
        switch destinations.first(where: { $0.path == "-" })?.format {
        case nil, .text:
            if let preface, options.verbosity != .quiet { Terminal.print(preface + "\n") }
            Terminal.print(clean(ReportFormat.text.render(report, options: options), .text))
        case let format?:
            Terminal.print(clean(format.render(report), format), as: format.logForm)
            isTold = false
        }
        if !isTold || Terminal.failureOfOutput != nil { Terminal.complain(clean(Rendering.verdict(report), .text)) }
        try Ending.end(report.outcome.exitCode, isWhole: isWhole)
    }
}

extension ReportFormat {
    /// All formats in a sentence: `text, junit or json`.
    static var names: String { sentence(allCases.map(\.rawValue), "or") }

    /// What stands in a folder of reports: all but the whole conversation, which is written where it is asked for by name.
    static var ofFolder: [ReportFormat] { allCases.filter { $0 != .har } }

    /// The names of the files in a folder: `report.txt, .xml and .json`.
    static var fileNames: String { "report" + sentence(ofFolder.map { "." + $0.fileExtension }, "and") }

    private static func sentence(_ words: [String], _ conjunction: String) -> String {
        words.dropLast().joined(separator: ", ") + " \(conjunction) " + (words.last ?? "")
    }

    /// How the form says a character that a log must not obey.
    fileprivate var logForm: LogText.Form {
        switch self {
        case .text: .text
        case .junit: .xml
        case .markdown: .markdown
        case .json, .har: .json
        // The references of XML are HTML's as well.
        case .html: .xml
        }
    }
}

/// How reports look on standard error and where no run asks for them.
enum Rendering {
    /// The verdict alone.
    static func verdict(_ report: JointReport) -> String { onErrors(report, .quiet) }

    /// What keeps the gate from opening.
    static func standingInTheWay(_ report: Report) -> String { onErrors(JointReport(report), .brief) }

    private static func onErrors(_ report: JointReport, _ verbosity: ReportOptions.Verbosity) -> String {
        ReportFormat.text.render(
            report,
            options: ReportOptions(
                color: Terminal.wantsColor(Terminal.errors),
                width: Terminal.width(Terminal.errors),
                verbosity: verbosity
            )
        )
    }
}
