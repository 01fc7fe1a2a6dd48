internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

enum InitCommand {
    static let command = Command(
        "init",
        "Create a commented preflight.yaml from an issuer's discovery document.",
        text: [
            "At a terminal it prompts for the missing values and offers to try the configuration. Otherwise, and with "
                + "--no-input, it writes CHANGE-ME for them. For a provider that the platform supports by name, such as GitHub, "
                + "no document is requested: the profile contains the endpoints."
        ],
        examples: [
            .init("oidc-preflight init", "prompts for everything"),
            .init("oidc-preflight init https://idp.example.com"),
            .init("oidc-preflight init https://github.com/login/oauth --profile firebase-github"),
            .init("oidc-preflight init https://idp.example.com --profile firebase-oidc --output -"),
        ],
        arguments: [issuer, profile, Options.resource, output, noInput] + Options.connection,
        sections: [Sections.secrets],
        objections: { invocation in
            invocation[issuer] == nil && !asks(invocation)
                ? ["ISSUER is missing: the issuer, exactly as you will register it"] : []
        },
        run: run
    )

    private static let heading = "CONFIGURATION"
    private static let issuer: Argument<String?> = .operand(
        optional: .issuer,
        "The issuer, exactly as you will register it.",
        fallback: "prompted for at a terminal"
    )
    private static let profile: Argument<String?> = .option(
        "--profile",
        .profiles(),
        group: heading,
        "The relying platform.",
        fallback: "prompted for at a terminal, else \(ProfileLibrary.defaultName)"
    )
    private static let output: Argument<String> = .option(
        "--output",
        .file(),
        group: heading,
        default: Configuration.defaultFile,
        "The file to write; - is standard output."
    )
    private static let noInput: Argument<Bool> = .flag(
        "--no-input",
        group: heading,
        "Never prompt, even at a terminal."
    )

    /// Whether a user can be prompted.
    private static func asks(_ invocation: Invocation) -> Bool {
        Terminal.canAsk && !invocation[noInput] && invocation[output] != "-"
    }

    private static func run(_ invocation: Invocation) async throws {
        try await ExitCodes.beforeSending {
            let output = invocation[output]
            if output != "-", Files.exists(output) {
                throw ConfigurationError(
                    file: output,
                    "the file exists and is never overwritten; choose another with --output"
                )
            }
            if output != "-" { try Files.prepare(output) }
            let questions = asks(invocation) ? InitQuestions() : nil
            questions?.begin()
            let issuer = try invocation[issuer] ?? questions?.issuer() ?? ""
            let profile = try invocation[profile] ?? questions?.profile() ?? ProfileLibrary.defaultName
            var configuration = Configuration(target: .init(issuer: issuer))
            try configuration.route(by: invocation)
            if let resource = invocation[Options.resource] {
                try configuration.name(resource: resource, at: "--resource")
            }
            let hasDocument = try PreflightRun.readsDiscovery(profile, Files.environment)
            var options = RunOptions()
            options.tier = .static
            if hasDocument { options.selection = .init(only: ["discovery"]) }
            let run = try PreflightRun(configuration, options, profile: profile, Files.environment)
            var evidence =
                hasDocument ? await Interruption.cancellable { await run.collect { _ in } } : run.emptyEvidence
            if evidence.wasInterrupted {
                Terminal.complain("Interrupted: nothing was written.")
                throw ExitCodes.interrupted
            }
            let path = { (file: String) in Files.naming(file, in: output) }
            let written = { (answers: TemplateAnswers) in
                ConfigurationTemplate(evidence, of: run, answers: answers, checkedBy: check(output), naming: path)
            }
            var template = written(TemplateAnswers())
            if let reason = template.failure { try refuse(reason) }
            if let other = template.otherIssuer {
                if try questions?.takes(otherIssuer: other, than: issuer) ?? false {
                    evidence.target.issuer = other
                    template = written(TemplateAnswers())
                } else {
                    let isTemplate = other.contains("{")
                    Terminal.complain(
                        "The document has the issuer \(other.shown(limit: 200)); the configuration uses the one you entered."
                            + (isTemplate ? "" : " Both must be equal: change issuer in the file, or the document.")
                    )
                }
            }
            guard let questions else { return try write(template, to: output) }
            let answers = try questions.answers(template.proposals)
            let filled = written(answers)
            try write(filled, to: output)
            try await offerTrial(filled, answers, of: output, questions)
        }
    }

    /// Offers to try the configuration without a sign-in; the password need not be set and is not sent.
    private static func offerTrial(
        _ template: ConfigurationTemplate,
        _ answers: TemplateAnswers,
        of output: String,
        _ questions: InitQuestions
    ) async throws {
        if template.isUnfinished { return }
        let later = "\(Tool.name) try --config \(output.shellWord ?? "FILE") --tier unauthenticated"
        if let name = answers.secretVariable, Terminal.environment(name)?.isEmpty ?? true {
            let state = Terminal.environment(name) == nil ? "not set" : "empty"
            Terminal.print(
                "\n\(name) is \(state), so the configuration cannot be tried yet. Set it, then run:  \(later)"
            )
            return
        }
        var environment = Files.environment
        environment.variable = { name in
            Terminal.environment(name) ?? (name == answers.passwordVariable ? "not sent" : nil)
        }
        let configuration = try ConfigurationReader(environment)
            .read(template.text, file: output, checks: PreflightRun.checks.map(\.id))
        let tier = min(configuration.highestTier, .unauthenticated)
        let isWanted = try questions.confirm(
            "Try it now?",
            because: "Tier \(tier.rawValue): the first requests of a run, without a sign-in.",
            fallback: true
        )
        guard isWanted else { return }
        Terminal.print("")
        var options = RunOptions()
        options.tier = tier
        let run = try PreflightRun(configuration, options, Files.environment)
        let named = "--config \(output.shellWord ?? "FILE")"
        try ExitCodes.end(
            await TryCommand.attempt(run.trial, isQuiet: false, next: named, again: "\(Tool.name) try \(named)")
        )
    }

    /// The command that checks the written file, which names all connection options.
    private static func check(_ output: String) -> String {
        let file = output == "-" ? Configuration.defaultFile : output
        return "\(Tool.name) check --config \(file.shellWord ?? "FILE")"
    }

    /// Ends the command because the document could not be read.
    private static func refuse(_ reason: String) throws -> Never {
        Terminal.complain(
            "\(reason)\nNothing was written: the configuration is derived from the discovery document."
        )
        throw ExitCodes.inconclusive
    }

    private static func write(_ template: ConfigurationTemplate, to output: String) throws {
        if output == "-" { return Terminal.print(template.text) }
        do {
            try Files.write(template.text, to: output)
        } catch {
            Terminal.complain("The configuration was not written: \(error)")
            throw ExitCodes.usage
        }
        let next = check(output)
        Terminal.complain(
            template.isUnfinished
                ? "Wrote \(output). Fill in the client, export the variables it names, then run: \(next)"
                : "Wrote \(output). Export the variables it names, then run: \(next)"
        )
    }
}
