internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles
internal import Registering
internal import Reporting

struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Write the registration at a platform, when the gate is open.",
        discussion: """
            Runs the check by the platform's own rules, or judges saved evidence, and writes what the platform takes: \
            issuer, client, response type, scopes and claims as a sign-in of this run has proven them. Nothing is \
            written unless the gate is open; the exit code is that of the check. Secrets are named, never written.

            PLATFORMS
            \(RegistrationPlatform.allCases.map { "  \($0.rawValue)\n        \($0.title)" }.joined(separator: "\n"))

            EXAMPLES
              oidc-preflight register --for kubernetes --config preflight.yaml
              oidc-preflight register --for cognito-terraform --out provider.tf
              oidc-preflight register --for vault --evidence run.json --out vault.json
              oidc-preflight register --for supabase --out supabase.json \\
                  --even-though "the signing key is replaced on Monday"
            """
    )

    @Option(name: .customLong("for"), help: ArgumentHelp("What the registration is for.", valueName: "platform"))
    var platform: String

    @OptionGroup var target: TargetArguments

    @Option(help: ArgumentHelp("Other rules than the platform's own.", valueName: "name|file"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Judge this evidence, from check --save-evidence, in place of a run.", valueName: "path")
    )
    var evidence: String?

    @Option(help: ArgumentHelp("The file to write. Default: standard output.", valueName: "path"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Write it although the gate is not open; the reason stands in the file, or in FILE.reason.txt beside it.",
            valueName: "reason"
        )
    )
    var evenThough: String?

    @Flag(help: "No progress on standard error.")
    var quiet = false

    @OptionGroup var network: NetworkArguments

    func validate() throws {
        if let evenThough, evenThough.allSatisfy(\.isWhitespace) {
            throw ValidationError("--even-though takes the reason in words")
        }
        if evidence != nil, target.issuer != nil || target.tier != nil || target.maxSignIns != nil {
            throw ValidationError(
                "--evidence judges a run that is over: leave out the issuer, --tier and --max-sign-ins"
            )
        }
        if let tier = target.tier, tier != .full {
            throw ValidationError("register writes what a sign-in has proven: leave out --tier, or say --tier full")
        }
    }

    func run() async throws {
        try await Ending.guarding {
            let platform = try chosenPlatform()
            let destination = RegistrationDestination(path: out == "-" ? nil : out)
            if evenThough != nil, !platform.takesComments, destination.path == nil {
                throw ConfigurationError(
                    file: "--even-though",
                    "\(platform.rawValue) has no room for the reason: name a file with --out, and it is kept beside it"
                )
            }
            try destination.prepare()
            let (run, collected) = try await judged(platform)
            let report = run.judge(collected, now: Terminal.now())
            try conclude(platform, report, ProvenFacts(collected), destination)
        }
    }

    private func chosenPlatform() throws(ConfigurationError) -> RegistrationPlatform {
        if let known = RegistrationPlatform(named: platform) { return known }
        let names = RegistrationPlatform.allCases.map(\.rawValue)
        let several = JointRun.names(in: platform)
        if several.count > 1, several.allSatisfy({ RegistrationPlatform(named: $0) != nil }) {
            throw ConfigurationError(
                file: "--for",
                "one at a time: each platform has rules and a file of its own. With check --save-evidence one run is enough"
            )
        }
        throw ConfigurationError(
            file: "--for",
            "nothing is known of the platform “\(platform.shown())”" + NearestWord.hint(for: platform, among: names)
        )
    }

    /// The run to judge by, and its evidence: collected now, or read.
    private func judged(_ platform: RegistrationPlatform) async throws -> (PreflightRun, Evidence) {
        if let evidence {
            let saved = try SavedEvidence(file: evidence, config: target.config)
            let run = try preparedRun(platform, saved.configuration, tier: saved.evidence.tier)
            try demand(platform, run, file: evidence)
            return (run, saved.evidence)
        }
        var configuration = try target.configuration()
        try network.apply(to: &configuration)
        if let maxSignIns = target.maxSignIns { configuration.maxSignIns = maxSignIns }
        let run = try preparedRun(platform, configuration, tier: nil)
        try demand(platform, run, file: target.config ?? TargetArguments.defaultFile)
        let progress = ProgressLine(isQuiet: quiet)
        let collected = await Interruption.cancellable { await run.collect(progress: progress.handle) }
        progress.clear()
        return (run, collected)
    }

    /// A run by the platform's rules with every check of them: what is chosen by hand opens no gate here.
    private func preparedRun(
        _ platform: RegistrationPlatform,
        _ configuration: Configuration,
        tier: Tier?
    ) throws(ConfigurationError) -> PreflightRun {
        try PreflightRun(
            configuration: configuration,
            profile: rules(platform, configuration),
            tier: tier,
            surroundings: Files.surroundings
        )
    }

    /// The rules: those named, or the platform's own, or the configured ones when they are built on the platform's own.
    private func rules(_ platform: RegistrationPlatform, _ configuration: Configuration) -> String {
        if let profile { return profile }
        let builtIn = ProfileLibrary.builtIn.map(\.name)
        let configured = configuration.profile.map(JointRun.names) ?? []
        guard let own = platform.profiles(for: configuration.target).first(where: builtIn.contains) else {
            let fallback = configured.first ?? ProfileLibrary.defaultName
            Terminal.complain("No profile knows the rules of \(platform.rawValue); judged by \(fallback.shown()).")
            return fallback
        }
        return configured.first { lineage(of: $0, configuration.target).contains(own) } ?? own
    }

    /// A profile and those that it extends; none when it cannot be read: then the platform's own rules are gone by.
    private func lineage(of name: String, _ target: Target) -> [String] {
        let configuration = Configuration(target: target)
        let run = try? PreflightRun(
            configuration: configuration,
            profile: name,
            tier: .full,
            surroundings: Files.surroundings
        )
        return run?.plan.profile.lineage ?? []
    }

    /// Everything that the configuration lacks for this platform, before anything is sent.
    private func demand(
        _ platform: RegistrationPlatform,
        _ run: PreflightRun,
        file: String
    ) throws(ConfigurationError) {
        let target = run.configuration.target
        let rules = run.plan.profile
        if evenThough == nil, let foreign = platform.foreignRules(rules.name, rules.lineage, for: target) {
            throw ConfigurationError(
                file: "--profile",
                "\(foreign): its open gate would say nothing. Leave it out, or name a file that extends it"
            )
        }
        var demands = platform.demands(
            target,
            reserved: run.plan.profile.parameters.reservedParameters,
            isForced: evenThough != nil
        )
        let missing = run.configuration.missing(for: .full)
        if evidence == nil, !missing.isEmpty {
            demands.append("what is registered must be proven by a sign-in: add \(missing.joined(separator: ", "))")
        }
        if !demands.isEmpty { throw ConfigurationError(demands.map { Problem(file: file, message: $0) }) }
    }

    private func conclude(
        _ platform: RegistrationPlatform,
        _ report: Report,
        _ proven: ProvenFacts,
        _ destination: RegistrationDestination
    ) throws {
        let isOpen = report.outcome.gate == .open
        if !isOpen { Terminal.complain(Rendering.standingInTheWay(report)) }
        guard isOpen || evenThough != nil, report.outcome.exitCode != Int(Ending.interrupted.rawValue) else {
            Terminal.complain("Nothing was written: the gate is \(report.outcome.gate.rawValue).")
            try Ending.end(report.outcome.exitCode)
            return
        }
        let file: RegistrationFile
        do {
            file = try platform.write(
                RegistrationRequest(report: report, proven: proven, reason: evenThough)
            )
        } catch .unproven(let why) {
            Terminal.complain("\(report.outcome.summary).\nNothing was written, because nothing was proven: \(why).")
            throw Ending.undecided
        }
        if isOpen { Terminal.complain("\(report.outcome.summary).") }
        if evenThough != nil, !file.keepsReason {
            Terminal.complain("Nothing stands against it: the reason was not needed and is not written.")
        }
        try destination.write(file)
        try Ending.end(report.outcome.exitCode)
    }
}

/// Where a registration goes: a file, or standard output.
struct RegistrationDestination {
    let path: String?

    /// The file beside it that holds the reason where the file itself cannot.
    private var companionPath: String { (path ?? "registration") + ".reason.txt" }

    func prepare() throws(FileError) {
        if let path { try Files.prepare(path) }
    }

    /// Writes the file and says what became of it; the notes go to standard error, so that a pipe holds the file alone.
    func write(_ file: RegistrationFile) throws {
        guard let path else {
            Terminal.print(file.text)
            tell(file, name: "registration")
            return
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
            throw Ending.defect
        }
        tell(file, name: path)
    }

    private func change(_ path: String, to text: String) -> String {
        guard Files.isPlainFile(path) else { return "Wrote" }
        guard case .success(let before) = Files.read(path) else { return "Replaced" }
        return before == Array(text.utf8) ? "Nothing changed in" : "Replaced"
    }

    private func tell(_ file: RegistrationFile, name: String) {
        for note in file.notes { Terminal.complain("Note: \(note)") }
        let commands = file.commands(file: name)
        if !commands.isEmpty {
            Terminal.complain("To apply it:\n" + commands.map { "  " + $0 }.joined(separator: "\n"))
        }
    }
}
