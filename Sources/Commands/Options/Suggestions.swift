internal import CommandTable
internal import Conformance
internal import Preflight
internal import Reporting

extension Invocation {
    /// The end of the line of a suggested command: it reaches the same provider with the same configuration as this one.
    ///
    /// - Returns: `nil` if the command cannot be typed.
    func suggesting(_ command: Command, _ words: [String] = []) -> String? {
        line(of: command, words) { $0.group != Heading.reports }
    }

    /// The commands that a report of this command line suggests.
    ///
    /// - Parameters:
    ///   - platform: The platform whose registration can be written.
    ///   - configuration: The file that the configuration was read from.
    ///   - evidence: The file that the evidence was saved in.
    func suggestions(platform: String?, configuration: String?, evidence: String?) -> Suggestions {
        let initialising = line(of: InitCommand.command) { $0.form == .option && $0.group != Heading.reports }
        var suggestions = Suggestions(initialising: initialising ?? "")
        if let evidence {
            suggestions.request = suggesting(CurlCommand.command, ["--evidence", evidence])
        }
        guard let platform else {
            let platforms = line(of: CheckCommand.command, [Options.profile.declaration.name, "all"]) {
                $0.group != Heading.reports && $0.name != Options.profile.declaration.name
            }
            suggestions.platforms = platforms.map { "\(Tool.name) check \($0)" }
            return suggestions
        }
        let registering = ["--for", platform]
        let end: String?
        if let evidence {
            // Nothing is sent, so that limits and connection do not matter, and register accepts no issuer.
            let judging = [Options.profile.declaration, Options.config.declaration, Options.target.declaration]
                .map(\.name)
            end = line(of: RegisterCommand.command, registering + ["--evidence", evidence]) {
                judging.contains($0.name)
            }
        } else if let configuration {
            let isStated = value(ifDeclared: Options.config).flatMap(\.self) != nil
            end = suggesting(RegisterCommand.command, registering + (isStated ? [] : ["--config", configuration]))
        } else {
            end = nil
        }
        suggestions.register = end.map { "\(Tool.name) register \($0)" }
        return suggestions
    }
}
