internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles
internal import Registering
internal import Reporting

internal import struct OIDCPreflight.PreparedRuns

/// The reports that a command line requests: one for the terminal, and files.
struct Reports: Sendable {
    private let destinations: [ReportDestination]
    private let folder: String?
    private var options: ReportOptions
    private let server: BuildServer
    /// The formats written to a folder.
    private var formats = ReportFormat.ofFolder
    private let screenshots: Screenshots?

    init(_ invocation: Invocation, _ screenshots: Screenshots? = nil) {
        self.screenshots = screenshots
        destinations = invocation[Options.report]
        folder = invocation[Options.reportFolder]
        server = invocation[Options.ci] ?? BuildServer.detected(Terminal.environment)
        var options = Self.options(
            isQuiet: invocation[Options.quiet],
            isVerbose: invocation[Options.verbose],
            explains: invocation[Options.explain]
        )
        options.root = SourceRoot(workingFolder: Files.workingFolder, root: server.checkout(Terminal.environment))
        self.options = options
    }

    /// The verbosity and layout of the report on standard output.
    static func options(isQuiet: Bool, isVerbose: Bool, explains: Bool = false) -> ReportOptions {
        ReportOptions(
            color: Terminal.wantsColor(Terminal.output),
            width: Terminal.width(Terminal.output),
            verbosity: isQuiet ? .quiet : isVerbose ? .full : .brief,
            explains: explains
        )
    }

    /// Two reports with the same path would overwrite each other.
    static func objections(_ invocation: Invocation) -> [String] {
        let paths = (invocation[Options.report] + inFolder(invocation[Options.reportFolder])).map(\.path)
        let twice = paths.enumerated().filter { paths[..<$0.offset].contains($0.element) }
            .map { "two reports would be written to \($0.element == "-" ? "standard output" : $0.element)" }
        return twice + problems(isQuiet: invocation[Options.quiet], isVerbose: invocation[Options.verbose])
    }

    static func problems(isQuiet: Bool, isVerbose: Bool) -> [String] {
        isQuiet && isVerbose ? ["--quiet and --verbose contradict each other: use only one"] : []
    }

    /// Files, each with its format.
    private var files: [ReportDestination] {
        destinations.filter { $0.path != "-" } + Self.inFolder(folder, formats)
    }

    private static func inFolder(
        _ folder: String?,
        _ formats: [ReportFormat] = ReportFormat.ofFolder
    ) -> [ReportDestination] {
        folder.map { folder in formats.map { ReportDestination($0, inFolder: folder) } } ?? []
    }

    /// The reports of these targets; with several, a folder receives only formats that support several.
    ///
    /// - Throws: If a named format supports only one target.
    func ofTargets(_ runs: PreparedRuns) throws(ConfigurationError) -> Reports {
        if runs.targets.count == 1 { return self }
        if let one = destinations.first(where: { !$0.format.tellsTargets }) {
            try runs.demandOneTarget("--report", "the \(one.format.rawValue) report supports only one target")
        }
        var reports = self
        reports.formats = formats.filter(\.tellsTargets)
        return reports
    }

    /// Verifies before the run that every report can be written.
    func prepare() throws(FileError) {
        for file in files { try Files.prepare(file.path) }
        try screenshots?.prepare()
    }

    /// Writes every report and ends the program with the outcome's code.
    ///
    /// The verdict is always printed: with the text on standard output, or on standard error if another format uses
    /// standard output or it cannot be written. Files are written first, so that a closed pipe does not lose them. A
    /// file that cannot be written affects no other report; an open gate then exits with 64. Ctrl-C interrupts neither
    /// evaluation nor writing.
    ///
    /// - Parameters:
    ///   - runs: One for each target; they know the secrets that must not be in any report.
    ///   - evidence: The evidence of each run.
    ///   - configuration: The file that the configuration was read from.
    ///   - file: The file that the evidence was saved in.
    ///   - preface: Text before the report on standard output only.
    ///   - isWhole: False if another requested output could not be written.
    func conclude(
        _ runs: PreparedRuns,
        _ evidence: [JointEvidence],
        of configuration: String? = nil,
        savedIn file: String? = nil,
        preface: String? = nil,
        isWhole: Bool = true
    ) throws {
        try Interruption.finishing {
            let judged = runs.conclude(evidence, now: Terminal.now())
            var reports = self
            reports.options.evidence = file
            reports.options.configuration = configuration
            reports.options.platform = judged.report.only?.report.reports.first.flatMap(Self.platform(of:))
            try reports.write(judged, preface, isWhole)
        }
    }

    /// The platform of the report's profile, if the configuration has what a registration there needs.
    private static func platform(of report: Report) -> String? {
        RegistrationPlatform.allCases
            .first { $0.profiles(for: report.target).first.map(report.profile.lineage.contains) ?? false }
            .flatMap { $0.demands(report.target, reserved: [], isForced: false).isEmpty ? $0.name : nil }
    }

    private func write(_ judged: Conclusion, _ preface: String?, _ isWholeElsewhere: Bool) throws {
        var isWhole = isWholeElsewhere
        if let screenshots, !screenshots.write(judged.screenshots) { isWhole = false }
        for file in files {
            let isBeside = screenshots?.isBeside(file.path) ?? false
            do {
                try Files.write(judged.text(file.format, options.whole, withScreenshots: isBeside), to: file.path)
            } catch {
                Terminal.complain("The \(file.format.rawValue) report was not written: \(error)")
                isWhole = false
            }
        }
        let taken = destinations.first { $0.path == "-" }?.format
        let log = BuildServerLog(server, judged.report, options, taken: taken, clean: { judged.withoutSecrets($0) })
        log.before()
        var isReported = true
        switch taken {
        case nil, .text:
            if let preface, options.verbosity != .quiet { Terminal.print(preface + "\n") }
            Terminal.print(judged.text(.text, options))
        case let format?:
            let text = judged.text(format, options.whole)
            // Its lines are commands for the log; text from a provider is escaped in them.
            if format == .github { Terminal.printVerbatim(text) } else { Terminal.print(text, as: format.logForm) }
            isReported = false
        }
        if !isReported || Terminal.failureOfOutput != nil {
            Terminal.complain(judged.text(.text, Rendering.options(.quiet)))
        }
        log.after(report: files.first { $0.format == .json }?.path)
        try Ending.end(judged.outcome.exitCode, isWhole: isWhole)
    }
}

extension ReportFormat {
    /// Every format by its name, as a sentence lists them: `text, junit or json`.
    static var names: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
    }

    /// The formats of a report folder: all except the recorded traffic, which must be requested by name.
    static var ofFolder: [ReportFormat] { allCases.filter { $0 != .har } }

    /// How the format escapes characters that a log would interpret.
    fileprivate var logForm: LogText.Form {
        switch self {
        case .text, .github, .openmetrics: .text
        case .junit: .xml
        case .markdown: .markdown
        case .json, .sarif, .codeQuality, .ctrf, .badge, .tap, .har: .json
        // The references of XML are HTML's as well.
        case .html: .xml
        }
    }
}

extension ReportOptions {
    /// The options of a full report.
    fileprivate var whole: ReportOptions { ReportOptions(root: root) }
}

/// Reports on standard error.
enum Rendering {
    /// The findings that keep the gate from opening.
    static func standingInTheWay(_ report: Report) -> String {
        ReportFormat.text.render(report, options: options(.brief))
    }

    static func options(_ verbosity: ReportOptions.Verbosity) -> ReportOptions {
        ReportOptions(
            color: Terminal.wantsColor(Terminal.errors),
            width: Terminal.width(Terminal.errors),
            verbosity: verbosity
        )
    }
}
