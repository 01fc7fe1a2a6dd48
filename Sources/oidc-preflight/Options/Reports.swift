internal import CommandTable
internal import Conformance
internal import Preflight
internal import Reporting

/// The reports that a command line asks for.
struct Reports: Sendable {
    /// Where all formats go when none is named.
    static let folder = "Reports/latest"

    let destinations: [ReportDestination]

    init(_ invocation: Invocation) {
        destinations = invocation[Options.report]
    }

    /// Two reports to one place would destroy each other.
    static func objections(_ invocation: Invocation) -> [String] {
        let paths = invocation[Options.report].map(\.path)
        return paths.enumerated().filter { paths[..<$0.offset].contains($0.element) }
            .map { "two reports go to \($0.element == "-" ? "standard output" : $0.element)" }
    }

    /// Makes sure that every report can be written, before a run is spent on it.
    func prepare() throws(FileError) {
        for destination in destinations where destination.path != "-" { try Files.prepare(destination.path) }
    }

    /// Writes every report and ends the program with the outcome's code; the text goes to standard output unless another
    /// format does.
    ///
    /// Files come first: whoever closes standard output early must not lose them. One that cannot be written costs no
    /// other report, and the run does not end with 0. Neither judging nor writing is left off for Ctrl-C.
    ///
    /// - Parameters:
    ///   - judged: The judgement, which is made here.
    ///   - isWhole: False when something else that was asked for could not be written.
    func conclude(_ judged: @autoclosure () -> JointReport, isWhole: Bool = true) throws {
        try Interruption.finishing { try write(judged(), isWhole) }
    }

    private func write(_ report: JointReport, _ isWholeElsewhere: Bool) throws {
        var isWhole = isWholeElsewhere
        for destination in destinations where destination.path != "-" {
            do {
                try Files.write(destination.format.render(report), to: destination.path)
            } catch {
                Terminal.complain("The \(destination.format.rawValue) report was not written: \(error)")
                isWhole = false
            }
        }
        if let destination = destinations.first(where: { $0.path == "-" }) {
            Terminal.print(
                destination.format == .text ? Rendering.terminalText(report) : destination.format.render(report)
            )
        } else if !destinations.contains(where: { $0.format == .text }) {
            Terminal.print(Rendering.terminalText(report))
        }
        if destinations.isEmpty { Rendering.writeAll(report, to: Self.folder) }
        let code = report.outcome.exitCode
        if code == 0, !isWhole { throw Ending.defect }
        try Ending.end(code)
    }
}

/// How reports look where they go.
enum Rendering {
    static func terminalText(_ report: JointReport) -> String {
        ReportFormat.text.render(
            report,
            options: ReportOptions(color: Terminal.wantsColor(Terminal.output), width: Terminal.width(Terminal.output))
        )
    }

    /// The report reduced to what keeps the gate from opening, for standard error.
    ///
    /// What could not be judged is often everything, for one reason: the summary names that.
    static func standingInTheWay(_ report: Report) -> String {
        var report = report
        report.entries = report.entries.filter(\.closesGate)
        return ReportFormat.text.render(
            report,
            options: ReportOptions(color: Terminal.wantsColor(Terminal.errors), width: Terminal.width(Terminal.errors))
        )
    }

    /// Writes every format into a folder; a folder that cannot be written to is told and is no failure of the run.
    static func writeAll(_ report: JointReport, to folder: String) {
        do {
            for format in ReportFormat.allCases {
                try Files.write(format.render(report), to: "\(folder)/report.\(format.fileExtension)")
            }
            Terminal.complain("Reports: \(folder)/report.{txt,xml,md,json}")
        } catch {
            Terminal.complain("The reports were not written to \(folder): \(error)")
        }
    }
}
