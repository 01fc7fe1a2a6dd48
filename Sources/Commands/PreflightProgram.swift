internal import CommandTable
internal import Conformance
package import Console
internal import Preflight
internal import Profiles
internal import ProviderTable
internal import Synchronization

/// The command line; each subcommand has its own file.
package enum PreflightProgram {
    static let command: Command = Command(
        Tool.name,
        "Check whether sign-in with an OpenID Provider will work, before you register it.",
        examples: [
            .init(
                "oidc-preflight check https://idp.example.com",
                "public documents, keys and TLS; sends no credentials"
            ),
            .init("oidc-preflight init https://idp.example.com", "writes a preflight.yaml to fill in"),
            .init(
                "oidc-preflight check --config preflight.yaml --report junit=preflight.xml",
                "signs in a test user and checks tokens and responses"
            ),
            .init(
                "oidc-preflight lint openid-configuration.json jwks.json",
                "documents from files, before deployment"
            ),
            .init("oidc-preflight checks explain discovery.issuer.matches-request"),
        ],
        sections: [Sections.secrets, Sections.environment, Sections.exitCodes],
        subcommands: [
            CheckCommand.command, TryCommand.command, SignInCommand.command, JudgeCommand.command, DiffCommand.command,
            FleetCommand.command, RegisterCommand.command, CurlCommand.command,
            LintCommand.command,
            TokenCommand.command, PlanCommand.command, ChecksCommand.command, ProfilesCommand.command,
            ProviderCommand.command, DemoCommand.command, DoctorCommand.command, InitCommand.command,
            ConfigCommand.command,
            CompletionsCommand.command, CompletionsCommand.candidates, ManualCommand.command,
        ],
        hints: hints
    )

    /// Words of curl, ripgrep, Trivy and other tools that users type here.
    private static let hints: [String: String] = {
        let report = "check, judge, lint and token write a report with -o, as in -o json=-"
        let settings = "client and user are set in preflight.yaml, which oidc-preflight init creates"
        let requests = "check --report har=FILE records every request"
        let trust = "certificates are always verified; --ca-file FILE trusts a private certificate authority"
        return [
            "-k": trust, "--insecure": trust, "--json": report, "--format": report, "--output": report,
            "--no-color": "set NO_COLOR=1 for output without colour",
            "--color": "colour depends on the terminal and NO_COLOR",
            "--debug": requests, "--trace": requests,
            "--dry-run": "oidc-preflight plan shows the requests and sends none",
            "--timeout": "check --max-time SECONDS limits a run",
            "--client-id": settings, "--client-secret": settings, "--user": settings, "--username": settings,
            "--password": settings, "--secret": settings, "--config-file": "--config FILE names the configuration",
            "--proxy": "HTTPS_PROXY names a proxy; see Documentation/Proxies-and-Authorities.md",
            "version": "oidc-preflight --version prints the version",
            "explain": "use oidc-preflight checks explain ID",
            "list": "use oidc-preflight checks, or oidc-preflight profiles",
            "run": "use oidc-preflight check", "test": "use oidc-preflight check", "scan": "use oidc-preflight check",
            "validate": "use oidc-preflight check, or oidc-preflight config check for a configuration",
        ]
    }()

    /// The command line after the program's name, for the provider program that replaces this process.
    @TaskLocal static var words: [String] = []

    /// Runs a command in the current context, with its output and error messages.
    ///
    /// - Parameter words: The command line after the program's name.
    package static func run(_ words: [String]) async -> ExitCode {
        let server = Mutex(BuildServer.detected(Terminal.environment))
        return await $words.withValue(words) {
            await ExitCodes.code(noting: { error in server.withLock(\.self).annotate(error) }) {
                try await obey(words) { chosen in server.withLock { $0 = chosen } }
            }
        }
    }

    /// - Parameter choose: Receives the build server of a command that names one, or that is to write no log commands.
    private static func obey(_ words: [String], _ choose: (BuildServer) -> Void) async throws {
        // Installation scripts call it often; it needs no command table.
        if words == ["--version"] { return Terminal.print(Tool.nameAndVersion) }
        switch try read(words) {
        case .help(let path): Terminal.print(path.help(width: Terminal.width(Terminal.output)))
        case .version: Terminal.print(Tool.nameAndVersion)
        case .run(let command, let invocation):
            if let server = invocation.value(ifDeclared: Options.ci) ?? nil { choose(server) }
            if invocation.value(ifDeclared: Options.quiet) == true { choose(.none) }
            if !command.isHidden { warnOfVariables() }
            try await command.run?(invocation)
        }
    }

    /// Reads the command line; for `provider`, the provider program reports all mistakes itself.
    private static func read(_ words: [String]) throws -> Request {
        do throws(UsageError) {
            return try command.read(
                words,
                prefix: ProgramVariables.prefix,
                environment: Terminal.environment,
                nearest: nearest
            )
        } catch {
            if error.path.last?.name == ProviderProgram.command, ProviderExecutable.canTakePlace {
                try ProviderExecutable.become(words)
            }
            throw error
        }
    }

    /// Warns of mistyped variables, which would be ignored silently.
    private static func warnOfVariables() {
        let unknown = command.unknownVariables(
            Terminal.environmentNames,
            prefix: ProgramVariables.prefix,
            besides: ProgramVariables.others,
            nearest: NearestWord.of
        )
        for warning in unknown { Terminal.complain("warning: \(warning)") }
    }

    /// Suggests `check` for an issuer in the place of a command.
    @Sendable
    private static func nearest(_ word: String, _ candidates: [String]) -> String? {
        let check = CheckCommand.command.name
        return candidates.contains(check) && word.contains("://")
            ? "\(check) \(word)" : NearestWord.of(word, among: candidates)
    }
}
