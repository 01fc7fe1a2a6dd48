internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles

struct ChecksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checks",
        abstract: "List the checks, or explain one.",
        subcommands: [List.self, Explain.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One line a check: level, identifier, title.")

        @OptionGroup var judging: JudgingArguments

        func run() async throws {
            try await Ending.guarding {
                Terminal.print(
                    try CatalogueText.list(
                        profile: judging.profile,
                        selection: try judging.selection(),
                        surroundings: Files.surroundings
                    )
                )
            }
        }
    }

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The rule, where it is written, why it matters, and how to mend it.",
            discussion: "EXAMPLE\n  oidc-preflight checks explain discovery.issuer.matches-request"
        )

        @Argument(help: ArgumentHelp("The check's identifier.", valueName: "id"))
        var id: String

        func run() async throws {
            try await Ending.guarding {
                let explanation = try CatalogueText.explanation(
                    of: CheckID(id),
                    width: Terminal.width(Terminal.output),
                    surroundings: Files.surroundings
                )
                guard let text = explanation else {
                    let known = PreflightRun.checks.map(\.id.rawValue)
                    throw ConfigurationError(
                        file: "checks explain",
                        "no check is called “\(id)”" + NearestWord.hint(for: id, among: known)
                    )
                }
                Terminal.print(text)
            }
        }
    }
}
