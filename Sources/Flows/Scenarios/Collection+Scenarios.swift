import Conformance
import JSONTree
import SignIn
import Transport

/// The results of the scenarios of a run.
struct ScenarioResults: Sendable {
    /// In the order of the plan.
    var runs: [CollectedRun] = []
    var discoveryRefetched: FetchedDocument?
    var keysRefetched: FetchedDocument?
}

extension Collection {
    private enum Result: Sendable {
        case run(Schedule.ScheduledScenario, CollectedRun, AttemptResult)
        case again(FetchedDocument?, FetchedDocument?)
    }

    /// A browser without cookies, with a user who can sign in if the configuration says how.
    func newBrowser() -> SignInSession {
        SignInSession(client: http.client, instructions: instructions, redirectURI: plan.target.redirectURI ?? "")
    }

    /// How the user signs in; `nil` when the configuration does not say.
    var instructions: SignInInstructions? {
        guard plan.isByHand || secrets.username != nil || secrets.password != nil || !options.signInSteps.isEmpty else {
            return nil
        }
        var instructions = SignInInstructions(
            username: secrets.username ?? "",
            password: Credential(secrets.password?.reveal() ?? ""),
            steps: options.signInSteps,
            hosts: options.signInHosts,
            attempts: attempts,
            codes: codes,
            driving: driving
        )
        instructions.session = secrets.session
        instructions.variables = stepVariables
        instructions.passkey = passkey
        instructions.recorder = options.signInSettings.recorder
        return instructions
    }

    private var stepVariables: [String: Credential] { secrets.stepVariables.mapValues { Credential($0.reveal()) } }

    /// A second browser, if the scenario needs one: the user's, or the second user's if the configuration names one.
    private func otherBrowser(for scenario: Scenario) -> SignInSession? {
        if scenario.authorizations.contains(where: { $0.user == .firstElsewhere }) { return newBrowser() }
        guard scenario.authorizations.contains(where: { $0.user == .other }), let other = secrets.other else {
            return nil
        }
        var instructions = SignInInstructions(
            username: other.username,
            password: Credential(other.password.reveal()),
            steps: options.signInSteps,
            hosts: options.signInHosts,
            attempts: otherAttempts,
            codes: otherCodes,
            driving: driving
        )
        instructions.variables = stepVariables
        return SignInSession(
            client: http.client,
            instructions: instructions,
            redirectURI: plan.target.redirectURI ?? ""
        )
    }

    /// The observations of one attempt at a scenario.
    struct AttemptResult: Sendable {
        /// How many exchanges the scenario had when it began.
        var first: Int
        /// The server errors that it met.
        var errors: Set<ServerError> = []
        /// The endpoints that returned something else to this attempt.
        var endpoints: Set<String> = []
        /// The kinds of requests that the provider has answered in this run by something else.
        var answered: Set<String> = []
        /// Whether a step met a server error that an earlier attempt at it had not met.
        var isErratic = false
    }

    /// Runs every planned scenario, several in parallel.
    ///
    /// A browser is used by one scenario at a time. The documents are fetched again when most have ended: late, and yet hidden
    /// behind the waiting of the others.
    func runScenarios(_ provider: Provider) async -> ScenarioResults {
        guard !plan.scenarios.isEmpty else { return ScenarioResults() }
        var results = ScenarioResults()
        var runs: [Int: CollectedRun] = [:]
        await withTaskGroup(of: Result.self) { group in
            var schedule = Schedule(plan, signIns, mostAtOnce: options.scenariosAtATime)
            var repetitions = Repetitions()
            var chain = CodeChain(plan)
            var mayAskAgain = plan.needs.contains(.again) && provider.metadata != nil
            func advance(_ group: inout TaskGroup<Result>) {
                while let turn = schedule.next(newBrowser).map(repetitions.shortened) {
                    let cause = schedule.cause(against: turn.index)
                    let bogusAnswers = bogusAnswers(turn.index, runs)
                    let reasonToSkip = schedule.reasonToSkip(turn.index)
                    let lent = chain.code(for: turn)
                    group.addTask {
                        await run(
                            turn,
                            provider,
                            against: cause,
                            bogusAnswers: bogusAnswers,
                            reasonToSkip: reasonToSkip,
                            lent
                        )
                    }
                }
                // If scenarios run one at a time, no other requests run in parallel either.
                let isAlone = schedule.mostAtOnce == 1
                let company = isAlone ? 0 : max(1, plan.scenarios.count / 4)
                if mayAskAgain, schedule.isAllBegun, schedule.unfinished <= company {
                    mayAskAgain = false
                    group.addTask {
                        if isAlone { return .again(await discoveryRefetched(), await keySetRefetched(provider)) }
                        async let discovery = discoveryRefetched()
                        async let keys = keySetRefetched(provider)
                        return .again(await discovery, await keys)
                    }
                }
            }
            advance(&group)
            for await result in group {
                switch result {
                case .run(let turn, let run, let attempted):
                    runs[turn.index] = await kept(run, attempted, of: turn, before: runs[turn.index])
                    let ranConcurrently = schedule.ranConcurrently(turn.index)
                    if ranConcurrently, !attempted.errors.isEmpty || run.isOutOfOrder { schedule.slowDown() }
                    let cause = await cause(of: run.run)
                    // A user is not prompted twice for the same sign-in.
                    let isOfUser = plan.isByHand && schedule.signsIn(turn.index)
                    let end: Schedule.End =
                        isOfUser || Task.isCancelled || http.client.limitsReached.contains(where: \.endsAll)
                        ? .final(cause)
                        : repetitions.end(of: turn, run, attempted, cause, ranConcurrently: ranConcurrently)
                    schedule.end(turn, end)
                    let redemption = await redemption(of: run)
                    schedule.postpone(again: chain.end(of: turn, run, redemption, isFinal: end.isFinal))
                case .again(let discovery, let keys):
                    results.discoveryRefetched = discovery
                    results.keysRefetched = keys
                }
                advance(&group)
            }
            let why: Reason =
                "the code was not redeemed correctly afterwards, so this rejection may have another reason"
            for index in chain.unconfirmed { runs[index]?.run[.redeem]?.outcome = .absent(why) }
        }
        results.runs = plan.scenarios.indices.compactMap { runs[$0] }
        return results
    }

    private func run(
        _ turn: Schedule.ScheduledScenario,
        _ provider: Provider,
        against cause: Cause?,
        bogusAnswers: BogusCodeAnswers?,
        reasonToSkip: String?,
        _ lent: CodeChain.Code?
    ) async -> Result {
        var attempted = AttemptResult(first: await http.recorder.count(in: Lanes.scenario(turn.index)))
        if turn.delay > 0 { await wait(turn.delay) }
        let run = await run(
            provider,
            turn.index,
            turn.browser,
            against: cause,
            bogusAnswers: bogusAnswers,
            reasonToSkip: reasonToSkip,
            attempt: turn.attempt,
            lent
        )
        let lane = Lanes.scenario(turn.index)
        attempted.errors = await http.recorder.serverErrors(lane: lane, from: attempted.first)
        attempted.endpoints = await http.recorder.answeredEndpoints(lane: lane, from: attempted.first)
        if !attempted.errors.isEmpty {
            attempted.answered = await http.recorder.answeredKinds()
            attempted.isErratic = await http.recorder.isErratic(lane: lane, from: attempted.first)
        }
        return .run(turn, run, attempted)
    }

    /// The result that counts for a repeated scenario: the repetition, unless it got less far.
    ///
    /// A result is not replaced by a repetition that failed: the user could no longer sign in, or a limit was reached.
    private func kept(
        _ run: CollectedRun,
        _ attempted: AttemptResult,
        of turn: Schedule.ScheduledScenario,
        before earlier: CollectedRun?
    ) async -> CollectedRun {
        guard var earlier else { return run }
        var run = run
        let left = earlier.left + run.left
        // A repetition for which no sign-in was left shows less than the earlier attempt.
        let ranOutOfSignIns = budget.wasExceeded && run.metLimit
        if run.reach < earlier.reach || ranOutOfSignIns && run.answered <= earlier.answered {
            earlier.left = left
            return earlier
        }
        run.left = left
        await http.recorder.supersede(lane: Lanes.scenario(turn.index), before: attempted.first)
        return run
    }

    /// Why a baseline scenario did not end as it should.
    private func cause(of run: ScenarioRun) async -> Cause? {
        guard BaselineScenario.isBaseline(run.scenario, in: plan.target, tier: plan.tier) else { return nil }
        let numbers = [run.visits.last?.exchange, run.token.value?.exchange].compactMap(\.self)
        var exchanges: [Int: Exchange] = [:]
        for number in numbers { exchanges[number] = await http.recorder.exchange(number) }
        let found = exchanges
        var cause = Cause.failure(run, plan.target) { found[$0] } ?? Cause.passwordWithheld(run)
        if cause == nil, await clientAttempts.isRefused(run.clientID) { cause = Cause.ofRefusedClient(run) }
        if cause == nil { cause = Cause.ofUnknownToken(run, status: await status(of: run.userInfo)) }
        return cause
    }

    private func status(of answer: Observation<EndpointAnswer>) async -> Int? {
        guard let number = answer.value?.exchange else { return nil }
        return await http.recorder.status(of: number)
    }

    /// The results of a test with a bogus code and of its baseline request.
    private typealias BogusCodeAnswers = (mistake: EndpointAnswer, baseline: EndpointAnswer)

    /// The results of the test of a scenario's mistake with a bogus code, as far as it ran.
    private func bogusAnswers(_ index: Int, _ runs: [Int: CollectedRun]) -> BogusCodeAnswers? {
        func answer(_ place: BogusCodeTest.Place) -> EndpointAnswer? {
            let index = plan.scenarios.firstIndex { $0.id == place.scenario }
            return index.flatMap { runs[$0] }?.run.answer(place.step).value
        }
        guard let test = plan.scenarios[index].bogusCodeTest(in: plan.target),
            let mistake = answer(test.mistake), let baseline = answer(test.baseline)
        else { return nil }
        return (mistake, baseline)
    }

    private func isReported(_ bogusAnswers: BogusCodeAnswers?) async -> Bool {
        guard let bogusAnswers else { return false }
        return BogusCodeTest.isReported(
            mistake: await http.recorder.outcome(of: bogusAnswers.mistake, at: "token_endpoint"),
            baseline: await http.recorder.outcome(of: bogusAnswers.baseline, at: "token_endpoint")
        )
    }

    /// The discovery document; `nil` if the platform does not need it.
    private func document(of provider: Provider) -> JSONObject? { provider.isDocument ? provider.metadata : nil }

    /// One scenario of the plan.
    ///
    /// - Parameters:
    ///   - cause: Why it does not run.
    ///   - bogusAnswers: The results of bogus codes for its mistake.
    ///   - reasonToSkip: Why it would show nothing.
    private func run(
        _ provider: Provider,
        _ index: Int,
        _ browser: SignInSession,
        against cause: Cause? = nil,
        bogusAnswers: BogusCodeAnswers? = nil,
        reasonToSkip: String? = nil,
        attempt: Schedule.Attempt = .first,
        _ lent: CodeChain.Code? = nil
    ) async -> CollectedRun {
        let scenario = plan.scenarios[index]
        // A saved session belongs to a user; a request without a user needs a browser without one.
        if secrets.session != nil, scenario.requiresNoSession { await browser.forgetCookies() }
        progress(.began(step: scenario.title))
        let runner = ScenarioRunner(
            scenario: scenario,
            planned: plan.requests(of: scenario),
            lane: Lanes.scenario(index),
            collection: self,
            provider: provider,
            browser: browser,
            otherBrowser: otherBrowser(for: scenario),
            attempt: attempt,
            lent: lent
        )
        let run =
            if Task.isCancelled {
                runner.notRun(.absent(Reason("the run was interrupted before it began", .interrupted)))
            } else if let limit = http.client.limitsReached.first(where: \.endsAll) {
                runner.notRun(.absent(Reason(limit.summary, .limit)))
            } else if let cause = cause ?? Cause.ofSpelling(plan.target.issuer, statedBy: document(of: provider)) {
                runner.notRun(.absent(cause.message))
            } else if let reasonToSkip {
                runner.notRun(.notAttempted(reasonToSkip))
            } else if secrets.session != nil, scenario.endsSession {
                runner.notRun(.notAttempted("it would end the saved session, which later runs need"))
            } else if await isReported(bogusAnswers) {
                runner.notRun(.notAttempted(BogusCodeTest.wasEnough))
            } else {
                await runner.run()
            }
        if let keepSession = options.keepSession {
            keepSession(await browser.session(at: plan.target.issuer, now: options.clock.now()))
        }
        progress(.ended(step: scenario.title, outcome: run.outcome))
        return run
    }
}

extension Scenario {
    /// Whether one of its requests requires that no user is signed in.
    fileprivate var requiresNoSession: Bool { authorizations.contains { $0.session == .none } }

    /// Whether it logs the user out.
    var endsSession: Bool {
        steps.contains { step in
            if case .endSession = step.request { true } else { false }
        }
    }
}
