internal import ArgumentParser
internal import Preflight
internal import Profiles

struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List the profiles, or show one.",
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self
    )

    private static var text: ProfileText {
        ProfileText(width: Terminal.width(Terminal.output), surroundings: Files.surroundings)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One line a built-in profile.")

        func run() async throws {
            try await Ending.guarding {
                Terminal.print(try ProfilesCommand.text.list())
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What a profile holds: rules with reason and source, levels, parameters, checks.",
            discussion: "EXAMPLE\n  oidc-preflight profiles show firebase-oidc"
        )

        @Argument(help: ArgumentHelp("A built-in name, or a file.", valueName: "name"))
        var name: String

        func run() async throws {
            try await Ending.guarding {
                Terminal.print(try ProfilesCommand.text.show(name))
            }
        }
    }
}
