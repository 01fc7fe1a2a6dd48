internal import Catalogue
package import Conformance
internal import Flows
internal import Judgement
package import Profiles
internal import SignIn
package import Transport

/// The entry point: collects evidence by target and rules, and evaluates it to a report.
package struct PreflightRun: Sendable {
    package private(set) var configuration: Configuration
    package private(set) var plan: Plan
    /// The checks chosen by the plan, if the run is repeated for many issuers: it is as large as a report.
    private var chosen: ChosenChecks?
    /// The plans that ``plan`` joins, one for each platform of the run.
    private(set) var plans: [Plan]
    /// The profile as it was named: a built-in name or a file.
    let profileName: String
    private let keepsSecrets: Bool
    private let clock: RunClock
    /// Whether the pages of a successful sign-in are reported too.
    var recordsPages = false
    /// Removes the collected secrets from texts; shared with runs derived from this one.
    private(set) var finalRedaction: FinalRedaction
    /// The connections shared with runs for other issuers; `nil` for a single run.
    private var sharing: SharedTransport?
    /// Shared with the same run for other issuers.
    private var certificates = CertificateReadings()

    /// Every check of the catalogue.
    package static var checks: [Check] { Catalogue.all }

    /// The checks that a single ID Token is sufficient for.
    ///
    /// The checks of the stage, and the requirements of platforms for ID Tokens.
    package static let tokenChecks = patterns(of: "idtoken", reading: StepResults.idTokens.name)

    /// The checks that a key set alone is sufficient for.
    package static let keySetChecks = patterns(of: "keys", reading: Documents.keySet.name)

    /// All checks of a stage, and the platform checks that read the same query.
    private static func patterns(of stage: CheckPattern, reading query: String) -> [CheckPattern] {
        [stage] + checks.filter { $0.stage == .platform && $0.reads == query }.map { CheckPattern($0.id.rawValue) }
    }

    /// - Parameters:
    ///   - configuration: The registered client and its target.
    ///   - profile: Name or file; `nil` for the configuration's, then `openid`.
    ///   - tier: `nil` for the highest that the configuration allows.
    ///   - threshold: The lowest level that closes the gate.
    ///   - required: The tier without which the gate cannot open.
    ///   - selection: `--only` and `--skip`.
    ///   - keepsSecrets: Whether tokens and codes stay in the evidence; the client secret and the password never do.
    ///   - slowProbes: Whether the run includes slow probes, which wait about 30 seconds.
    ///   - asksOnce: Whether each document is requested once, and checks that compare responses are skipped.
    ///   - clock: The clock of the run.
    ///   - environment: Reads profile files.
    ///   - adjust: A last change to the profile.
    /// - Throws: The problem of an invalid profile, or if no check is selected.
    package init(
        configuration: Configuration,
        profile: String? = nil,
        tier: Tier? = nil,
        threshold: Level = .error,
        required: Tier? = nil,
        selection: Selection = Selection(),
        keepsSecrets: Bool = false,
        slowProbes: SlowProbes = .short,
        asksOnce: Bool = false,
        clock: RunClock = .machine,
        environment: Environment,
        adjusting adjust: (inout Profile) -> Void = { _ in }
    ) throws(ConfigurationError) {
        let name = profile ?? configuration.profile ?? ProfileLibrary.defaultName
        var rules = try environment.profiles.profile(name)
        adjust(&rules)
        var configuration = configuration.completed(by: rules)
        configuration.needsNoFlows = rules.parameters.usesOAuth1
        if let source = configuration.sessionSource {
            configuration.secrets.session = try source.open(issuer: configuration.target.issuer, environment)
        }
        self.configuration = configuration
        self.profileName = name
        self.keepsSecrets = keepsSecrets
        self.clock = clock
        finalRedaction = FinalRedaction()
        var plan = PlanMaker.plan(
            target: configuration.target,
            profile: rules,
            tier: tier ?? configuration.highestTier,
            threshold: threshold,
            selection: selection,
            waivers: configuration.waivers,
            maxSignIns: configuration.maxSignIns,
            isByHand: configuration.signInSettings.driver == .manual,
            asksOnce: asksOnce
        )
        if plan.isByHand, rules.parameters.usesOAuth1, plan.signIns.planned > 0 {
            throw ConfigurationError(
                file: "sign_in.driver",
                "profile \(rules.name) checks OAuth 1.0, which manual sign-in does not support: use form or browser"
            )
        }
        plan.required = required
        plan.longWait = slowProbes.seconds
        plan.signInsPerMinute = configuration.limits.signInsPerMinute
        plan.secondsAreStated = configuration.limits.seconds != nil
        plan.offlineInput = configuration.offlineInput
        self.plan = plan
        self.plans = [plan]
        if PlanMaker.selectsNothing(plans) { throw Self.nothingChosen(plan) }
    }

    /// Marks the errors of an earlier report as known, so that they do not close the gate.
    mutating func knows(of report: ReportDigest?) {
        plan.baseline = report
    }

    /// A run that also collects the evidence for other plans.
    init(_ run: PreflightRun, collectingFor plans: [Plan]) {
        configuration = run.configuration
        profileName = run.profileName
        keepsSecrets = run.keepsSecrets
        clock = run.clock
        finalRedaction = run.finalRedaction
        let others = plans.filter { $0.profile.name != run.plan.profile.name }
        plan = PlanMaker.joined(run.plan, others, maxSignIns: run.configuration.maxSignIns)
        self.plans = plans
    }

    /// The run with another plan.
    init(_ run: PreflightRun, sending plan: Plan) {
        configuration = run.configuration
        profileName = run.profileName
        keepsSecrets = run.keepsSecrets
        clock = run.clock
        finalRedaction = run.finalRedaction
        self.plan = plan
        plans = [plan]
    }

    /// The same run, which chooses its checks once for all issuers.
    package var forManyIssuers: PreflightRun {
        var run = self
        run.chosen = ChosenChecks(Catalogue.all, plan, target: plan.target)
        return run
    }

    /// The same run without what it has learned so far.
    var fresh: PreflightRun {
        var run = self
        run.finalRedaction = FinalRedaction()
        run.certificates = CertificateReadings()
        return run
    }

    /// The same run for another issuer, over shared connections.
    func retargeted(to issuer: String, sharing: SharedTransport) -> PreflightRun {
        var run = self
        run.configuration.target.issuer = issuer
        run.plan.target.issuer = issuer
        for place in run.plans.indices { run.plans[place].target.issuer = issuer }
        run.finalRedaction = FinalRedaction()
        run.sharing = sharing
        return run
    }

    /// Collects the evidence of the plan; never fails, and returns partial evidence if cancelled.
    package func collect(progress: @escaping ProgressHandler) async -> Evidence {
        await collect(keepSession: nil, progress: progress)
    }

    /// Collects the evidence likewise.
    ///
    /// - Parameters:
    ///   - history: The sign-ins of the runs before this one.
    ///   - keepSession: Receives the session of the browser after each scenario.
    func collect(
        after history: SignInHistory = SignInHistory(),
        keepSession: (@Sendable (SavedSession) -> Void)? = nil,
        progress: @escaping ProgressHandler
    ) async -> Evidence {
        var options = options
        options.history = history
        options.keepSession = keepSession
        progress(
            .planned(
                checks: chosen?.choices.count ?? PlanMaker.selected(plans).count,
                scenarios: plan.scenarios.count,
                signIns: plan.signIns.planned
            )
        )
        var evidence = await Collector(
            plan: plan,
            secrets: configuration.secrets,
            options: options,
            progress: progress
        )
        .collect()
        evidence.profile = profileName
        return evidence
    }

    /// Removes collected secrets from a finished text.
    ///
    /// - Parameter isJSON: Replaces only inside strings, so that the text remains JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        finalRedaction.cleaned(text, as: isJSON ? .json : .text)
    }

    /// The error of an empty selection, with the reasons why the requested checks are excluded.
    private static func nothingChosen(_ plan: Plan) -> ConfigurationError {
        let wanted = Catalogue.all.filter { check in
            plan.selection.only.isEmpty || plan.selection.only.contains { $0.matches(check.id) }
        }
        var reasons: [String] = []
        for reason in wanted.compactMap({ plan.exclusion(of: $0)?.text }) where !reasons.contains(reason) {
            reasons.append(reason)
        }
        let what = plan.selection.only.map { "\($0)" }.joined(separator: ", ")
        return ConfigurationError(
            file: what.isEmpty ? "profile \(plan.profile.name)" : "--only \(what)",
            "no check is left to run: \(reasons.prefix(3).joined(separator: "; "))"
        )
    }

    /// Waits until the discovery document is available, or the time limit is reached.
    func waitForIssuer(seconds: Double, progress: @escaping ProgressHandler) async {
        let authorization = plan.knownAddresses.first { $0.member == "authorization_endpoint" }?.address
        _ = await Flows.waitForIssuer(
            configuration.target,
            at: plan.profile.parameters.readsDiscovery ? nil : authorization,
            seconds: seconds,
            options: options,
            progress: progress
        )
    }

    /// Evaluates evidence by the rules of this run.
    ///
    /// - Parameters:
    ///   - facts: Those of the same evidence for another profile, if already known.
    ///   - now: Seconds since 1970; affects only waivers.
    package func judge(_ evidence: Evidence, _ facts: Facts? = nil, now: Double) -> Report {
        var report = Judge.judge(
            evidence,
            plan: plan,
            checks: Catalogue.all,
            chosen: chosen,
            facts: facts,
            now: now,
            tool: Tool.nameAndVersion
        )
        report.causes = report.causes.map(placed)
        return report
    }

    /// A cause with the line numbers of its configuration keys, and hints about their values.
    func placed(_ cause: Cause) -> Cause {
        var cause = configuration.hinting(cause)
        cause.places = cause.keys.compactMap { key in configuration.places[key].map { "\(key) (\($0))" } }
        return cause
    }

    /// Maximum seconds of waiting for one-time codes: each sign-in needs a new code, and each period has one.
    var secondsForCodes: Double {
        configuration.codePeriod.map { Double(plan.estimate.signIns) * $0 } ?? 0
    }

    /// The configured limits, else the defaults, extended by pauses between requests and by manual sign-ins.
    var limits: RunLimits {
        var limits = RunLimits()
        limits.seconds += configuration.network.pause * Double(plan.estimate.requests)
        limits.seconds += plan.isByHand ? Double(plan.signIns.planned) * configuration.signInSettings.manualTimeout : 0
        limits.requests = configuration.limits.requests ?? limits.requests
        limits.seconds = configuration.limits.seconds ?? limits.seconds
        limits.bytes = configuration.limits.bytes ?? limits.bytes
        return limits
    }

    private var options: CollectorOptions {
        var transport = configuration.network
        transport.limits = limits
        var options = CollectorOptions(
            transport: transport,
            way: configuration.way,
            makeKey: configuration.makeKey,
            signInSteps: configuration.steps,
            signInHosts: configuration.signInHosts,
            signInSettings: configuration.signInSettings,
            tool: Tool.nameAndVersion,
            keepsSecrets: keepsSecrets,
            concurrency: configuration.concurrency,
            clock: clock,
            finalRedaction: finalRedaction
        )
        options.recordsPages = recordsPages
        options.sharing = sharing
        options.certificates = certificates
        return options
    }
}

/// How long a run waits in slow probes: a provider may accept a used code again after a while.
package enum SlowProbes: Sendable, Hashable {
    /// Long waits are skipped, and the report says so.
    case short
    /// Long enough for a real provider.
    case long
    /// A number of seconds, for a faster provider.
    case seconds(Double)

    var seconds: Double? {
        switch self {
        case .short: nil
        case .long: CollectorOptions.slowProbeSeconds
        case .seconds(let seconds): seconds
        }
    }
}

extension Environment {
    var profiles: ProfileLibrary {
        ProfileLibrary(checks: Catalogue.all.map(\.id)) { path throws(ConfigurationError) in
            switch readFile(path, .profile) {
            case .success(let bytes): return bytes
            case .failure(let error):
                throw ConfigurationError(file: path, "cannot read the profile: \(error.reason)")
            }
        }
    }
}
