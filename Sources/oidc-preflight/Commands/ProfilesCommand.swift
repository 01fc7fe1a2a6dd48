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

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One line a built-in profile.")

        func run() async throws {
            try await Ending.guarding {
                Terminal.print(try CatalogueText.profiles(Files.surroundings))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What a profile holds: its checks with their levels, its parameters, its source.",
            discussion: "EXAMPLE\n  oidc-preflight profiles show firebase-oidc"
        )

        @Argument(help: ArgumentHelp("A built-in name, or a file.", valueName: "name"))
        var name: String

        func run() async throws {
            try await Ending.guarding {
                Terminal.print(try CatalogueText.profile(name, Files.surroundings))
            }
        }
    }
}
