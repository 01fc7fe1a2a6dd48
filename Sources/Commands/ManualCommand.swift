internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// Writes the pages that derive from the command line and from the catalogue, for packages and for the published documentation.
enum ManualCommand {
    static let command: Command = Command(
        "manual",
        "Print the manual page of a command, or write all pages that the program generates.",
        examples: [
            .init("oidc-preflight manual check | man -l -"), .init("oidc-preflight manual --markdown"),
            .init("oidc-preflight manual --pages man1"), .init("oidc-preflight manual --catalogue Catalogue"),
        ],
        arguments: [isMarkdown, pages, catalogue, names],
        isHidden: true,
        run: { invocation in
            let program = PreflightProgram.command
            if let folder = invocation[pages] {
                for entry in program.everyCommand() where !entry.command.isHidden {
                    let trail = program.trail(entry.path)
                    let file = "\(folder)/\(entry.path.joined(separator: "-")).1"
                    try Files.write(trail.manualPage(source: Tool.nameAndVersion), to: file)
                }
                return
            }
            if let folder = invocation[catalogue] {
                for page in try CataloguePages.site() { try Files.write(page.text, to: "\(folder)/\(page.file)") }
                return
            }
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
    private static let pages = folder("--pages", "Write the manual page of every command into this folder.")
    private static let catalogue = folder(
        "--catalogue",
        "Write the catalogue with a page for each check into this folder."
    )
    private static let names: Argument<[String]> = .operands(.text("COMMAND"), "The names that lead to the command.")

    private static func folder(_ name: String, _ help: String) -> Argument<String?> {
        .option(name, .text("FOLDER", completion: .folders), group: "FORM", help)
    }

    private static let introduction = """
        What every command takes, as `--help` prints it; the program writes this page. An option's value is the next word or \
        stands behind `=`; options may follow operands; after `--` nothing is an option. Names are never shortened. The manual \
        pages say the same.
        """
}
