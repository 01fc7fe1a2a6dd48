internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// Prints the pages of `Documentation` that derive from the command line.
enum ManualCommand {
    static let command: Command = Command(
        "manual",
        "Print the manual page of a command, or all commands as a page of documentation.",
        examples: [.init("oidc-preflight manual check | man -l -"), .init("oidc-preflight manual --markdown")],
        arguments: [isMarkdown, names],
        isHidden: true,
        run: { invocation in
            let program = PreflightProgram.command
            if invocation[isMarkdown] {
                return Terminal.printVerbatim(program.markdownPage(introduction: introduction))
            }
            let trail = program.trail([program.name] + invocation[names])
            guard trail.count == invocation[names].count + 1 else {
                throw ConfigurationError(
                    file: "manual",
                    "no command is called “\(invocation[names].joined(separator: " "))”"
                )
            }
            Terminal.printVerbatim(trail.manualPage(source: Tool.nameAndVersion))
        }
    )

    private static let isMarkdown: Argument<Bool> = .flag("--markdown", group: "FORM", "All commands, in Markdown.")
    private static let names: Argument<[String]> = .operands(.text("COMMAND"), "The names that lead to the command.")

    private static let introduction = """
        What every command takes, as `--help` prints it; this page is written by the program itself. An option's value \
        is the next word or stands behind `=`; options may follow operands; after `--` nothing is an option. Names are \
        never shortened. The same as manual pages: [Manual](Manual).
        """
}
