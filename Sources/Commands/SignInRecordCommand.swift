internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

extension SignInCommand {
    private static let headless: Argument<Bool> = .flag(
        "--headless",
        group: Heading.sending,
        "No window: for a page that signs in by itself."
    )
    private static let time: Argument<Double> = .option(
        "--time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        default: 300,
        "How long the person has."
    )

    static let record = Command(
        "record",
        "You sign in by hand in a browser, and get the steps that do it again.",
        text: [
            "Opens the authorization request of the first of the flows in a browser and watches which fields are filled and which buttons "
                + "pressed, until the redirect URI is reached, which is not loaded. Then it prints what to write under sign_in.steps. The user "
                + "name, the password and one-time codes stand there as {username}, {password} and {totp}; what is typed into fields for "
                + "passwords never leaves the page."
        ],
        examples: [.init("oidc-preflight sign-in record --config preflight.yaml")],
        arguments: [Options.issuer, Options.profile, Options.config, Options.target, headless] + Options.connection
            + [time, Options.silent],
        sections: [Sections.secrets],
        run: { invocation in
            try await Ending.beforeSending {
                var configuration = try stated(invocation)
                configuration.signInAnew()
                let steps = PersonsSteps(patience: invocation[time])
                try configuration.record(with: steps, isShown: !invocation[headless])
                let run = try run(configuration, invocation)
                if !invocation[Options.silent] { Terminal.complain("Sign in by hand in the browser that opens.") }
                let (trial, _) = try await signIn(run, invocation)
                let text = steps.text(for: configuration)
                if trial.exitCode != 0 {
                    Terminal.print(run.withoutSecrets(trial.text))
                } else if text.isEmpty {
                    Terminal.print("Nothing was filled in or pressed: no step is needed.")
                }
                if !text.isEmpty { Terminal.print(run.withoutSecrets(text)) }
                try Ending.end(trial.exitCode)
            }
        }
    )
}
