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
struct BuildServerLog: Sendable {
    private let server: BuildServer
    /// The machine-readable format on standard output, if any.
    private let taken: ReportFormat?
    /// Text for the log: every check, or annotations.
    private var log: SpooledReport?
    private var summary: SpooledReport?

    /// The size limit of a step summary in bytes; GitHub rejects a longer one entirely.
    private static let mostOfSummary = 1 << 20

    init(
        _ server: BuildServer,
        _ options: ReportOptions,
        _ counts: (targets: Int, reports: Int),
        taken: ReportFormat?
    ) {
        self.server = server
        self.taken = taken == .text ? nil : taken
        let isSilent = options.verbosity == .quiet
        let root = options.root
        switch server {
        case .gitlab:
            guard !isSilent, self.taken == nil else { return }
            var options = options
            options.verbosity = .full
            log = SpooledReport(.text, options, counts)
        case .github:
            summary = SpooledReport(.markdown, ReportOptions(), counts)
            guard !isSilent, taken != .github else { return }
            log = SpooledReport { GitHubCommands.annotations($0, root: root, withWarnings: false) }
        case .azure:
            guard !isSilent else { return }
            summary = SpooledReport(.markdown, ReportOptions(), counts)
            log = SpooledReport { AzureCommands.issues($0, root: root) }
        case .none: return
        }
    }

    mutating func add(_ part: SpooledReport.Part) {
        log?.add(part)
        summary?.add(part)
    }

    /// Before the report: every check, in a folded section, so that the log ends with the report.
    func before(_ end: SpooledReport.End) {
        guard server == .gitlab, let log else { return }
        let section = GitLabSection(
            name: "oidc_preflight_checks",
            title: "oidc-preflight: every check",
            at: Terminal.now()
        )
        Terminal.printVerbatim(section.start)
        log.print(end)
        Terminal.printVerbatim(section.end)
    }

    /// After the report: blocking findings as annotations, and the Markdown report as the step summary.
    ///
    /// - Parameter path: The JSON report, if one was written.
    func after(_ end: SpooledReport.End, report path: String?) {
        // Both streams are the log. Text from a provider is escaped in commands.
        let descriptor = taken == nil ? Terminal.output : Terminal.errors
        switch server {
        case .github:
            log?.print(end, as: nil, to: descriptor)
            if let summary {
                add(summary.text(end), to: "GITHUB_STEP_SUMMARY", named: "step summary", most: Self.mostOfSummary)
            }
            add(GitHubCommands.outputs(end.targets, report: path), to: "GITHUB_OUTPUT", named: "step output")
        case .azure:
            log?.print(end, as: nil, to: descriptor)
            if let command = summary.flatMap({ saved($0.text(end)) }) { Terminal.write(command, to: descriptor) }
        case .gitlab, .none: return
        }
    }

    private func add(_ text: String, to variable: String, named name: String, most: Int? = nil) {
        guard let path = Terminal.environment(variable), !path.isEmpty else { return }
        do {
            try Files.append(text, to: path, most: most)
        } catch {
            Terminal.complain("The \(name) was not written: \(error)")
        }
    }

    /// The command that uploads a summary; the agent reads the file later, and empties its temporary folder after each job.
    private func saved(_ summary: String) -> String? {
        guard let folder = Terminal.environment("AGENT_TEMPDIRECTORY"), folder.hasPrefix("/") else { return nil }
        let path = "\(folder)/oidc-preflight-\(UInt32.random(in: 0...UInt32.max)).md"
        do {
            try Files.write(summary, to: path)
            return AzureCommands.summary(at: path)
        } catch {
            Terminal.complain("The summary was not written: \(error)")
            return nil
        }
    }
}
