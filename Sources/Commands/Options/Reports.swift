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
    let destinations: [ReportDestination]
    private let folder: String?
    let options: ReportOptions
    let server: BuildServer
    /// The formats written to a folder.
    private var formats = ReportFormat.ofFolder
    let screenshots: Screenshots?
    let invocation: Invocation

    init(_ invocation: Invocation, _ screenshots: Screenshots? = nil) {
        self.screenshots = screenshots
        self.invocation = invocation
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
    var files: [ReportDestination] {
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
        if let one = destinations.first(where: { !$0.format.supportsTargets }) {
            try runs.demandOneTarget("--report", "the \(one.format.rawValue) report supports only one target")
        }
        var reports = self
        reports.formats = formats.filter(\.supportsTargets)
        return reports
    }

    /// Verifies before the run that every report can be written.
    func prepare() throws(FileError) {
        for file in files { try Files.prepare(file.path) }
        try screenshots?.prepare()
    }

    /// Evaluates the evidence, writes every report and ends the program with the outcome's code.
    ///
    /// Ctrl-C interrupts neither.
    ///
    /// - Parameters:
    ///   - runs: For a single target.
    ///   - preface: Text before the report on standard output only.
    func conclude(_ runs: PreparedRuns, _ evidence: JointEvidence, preface: String? = nil) throws {
        try Interruption.finishing {
            var writer = ReportWriter(self, runs)
            writer.add(RedactableReport(runs.targets[0], evidence, now: Terminal.now()))
            try writer.finish(preface: preface)
        }
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
    var logForm: LogText.Form {
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
    var whole: ReportOptions { ReportOptions(root: root) }
}

/// Reports on standard error.
enum Rendering {
    /// The findings that keep the gate from opening.
    static func blockingFindings(_ report: Report) -> String {
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
