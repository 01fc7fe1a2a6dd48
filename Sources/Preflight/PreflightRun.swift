internal import Catalogue
package import Conformance
internal import Flows
internal import Judgement
package import Profiles
internal import SignIn
package import Transport

/// The front door: from target and rules to evidence, from evidence to a report.
package struct PreflightRun: Sendable {
    package private(set) var configuration: Configuration
    package private(set) var plan: Plan
    /// What the plan makes of the catalogue; `nil` where the plan is made of others', or for some conversations alone.
    private var chosen: ChosenChecks?
    /// Whose plans ``plan`` joins: those of all platforms that the run is held for.
    private(set) var plans: [Plan]
    /// The profile as it was named: a built-in name or a file.
    package let profileName: String
    private let keepsSecrets: Bool
    private let clock: RunClock
    /// Whether the pages of a sign-in that gets through are told as well.
    var tellsPages = false
    /// Knows the secrets of what was collected; shared with the runs that this one is made into.
    private(set) var lastPass: LastPass
    /// What it shares with runs against other issuers; `nil` for a run by itself.
    private var sharing: SharedTransport?
    /// Shared with the same run against other issuers.
    private let certificates = CertificateReadings()

    /// Every check of the catalogue.
    package static var checks: [Check] { Catalogue.all }

    /// The checks that a single ID Token can be judged by.
    ///
    /// Those of the stage, and what platforms demand of ID Tokens.
    package static let tokenChecks = patterns(of: "idtoken", reading: Conversations.idTokens.name)

    /// The checks that a key set alone can be judged by, likewise.
    package static let keySetChecks = patterns(of: "keys", reading: Documents.keySet.name)

    /// All checks of a stage, and the platforms' checks of what it is about.
    private static func patterns(of stage: CheckPattern, reading slot: String) -> [CheckPattern] {
        [stage] + checks.filter { $0.stage == .platform && $0.reads == slot }.map { CheckPattern($0.id.rawValue) }
    }

    /// - Parameters:
    ///   - configuration: What is registered where.
    ///   - profile: Name or file; the configuration's, then `openid`, when `nil`.
    ///   - tier: As far as the configuration has the means when `nil`.
    ///   - threshold: The lowest level that closes the gate.
    ///   - required: The tier without which the gate cannot open.
    ///   - selection: `--only` and `--skip`.
    ///   - keepsSecrets: Tokens and codes stay in the evidence; the client secret and the password never do.
    ///   - patience: Whether the run waits half a minute for what shows only then.
    ///   - asksOnce: Whether each document is asked for once, and what compares several answers is left out.
    ///   - clock: The time that the run goes by.
    ///   - environment: Where profile files are read.
    ///   - adjust: A last change to the profile.
    /// - Throws: What is wrong with the profile, or that the selection leaves no check.
    package init(
        configuration: Configuration,
        profile: String? = nil,
        tier: Tier? = nil,
        threshold: Level = .error,
        required: Tier? = nil,
        selection: Selection = Selection(),
        keepsSecrets: Bool = false,
        patience: Patience = .short,
        asksOnce: Bool = false,
        clock: RunClock = .machine,
        environment: Environment,
        adjusting adjust: (inout Profile) -> Void = { _ in }
    ) throws(ConfigurationError) {
        let name = profile ?? configuration.profile ?? ProfileLibrary.defaultName
        var rules = try environment.profiles.profile(name)
        adjust(&rules)
        var configuration = configuration.withScopes(of: rules)
        configuration.needsNoFlows = rules.parameters.usesOAuth1
        if let source = configuration.sessionSource {
            configuration.secrets.session = try source.open(issuer: configuration.target.issuer, environment)
        }
        self.configuration = configuration
        self.profileName = name
        self.keepsSecrets = keepsSecrets
        self.clock = clock
        lastPass = LastPass()
        var plan = PlanMaker.plan(
            target: configuration.target,
            profile: rules,
            tier: tier ?? configuration.highestTier,
            threshold: threshold,
            selection: selection,
            waivers: configuration.waivers,
            maxSignIns: configuration.maxSignIns,
            isByHand: configuration.conduct.driver == .manual,
            asksOnce: asksOnce
        )
        if plan.isByHand, rules.parameters.usesOAuth1, plan.signIns > 0 {
            throw ConfigurationError(
                file: "sign_in.driver",
                "nobody signs in by OAuth 1.0 by hand, which profile \(rules.name) judges: use form or browser"
            )
        }
        plan.required = required
        plan.longWait = patience.seconds
        plan.signInsPerMinute = configuration.limits.signInsPerMinute
        plan.secondsAreStated = configuration.limits.seconds != nil
        plan.handedIn = configuration.handedIn
        self.plan = plan
        self.plans = [plan]
        let chosen = ChosenChecks(Catalogue.all, plan, target: plan.target)
        if chosen.choices.isEmpty { throw Self.nothingChosen(plan) }
        self.chosen = chosen
    }

    /// Lets the errors of an earlier report be known, so that they close nothing.
    package mutating func knows(of report: ReportDigest?) {
        plan.baseline = report
    }

    /// A run that collects what other plans ask for as well.
    init(_ run: PreflightRun, collectingAlsoFor others: [Plan]) {
        configuration = run.configuration
        profileName = run.profileName
        keepsSecrets = run.keepsSecrets
        clock = run.clock
        lastPass = run.lastPass
        plan = PlanMaker.joined(run.plan, others, maxSignIns: run.configuration.maxSignIns)
        plans = [run.plan] + others
    }

    /// The run with another plan.
    init(_ run: PreflightRun, sending plan: Plan) {
        configuration = run.configuration
        profileName = run.profileName
        keepsSecrets = run.keepsSecrets
        clock = run.clock
        lastPass = run.lastPass
        self.plan = plan
        plans = [plan]
    }

    /// The same run against another issuer, over connections that it shares with others.
    func retargeted(to issuer: String, sharing: SharedTransport) -> PreflightRun {
        var run = self
        run.configuration.target.issuer = issuer
        run.plan.target.issuer = issuer
        for place in run.plans.indices { run.plans[place].target.issuer = issuer }
        run.lastPass = LastPass()
        run.sharing = sharing
        return run
    }

    /// Collects the evidence that the plan asks for; never fails, and ends early with what there is when cancelled.
    package func collect(progress: @escaping ProgressHandler) async -> Evidence {
        await collect(keepSession: nil, progress: progress)
    }

    /// Collects the evidence likewise.
    ///
    /// - Parameter keepSession: Is handed what is in a browser when a conversation has ended.
    func collect(
        keepSession: (@Sendable (SavedSession) -> Void)?,
        progress: @escaping ProgressHandler
    ) async -> Evidence {
        var options = options
        options.keepSession = keepSession
        progress(
            .planned(
                checks: chosen?.choices.count ?? PlanMaker.selected(plans).count,
                scenarios: plan.scenarios.count,
                signIns: plan.signIns
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

    /// A finished text without the secrets of what was collected, should one have got there.
    ///
    /// - Parameter isJSON: Replaces in strings alone, so that it stays JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        lastPass.cleaned(text, as: isJSON ? .json : .text)
    }

    /// A selection that leaves nothing to judge, with the reasons of the checks that were asked for.
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
            "no check is left to judge: \(reasons.prefix(3).joined(separator: "; "))"
        )
    }

    /// Waits until the discovery document answers, or the time is over; the run itself then tells what it finds.
    package func waitForIssuer(seconds: Double, progress: @escaping ProgressHandler) async {
        let authorization = plan.knownAddresses.first { $0.member == "authorization_endpoint" }?.address
        _ = await Flows.waitForIssuer(
            configuration.target,
            at: plan.profile.parameters.readsDiscovery ? nil : authorization,
            seconds: seconds,
            options: options,
            progress: progress
        )
    }

    /// Judges evidence by this run's rules.
    ///
    /// - Parameter now: Seconds since 1970; decides on waivers alone.
    package func judge(_ evidence: Evidence, now: Double) -> Report {
        var report = Judge.judge(
            evidence,
            plan: plan,
            checks: Catalogue.all,
            chosen: chosen,
            now: now,
            tool: Tool.nameAndVersion
        )
        report.causes = report.causes.map(placed)
        return report
    }

    /// A cause with the places in the file of the keys that it names, and with what their values look like.
    func placed(_ cause: Cause) -> Cause {
        var cause = configuration.hinting(cause)
        cause.places = cause.keys.compactMap { key in configuration.places[key].map { "\(key) (\($0))" } }
        return cause
    }

    /// Seconds that waiting for one-time codes may take: each sign-in takes one of its own, and a period has one.
    var secondsForCodes: Double {
        configuration.codePeriod.map { Double(plan.estimate.signIns) * $0 } ?? 0
    }

    /// What the run may spend: as stated, else the defaults; a pause between requests is not counted against it, nor is
    /// waiting for one-time codes and for people.
    var limits: RunLimits {
        var limits = RunLimits()
        limits.seconds += configuration.network.pause * Double(plan.estimate.requests)
        limits.seconds += plan.isByHand ? Double(plan.signIns) * configuration.conduct.manualTimeout : 0
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
            conduct: configuration.conduct,
            tool: Tool.nameAndVersion,
            keepsSecrets: keepsSecrets,
            concurrency: configuration.concurrency,
            clock: clock,
            lastPass: lastPass
        )
        options.tellsPages = tellsPages
        options.sharing = sharing
        options.certificates = certificates
        return options
    }
}

/// How long a run waits where a rule shows only after a while: a code that is refused at once may be taken later.
package enum Patience: Sendable, Hashable {
    /// Steps that wait long are left out, and the report says so.
    case short
    /// As long as a real provider takes to forget.
    case long
    /// So many seconds, for a provider that forgets as fast.
    case seconds(Double)

    var seconds: Double? {
        switch self {
        case .short: nil
        case .long: CollectorOptions.patience
        case .seconds(let seconds): seconds
        }
    }
}

extension Environment {
    var profiles: ProfileLibrary {
        ProfileLibrary(checks: Catalogue.all.map(\.id)) { path throws(ConfigurationError) in
            switch readFile(path) {
            case .success(let octets): return octets
            case .failure(let error):
                throw ConfigurationError(file: path, "the profile cannot be read: \(error.reason)")
            }
        }
    }
}
