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
            suggestions.platforms = checkingAllPlatforms(configuration).map { "\(Tool.name) check \($0)" }
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

    /// The end of the line that repeats this check for every platform; `nil` if the command was another one, or if its
    /// configuration cannot be read again.
    private func checkingAllPlatforms(_ configuration: String?) -> String? {
        guard let issuer = value(ifDeclared: Options.issuer), configuration ?? issuer != nil, configuration != "-"
        else {
            return nil
        }
        let isStated = value(ifDeclared: Options.config).flatMap(\.self) != nil
        // They name checks, a profile or a report of this run alone.
        let others = [
            Options.profile.declaration, Options.only.declaration, Options.skip.declaration,
            Options.baseline.declaration,
        ]
        .map(\.name)
        let stated = configuration.map { isStated ? [] : [Options.config.declaration.name, $0] } ?? []
        return line(of: CheckCommand.command, [Options.profile.declaration.name, "all"] + stated) {
            $0.group != Heading.reports && !others.contains($0.name)
        }
    }
}
