import Conformance
import SignIn

/// The scenarios that still have to run, their order, and their dependencies.
///
/// A baseline scenario runs before those that depend on it. A scenario that failed in parallel is repeated serially before it
/// counts, and its dependents wait for that.
struct Schedule {
    /// The attempts of a scenario.
    enum Attempt: Equatable {
        /// For the first time, in parallel with others if there are any.
        case first
        /// Once more, with no other in parallel.
        case alone
        /// Serially, after a delay, and with a pause before each step from the one before that which got a server error.
        case withPauses(from: StepID?)

        var hasPauses: Bool { if case .withPauses = self { true } else { false } }
    }

    /// A scenario that begins now.
    struct ScheduledScenario {
        var index: Int
        var attempt: Attempt
        var browser: SignInSession
        /// The delay of a repetition after the failure, seconds.
        var delay = 0.0
    }

    /// The outcome of a scenario that has ended.
    enum End {
        /// It counts; for a baseline scenario that did not end as it should, with the cause.
        case final(Cause?)
        /// It is repeated; `isUrgent` when others wait for it.
        case again(Attempt, delay: Double, isUrgent: Bool)

        var isFinal: Bool { if case .final = self { true } else { false } }
    }

    private struct Repetition {
        var index: Int
        var attempt: Attempt
        var delay: Double
        var isUrgent: Bool
    }

    let plan: Plan
    /// For each scenario its requests.
    private let requests: [[PlannedRequest]]
    /// How many scenarios run in parallel.
    private(set) var mostAtOnce: Int
    /// How many scenarios with a sign-in run in parallel.
    ///
    /// A provider that fails loses all sign-ins in progress, and each is repeated: no more than the plan may spend.
    private let mostSignInsAtOnce: Int
    /// For each scenario the browser that it shares, by number; `nil` for one that has its own.
    ///
    /// Only the plan decides it, so that two runs do the same in the same browser.
    private let places: [Int?]
    /// For each flow the number of the browser that it leaves; `nil` if no other scenario needs it.
    private let left: [Int: Int]
    private var waiting: [Int]
    private var repetitions: [Repetition] = []
    private var running: Set<Int> = []
    /// Whether a repetition is running, which nothing runs in parallel with.
    private var isAlone = false
    /// The scenarios that ran in parallel with others.
    private var concurrent: Set<Int> = []
    /// Unused browsers in which a user has signed in, by their numbers.
    private var idle: [Int: SignInSession] = [:]
    /// The browsers that no flow leaves behind and that are not begun yet.
    private var unopened: Set<Int>
    /// The browser that was used last, of those that are shared.
    private var last: Int?
    /// For each scenario the place of its baseline scenario, if the plan has one.
    private let baselines: [Int?]
    /// For each scenario the places of those that run before it, whatever their result.
    private let predecessors: [[Int]]
    /// The scenarios that have ended for good.
    private var ended: Set<Int> = []
    /// Why a baseline scenario did not end as it should.
    private(set) var broken: [Int: Cause] = [:]

    init(_ plan: Plan, _ signIns: PlannedSignIns, mostAtOnce: Int) {
        self.plan = plan
        let requests = plan.scenarios.map(plan.requests)
        self.requests = requests
        self.mostAtOnce = mostAtOnce
        baselines = plan.scenarios.map { scenario in
            BaselineScenario.of(scenario.id, in: plan.target, tier: plan.tier)
                .flatMap { baseline in plan.scenarios.firstIndex { $0.id == baseline } }
        }
        var predecessors = plan.scenarios.map { scenario in
            BaselineScenario.predecessors(of: scenario, in: plan.target, tier: plan.tier)
                .compactMap { earlier in plan.scenarios.firstIndex { $0.id == earlier } }
        }
        // A user signs in once at a time.
        mostSignInsAtOnce = plan.isByHand ? 1 : max(1, signIns.allowed - signIns.planned)
        // The chain begins when none of it has to wait, since a code does not live long.
        let chain = plan.codeChain
        if let first = chain.first, let last = chain.last, first != last {
            predecessors[first] = chain.flatMap { predecessors[$0] }
            predecessors[last] += chain.dropLast()
        }
        self.predecessors = predecessors
        let earlier = zip(predecessors, baselines).map { $0 + [$1].compactMap(\.self) }
        let order = Self.order(plan.scenarios, requests, after: earlier, chain: chain)
        waiting = order
        let most = plan.sharedBrowsers
        let flows = order.filter { plan.scenarios[$0].leavesBrowser }.prefix(most)
        left = Dictionary(uniqueKeysWithValues: flows.enumerated().map { ($1, $0) })
        unopened = Set(flows.count..<most)
        places = Self.places(plan, requests, order, most)
    }

    /// The order in which scenarios begin if none has to wait.
    ///
    /// Those with a sign-in of their own begin first, because they leave their browsers behind; those that share a browser come
    /// behind them, then those that wait for the age of a sign-in, and those with a long pause last. Of each kind the longest
    /// begins first. Nothing comes before what it waits for.
    private static func order(
        _ scenarios: [Scenario],
        _ requests: [[PlannedRequest]],
        after earlier: [[Int]],
        chain: [Int]
    ) -> [Int] {
        let ranks = zip(scenarios, requests).map(rank)
        let lengths = lengths(requests, chain)
        let wanted = scenarios.indices.sorted { (ranks[$0], -lengths[$0], $0) < (ranks[$1], -lengths[$1], $1) }
        var order: [Int] = []
        var seen: Set<Int> = []
        func add(_ index: Int) {
            // Nothing comes between the scenarios that redeem one code in turn.
            let added = chain.contains(index) ? chain : [index]
            guard seen.isDisjoint(with: added) else { return }
            seen.formUnion(added)
            added.flatMap { earlier[$0] }.forEach(add)
            order += added
        }
        wanted.forEach(add)
        return order
    }

    /// The assignment of browsers: the longest scenario first, each gets the browser with the least work so far.
    private static func places(_ plan: Plan, _ requests: [[PlannedRequest]], _ order: [Int], _ most: Int) -> [Int?] {
        var places: [Int?] = Array(repeating: nil, count: plan.scenarios.count)
        guard most > 0, plan.tier == .full, !plan.isByHand else { return places }
        var work = Array(repeating: 0.0, count: most)
        let chain = plan.codeChain
        let lengths = lengths(requests, chain)
        let sharing = order.filter { plan.scenarios[$0].sharesBrowser }
        let longestFirst = sharing.indices.sorted { (-lengths[sharing[$0]], $0) < (-lengths[sharing[$1]], $1) }
        // In a browser in which the user signs in again, the sign-in is not old enough at the end.
        var renewed: Set<Int> = []
        for index in longestFirst.map({ sharing[$0] }) {
            let waitsForAge = requests[index].contains(where: \.mayHavePassed)
            let old = work.indices.filter { !renewed.contains($0) }
            let candidates = waitsForAge && !old.isEmpty ? old : Array(work.indices)
            let ofChain = chain.contains(index) ? chain.lazy.compactMap { places[$0] }.first : nil
            let place = ofChain ?? candidates.min { (work[$0], $0) < (work[$1], $1) } ?? 0
            places[index] = place
            if waitsForAge, requests[index].signsIn { renewed.insert(place) }
            work[place] += length(requests[index])
        }
        return places
    }

    /// The length of each scenario; those of the chain count as one.
    private static func lengths(_ requests: [[PlannedRequest]], _ chain: [Int]) -> [Double] {
        let wholeChain = chain.map { length(requests[$0]) }.reduce(0, +)
        return requests.indices.map { chain.contains($0) ? wholeChain : length(requests[$0]) }
    }

    /// How long a scenario takes, in requests of about 130 ms.
    private static func length(_ requests: [PlannedRequest]) -> Double {
        let signIn = requests.firstIndex { $0.cost.signIns > 0 } ?? requests.endIndex
        return requests.enumerated()
            .map { place, request in
                let hasPassed = request.mayHavePassed && place < signIn
                return request.isLong || hasPassed ? 0 : 7.5 * request.seconds + Double(request.cost.requests)
            }
            .reduce(0, +)
    }

    private static func rank(_ scenario: Scenario, _ requests: [PlannedRequest]) -> Int {
        if requests.contains(where: \.isLong) { return 5 }
        // A user who signs in makes the sign-in young.
        if requests.contains(where: \.mayHavePassed) { return requests.signsIn ? 4 : 3 }
        return scenario.leavesBrowser ? 0 : requests.signsIn && !scenario.sharesBrowser ? 1 : 2
    }

    /// Whether a user's credentials are sent in a scenario.
    func signsIn(_ index: Int) -> Bool { requests[index].signsIn }

    var unfinished: Int { waiting.count + repetitions.count + running.count }
    var isAllBegun: Bool { waiting.isEmpty && repetitions.isEmpty }

    /// Whether another scenario ran in parallel.
    func ranConcurrently(_ index: Int) -> Bool { concurrent.contains(index) }

    /// From now on one scenario at a time: the provider appears overloaded.
    mutating func slowDown() { mostAtOnce = 1 }

    /// Why a scenario does not run: its baseline scenario failed before the sign-in, or the client that needs tokens gets none.
    func cause(against index: Int) -> Cause? {
        guard let cause = baselines[index].flatMap({ broken[$0] }),
            cause.signInStep <= .signIn
                || cause.signInStep == .clientAuthentication && plan.scenarios[index].isAboutTokens
        else { return nil }
        return BaselineScenario.explains(plan.scenarios[index].id, cause) ? nil : cause
    }

    /// Why a scenario that shows the reason of a rejection does not run; `nil` if there was one, and for every other.
    func reasonToSkip(_ index: Int) -> String? {
        guard BaselineScenario.isOfARefusal(plan.scenarios[index].id),
            baselines[index].flatMap({ broken[$0] })?.signInStep != .authorizationRequest
        else { return nil }
        return "the ordinary request was not rejected"
    }

    /// The next scenario that can begin, with the browser for it.
    mutating func next(_ make: () -> SignInSession) -> ScheduledScenario? {
        guard !isAlone else { return nil }
        let isDue = repetitions.contains(where: \.isUrgent) || waiting.isEmpty
        if isDue, let place = repetitions.lastIndex(where: \.isUrgent) ?? repetitions.indices.first {
            guard running.isEmpty else { return nil }
            let repetition = repetitions.remove(at: place)
            let browser = browser(for: repetition.index, make) ?? make()
            begin(repetition.index)
            isAlone = true
            return ScheduledScenario(
                index: repetition.index,
                attempt: repetition.attempt,
                browser: browser,
                delay: repetition.delay
            )
        }
        guard running.count < mostAtOnce else { return nil }
        for index in candidates where !mustWait(index) {
            guard let browser = browser(for: index, make) else { continue }
            waiting.removeAll { $0 == index }
            begin(index)
            return ScheduledScenario(index: index, attempt: .first, browser: browser)
        }
        return nil
    }

    /// The waiting scenarios, in the order of preference.
    ///
    /// If scenarios run one at a time, the next continues in the browser of the last one: a provider that keeps one session per
    /// user has that one, and each change of browsers would be a sign-in.
    private var candidates: [Int] {
        guard mostAtOnce == 1, let last else { return waiting }
        return waiting.filter { places[$0] == last } + waiting.filter { places[$0] != last }
    }

    private mutating func begin(_ index: Int) {
        if let place = places[index] ?? left[index] { last = place }
        concurrent.remove(index)
        if !running.isEmpty {
            concurrent.formUnion(running)
            concurrent.insert(index)
        }
        running.insert(index)
    }

    /// Whether a scenario has to wait for others.
    ///
    /// One that signs in waits while as many do as can be repeated. One with a pause of half a minute runs when all others have
    /// ended, so that they do not wait for its pause.
    private func mustWait(_ index: Int) -> Bool {
        let earlier = predecessors[index] + [baselines[index]].compactMap(\.self)
        if earlier.contains(where: { !ended.contains($0) }) { return true }
        if signsIn(index), running.count(where: signsIn) >= mostSignInsAtOnce { return true }
        // Scenarios with a shared browser keep their order.
        if let place = places[index], waiting.first(where: { places[$0] == place }) != index { return true }
        let isLong = { (index: Int) in requests[index].contains(where: \.isLong) }
        return isLong(index) && (!running.isEmpty || !waiting.allSatisfy(isLong))
    }

    /// The browser for a scenario; `nil` while another uses it, or while the flow that leaves it is running.
    private mutating func browser(for index: Int, _ make: () -> SignInSession) -> SignInSession? {
        guard let place = places[index] else { return make() }
        if unopened.remove(place) != nil { return make() }
        return idle.removeValue(forKey: place)
    }

    /// Repeats scenarios that had ended.
    mutating func postpone(again indices: [Int]) {
        waiting = indices + waiting
        ended.subtract(indices)
    }

    mutating func end(_ turn: ScheduledScenario, _ end: End) {
        running.remove(turn.index)
        isAlone = false
        if let place = places[turn.index] { idle[place] = turn.browser }
        switch end {
        case .again(let attempt, let delay, let isUrgent):
            repetitions.append(
                Repetition(
                    index: turn.index,
                    attempt: attempt,
                    delay: delay,
                    // A scenario that waits for it would wait forever: nothing else is due while it waits.
                    isUrgent: isUrgent || baselines.contains(turn.index) || left[turn.index] != nil
                        || predecessors.contains { $0.contains(turn.index) }
                )
            )
        case .final(let cause):
            ended.insert(turn.index)
            broken[turn.index] = cause
            if let place = left[turn.index] { idle[place] = turn.browser }
        }
    }
}

extension [PlannedRequest] {
    fileprivate var signsIn: Bool { contains { $0.cost.signIns > 0 } }
}
