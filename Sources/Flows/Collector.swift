import Browsing
package import Conformance
import JSONTree
import SignIn
import Synchronization
import Transport

/// Runs a plan against a provider and returns the evidence; it never evaluates it and never throws.
///
/// Missing data is recorded as absent, with the step, the host and the cause. Cancelling the task ends the run early: it
/// returns the data collected so far, marked as interrupted.
package struct Collector: Sendable {
    let plan: Plan
    private let signIns: PlannedSignIns
    let secrets: Secrets
    let options: CollectorOptions
    let progress: ProgressHandler

    package init(plan: Plan, secrets: Secrets, options: CollectorOptions, progress: @escaping ProgressHandler) {
        self.plan = plan
        signIns = plan.signIns
        self.secrets = secrets
        self.options = options
        self.progress = progress
    }

    package func collect() async -> Evidence {
        let recorder = Recorder(keepsTokens: options.keepsSecrets)
        await learnCredentials(recorder)
        let client = HTTPClient(
            configuration: options.transport(for: plan.target),
            over: options.way,
            sharing: options.sharing,
            clock: options.clock
        )
        defer { client.shutdown() }
        let budget = SignInBudget(limit: signIns.allowed)
        let decisions = Decisions()
        let note: @Sendable (String) -> Void = { [progress] in
            decisions.note($0)
            progress(.decided($0))
        }
        let driving = driving(client, note)
        let isByHand = plan.isByHand && signIns.planned > 0
        if isByHand { note(Self.isByHand) }
        let collection = Collection(
            plan: plan,
            signIns: signIns,
            secrets: secrets,
            options: options,
            progress: progress,
            http: RecordingClient(
                client: client,
                recorder: recorder,
                origin: plan.scriptOrigin.value,
                wait: { [options] in await options.clock.wait(min($0, client.secondsLeft ?? $0)) }
            ),
            budget: budget,
            attempts: attempts(of: secrets.username, secrets.password, budget, client),
            otherAttempts: attempts(of: secrets.other?.username, secrets.other?.password, budget, client),
            codes: secrets.authenticator.map { codes($0, client) },
            otherCodes: secrets.other?.authenticator.map { codes($0, client) },
            driving: driving,
            passkey: secrets.passkey?.passkey(issuer: plan.target.issuer, now: options.clock.now()),
            note: note
        )
        var evidence = await collection.run()
        await driving.browsers?.stop()
        evidence.isByHand = isByHand ? true : nil
        evidence.decisions = decisions.all.isEmpty ? nil : decisions.all
        options.finalRedaction.note(await recorder.currentRedactor())
        return evidence
    }

    /// The decisions of a run; a reference type, because any scenario may add one.
    private final class Decisions: Sendable {
        private let sentences = Mutex<[String]>([])

        var all: [String] { sentences.withLock { $0 } }

        func note(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    private static let isByHand =
        "Sign-in is by hand: the run does not check the provider's pages, and each flow requests one sign-in."

    /// The driver for the pages.
    private func driving(_ client: HTTPClient, _ note: @escaping @Sendable (String) -> Void) -> SharedSignInDriver {
        let signInSettings = options.signInSettings
        let hand = ManualSignIn(
            signInSettings.user,
            seconds: signInSettings.manualTimeout,
            total: signIns.planned,
            username: secrets.username,
            secondsLeft: { client.secondsLeft },
            progress: progress
        )
        var browserOptions = BrowserOptions(
            isShown: signInSettings.isShown,
            pageTimeout: signInSettings.pageTimeout,
            // A passkey's counter may not be used in two places.
            mostAtOnce: secrets.passkey == nil ? 2 : 1,
            takesScreenshots: signInSettings.album != nil,
            transport: client.configuration,
            secondsLeft: { client.secondsLeft }
        )
        browserOptions.isWatched = signInSettings.recorder != nil
        let browsers = signInSettings.browser.map { Browsers($0, browserOptions) }
        // Forms have no passkeys; a user has their own.
        let takesPasskey = secrets.passkey != nil && browsers != nil && signInSettings.driver != .manual
        let driver = takesPasskey ? .browser : signInSettings.driver
        return SharedSignInDriver(driver, browsers: browsers, user: { await hand.ask($0) }, note: note)
    }

    /// One user's codes, for all browsers of the run; waiting for one is reported, and ends with the run's time.
    private func codes(_ authenticator: Authenticator, _ client: HTTPClient) -> OneTimeCodes {
        OneTimeCodes(
            period: authenticator.period,
            clock: options.clock.now,
            wait: { [progress] seconds in
                await wait(seconds, client)
                progress(.waitingForCode(seconds: nil))
            },
            waiting: { [progress] in progress(.waitingForCode(seconds: $0)) },
            make: { Credential(authenticator.code(of: $0).reveal()) }
        )
    }

    private func attempts(
        of username: String?,
        _ password: Secret?,
        _ budget: SignInBudget,
        _ client: HTTPClient
    ) -> SignInAttempts {
        let past = options.history.past(at: plan.target.issuer, username, password)
        return SignInAttempts(budget: budget, pace: pace(client, after: past), past: past)
    }

    /// How fast one user's passwords are sent.
    private func pace(_ client: HTTPClient, after past: EarlierSignIns) -> SignInPace {
        SignInPace(
            burst: signIns.rate.burst,
            interval: signIns.rate.interval,
            // The default rate allows the planned sign-ins of each run; a configured one applies to the user.
            after: plan.signInsPerMinute == nil ? EarlierSignIns() : past,
            now: options.clock.uptime,
            wait: { [progress] seconds in
                progress(.waitingToSignIn(seconds: seconds))
                await wait(seconds, client)
                progress(.waitingToSignIn(seconds: nil))
            }
        )
    }

    /// Lets so many seconds pass that do not count, as far as the run's time allows.
    private func wait(_ seconds: Double, _ client: HTTPClient) async {
        if plan.secondsAreStated { return await options.clock.wait(min(seconds, client.secondsLeft ?? seconds)) }
        client.supersede(seconds)
        await options.clock.wait(seconds)
    }

    private func learnCredentials(_ recorder: Recorder) async {
        // A secret that equals a public word cannot be searched for without spoiling the evidence; where it is sent it is
        // hidden by its place.
        let publicWords = Set(
            plan.target.allClients.map(\.id) + secrets.clientSecrets.keys
                + [secrets.username, secrets.other?.username].compactMap { $0 }
        )
        await recorder.noteOpen(Array(publicWords))
        for password in [secrets.password, secrets.other?.password].compactMap({ $0 })
        where !publicWords.contains(password.reveal()) {
            await recorder.learn("password", password.reveal(), .credential)
        }
        for (name, value) in secrets.stepVariables.sorted(by: { $0.key < $1.key })
        where !publicWords.contains(value.reveal()) {
            await recorder.learn(name, value.reveal(), .credential)
        }
        for cookie in secrets.session?.secrets ?? [] { await recorder.learn("cookie", cookie, .cookie) }
        for authenticator in [secrets.authenticator, secrets.other?.authenticator].compactMap(\.self) {
            await recorder.learn("TOTP secret", authenticator.source.reveal(), .credential)
            await recorder.learn("TOTP secret", authenticator.secret.reveal(), .credential)
        }
        if let token = secrets.initialAccessToken, !publicWords.contains(token.reveal()) {
            await recorder.learn("initial access token", token.reveal(), .credential)
        }
        for (id, secret) in secrets.clientSecrets.sorted(by: { $0.key < $1.key }) {
            for write in [BasicCredentials.encoded, BasicCredentials.unencoded, BasicCredentials.percentEncoded] {
                await recorder.learn("credentials", write(id, secret), .credential)
            }
            if publicWords.contains(secret.reveal()) { continue }
            await recorder.learn("client secret", secret.reveal(), .credential)
        }
    }
}

/// One run of a collector.
struct Collection: Sendable {
    let plan: Plan
    let signIns: PlannedSignIns
    let secrets: Secrets
    let options: CollectorOptions
    let progress: ProgressHandler
    let http: RecordingClient
    /// The sign-ins of all users.
    let budget: SignInBudget
    /// The sign-ins of the first user, in whatever browser.
    let attempts: SignInAttempts
    /// The configured client at the token endpoint.
    let clientAttempts = ClientAttempts()
    /// The key of a client that is registered for DPoP.
    let proofKey = ProofKey()
    /// How clients have to be registered here.
    let variants = RegistrationVariants()
    /// Those of the second user.
    let otherAttempts: SignInAttempts
    /// The one-time codes of the first user, in whatever browser; `nil` for a user without an authenticator app.
    let codes: OneTimeCodes?
    let otherCodes: OneTimeCodes?
    /// The driver for the pages, for both users.
    let driving: SharedSignInDriver
    /// The first user's passkey.
    let passkey: Passkey?
    /// Receives the run's own decisions, in sentences.
    let note: @Sendable (String) -> Void
    /// The documents that the provider can fetch from this machine.
    var documents = ServedDocuments.none

    func run() async -> Evidence {
        var evidence = Evidence(
            tool: options.tool,
            startedAt: options.clock.now(),
            target: plan.target,
            tier: plan.tier,
            because: "no chosen check reads it"
        )
        let uptime = options.clock.uptime()
        if options.clock.isOfMachine, let fault = MachineClock.fault(showing: evidence.startedAt) {
            return evidence.withheld(because: fault)
        }
        evidence.knowsBrowserRules = plan.isByHand ? nil : true
        evidence.addresses = plan.knownAddresses.isEmpty ? nil : plan.knownAddresses
        evidence.oauth1 = await oauth1()
        if requestsMore { await fill(&evidence) }
        evidence.exchanges = await http.recorder.finished()
        let reached = http.client.limitsReached.map { ReachedLimit($0.summary, advice: $0.advice) } + signInsReached
        evidence.limitsReached = reached.isEmpty ? nil : reached
        evidence.leftOut = plan.leftOut.isEmpty ? nil : plan.leftOut
        var route = options.transport.route
        if !http.client.leavesProcess { route.isInProcess = true }
        evidence.route = route.isOrdinary ? nil : route
        evidence.endedAt = options.clock.now()
        evidence.wasInterrupted = Task.isCancelled
        let elapsed = options.clock.uptime() - uptime
        let fault = MachineClock.fault(from: evidence.startedAt, to: evidence.endedAt, elapsed: elapsed)
        return fault.map(evidence.withheld) ?? evidence
    }

    /// Raises the sign-in limit at a provider that requests the password each time, and reports it once.
    func allowSignInsWithoutSession() {
        let limit = signIns.allowedWithoutSession
        guard budget.raise(to: limit) else { return }
        note(
            "The provider requests the password again from a browser with a session. So the run signs in about "
                + "\(min(limit, signIns.plannedWithoutSession)) times, and at most \(limit): \(signIns.rate.words). "
                + "Use --max-sign-ins to limit this."
        )
    }

    static func signInsUsedUp(_ limit: Int) -> String { "the run's limit of \(limit) sign-ins was reached" }

    /// More sign-ins were requested than the plan had announced; a limit that the user has set omits the rest.
    private var signInsReached: [ReachedLimit] {
        guard budget.wasExceeded, plan.signInLimit == nil else { return [] }
        return [
            ReachedLimit(
                Self.signInsUsedUp(budget.limit),
                advice: "Allow more with --max-sign-ins \(max(signIns.allowedWithoutSession, 2 * budget.limit)); this "
                    + "provider requests the password more often than most."
            )
        ]
    }

    /// Lets so many seconds pass, or what is left of the run's time.
    func wait(_ seconds: Double) async {
        await http.wait(seconds)
    }

    private func fill(_ evidence: inout Evidence) async {
        // Without scenarios nothing separates the two fetches, so both run in parallel: the comparison requires two responses,
        // and the second must not double the waiting time.
        let isAgainEarly = plan.needs.contains(.again) && plan.scenarios.isEmpty
        async let early = isAgainEarly ? discoveryRefetched() : nil
        let discovery = await discoveryDocument(&evidence)
        let provider = provider(discovery)
        await http.recorder.noteOpen(provider.publishedValues)

        async let suggestions = provider.metadata == nil ? http.suggestions(for: plan.target.issuer) : []
        async let keysAndMore = keysAndSecond(provider, discovery)
        async let serverMetadata = serverMetadata(provider)
        async let protectedResource = protectedResource()
        async let webFinger = webFinger()
        async let earlyKeys = isAgainEarly ? keySetRefetched(provider) : nil
        async let reached: Void = reachHosts(provider, atTheEnd: false)
        let backChannel = await BackChannel.open(for: plan)
        let served = await ServedDocuments.open(for: plan, leavesProcess: http.client.leavesProcess)
        var collection = self
        collection.documents = served
        let results = await collection.runScenarios(provider)
        await served.close()

        let (keys, second) = await keysAndMore
        if let keys {
            evidence.keys = keys.observation
            evidence.keysHops = keys.hops
        }
        evidence.refetches = second
        let earlyAgain = await (early, earlyKeys)
        let later = await keySetForTokens(results, provider, [keys, earlyAgain.1 ?? results.keysRefetched])
        let trials = TokenTrials(
            keySet: keys?.bytes,
            later: later?.bytes,
            redactor: await http.recorder.currentRedactor()
        )
        evidence.runs = results.runs.map { $0.finished(with: trials) }
        evidence.backChannel = await backChannel.close(
            after: results.runs.first { $0.run.scenario == Scenario.logout.id },
            trials: trials,
            clock: options.clock.now
        )
        let left = results.runs.flatMap(\.left)
        if !left.isEmpty { evidence.leftClients = left }
        if let again = earlyAgain.0 ?? results.discoveryRefetched { evidence.discoveryRefetched = again.observation }
        if let again = later { evidence.keysRefetched = again.observation }
        if !readsDiscovery { evidence.discoveryRefetched = discovery.observation }
        if provider.metadata == nil, plan.needs.contains(.again), !isAgainEarly {
            let why: Reason = "no discovery document: \(discovery.whyNoObject)"
            evidence.discoveryRefetched = .absent(why)
            evidence.keysRefetched = .absent(why)
        }
        evidence.suggestions = await suggestions
        evidence.serverMetadata = await serverMetadata
        evidence.protectedResource = await protectedResource
        evidence.webFinger = await webFinger
        await reached
        await reachHosts(provider, atTheEnd: true)
        if plan.needs.contains(.hosts) { evidence.hosts = await hostObservations(provider) }
    }

    // MARK: Documents

    /// The key set, and then both documents once more: later, and as other agents get them.
    ///
    /// The requests of other agents run in parallel with the first one for the key set, so that a static run needs two round trips.
    private func keysAndSecond(
        _ provider: Provider,
        _ discovery: FetchedDocument
    ) async -> (FetchedDocument?, Refetches) {
        async let agents = agentAnswers([(.discovery, discovery.place), (.keys, provider.address("jwks_uri"))])
        let keys = plan.needs.contains(.keys) ? await keySet(provider, step: "key set", lane: Lanes.keys) : nil
        var second = await refetches(provider, discovery, keys)
        second.agents = await agents + second.agents
        return (keys, second)
    }

    /// `nil` when no chosen check reads the key set.
    func keySetRefetched(_ provider: Provider) async -> FetchedDocument? {
        guard plan.needs.contains(.keys) else { return nil }
        return await keySet(provider, step: "key set again", lane: Lanes.keysRefetched)
    }

    /// The later key set, requested once more if a token names a key that no set has (Core section 10.1.1).
    private func keySetForTokens(
        _ results: ScenarioResults,
        _ provider: Provider,
        _ sets: [FetchedDocument?]
    ) async -> FetchedDocument? {
        let keys = sets.compactMap { $0?.bytes }
            .flatMap { (try? JSONDocument.parse($0).root["keys"]?.arrayValue) ?? [] }
        let kids = keys.compactMap { $0["kid"]?.stringValue }
        guard plan.needs.contains(.again), !kids.isEmpty,
            results.runs.contains(where: { $0.namesKey(outside: Set(kids)) })
        else { return sets.last ?? nil }
        return await keySetRefetched(provider)
    }

    func discoveryRefetched() async -> FetchedDocument? {
        guard readsDiscovery else { return nil }
        return await discovery(step: "discovery document again", lane: Lanes.discoveryRefetched)
    }

    private func keySet(_ provider: Provider, step: String, lane: Recorder.Lane) async -> FetchedDocument {
        switch provider.address("jwks_uri") {
        case .absent(let why): return .absent(why)
        case .notAttempted(let why): return .notAttempted(why)
        case .observed(let address):
            guard lane == Lanes.keys else { return await http.document(at: address, step: step, lane: lane) }
            return await reporting(step) { await http.document(at: address, step: step, lane: lane) }
        }
    }

    /// Reports to the watcher that a document is requested, and the outcome.
    func reporting(_ step: String, _ fetch: () async -> FetchedDocument) async -> FetchedDocument {
        progress(.began(step: step))
        let document = await fetch()
        let outcome =
            switch document.observation {
            case .observed: document.bytes == nil ? "HTTP status \(document.status ?? 0)" : "fetched"
            case .absent, .notAttempted: "failed"
            }
        progress(.ended(step: step, outcome: outcome))
        return document
    }
}
