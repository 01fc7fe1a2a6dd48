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
        arguments: [Options.issuer, Options.profile, Options.config, Options.tier] + Options.connection
            + Options.limits + [Options.silent],
        sections: [Sections.secrets],
        run: { invocation in
            try await Ending.beforeSending {
                var configuration = try Configuration.stated(invocation, profile: invocation[Options.profile])
                try configuration.route(by: invocation)
                configuration.limit(by: invocation)
                let run = try PreflightRun(
                    configuration: configuration,
                    profile: invocation[Options.profile],
                    tier: configuration.tier(statedBy: invocation),
                    environment: Files.environment
                )
                .trial
                let progress = ProgressLine(isQuiet: invocation[Options.silent])
                let evidence = await Interruption.cancellable { await run.collect(progress: progress.handle) }
                progress.clear()
                if evidence.wasInterrupted { throw Ending.interrupted }
                let trial = run.trial(by: evidence, now: Terminal.now())
                Terminal.print(run.withoutSecrets(trial.text))
                try Ending.end(trial.exitCode)
            }
        }
    )
}
