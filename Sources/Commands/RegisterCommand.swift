internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles
internal import Registering
internal import Reporting

enum RegisterCommand {
    static let command = Command(
        "register",
        "Generate the registration for a platform if the gate is open.",
        text: [
            "Checks the issuer by the platform's rules, live or from saved evidence, and writes the registration: "
                + "issuer, client, response type, scopes and claims, as proven by a sign-in of this run. Nothing is "
                + "written unless the gate is open; the exit code is that of check. Secrets are referenced, never written."
        ],
        examples: [
            .init("oidc-preflight register --for kubernetes --config preflight.yaml"),
            .init("oidc-preflight register --for cognito-terraform --out provider.tf"),
            .init("oidc-preflight register --for vault --evidence run.json --out vault.json"),
            .init(
                "oidc-preflight register --for supabase --out supabase.json --even-though \"the key is replaced on Monday\""
            ),
        ],
        arguments: [
            Options.issuer, platform, out, evenThough, acceptWaived, profile, evidence, Options.config, Options.target,
            Options.tier, Options.resource,
        ]
            + Options.driving + Options.connection + [Options.allowIssuer] + Options.limits + [Options.silent],
        sections: [
            .init("PLATFORMS", terms: RegistrationPlatform.allCases.map { ($0.name, $0.title) }), Sections.secrets,
        ],
        hints: [
            "--save-evidence": "run check --save-evidence run.json, then register --evidence run.json"
        ],
        objections: objections,
        run: { invocation in try await Registrar(invocation).run() }
    )

    private static let heading = "REGISTRATION"
    fileprivate static let platform: Argument<RegistrationPlatform> = .required(
        "--for",
        .platform,
        group: heading,
        "The platform to register the provider at; see PLATFORMS."
    )
    fileprivate static let out: Argument<String?> = .option(
        "--out",
        .file(),
        group: heading,
        "The file to write.",
        fallback: "standard output"
    )
    fileprivate static let evenThough: Argument<String?> =
        .option(
            "--even-though",
            .text("REASON"),
            group: heading,
            "Write it although the gate is not open; the reason is recorded in the file or in FILE.reason.txt."
        )
        .onCommandLineAlone
    fileprivate static let acceptWaived: Argument<Bool> = .flag(
        "--accept-waived",
        group: heading,
        "Write it although a waived error breaks sign-in."
    )
    fileprivate static let profile: Argument<String?> = .option(
        "--profile",
        .profiles(),
        group: Heading.judging,
        "Use these rules instead of the platform's own."
    )
    fileprivate static let evidence: Argument<String?> = .option(
        "--evidence",
        .file(),
        group: Heading.judging,
        "Use this evidence, from check --save-evidence, instead of a live run."
    )

    private static func objections(_ invocation: Invocation) -> [String] {
        var problems: [String] = []
        if let reason = invocation[evenThough], reason.allSatisfy(\.isWhitespace) {
            problems.append("--even-though requires a reason")
        }
        let tier = invocation[Options.tier]
        let limits =
            [invocation[Options.maxSignIns], invocation[Options.maxRequests], invocation[Options.maxBytes]]
            .contains { $0 != nil } || invocation[Options.maxTime] != nil
        let isOfARun = invocation[Options.issuer] != nil || tier != nil || invocation[Options.resource] != nil || limits
        if invocation[evidence] != nil, isOfARun {
            problems.append(
                "--evidence starts no run: leave out the issuer, --tier, --resource and the limits (--max-…)"
            )
        } else if let tier, tier != .full {
            problems.append("register needs a sign-in: leave out --tier, or use --tier full")
        }
        return problems
    }
}

private struct Registrar {
    let invocation: Invocation
    let platform: RegistrationPlatform
    let evidence: String?
    let evenThough: String?

    init(_ invocation: Invocation) {
        self.invocation = invocation
        platform = invocation[RegisterCommand.platform]
        evidence = invocation[RegisterCommand.evidence]
        evenThough = invocation[RegisterCommand.evenThough]
    }

    func run() async throws {
        // Saved evidence sends nothing.
        if evidence != nil { try await register() } else { try await ExitCodes.beforeSending(register) }
    }

    private func register() async throws {
        let out = invocation[RegisterCommand.out]
        let destination = RegistrationDestination(path: out == "-" ? nil : out)
        if evenThough != nil, !platform.takesComments, destination.path == nil {
            throw ConfigurationError(
                file: "--even-though",
                "\(platform.name) cannot contain the reason: with --out FILE it is written to FILE.reason.txt"
            )
        }
        try destination.prepare()
        let (run, collected) = try await judged()
        let report = run.judge(collected, now: Terminal.now())
        try conclude(report, of: run, ProvenFacts(collected), destination)
    }

    /// The run and its evidence, collected now or read from a file.
    private func judged() async throws -> (PreflightRun, Evidence) {
        if let evidence {
            let saved = try SavedEvidence(
                file: evidence,
                config: invocation[Options.config],
                targets: invocation.targets,
                profile: invocation[RegisterCommand.profile]
            )
            return (try run(saved.configuration, tier: saved.evidence.tier, file: evidence), saved.evidence)
        }
        var configuration = try Configuration.only(invocation, driver: invocation[Options.driver])
        try configuration.route(by: invocation)
        configuration.limit(by: invocation)
        try configuration.drive(by: invocation)
        if let resource = invocation[Options.resource] { try configuration.name(resource: resource, at: "--resource") }
        let file = invocation[Options.config] ?? Configuration.defaultFile
        let run = try run(configuration, tier: nil, file: file)
        let progress = ProgressLine(isQuiet: invocation[Options.silent])
        let collected = await Interruption.cancellable { await run.collect(progress: progress.handle) }
        progress.clear()
        return (run, collected)
    }

    /// A run by the platform's rules; reports missing configuration before any request.
    private func run(
        _ configuration: Configuration,
        tier: Tier?,
        file: String
    ) throws(ConfigurationError) -> PreflightRun {
        let named = invocation[RegisterCommand.profile]
        let choice = PlatformChoice(platform, named: named, configuration, Files.environment)
        if choice.isSubstitute {
            Terminal.complain(
                "There is no profile for \(platform.name); the checks use \(choice.profile.shown())."
            )
        }
        let run = try choice.run(configuration, tier: tier, Files.environment)
        try choice.demand(of: run, file: file, isOver: evidence != nil, isForced: evenThough != nil)
        return run
    }

    private func conclude(
        _ report: Report,
        of run: PreflightRun,
        _ proven: ProvenFacts,
        _ destination: RegistrationDestination
    ) throws {
        let isOpen = report.outcome.gate == .open
        if !isOpen { Terminal.complain(run.withoutSecrets(Rendering.blockingFindings(report))) }
        guard isOpen || evenThough != nil, report.outcome.exitCode != Int(ExitCodes.interrupted.rawValue) else {
            Terminal.complain("Nothing was written: the gate is \(report.outcome.gate.word).")
            try ExitCodes.end(report.outcome.exitCode)
            return
        }
        let breaking = report.waivedErrorsOfSignIn
        guard breaking.isEmpty || evenThough != nil || invocation[RegisterCommand.acceptWaived] else {
            Terminal.complain(
                "\(report.outcome.summary).\nNothing was written: \(breaking.map(\.rawValue).joined(separator: ", ")) "
                    + "\(breaking.count == 1 ? "is" : "are") waived and \(breaking.count == 1 ? "breaks" : "break") sign-in. "
                    + "Use --accept-waived to write it anyway."
            )
            throw ExitCode(1)
        }
        let file: RegistrationFile
        do {
            file = try platform.write(RegistrationRequest(report: report, proven: proven, reason: evenThough))
        } catch .unproven(let why) {
            Terminal.complain(
                "\(report.outcome.summary).\nNothing was written, because the sign-in proved too little: \(why)."
            )
            throw ExitCodes.inconclusive
        }
        if isOpen { Terminal.complain("\(report.outcome.summary).") }
        if evenThough != nil, !file.keepsReason {
            Terminal.complain("The gate is open: the reason is not needed and was not written.")
        }
        try ExitCodes.end(report.outcome.exitCode, isWhole: destination.write(file))
    }
}

/// The destination of a registration: a file or standard output.
struct RegistrationDestination {
    let path: String?

    /// The file for the reason if the registration cannot contain comments.
    private var companionPath: String { (path ?? "registration") + ".reason.txt" }

    func prepare() throws(FileError) {
        if let path { try Files.prepare(path) }
    }

    /// Writes the file and reports the result; notes go to standard error, so that a pipe receives only the file.
    ///
    /// False if the file could not be written.
    func write(_ file: RegistrationFile) -> Bool {
        guard let path else {
            Terminal.print(file.text)
            show(file, path: nil)
            return true
        }
        do {
            let change = change(path, to: file.text)
            try Files.write(file.text, to: path)
            Terminal.complain("\(change) \(path).")
            if let companion = file.companion {
                try Files.write(companion, to: companionPath)
                Terminal.complain("Wrote the reason to \(companionPath).")
            }
        } catch {
            Terminal.complain("The registration was not written: \(error)")
            return false
        }
        show(file, path: path)
        return true
    }

    private func change(_ path: String, to text: String) -> String {
        guard Files.isPlainFile(path) else { return "Wrote" }
        guard case .success(let before) = Files.read(path, as: .registration) else { return "Replaced" }
        return before == Array(text.utf8) ? "Nothing changed in" : "Replaced"
    }

    /// - Parameter path: `nil` for standard output.
    private func show(_ file: RegistrationFile, path: String?) {
        for note in file.notes { Terminal.complain("Note: \(note)") }
        let place = "FILE"
        let commands = file.commands(file: path ?? place)
        if commands.isEmpty { return }
        let isReadAgain = path == nil && commands != file.commands(file: "")
        Terminal.complain(
            (isReadAgain ? "To apply it, save it with --out \(place), then run:\n" : "To apply it, run:\n")
                + commands.map { "  " + $0 }.joined(separator: "\n")
        )
    }
}
