internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

enum SignInCommand {
    static let command = Command(
        "sign-in",
        "Sign in once: inspect each page, save the session, or record the steps.",
        examples: [
            .init("oidc-preflight sign-in test --config preflight.yaml", "shows each page, and where the sign-in ends"),
            .init("oidc-preflight sign-in save --out session.enc", "saves the encrypted session for later runs"),
        ],
        subcommands: [test, save, record]
    )

    private static let whatIsSent: [any Declared] =
        [Options.issuer, Options.profile, Options.config, Options.target] + Options.driving + Options.connection
        + [Options.allowIssuer, Options.silent]

    private static let screenshots: Argument<String?> = .option(
        "--screenshots",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Save a screenshot of each browser page as FOLDER/sign-in-1.png and so on, with mode 600. Form input is never "
            + "captured."
    )

    private static let test = Command(
        "test",
        "Sign in once and show every page, with the fields filled in and the buttons pressed.",
        text: [
            "Signs in the test user once, with the first configured flow, and redeems no code. Shows the address, title, "
                + "message and fields of each page, and the input. At the end it shows whether the provider redirected the "
                + "user back to the client, or why the sign-in stopped and what to do. Exits with 0 if the provider "
                + "redirected the user back, else 2."
        ],
        examples: [.init("oidc-preflight sign-in test --config preflight.yaml")],
        arguments: whatIsSent + [screenshots],
        sections: [Sections.secrets],
        run: { invocation in
            try await ExitCodes.beforeSending {
                let screenshots = Screenshots(folder: invocation[screenshots])
                try screenshots?.prepare()
                var configuration = try configuration(invocation)
                configuration.keepScreenshots(in: screenshots?.album)
                let run = try run(configuration, invocation)
                let (trial, _) = try await signIn(run, invocation)
                let isWhole = screenshots?.write(trial.pages.compactMap(\.screenshot)) ?? true
                let text = trial.text(suggesting: invocation.suggesting(TryCommand.command))
                Terminal.printColumns(run.withoutSecrets(text))
                try ExitCodes.end(trial.exitCode, isWhole: isWhole)
            }
        }
    )

    private static let heading = "SESSION"
    private static let out: Argument<String> = .required(
        "--out",
        .file(),
        group: heading,
        "The file for the session, with mode 600; an existing file is replaced."
    )
    private static let keyVariable: Argument<String> = .option(
        "--key-env",
        .text("NAME"),
        group: heading,
        default: SessionFile.keyVariable,
        "The environment variable with the encryption key, of at least \(SessionFile.leastKey) characters."
    )

    private static let save = Command(
        "save",
        "Sign in once and save the session, which later runs use instead of the password.",
        text: [
            "Signs in the test user once and saves the session cookies, encrypted with AES-256-GCM and a key that scrypt "
                + "derives from an environment variable. Runs with sign_in.session: { file: session.enc, key: { env: "
                + "\(SessionFile.keyVariable) } } need no password. After the session has expired, a run reports that and "
                + "exits with 2."
        ],
        examples: [.init("oidc-preflight sign-in save --out session.enc")],
        arguments: [out, keyVariable] + whatIsSent,
        sections: [Sections.secrets],
        run: { invocation in
            try await ExitCodes.beforeSending {
                let key = try key(invocation[keyVariable])
                var configuration = try configuration(invocation)
                guard !configuration.signsInByHand else {
                    throw ConfigurationError(
                        file: invocation[Options.driver] == nil ? "sign_in.driver" : "--driver manual",
                        "a manual sign-in cannot be saved, because its cookies stay in your browser; use form or browser"
                    )
                }
                configuration.ignoreSavedSession()
                guard configuration.hasPassword else {
                    throw ConfigurationError(
                        file: invocation[Options.config] ?? Configuration.defaultFile,
                        "saving a session requires sign_in.password, and its variable must be set"
                    )
                }
                try Files.prepare(invocation[out])
                let run = try run(configuration, invocation)
                let (trial, session) = try await signIn(run, invocation)
                guard trial.exitCode == 0, let session else {
                    Terminal.printColumns(run.withoutSecrets(trial.text))
                    throw ExitCode(2)
                }
                try Files.writePrivately(session.sealed(with: key), to: invocation[out])
                Terminal.print(reported(session, invocation))
            }
        }
    )

    private static func reported(_ session: CopiedSession, _ invocation: Invocation) -> String {
        let count = "\(session.count) cookie\(session.count == 1 ? "" : "s")"
        let end = session.secondsToFirstEnd
            .map { $0 / 3_600 }
            .map { $0 < 48 ? "\(Int($0)) hours" : "\(Int($0 / 24)) days" }
        let file = invocation[out]
        return """
            The session is in \(file): \(count)\(end.map { ", the first of which expires in \($0)" } ?? ""). The provider decides how long it is valid.
            Use it instead of sign_in.password, together with sign_in.username:
              sign_in:
                username: …
                session: { file: \(file), key: { env: \(invocation[keyVariable]) } }
            """
    }

    /// The key of the file, which must be long enough not to be guessed.
    private static func key(_ variable: String) throws(ConfigurationError) -> Secret {
        let how = "export \(variable)=$(openssl rand -base64 32)"
        let value = Terminal.environment(variable)
        guard VariableName.mayBeShown(variable, isSet: value != nil) else {
            throw ConfigurationError(
                file: "--key-env",
                "this is no name of a variable that is set. If it is the key itself, export it and specify the NAME of its "
                    + "variable, such as \(SessionFile.keyVariable)"
            )
        }
        guard let text = value, !text.isEmpty else {
            throw ConfigurationError(
                file: "--key-env \(variable)",
                "this environment variable, which contains the session key, is \(value == nil ? "not set" : "empty"): \(how)"
            )
        }
        guard text.count >= SessionFile.leastKey else {
            throw ConfigurationError(
                file: "--key-env \(variable)",
                "the key has \(text.count) characters but needs at least \(SessionFile.leastKey): \(how)"
            )
        }
        return Secret(text)
    }

    /// The configuration; reports missing sign-in settings before any request.
    private static func configuration(_ invocation: Invocation) throws -> Configuration {
        var configuration = try stated(invocation, driver: invocation[Options.driver])
        try configuration.drive(by: invocation)
        return configuration
    }

    /// The same, for any driver.
    static func stated(_ invocation: Invocation, driver: PageDriver? = nil) throws -> Configuration {
        var configuration = try Configuration.only(
            invocation,
            profile: invocation[Options.profile],
            driver: driver
        )
        try configuration.route(by: invocation)
        let missing = configuration.missing(for: .full)
        guard missing.isEmpty else {
            let list = missing.joined(separator: ", ")
            if let issuer = invocation[Options.issuer], invocation[Options.config] == nil {
                let creation = "create a configuration with: \(Tool.name) init \(issuer)"
                throw ConfigurationError(file: issuer, "a sign-in requires \(list); \(creation)")
            }
            throw ConfigurationError(
                file: invocation[Options.config] ?? Configuration.defaultFile,
                "a sign-in requires \(list)"
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
    ) async throws -> (SignInTrial, CopiedSession?) {
        let progress = ProgressLine(isQuiet: invocation[Options.silent])
        let (evidence, session) = await Interruption.cancellable {
            await run.collectKeepingSession(progress: progress.handle)
        }
        progress.clear()
        if evidence.wasInterrupted { throw ExitCodes.interrupted }
        return (run.signInTrial(by: evidence), session)
    }
}
