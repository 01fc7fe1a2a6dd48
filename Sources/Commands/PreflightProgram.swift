internal import CommandTable
internal import Conformance
package import Console
internal import Preflight
internal import Profiles
internal import ProviderTable

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
        ]
    )

    /// The command line after the program's name, for the provider program that replaces this process.
    @TaskLocal static var words: [String] = []

    /// Runs a command in the current surroundings, with its output and error messages.
    ///
    /// - Parameter words: The command line after the program's name.
    package static func run(_ words: [String]) async -> ExitCode {
        await $words.withValue(words) { await Ending.code { try await obey(words) } }
    }

    private static func obey(_ words: [String]) async throws {
        // Installation scripts call it often; it needs no command table.
        if words == ["--version"] { return Terminal.print(Tool.nameAndVersion) }
        switch try read(words) {
        case .help(let path): Terminal.print(path.help(width: Terminal.width(Terminal.output)))
        case .version: Terminal.print(Tool.nameAndVersion)
        case .run(let command, let invocation):
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
