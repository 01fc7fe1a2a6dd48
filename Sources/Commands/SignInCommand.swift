internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

enum SignInCommand {
    static let command = Command(
        "sign-in",
        "Sign in once: see each page, or keep the session for later runs.",
        examples: [
            .init("oidc-preflight sign-in test --config preflight.yaml", "each page, and where the way ends"),
            .init("oidc-preflight sign-in save --out session.enc", "keeps the session for later runs, encrypted"),
        ],
        subcommands: [test, save, record]
    )

    private static let whatIsSent: [any Declared] =
        [Options.issuer, Options.profile, Options.config, Options.target] + Options.driving + Options.connection
        + [Options.silent]

    private static let screenshots: Argument<String?> = .option(
        "--screenshots",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Have the browser take a picture of each page: FOLDER/sign-in-1.png and so on, of their owner alone (mode 600). What is typed in "
            + "fields is in none."
    )

    private static let test = Command(
        "test",
        "One sign-in, and every page that it met: what was seen, filled and pressed.",
        text: [
            "Signs the test user in once, by the first of the flows, and redeems nothing. For each page its address, title, "
                + "message and fields are shown, what was filled in and pressed, and in the end whether the provider sent the "
                + "person back to the client, or why the way stopped and what to do. Exit code 0 when it did, else 2."
        ],
        examples: [.init("oidc-preflight sign-in test --config preflight.yaml")],
        arguments: whatIsSent + [screenshots],
        sections: [Sections.secrets],
        run: { invocation in
            try await Ending.beforeSending {
                let pictures = Pictures(folder: invocation[screenshots])
                try pictures?.prepare()
                var configuration = try configuration(invocation)
                configuration.keepPictures(in: pictures?.album)
                let run = try run(configuration, invocation)
                let (trial, _) = try await signIn(run, invocation)
                let isWhole = pictures?.write(trial.pages.compactMap(\.picture)) ?? true
                Terminal.print(run.withoutSecrets(trial.text))
                try Ending.end(trial.exitCode, isWhole: isWhole)
            }
        }
    )

    private static let heading = "WHAT TO KEEP"
    private static let out: Argument<String> = .required(
        "--out",
        .file(),
        group: heading,
        "The file for the session; of its owner alone (mode 600), an earlier one is replaced."
    )
    private static let keyVariable: Argument<String> = .option(
        "--key-env",
        .text("NAME"),
        group: heading,
        default: SessionFile.keyVariable,
        "The environment variable with the key of the file, at least \(SessionFile.leastKey) characters."
    )

    private static let save = Command(
        "save",
        "One sign-in, whose session later runs use in the place of the password.",
        text: [
            "Signs the test user in once and keeps the session's cookies, encrypted with a key from the environment: "
                + "AES-256-GCM, the key derived by scrypt. Runs use it by sign_in.session: { file: session.enc, key: { env: "
                + "\(SessionFile.keyVariable) } }, and then need no password. When the session has ended, a run says so and "
                + "ends with exit code 2."
        ],
        examples: [.init("oidc-preflight sign-in save --out session.enc")],
        arguments: [out, keyVariable] + whatIsSent,
        sections: [Sections.secrets],
        run: { invocation in
            try await Ending.beforeSending {
                let key = try key(invocation[keyVariable])
                var configuration = try configuration(invocation)
                guard !configuration.signsInByHand else {
                    throw ConfigurationError(
                        file: invocation[Options.driver] == nil ? "sign_in.driver" : "--driver manual",
                        "a session cannot be saved by hand: its cookies stay in the person's browser; use form or browser"
                    )
                }
                configuration.signInAnew()
                guard configuration.hasPassword else {
                    throw ConfigurationError(
                        file: invocation[Options.config] ?? Configuration.defaultFile,
                        "saving a session takes sign_in.password, and its variable must be set"
                    )
                }
                try Files.prepare(invocation[out])
                let run = try run(configuration, invocation)
                let (trial, session) = try await signIn(run, invocation)
                guard trial.exitCode == 0, let session else {
                    Terminal.print(run.withoutSecrets(trial.text))
                    throw ExitCode(2)
                }
                try Files.writePrivately(session.sealed(with: key), to: invocation[out])
                Terminal.print(told(session, invocation))
            }
        }
    )

    private static func told(_ session: KeptSession, _ invocation: Invocation) -> String {
        let count = "\(session.count) cookie\(session.count == 1 ? "" : "s")"
        let end = session.secondsToFirstEnd
            .map { $0 / 3_600 }
            .map { $0 < 48 ? "\(Int($0)) hours" : "\(Int($0 / 24)) days" }
        let file = invocation[out]
        return """
            The session is in \(file): \(count)\(end.map { ", the first of which ends in \($0)" } ?? ""); how long it lasts is for the provider to say.
            Use it in the place of sign_in.password, beside sign_in.username:
              sign_in:
                username: …
                session: { file: \(file), key: { env: \(invocation[keyVariable]) } }
            """
    }

    /// The key of the file, which is not one that is guessed.
    private static func key(_ variable: String) throws(ConfigurationError) -> Secret {
        let how = "export \(variable)=$(openssl rand -base64 32)"
        guard let text = Terminal.environment(variable), !text.isEmpty else {
            throw ConfigurationError(
                file: "--key-env \(variable)",
                "this environment variable is not set; it holds the key of the session: \(how)"
            )
        }
        guard text.count >= SessionFile.leastKey else {
            throw ConfigurationError(
                file: "--key-env \(variable)",
                "the key in it has \(text.count) characters, and needs \(SessionFile.leastKey) or more: \(how)"
            )
        }
        return Secret(text)
    }

    /// The configuration; that nobody can sign in is said before anything is sent.
    private static func configuration(_ invocation: Invocation) throws -> Configuration {
        var configuration = try stated(invocation, driver: invocation[Options.driver])
        try configuration.drive(by: invocation)
        return configuration
    }

    /// Likewise, whoever signs in.
    static func stated(_ invocation: Invocation, driver: PageDriver? = nil) throws -> Configuration {
        var configuration = try Configuration.only(
            invocation,
            profile: invocation[Options.profile],
            driver: driver
        )
        try configuration.route(by: invocation)
        let missing = configuration.missing(for: .full)
        guard missing.isEmpty else {
            throw ConfigurationError(
                file: invocation[Options.config] ?? Configuration.defaultFile,
                "nobody can sign in without \(missing.joined(separator: ", "))"
            )
        }
        return configuration
    }

    /// The run of one sign-in.
    static func run(_ configuration: Configuration, _ invocation: Invocation) throws -> PreflightRun {
        var options = RunOptions()
        options.tier = .full
        return try PreflightRun(configuration, options, profile: invocation[Options.profile], Files.environment)
            .signInTrial
    }

    static func signIn(
        _ run: PreflightRun,
        _ invocation: Invocation
    ) async throws -> (SignInTrial, KeptSession?) {
        let progress = ProgressLine(isQuiet: invocation[Options.silent])
        let (evidence, session) = await Interruption.cancellable {
            await run.collectKeepingSession(progress: progress.handle)
        }
        progress.clear()
        if evidence.wasInterrupted { throw Ending.interrupted }
        return (run.signInTrial(by: evidence), session)
    }
}
