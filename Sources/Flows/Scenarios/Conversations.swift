import Conformance
import SignIn

/// What the conversations of a run brought.
struct ConversationResults: Sendable {
    /// In the order of the plan.
    var runs: [CollectedRun] = []
    var discoveryAgain: FetchedDocument?
    var keysAgain: FetchedDocument?
}

extension Collection {
    private enum Result: Sendable {
        case run(Int, CollectedRun, SignInSession)
        case again(FetchedDocument?, FetchedDocument?)
    }

    /// Which conversations are still to be held, and the browsers that wait for one.
    private struct Schedule {
        let plan: Plan
        /// How many browsers are shared.
        let places: Int
        var waiting: [Int]
        var running = 0
        /// Browsers in which a person has signed in, free for the next scenario that shares one.
        var idle: [SignInSession] = []
        var shared = 0
        /// Flows not yet ended, each of which will leave a browser behind.
        var expected: Int
        /// For each conversation the place of its control, where the plan has one.
        private let controls: [Int?]
        /// The conversations that have ended.
        private var ended: Set<Int> = []
        /// Why a control did not end as it should.
        private var broken: [Int: Cause] = [:]

        init(_ plan: Plan) {
            self.plan = plan
            controls = plan.scenarios.map { scenario in
                Control.of(scenario.id, in: plan.target, tier: plan.tier)
                    .flatMap { control in plan.scenarios.firstIndex { $0.id == control } }
            }
            places = plan.sharedBrowsers
            // Those with a sign-in of their own begin first, because they are the longest and leave their browsers behind;
            // those that share a browser come last.
            waiting = plan.scenarios.indices.sorted { left, right in
                (Self.rank(plan.scenarios[left]), left) < (Self.rank(plan.scenarios[right]), right)
            }
            expected = plan.scenarios.count(where: \.leavesBrowser)
        }

        private static func rank(_ scenario: Scenario) -> Int {
            scenario.leavesBrowser ? 0 : scenario.signIns > 0 && !scenario.sharesBrowser ? 1 : 2
        }

        var unfinished: Int { waiting.count + running }

        /// Why a conversation is not held: its control broke before anybody was signed in.
        func cause(against index: Int) -> Cause? {
            guard let cause = controls[index].flatMap({ broken[$0] }), cause.rung <= .signIn else { return nil }
            return Control.explains(plan.scenarios[index].id, cause) ? nil : cause
        }

        /// The next conversation that can begin, with the browser for it.
        mutating func next(_ make: () -> SignInSession) -> (Int, SignInSession)? {
            for (place, index) in waiting.enumerated() where !mustWait(index) {
                guard let browser = browser(for: plan.scenarios[index], make) else { continue }
                waiting.remove(at: place)
                running += 1
                return (index, browser)
            }
            return nil
        }

        /// What waits long comes when all else has ended: half a minute would tell otherwise on what runs beside it.
        private func mustWait(_ index: Int) -> Bool {
            if let control = controls[index], !ended.contains(control) { return true }
            let isLong = { (index: Int) in plan.scenarios[index].sequels.contains { $0.action == .waitLong } }
            return isLong(index) && (running > 0 || !waiting.allSatisfy(isLong))
        }

        private mutating func browser(for scenario: Scenario, _ make: () -> SignInSession) -> SignInSession? {
            guard scenario.sharesBrowser, plan.tier == .full else { return make() }
            if let browser = idle.popLast() { return browser }
            guard shared + expected < places else { return nil }
            shared += 1
            return make()
        }

        /// - Parameter cause: Why it did not end as it should, when it is a control.
        mutating func end(_ index: Int, _ browser: SignInSession, because cause: Cause?) {
            running -= 1
            ended.insert(index)
            broken[index] = cause
            let scenario = plan.scenarios[index]
            if scenario.sharesBrowser, plan.tier == .full {
                idle.append(browser)
            } else if scenario.leavesBrowser {
                expected -= 1
                if shared < places {
                    shared += 1
                    idle.append(browser)
                }
            }
        }
    }

    /// A browser without cookies, and a person who can sign in there if the configuration says how.
    func newBrowser() -> SignInSession {
        SignInSession(client: wire.client, instructions: instructions, redirectURI: plan.target.redirectURI ?? "")
    }

    /// How the person signs in; `nil` when the configuration does not say.
    var instructions: SignInInstructions? {
        guard secrets.username != nil || secrets.password != nil || !options.signInSteps.isEmpty else { return nil }
        return SignInInstructions(
            username: secrets.username ?? "",
            password: Credential(secrets.password?.reveal() ?? ""),
            steps: options.signInSteps,
            hosts: options.signInHosts,
            attempts: attempts
        )
    }

    /// A browser of its own for the second person, if the conversation needs one and the configuration says who it is.
    private func otherBrowser(for scenario: Scenario) -> SignInSession? {
        guard scenario.authorizations.contains(where: { $0.person == .other }), let other = secrets.other else {
            return nil
        }
        let instructions = SignInInstructions(
            username: other.username,
            password: Credential(other.password.reveal()),
            steps: options.signInSteps,
            hosts: options.signInHosts,
            attempts: otherAttempts
        )
        return SignInSession(
            client: wire.client,
            instructions: instructions,
            redirectURI: plan.target.redirectURI ?? ""
        )
    }

    /// Holds every planned conversation, several at a time.
    ///
    /// A browser is used by one conversation at a time. The documents are fetched again when most have ended: late, and yet
    /// hidden behind the others' waiting.
    func converse(_ provider: Provider) async -> ConversationResults {
        guard !plan.scenarios.isEmpty else { return ConversationResults() }
        var results = ConversationResults()
        var runs: [Int: CollectedRun] = [:]
        await withTaskGroup(of: Result.self) { group in
            var schedule = Schedule(plan)
            var mayAskAgain = plan.needs.contains(.again) && provider.metadata != nil
            func advance(_ group: inout TaskGroup<Result>) {
                while schedule.running < options.conversationsAtATime, let (index, browser) = schedule.next(newBrowser)
                {
                    let cause = schedule.cause(against: index)
                    group.addTask { .run(index, await converse(provider, index, browser, against: cause), browser) }
                }
                if mayAskAgain, schedule.waiting.isEmpty, schedule.unfinished <= max(1, plan.scenarios.count / 4) {
                    mayAskAgain = false
                    group.addTask {
                        async let discovery = discoveryAgain()
                        async let keys = keySetAgain(provider)
                        return .again(await discovery, await keys)
                    }
                }
            }
            advance(&group)
            for await result in group {
                switch result {
                case .run(let index, let run, let browser):
                    runs[index] = run
                    // A control that was crowded is held again alone, and what waits for it may go on meanwhile.
                    let isCertain = await !wasCrowded(index)
                    schedule.end(index, browser, because: isCertain ? await cause(of: run.run, provider) : nil)
                case .again(let discovery, let keys):
                    results.discoveryAgain = discovery
                    results.keysAgain = keys
                }
                advance(&group)
            }
        }
        for index in plan.scenarios.indices where await wasCrowded(index) {
            let first = await wire.recorder.count
            await options.wait(Self.breath)
            var again = await converse(provider, index, newBrowser(), pause: Self.breath)
            again.left += runs[index]?.left ?? []
            // What arrived is not given up for a repetition that came less far: nobody was let in any more.
            if runs[index]?.run.authorization.value != nil, again.run.authorization.value == nil {
                runs[index]?.left = again.left
                continue
            }
            await wire.recorder.supersede(lane: Lanes.scenario(index), before: first)
            runs[index] = again
        }
        results.runs = plan.scenarios.indices.compactMap { runs[$0] }
        return results
    }

    /// Seconds before a conversation is held once more, and between its steps.
    ///
    /// A provider may tell by the second alone what was done when: of two tokens within one it makes the same twice.
    private static let breath = 1.1

    /// Whether a conversation met a server error while others were held beside it.
    ///
    /// A small provider may choke on several people at once, which says nothing about how it treats one: such a
    /// conversation is held once more, alone, and what comes of it then is what counts.
    private func wasCrowded(_ index: Int) async -> Bool {
        guard plan.scenarios.count > 1, options.conversationsAtATime > 1, !Task.isCancelled else { return false }
        return await wire.recorder.hasServerError(lane: Lanes.scenario(index))
    }

    /// Why a conversation that is a control did not end as it should.
    private func cause(of run: ScenarioRun, _ provider: Provider) async -> Cause? {
        guard Control.isControl(run.scenario, in: plan.target, tier: plan.tier) else { return nil }
        let number = run.token.value?.exchange
        var status: Int?
        if let number { status = await wire.recorder.status(of: number) }
        let cause = Cause.ofBreaking(run, plan.target) { _ in status } ?? Cause.ofKeepingBack(run)
        return cause.flatMap { $0.isAnnounced(by: provider.metadata) ? nil : $0 }
    }

    /// One conversation of the plan.
    ///
    /// - Parameter cause: Why it is not held.
    private func converse(
        _ provider: Provider,
        _ index: Int,
        _ browser: SignInSession,
        against cause: Cause? = nil,
        pause: Double = 0
    ) async -> CollectedRun {
        let scenario = plan.scenarios[index]
        progress(.began(step: scenario.title))
        let conversation = Conversation(
            scenario: scenario,
            lane: Lanes.scenario(index),
            collection: self,
            provider: provider,
            browser: browser,
            otherBrowser: otherBrowser(for: scenario),
            pause: pause
        )
        let run =
            if Task.isCancelled {
                conversation.notHeld(.absent("the run was interrupted before it began"))
            } else if let cause {
                conversation.notHeld(against: cause)
            } else {
                await conversation.hold()
            }
        progress(.ended(step: scenario.title, outcome: run.outcome))
        return run
    }
}
