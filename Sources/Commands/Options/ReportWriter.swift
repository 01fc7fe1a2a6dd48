internal import Conformance
internal import Console
internal import Preflight
internal import Registering
internal import Reporting

internal import struct OIDCPreflight.PreparedRuns

/// Writes the requested reports: a part when each target ends, the rest at the end.
///
/// No report of a target is kept, so that memory does not grow by one for each target.
struct ReportWriter: Sendable {
    private let reports: Reports
    private let counts: (targets: Int, reports: Int)
    /// Those that ended.
    private var targets = TargetsReport()
    private let credentials = Credentials()
    private var screenshots: [Int] = []
    /// In the order of ``Reports/files``; empty before the first target ended.
    private var files: [SpooledReport] = []
    private var output: SpooledReport?
    /// The verdict, for standard error.
    private var verdict: SpooledReport?
    private var log: BuildServerLog?
    private let configuration: String?
    /// The file that the evidence was saved in.
    var evidence: String?

    /// - Parameters:
    ///   - runs: One for each target.
    ///   - configuration: The file that the configuration was read from.
    init(_ reports: Reports, _ runs: PreparedRuns, configuration: String? = nil) {
        self.reports = reports
        self.configuration = configuration
        counts = (runs.targets.count, runs.reportCount)
    }

    /// The format on standard output if a report was requested there.
    private var taken: ReportFormat? { reports.destinations.first { $0.path == "-" }?.format }

    /// Adds the report of the next target.
    mutating func add(_ conclusion: RedactableReport) {
        if targets.count == 0 { begin(conclusion.target) }
        credentials.add(of: conclusion)
        let part = SpooledReport.Part(conclusion, credentials)
        targets.add(part.target)
        screenshots += conclusion.target.screenshots
        for place in files.indices { files[place].add(part) }
        output?.add(part)
        verdict?.add(part)
        log?.add(part)
    }

    private mutating func begin(_ first: TargetsReport.Target) {
        var options = reports.options
        let all = counts.targets == 1 ? first.report.reports : []
        // With several platforms, the first that can be registered at.
        let proven = all.count == 1 ? all.first : all.first { $0.mayBeRegistered && Self.platform(of: $0) != nil }
        options.suggestions = reports.invocation.suggestions(
            platform: proven.flatMap(Self.platform(of:)),
            profile: all.count > 1 ? proven?.profile.name : nil,
            others: all.count > 1 ? all.filter { $0.outcome.gate != .open }.map(\.profile.name) : [],
            configuration: configuration,
            evidence: evidence
        )
        files = reports.files.map { file in
            let isBeside = reports.screenshots?.isBeside(file.path) ?? false
            return SpooledReport(file.format, options.whole, counts, withScreenshots: isBeside)
        }
        let isText = taken == nil || taken == .text
        output = SpooledReport(taken ?? .text, isText ? options : options.whole, counts)
        verdict = SpooledReport(.text, Rendering.options(.quiet), counts)
        log = BuildServerLog(reports.server, options, counts, taken: taken)
    }

    /// The platform of the report's profile, if the configuration has what a registration there needs.
    private static func platform(of report: Report) -> String? {
        RegistrationPlatform.allCases
            .first { $0.profiles(for: report.target).first.map(report.profile.lineage.contains) ?? false }
            .flatMap { $0.demands(report.target, reserved: [], isForced: false).isEmpty ? $0.name : nil }
    }

    /// Writes every report and ends the program with the outcome's code.
    ///
    /// The verdict is always printed: with the text on standard output, or on standard error if another format uses
    /// standard output or it cannot be written. Files are written first, so that a closed pipe does not lose them. A
    /// file that cannot be written affects no other report; an open gate then exits with 64.
    ///
    /// - Parameters:
    ///   - preface: Text before the report on standard output only.
    ///   - isWholeElsewhere: False if another requested output could not be written.
    func finish(preface: String? = nil, isWholeElsewhere: Bool = true) throws {
        let end = SpooledReport.End(targets, credentials)
        var isWhole = isWholeElsewhere
        if let folder = reports.screenshots, !folder.write(Set(screenshots).sorted()) { isWhole = false }
        for (file, report) in zip(reports.files, files) {
            do throws(FileError) {
                try Files.write(to: file.path) { sink throws(SystemError) in
                    try report.forEach(end) { text throws(SystemError) in try sink(Array(text.utf8)) }
                }
            } catch {
                Terminal.complain("The \(file.format.rawValue) report was not written: \(error)")
                isWhole = false
            }
        }
        log?.before(end)
        let isText = taken == nil || taken == .text
        if let preface, isText, reports.options.verbosity != .quiet { Terminal.print(preface + "\n") }
        // Its lines are commands for the log; text from a provider is escaped in them.
        let form = taken == .github ? nil : (taken ?? .text).logForm
        output?.print(end, as: form)
        if !isText || Terminal.failureOfOutput != nil { verdict?.print(end, to: Terminal.errors) }
        log?.after(end, report: reports.files.first { $0.format == .json }?.path)
        try ExitCodes.end(targets.outcome.exitCode, isWhole: isWhole)
    }
}
