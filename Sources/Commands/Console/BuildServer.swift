internal import Conformance
internal import Console
internal import Reporting

/// A build server whose log interprets commands.
enum BuildServer: String, Sendable, CaseIterable {
    /// GitHub Actions; Gitea and Forgejo interpret the same commands.
    case github
    /// GitLab CI.
    case gitlab
    /// Azure Pipelines.
    case azure
    case none

    /// The server that runs the program, by the variable that each sets.
    static func detected(_ variable: (String) -> String?) -> BuildServer {
        let marks: [(String, BuildServer)] = [
            ("GITHUB_ACTIONS", .github), ("GITLAB_CI", .gitlab), ("TF_BUILD", .azure),
        ]
        return marks.first { !["", "false", "0"].contains((variable($0.0) ?? "").lowercased()) }?.1 ?? .none
    }

    /// The root of the checkout; empty if the server does not set it.
    func checkout(_ variable: (String) -> String?) -> String {
        switch self {
        case .github: variable("GITHUB_WORKSPACE") ?? ""
        case .gitlab: variable("CI_PROJECT_DIR") ?? ""
        case .azure: variable("BUILD_SOURCESDIRECTORY") ?? ""
        case .none: ""
        }
    }
}

/// Log commands and summary files for a build server.
///
/// `-q` suppresses log commands, but not the files of the server. None of this affects the exit code.
struct BuildServerLog {
    private let server: BuildServer
    private let report: TargetsReport
    private let options: ReportOptions
    /// The machine-readable format on standard output, if any.
    private let taken: ReportFormat?
    /// Removes secrets from a finished text.
    private let clean: (String) -> String

    /// The size limit of a step summary in bytes; GitHub rejects a longer one entirely.
    private static let mostOfSummary = 1 << 20

    init(
        _ server: BuildServer,
        _ report: TargetsReport,
        _ options: ReportOptions,
        taken: ReportFormat?,
        clean: @escaping (String) -> String
    ) {
        self.server = server
        self.report = report
        self.options = options
        self.taken = taken == .text ? nil : taken
        self.clean = clean
    }

    private var isSilent: Bool { options.verbosity == .quiet }

    /// Before the report: every check, in a folded section, so that the log ends with the report.
    func before() {
        guard server == .gitlab, !isSilent, taken == nil else { return }
        var options = options
        options.verbosity = .full
        let section = GitLabSection.folded(
            clean(text(.text, options)),
            name: "oidc_preflight_checks",
            title: "oidc-preflight: every check",
            at: Terminal.now()
        )
        Terminal.printVerbatim(section)
    }

    /// After the report: blocking findings as annotations, and the Markdown report as the step summary.
    ///
    /// - Parameter path: The JSON report, if one was written.
    func after(report path: String?) {
        switch server {
        case .github:
            if !isSilent, taken != .github {
                say(all { GitHubCommands.annotations($0, root: options.root, withRemarks: false) })
            }
            add(markdown, to: "GITHUB_STEP_SUMMARY", named: "step summary", most: Self.mostOfSummary)
            add(GitHubCommands.outputs(report, report: path), to: "GITHUB_OUTPUT", named: "step output")
        case .azure:
            guard !isSilent else { return }
            say(all { AzureCommands.issues($0, root: options.root) })
            uploadSummary()
        case .gitlab, .none: return
        }
    }

    private var markdown: String { clean(text(.markdown, ReportOptions())) }

    /// A single target is rendered without target headings.
    private func text(_ format: ReportFormat, _ options: ReportOptions) -> String {
        report.only.map { format.render($0.report, options: options) } ?? format.render(report, options: options)
    }

    private func all(_ commands: (JointReport) -> String) -> String {
        report.targets.map { commands($0.report) }.joined()
    }

    /// Writes commands verbatim; text from a provider is escaped in them.
    ///
    /// Both streams are the log.
    private func say(_ commands: String) {
        Terminal.write(clean(commands), to: taken == nil ? Terminal.output : Terminal.errors)
    }

    private func add(_ text: String, to variable: String, named name: String, most: Int? = nil) {
        guard let path = Terminal.environment(variable), !path.isEmpty else { return }
        do {
            try Files.append(text, to: path, most: most)
        } catch {
            Terminal.complain("The \(name) was not written: \(error)")
        }
    }

    /// The agent reads the file later; it empties its temporary folder after each job.
    private func uploadSummary() {
        guard let folder = Terminal.environment("AGENT_TEMPDIRECTORY"), folder.hasPrefix("/") else { return }
        let path = "\(folder)/oidc-preflight-\(UInt32.random(in: 0...UInt32.max)).md"
        do {
            try Files.write(markdown, to: path)
            say(AzureCommands.summary(at: path))
        } catch {
            Terminal.complain("The summary was not written: \(error)")
        }
    }
}
