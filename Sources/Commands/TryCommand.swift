internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

enum TryCommand {
    static let command = Command(
        "try",
        "Test the configuration with the first requests of a run: the documents and one sign-in.",
        text: [
            "Most errors are configuration mistakes, such as an unregistered redirect URI or a replaced secret. try performs "
                + "only the ordinary sign-in that a run starts with, step by step. Without a sign_in section, it sends an "
                + "authorization request and a bogus code to find out whether the provider knows the client."
        ],
        examples: [
            .init("oidc-preflight try --config preflight.yaml"),
            .init("oidc-preflight try --config preflight.yaml --tier unauthenticated", "without a sign-in"),
        ],
        arguments: [Options.issuer, Options.profile, Options.config, Options.target, Options.tier, Options.resource]
            + Options.driving
            + Options.connection + [Options.allowIssuer] + Options.limits + [Options.silent],
        sections: [Sections.secrets],
        run: { invocation in
            try await ExitCodes.beforeSending {
                let runs = try Configuration.prepared(invocation, RunOptions(), signsIn: true)
                    .map { configuration, options in
                        try PreflightRun(
                            configuration,
                            options,
                            profile: invocation[Options.profile],
                            Files.environment
                        )
                        .trial
                    }
                var codes: [Int] = []
                for run in runs {
                    if runs.count > 1 {
                        Terminal.print((codes.isEmpty ? "" : "\n") + "TARGET \(run.configuration.name ?? "")")
                    }
                    codes.append(
                        try await attempt(
                            run,
                            isQuiet: invocation[Options.silent],
                            next: invocation.suggesting(CheckCommand.command),
                            again: again(invocation)
                        )
                    )
                }
                // A failure of the provider takes precedence over configuration mistakes.
                try ExitCodes.end(codes.contains(1) ? 1 : codes.max() ?? 0)
            }
        }
    )

    /// The same command with a sign-in; without a configuration file, the command that creates one.
    private static func again(_ invocation: Invocation) -> String {
        guard Configuration.file(of: invocation) != nil else { return "\(Tool.name) init ISSUER" }
        let tier = Options.tier.declaration.name
        let end = invocation.line(of: command) { $0.group != Heading.reports && $0.name != tier } ?? ""
        return end.isEmpty ? "\(Tool.name) try" : "\(Tool.name) try \(end)"
    }

    /// Tries one configuration and prints the steps that it completed.
    ///
    /// - Parameters:
    ///   - next: The end of the line of `check` for the same configuration; `nil` if it cannot be typed.
    ///   - again: The command that signs in with the same configuration, or that creates one.
    /// - Returns: The exit code.
    static func attempt(_ run: PreflightRun, isQuiet: Bool, next: String?, again: String) async throws -> Int {
        let progress = ProgressLine(isQuiet: isQuiet)
        let evidence = await Interruption.cancellable { await run.collect(progress: progress.handle) }
        progress.clear()
        if evidence.wasInterrupted { throw ExitCodes.interrupted }
        let trial = run.trial(by: evidence, now: Terminal.now())
        Terminal.printColumns(run.withoutSecrets(trial.text(suggesting: next, signingIn: again)))
        return trial.exitCode
    }
}
