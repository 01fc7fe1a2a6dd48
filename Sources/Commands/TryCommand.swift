internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

enum TryCommand {
    static let command = Command(
        "try",
        "Try the configuration with the first requests of a run: the documents, one sign-in.",
        text: [
            "Most errors are mistakes of the configuration: a redirect URI that is not registered, a secret that was "
                + "replaced. A run begins with an ordinary sign-in; this is that and nothing more, step by step. Without a "
                + "sign_in section an authorization request and a made-up code tell whether the client is known."
        ],
        examples: [
            .init("oidc-preflight try --config preflight.yaml"),
            .init("oidc-preflight try --config preflight.yaml --tier unauthenticated", "nobody signs in"),
        ],
        arguments: [Options.issuer, Options.profile, Options.config, Options.target, Options.tier] + Options.driving
            + Options.connection + Options.limits + [Options.silent],
        sections: [Sections.secrets],
        run: { invocation in
            try await Ending.beforeSending {
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
                    codes.append(try await attempt(run, isQuiet: invocation[Options.silent]))
                }
                // Where the provider is at fault that counts, whatever else is to be corrected.
                try Ending.end(codes.contains(1) ? 1 : codes.max() ?? 0)
            }
        }
    )

    /// Tries one configuration, and prints how far it came.
    ///
    /// - Returns: The exit code.
    static func attempt(_ run: PreflightRun, isQuiet: Bool) async throws -> Int {
        let progress = ProgressLine(isQuiet: isQuiet)
        let evidence = await Interruption.cancellable { await run.collect(progress: progress.handle) }
        progress.clear()
        if evidence.wasInterrupted { throw Ending.interrupted }
        let trial = run.trial(by: evidence, now: Terminal.now())
        Terminal.print(run.withoutSecrets(trial.text))
        return trial.exitCode
    }
}
