internal import CommandTable
internal import Conformance
internal import Preflight
internal import Profiles
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
    ///   - profile: The profile of that platform, if the command line names several; `nil` if it names one.
    ///   - others: The profiles whose gates are not open, if the command line names several.
    ///   - configuration: The file that the configuration was read from.
    ///   - evidence: The file that the evidence was saved in.
    func suggestions(
        platform: String?,
        profile: String? = nil,
        others: [String] = [],
        configuration: String?,
        evidence: String?
    ) -> Suggestions {
        let initialising = line(of: InitCommand.command) { $0.form == .option && $0.group != Heading.reports }
        var suggestions = Suggestions(initialising: initialising ?? "")
        if configuration != nil, let end = suggesting(TryCommand.command) {
            suggestions.trial = "\(Tool.name) try" + (end.isEmpty ? "" : " " + end)
        }
        if let evidence {
            suggestions.request = suggesting(CurlCommand.command, ["--evidence", evidence])
        }
        // A profile from a file has another name on the command line.
        for name in others where ProfileLibrary.builtIn.contains(where: { $0.name == name }) {
            let words = [name, Options.verbose.declaration.name]
            suggestions.checks[name] = checking(words, configuration).map { "\(Tool.name) check \($0)" }
        }
        guard let platform else {
            suggestions.platforms = checking(["all"], configuration).map { "\(Tool.name) check \($0)" }
            return suggestions
        }
        let profileName = Options.profile.declaration.name
        let registering = ["--for", platform] + (profile.map { [profileName, $0] } ?? [])
        let end: String?
        if let evidence {
            // Nothing is sent, so that limits and connection do not matter, and register accepts no issuer.
            let judging = [Options.profile.declaration, Options.config.declaration, Options.target.declaration]
                .map(\.name)
            end = line(of: RegisterCommand.command, registering + ["--evidence", evidence]) {
                judging.contains($0.name) && (profile == nil || $0.name != profileName)
            }
        } else if let configuration {
            let isStated = value(ifDeclared: Options.config).flatMap(\.self) != nil
            end = line(of: RegisterCommand.command, registering + (isStated ? [] : ["--config", configuration])) {
                $0.group != Heading.reports && (profile == nil || $0.name != profileName)
            }
        } else {
            end = nil
        }
        suggestions.register = end.map { "\(Tool.name) register \($0)" }
        return suggestions
    }

    /// The end of the line that repeats this check for another profile; `nil` if the command was another one, or if its
    /// configuration cannot be read again.
    ///
    /// - Parameter words: The profile, or `all`, and further words.
    private func checking(_ words: [String], _ configuration: String?) -> String? {
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
        return line(of: CheckCommand.command, [Options.profile.declaration.name] + words + stated) {
            $0.group != Heading.reports && !others.contains($0.name)
        }
    }
}
