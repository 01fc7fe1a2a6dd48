import Conformance
import SignIn

/// Which conversations are still to be held, in which order, and what each of them waits for.
///
/// A control is held before what stands on it. What failed beside others is held once more alone before it counts, and what
/// waits for it waits for that.
struct Schedule {
    /// How often, and in what company, a conversation is held.
    enum Attempt: Comparable {
        /// For the first time, beside others where there are any.
        case first
        /// Once more, with nobody beside it.
        case alone
        /// Alone, after a while, and with a pause before each of its steps.
        case withPauses
    }

    /// A conversation that begins now.
    struct Turn {
        var index: Int
        var attempt: Attempt
        var browser: SignInSession
        /// The repetition is held a while after the failure, seconds.
        var delay = 0.0
    }

    /// What becomes of a conversation that has ended.
    enum End {
        /// It counts; for a control that did not end as it should, with the cause.
        case final(Cause?)
        /// It is held again; `isUrgent` when others wait for it.
        case again(Attempt, delay: Double, isUrgent: Bool)
    }

    private struct Repetition {
        var index: Int
        var attempt: Attempt
        var delay: Double
        var isUrgent: Bool
    }

    let plan: Plan
    /// How many conversations are held at the same time.
    private(set) var mostAtOnce: Int
    /// How many conversations in which a person signs in are held at the same time.
    ///
    /// A provider that goes away loses all that are under way, and each is made again: no more than the plan may spend.
    private let mostSignInsAtOnce: Int
    /// How many browsers are shared.
    private let places: Int
    private var waiting: [Int]
    private var repetitions: [Repetition] = []
    private var running: Set<Int> = []
    /// Whether what runs is a repetition, which nothing is held beside.
    private var isAlone = false
    /// The conversations beside which others were held.
    private var company: Set<Int> = []
    /// Browsers in which a person has signed in, free for the next scenario that shares one.
    private var idle: [SignInSession] = []
    private var shared = 0
    /// Flows not yet ended, each of which will leave a browser behind.
    private var expected: Int
    /// For each conversation the place of its control, where the plan has one.
    private let controls: [Int?]
    /// For each conversation the places of what is held before it, whatever comes of that.
    private let predecessors: [[Int]]
    /// The conversations that have ended for good.
    private var ended: Set<Int> = []
    /// Why a control did not end as it should.
    private(set) var broken: [Int: Cause] = [:]

    init(_ plan: Plan, mostAtOnce: Int) {
        self.plan = plan
        self.mostAtOnce = mostAtOnce
        controls = plan.scenarios.map { scenario in
            Control.of(scenario.id, in: plan.target, tier: plan.tier)
                .flatMap { control in plan.scenarios.firstIndex { $0.id == control } }
        }
        predecessors = plan.scenarios.map { scenario in
            Control.predecessors(of: scenario, in: plan.target, tier: plan.tier)
                .compactMap { earlier in plan.scenarios.firstIndex { $0.id == earlier } }
        }
        // A person signs in once at a time.
        mostSignInsAtOnce = plan.isByHand ? 1 : max(1, plan.signInAllowance - plan.signIns)
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

    var unfinished: Int { waiting.count + repetitions.count + running.count }
    var isAllBegun: Bool { waiting.isEmpty && repetitions.isEmpty }

    /// Whether another conversation was held at the same time.
    func hadCompany(_ index: Int) -> Bool { company.contains(index) }

    /// From now on one conversation at a time: the provider felt crowded.
    mutating func slowDown() { mostAtOnce = 1 }

    /// Why a conversation is not held: its control broke before anybody was signed in, or the client that is to use tokens
    /// gets none.
    func cause(against index: Int) -> Cause? {
        guard let cause = controls[index].flatMap({ broken[$0] }),
            cause.rung <= .signIn || cause.rung == .clientAuthentication && plan.scenarios[index].isAboutTokens
        else { return nil }
        return Control.explains(plan.scenarios[index].id, cause) ? nil : cause
    }

    /// Why a conversation that shows the reason of a refusal is not held; `nil` where there was one, and for every other.
    func whyNeedless(_ index: Int) -> String? {
        guard Control.isOfARefusal(plan.scenarios[index].id),
            controls[index].flatMap({ broken[$0] })?.rung != .authorizationRequest
        else { return nil }
        return "the ordinary request was not refused"
    }

    /// The next conversation that can begin, with the browser for it.
    mutating func next(_ make: () -> SignInSession) -> Turn? {
        guard !isAlone else { return nil }
        let isDue = repetitions.contains(where: \.isUrgent) || waiting.isEmpty
        if isDue, let place = repetitions.lastIndex(where: \.isUrgent) ?? repetitions.indices.first {
            guard running.isEmpty else { return nil }
            let repetition = repetitions.remove(at: place)
            let isShared = sharesBrowser(plan.scenarios[repetition.index])
            let browser = (isShared ? idle.popLast() : nil) ?? make()
            begin(repetition.index)
            isAlone = true
            return Turn(
                index: repetition.index,
                attempt: repetition.attempt,
                browser: browser,
                delay: repetition.delay
            )
        }
        guard running.count < mostAtOnce else { return nil }
        for (place, index) in waiting.enumerated() where !mustWait(index) {
            guard let browser = browser(for: plan.scenarios[index], make) else { continue }
            waiting.remove(at: place)
            begin(index)
            return Turn(index: index, attempt: .first, browser: browser)
        }
        return nil
    }

    private mutating func begin(_ index: Int) {
        company.remove(index)
        if !running.isEmpty {
            company.formUnion(running)
            company.insert(index)
        }
        running.insert(index)
    }

    /// Whether a conversation has to wait for others.
    ///
    /// One that signs in waits while as many do as can be made again. One with a pause of half a minute is held when all others
    /// have ended, so that they do not wait for its pause.
    private func mustWait(_ index: Int) -> Bool {
        let earlier = predecessors[index] + [controls[index]].compactMap(\.self)
        if earlier.contains(where: { !ended.contains($0) }) { return true }
        let signsIn = { (index: Int) in plan.scenarios[index].signIns > 0 }
        if signsIn(index), running.count(where: signsIn) >= mostSignInsAtOnce { return true }
        let isLong = { (index: Int) in plan.scenarios[index].steps.contains { $0.request == .waitLong } }
        return isLong(index) && (!running.isEmpty || !waiting.allSatisfy(isLong))
    }

    private func sharesBrowser(_ scenario: Scenario) -> Bool {
        scenario.sharesBrowser && plan.tier == .full && !plan.isByHand
    }

    private mutating func browser(for scenario: Scenario, _ make: () -> SignInSession) -> SignInSession? {
        guard sharesBrowser(scenario) else { return make() }
        if let browser = idle.popLast() { return browser }
        guard shared + expected < places else { return nil }
        shared += 1
        return make()
    }

    mutating func end(_ turn: Turn, _ end: End) {
        let scenario = plan.scenarios[turn.index]
        running.remove(turn.index)
        isAlone = false
        if sharesBrowser(scenario) { idle.append(turn.browser) }
        switch end {
        case .again(let attempt, let delay, let isUrgent):
            repetitions.append(
                Repetition(
                    index: turn.index,
                    attempt: attempt,
                    delay: delay,
                    // Whoever waits for it would wait for ever: nothing else is due while it waits.
                    isUrgent: isUrgent || controls.contains(turn.index)
                        || predecessors.contains { $0.contains(turn.index) }
                )
            )
        case .final(let cause):
            ended.insert(turn.index)
            broken[turn.index] = cause
            guard scenario.leavesBrowser else { return }
            expected -= 1
            if shared < places {
                shared += 1
                idle.append(turn.browser)
            }
        }
    }
}
