internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles
internal import Reporting

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge an issuer: collect, judge, tell.",
        discussion: """
            With an issuer and nothing else: the discovery document, the key set and TLS. With a configuration that names
            a client: requests that need no user. With a sign_in section: the flows, with a test user.

            EXAMPLES
              oidc-preflight check https://idp.example.com
              oidc-preflight check --config preflight.yaml --report junit=preflight.xml --report markdown=preflight.md
              oidc-preflight check https://idp.example.com --only 'keys.*' --fail-on warning
              oidc-preflight check https://idp.example.com --profile supabase,kubernetes,vault
              oidc-preflight check http://127.0.0.1:8080 --wait-for-issuer 60
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup var judging: JudgingArguments
    @OptionGroup var reports: ReportArguments
    @OptionGroup var network: NetworkArguments

    @Option(help: ArgumentHelp("Save what was collected, to be judged again.", valueName: "path"))
    var saveEvidence: String?

    @Flag(help: "Keep tokens and codes in the saved evidence. Never the client secret or the password.")
    var saveEvidenceWithSecrets = false

    @Option(help: ArgumentHelp("Wait until the discovery document answers.", valueName: "seconds"))
    var waitForIssuer: Double?

    @Flag(help: "Wait half a minute for what shows only then: a used code that is taken again later.")
    var patient = false

    func validate() throws {
        if saveEvidenceWithSecrets, saveEvidence == nil {
            throw ValidationError("--save-evidence-with-secrets needs --save-evidence PATH")
        }
        if let waitForIssuer, !(waitForIssuer > 0) {
            throw ValidationError("--wait-for-issuer takes a number of seconds above 0")
        }
    }

    func run() async throws {
        try await Ending.guarding {
            try reports.prepare()
            if let saveEvidence { try Files.prepare(saveEvidence) }
            let run = try JointRun.prepared(
                target,
                judging,
                network,
                keepsSecrets: saveEvidenceWithSecrets,
                patience: patient ? .long : .short
            )
            if saveEvidence != nil, run.runCount > 1 {
                throw ConfigurationError(
                    file: "--save-evidence",
                    "these platforms send different requests, which takes \(run.runCount) runs: "
                        + "save the evidence of one platform at a time"
                )
            }
            let progress = ProgressLine(isQuiet: reports.quiet)
            let waiting = waitForIssuer
            let evidence = await Interruption.cancellable {
                if let waiting { await run.waitForIssuer(seconds: waiting, progress: progress.handle) }
                return await run.collect(progress: progress.handle)
            }
            progress.clear()
            let isSaved = try save(evidence.first)
            try reports.conclude(run.judge(evidence, now: Terminal.now()), isWhole: isSaved)
        }
    }

    /// False when the evidence could not be written; the judgement goes on, and the reports are written.
    private func save(_ evidence: Evidence) throws -> Bool {
        guard let saveEvidence else { return true }
        let octets = try PreflightRun.encode(evidence)
        do {
            try Files.write(octets, to: saveEvidence)
            return true
        } catch {
            Terminal.complain("The evidence was not saved: \(error)")
            return false
        }
    }
}

extension JointRun {
    /// A run by configuration file and command line, for one platform or several; the command line wins.
    static func prepared(
        _ target: TargetArguments,
        _ judging: JudgingArguments,
        _ network: NetworkArguments,
        keepsSecrets: Bool = false,
        patience: Patience = .short,
        readsSecrets: Bool = true
    ) throws -> JointRun {
        var configuration = try target.configuration(profile: judging.profile, readsSecrets: readsSecrets)
        try network.apply(to: &configuration)
        if let maxSignIns = target.maxSignIns { configuration.maxSignIns = maxSignIns }
        if let tier = target.tier {
            let missing = configuration.missing(for: tier).joined(separator: ", ")
            if !missing.isEmpty {
                throw ConfigurationError(
                    file: "--tier \(tier.rawValue)",
                    "the configuration lacks \(missing); write one with: \(Tool.name) init ISSUER"
                )
            }
        }
        return try of(configuration, judging, tier: target.tier, keepsSecrets: keepsSecrets, patience: patience)
    }

    /// A run for every platform that is named.
    static func of(
        _ configuration: Configuration,
        _ judging: JudgingArguments,
        tier: Tier?,
        selecting selection: Selection? = nil,
        keepsSecrets: Bool = false,
        patience: Patience = .short
    ) throws -> JointRun {
        let stated = try judging.profile.map { try JointRun.names(stated: $0, at: "--profile") }
        let names = stated ?? configuration.profile.map(JointRun.names) ?? []
        let selection = try selection ?? judging.selection()
        let run = { (name: String?) in
            try PreflightRun(
                configuration: configuration,
                profile: name,
                tier: tier,
                threshold: judging.failOn,
                selection: selection,
                keepsSecrets: keepsSecrets,
                patience: patience,
                surroundings: Files.surroundings
            )
        }
        return try JointRun(run(names.first), names.dropFirst().map(run))
    }
}
