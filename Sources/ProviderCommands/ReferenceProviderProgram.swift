internal import CommandTable
internal import Conformance
package import Console
internal import Profiles
internal import ProviderTable

/// The reference provider as a separate program, so that the main program contains no provider.
///
/// Its messages are those of `oidc-preflight provider`, which passes its whole command line on.
package enum ReferenceProviderProgram {
    private static let command = Command(
        Tool.name,
        "Check whether sign-in with an OpenID Provider will work, before you register it.",
        examples: [],
        subcommands: [ProviderCommand.command, DemonstrationCommand.command]
    )

    /// Runs a provider in the current context, until it is interrupted.
    ///
    /// - Parameter words: The command line after the program's name, with or without the name of the command.
    package static func run(_ words: [String]) async -> ExitCode { await ExitCodes.code { try await obey(words) } }

    private static func obey(_ words: [String]) async throws {
        let isNamed = command.subcommands.contains { $0.name == words.first }
        let words = isNamed ? words : [ProviderProgram.command] + words
        let request = try command.read(
            words,
            prefix: ProgramVariables.prefix,
            environment: Terminal.environment,
            nearest: NearestWord.of
        )
        switch request {
        case .help(let path): Terminal.print(path.help(width: Terminal.width(Terminal.output)))
        case .version: Terminal.print(Tool.nameAndVersion)
        case .run(let command, let invocation): try await command.run?(invocation)
        }
    }
}
