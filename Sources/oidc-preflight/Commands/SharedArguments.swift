internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles
internal import Reporting

/// Which checks, by whose rules, and what closes the gate.
struct JudgingArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The relying platform's rules; several by commas.", valueName: "name|file,…"))
    var profile: String?

    @Option(help: ArgumentHelp("Only these checks; * stands for anything. Repeatable.", valueName: "glob"))
    var only: [String] = []

    @Option(help: ArgumentHelp("All but these checks. Repeatable.", valueName: "glob"))
    var skip: [String] = []

    @Option(help: ArgumentHelp("The lowest level that closes the gate.", valueName: "error|warning|notice"))
    var failOn: Level = .error

    /// The selection; a pattern that no check matches is a usage error, because nothing would be judged by it.
    func selection() throws(ConfigurationError) -> Selection {
        let checks = PreflightRun.checks.map(\.id)
        var problems: [Problem] = []
        for (option, patterns) in [("--only", only), ("--skip", skip)] {
            for pattern in patterns where !checks.contains(where: { CheckPattern(pattern).matches($0) }) {
                let hint = NearestWord.hint(for: pattern, among: checks.map(\.rawValue))
                problems.append(Problem(file: option, message: "no check matches “\(pattern)”\(hint)"))
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems) }
        return Selection(only: only.map { CheckPattern($0) }, skip: skip.map { CheckPattern($0) })
    }
}

extension Level: ExpressibleByArgument {}
extension Tier: ExpressibleByArgument {}

/// Where reports go.
struct ReportArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a report: text, junit, markdown or json; - is standard output. Repeatable. "
                + "Without it: text to standard output, all formats into \(ReportArguments.defaultFolder)/.",
            valueName: "format=path|-"
        )
    )
    var report: [ReportDestination] = []

    @Flag(help: "No progress on standard error.")
    var quiet = false

    static let defaultFolder = "Reports/latest"

    /// Two reports to one place would destroy each other.
    func validate() throws {
        for (index, destination) in report.enumerated()
        where report[..<index].contains(where: { $0.path == destination.path }) {
            throw ValidationError("two reports go to \(destination.path == "-" ? "standard output" : destination.path)")
        }
    }

    /// Makes sure that every report can be written, before a run is spent on it.
    func prepare() throws(FileError) {
        for destination in report where destination.path != "-" { try Files.prepare(destination.path) }
    }

    /// Writes every report and ends the program with the outcome's code; the text goes to standard output unless another
    /// format does.
    ///
    /// Files come first: whoever closes standard output early must not lose them. One that cannot be written costs no
    /// other report, and the run does not end with 0.
    ///
    /// - Parameter isWhole: False when something else that was asked for could not be written.
    func conclude(
        _ report: JointReport,
        isWhole: Bool = true,
        into folder: String = ReportArguments.defaultFolder
    ) throws {
        var isWhole = isWhole
        for destination in self.report where destination.path != "-" {
            do {
                try Files.write(destination.format.render(report), to: destination.path)
            } catch {
                Terminal.complain("The \(destination.format.rawValue) report was not written: \(error)")
                isWhole = false
            }
        }
        if let destination = self.report.first(where: { $0.path == "-" }) {
            Terminal.print(
                destination.format == .text ? Rendering.terminalText(report) : destination.format.render(report)
            )
        } else if !self.report.contains(where: { $0.format == .text }) {
            Terminal.print(Rendering.terminalText(report))
        }
        if self.report.isEmpty { Rendering.writeAll(report, to: folder) }
        let code = report.outcome.exitCode
        if code == 0, !isWhole { throw Ending.defect }
        try Ending.end(code)
    }
}

/// `FORMAT=PATH`, or `FORMAT=-`.
struct ReportDestination: ExpressibleByArgument, Sendable {
    let format: ReportFormat
    let path: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        self.format = format
        self.path = String(parts[1])
    }

    var defaultValueDescription: String { "\(format.rawValue)=\(path)" }
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

/// How the issuer is reached.
struct NetworkArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Trust these authorities besides the system's.", valueName: "pem"))
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "Connect to this address instead of looking the name up. Repeatable.",
            valueName: "host:port:addr"
        )
    )
    var resolve: [String] = []

    @Option(
        help: ArgumentHelp(
            "Connect to this address and port instead, and go on asking by name. Repeatable.",
            valueName: "host:port:addr:port"
        )
    )
    var connectTo: [String] = []

    func apply(to configuration: inout Configuration) throws(ConfigurationError) {
        try configuration.route(
            caFile: caFile,
            resolve: resolve,
            connectTo: connectTo,
            problem: Files.surroundings.problem(ofAuthorities:)
        )
    }
}

/// The issuer and the configuration, and what follows from both.
struct TargetArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The issuer, exactly as it is to be registered.", valueName: "issuer"))
    var issuer: String?

    @Option(help: ArgumentHelp("What is registered, and how to sign in (see init).", valueName: "preflight.yaml"))
    var config: String?

    @Option(help: ArgumentHelp("How far to go. Default: as far as the configuration has the means.", valueName: "tier"))
    var tier: Tier?

    @Option(
        help: ArgumentHelp("Sign in at most so many times: what costs most is left out first.", valueName: "number")
    )
    var maxSignIns: Int?

    func validate() throws {
        if let maxSignIns, maxSignIns < 1 {
            throw ValidationError("--max-sign-ins takes a number from 1; --tier unauthenticated goes without any")
        }
    }

    static let defaultFile = "preflight.yaml"

    /// The configuration of the file, or one with the issuer alone.
    ///
    /// - Parameters:
    ///   - profile: The profile named on the command line.
    ///   - readsSecrets: False for what sends nothing.
    func configuration(profile: String? = nil, readsSecrets: Bool = true) throws(ConfigurationError) -> Configuration {
        if let issuer, let why = Configuration.problem(ofIssuer: issuer) {
            throw ConfigurationError(file: Tool.name, why)
        }
        let file = config ?? (issuer == nil && Files.exists(Self.defaultFile) ? Self.defaultFile : nil)
        guard let file else {
            guard let issuer else {
                throw ConfigurationError(
                    file: Tool.name,
                    "name an issuer (oidc-preflight check https://idp.example.com) or a --config file"
                )
            }
            return Configuration(target: Target(issuer: issuer))
        }
        let text: String
        switch Files.read(file) {
        case .success(let octets): text = String(decoding: octets, as: UTF8.self)
        case .failure(let error): throw ConfigurationError(file: file, error.reason)
        }
        return try ConfigurationReader(Files.surroundings, readsSecrets: readsSecrets)
            .read(text, file: file, issuer: issuer, profile: profile, checks: PreflightRun.checks.map(\.id))
    }
}
