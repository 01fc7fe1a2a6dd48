internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

extension SignInCommand {
    private static let headless: Argument<Bool> = .flag(
        "--headless",
        group: Heading.sending,
        "Show no window; for pages that sign in automatically."
    )
    private static let time: Argument<Double> = .option(
        "--time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        default: 300,
        "Time limit for the sign-in.",
        shown: "300 seconds"
    )

    static let record = Command(
        "record",
        "Sign in manually in a browser and record the steps.",
        text: [
            "Opens the authorization request of the first configured flow in a browser and records filled fields and pressed buttons "
                + "until the browser reaches the redirect URI, which is not loaded. Then it prints the steps for sign_in.steps. "
                + "User name, password and one-time codes are replaced by {username}, {password} and {totp}; input in password "
                + "fields never leaves the page."
        ],
        examples: [.init("oidc-preflight sign-in record --config preflight.yaml")],
        arguments: [Options.issuer, Options.profile, Options.config, Options.target, headless] + Options.connection
            + [Options.allowIssuer, time, Options.silent],
        sections: [Sections.secrets],
        run: { invocation in
            try await ExitCodes.beforeSending {
                var configuration = try stated(invocation)
                configuration.ignoreSavedSession()
                let steps = StepRecorder(timeLimit: invocation[time])
                try configuration.record(with: steps, isShown: !invocation[headless])
                let run = try run(configuration, invocation)
                if !invocation[Options.silent] { Terminal.complain("Sign in manually in the browser that opens.") }
                let (trial, _) = try await signIn(run, invocation)
                let text = steps.text(for: configuration)
                if trial.exitCode != 0 {
                    Terminal.printColumns(run.withoutSecrets(trial.text))
                } else if text.isEmpty {
                    Terminal.print("Nothing was filled in or pressed: no step is needed.")
                }
                if !text.isEmpty { Terminal.print(run.withoutSecrets(text)) }
                try ExitCodes.end(trial.exitCode)
            }
        }
    )
}
