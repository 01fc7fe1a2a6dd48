internal import CommandTable
internal import Console
internal import Preflight

enum ProfilesCommand {
    static let command = Command(
        "profiles",
        "List the profiles, or show one.",
        examples: [.init("oidc-preflight profiles"), .init("oidc-preflight profiles show firebase-oidc")],
        subcommands: [list, show],
        fallback: "list"
    )

    private static let list = Command(
        "list",
        "List the built-in profiles, one per line.",
        examples: [.init("oidc-preflight profiles list")],
        run: { _ in Terminal.print(try text.list()) }
    )

    private static let name: Argument<String> = .operand(.profiles("NAME"), "A built-in name or a file.")
    private static let show = Command(
        "show",
        "Show a profile: rules with reasons and sources, levels, parameters and checks.",
        examples: [.init("oidc-preflight profiles show firebase-oidc")],
        arguments: [name],
        run: { invocation in Terminal.print(try text.show(invocation[name])) }
    )

    private static var text: ProfileText {
        ProfileText(width: Terminal.width(Terminal.output), environment: Files.environment)
    }
}
