extension Command {
    /// All commands with their options as one page of documentation, in Markdown.
    ///
    /// - Parameter introduction: The text above the first command.
    package func markdownPage(introduction: String) -> String {
        let commands = everyCommand().dropFirst().filter { !$0.command.isHidden }
        let names = commands.map { $0.path.dropFirst().joined(separator: " ") }
        let links = zip(names, commands)
            .map { name, entry in ("[`\(name)`](#\(name.replacing(" ", with: "-")))", entry.command.summary) }
        var blocks = ["# Commands", introduction, links.markdownTable("command", "purpose")]
        blocks += sections.flatMap { $0.markdown(level: 2) }
        for (name, (path, command)) in zip(names, commands) {
            blocks += ["## \(name)", command.summary, "```sh\n\(trail(path).usage)\n```"]
            blocks += command.text.map(\.markdown)
            blocks += (command.argumentParts + command.sections)
                .filter { $0.title != "COMMANDS" && $0.title != Self.help.declaration.group }
                .flatMap { $0.markdown(level: 3) }
            let examples = command.examples.map { $0.comment.isEmpty ? $0.line : "\($0.line)    # \($0.comment)" }
            blocks += ["### Examples", "```sh\n\(examples.joined(separator: "\n"))\n```"]
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// The commands along this path, this one first.
    package func trail(_ names: [String]) -> [Command] {
        names.dropFirst()
            .reduce(into: [self]) { trail, name in
                trail += trail.last?.subcommands.filter { $0.name == name } ?? []
            }
    }
}

extension Command.Section {
    fileprivate func markdown(level: Int) -> [String] {
        let heading = String(repeating: "#", count: level) + " " + title.prefix(1) + title.dropFirst().lowercased()
        let rows = terms.map { ("`\($0.term.replacing("|", with: "\\|"))`", $0.meaning.markdown) }
        return [heading] + paragraphs.map(\.markdown) + (rows.isEmpty ? [] : [rows.markdownTable("", "")])
    }
}

extension [(String, String)] {
    fileprivate func markdownTable(_ left: String, _ right: String) -> String {
        (["| \(left) | \(right) |", "| --- | --- |"] + map { "| \($0.0) | \($0.1) |" }).joined(separator: "\n")
    }
}

extension String {
    /// Escaped for a Markdown table.
    fileprivate var markdown: String {
        replacing("|", with: "\\|").replacing("*", with: "\\*").replacing("<", with: "&lt;")
    }
}
