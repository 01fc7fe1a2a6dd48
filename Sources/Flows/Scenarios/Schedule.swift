import Conformance
import SignIn

/// Which conversations are still to be held, in which order, and what each of them waits for.
///
/// A control is held before what stands on it. What failed beside others is held once more alone before it counts, and what
/// waits for it waits for that.
struct Schedule {
    /// How often, and in what company, a conversation is held.
    enum Attempt: Equatable {
        /// For the first time, beside others where there are any.
        case first
        /// Once more, with nobody beside it.
        case alone
        /// Alone, after a while, and with a pause before each of its steps from the one before that which met a server error.
        case withPauses(from: StepID?)

        var hasPauses: Bool { if case .withPauses = self { true } else { false } }
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

        var isFinal: Bool { if case .final = self { true } else { false } }
    }

    private struct Repetition {
        var index: Int
        var attempt: Attempt
        var delay: Double
        var isUrgent: Bool
    }

    let plan: Plan
    /// For each conversation its requests.
    private let requests: [[PlannedRequest]]
    /// How many conversations are held at the same time.
    private(set) var mostAtOnce: Int
    /// How many conversations in which a person signs in are held at the same time.
    ///
    /// A provider that goes away loses all that are under way, and each is made again: no more than the plan may spend.
    private let mostSignInsAtOnce: Int
    /// For each conversation the browser that it shares, by number; `nil` for one that has its own.
    ///
    /// The plan alone says which, so that two runs do the same in the same browser.
    private let places: [Int?]
    /// For each flow the number of the browser that it leaves behind; `nil` for one whose browser nobody needs.
    private let left: [Int: Int]
    private var waiting: [Int]
    private var repetitions: [Repetition] = []
    private var running: Set<Int> = []
    /// Whether what runs is a repetition, which nothing is held beside.
    private var isAlone = false
    /// The conversations beside which others were held.
    private var company: Set<Int> = []
    /// Browsers in which a person has signed in and which nobody uses now, by their numbers.
    private var idle: [Int: SignInSession] = [:]
    /// The browsers that no flow leaves behind and that are not begun yet.
    private var unopened: Set<Int>
    /// The browser that was used last, of those that are shared.
    private var last: Int?
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
        let requests = plan.scenarios.map(plan.requests)
        self.requests = requests
        self.mostAtOnce = mostAtOnce
        controls = plan.scenarios.map { scenario in
            Control.of(scenario.id, in: plan.target, tier: plan.tier)
                .flatMap { control in plan.scenarios.firstIndex { $0.id == control } }
        }
        var predecessors = plan.scenarios.map { scenario in
            Control.predecessors(of: scenario, in: plan.target, tier: plan.tier)
                .compactMap { earlier in plan.scenarios.firstIndex { $0.id == earlier } }
        }
        // A person signs in once at a time.
        mostSignInsAtOnce = plan.isByHand ? 1 : max(1, plan.signInAllowance - plan.signIns)
        // The chain begins when none of it has to wait, since a code does not live long.
        let chain = plan.codeChain
        if let first = chain.first, let last = chain.last, first != last {
            predecessors[first] = chain.flatMap { predecessors[$0] }
            predecessors[last] += chain.dropLast()
        }
        self.predecessors = predecessors
        let earlier = zip(predecessors, controls).map { $0 + [$1].compactMap(\.self) }
        let order = Self.order(plan.scenarios, requests, after: earlier, chain: chain)
        waiting = order
        let most = plan.sharedBrowsers
        let flows = order.filter { plan.scenarios[$0].leavesBrowser }.prefix(most)
        left = Dictionary(uniqueKeysWithValues: flows.enumerated().map { ($1, $0) })
        unopened = Set(flows.count..<most)
        places = Self.places(plan, requests, order, most)
    }

    /// The order in which conversations begin where none has to wait.
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
            // Nothing comes between the conversations that redeem one code in turn.
            let added = chain.contains(index) ? chain : [index]
            guard seen.isDisjoint(with: added) else { return }
            seen.formUnion(added)
            added.flatMap { earlier[$0] }.forEach(add)
            order += added
        }
        wanted.forEach(add)
        return order
    }

    /// Who shares which browser: the longest conversation first, each gets the one with the least to do until then.
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

    /// The length of each conversation; those of the chain count as one.
    private static func lengths(_ requests: [[PlannedRequest]], _ chain: [Int]) -> [Double] {
        let wholeChain = chain.map { length(requests[$0]) }.reduce(0, +)
        return requests.indices.map { chain.contains($0) ? wholeChain : length(requests[$0]) }
    }

    /// How long a conversation takes, in requests of about 130 ms.
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

    /// Whether a user's credentials are sent in a conversation.
    func signsIn(_ index: Int) -> Bool { requests[index].signsIn }

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
            let browser = browser(for: repetition.index, make) ?? make()
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
        for index in candidates where !mustWait(index) {
            guard let browser = browser(for: index, make) else { continue }
            waiting.removeAll { $0 == index }
            begin(index)
            return Turn(index: index, attempt: .first, browser: browser)
        }
        return nil
    }

    /// Who waits, in the order of being asked.
    ///
    /// Where one conversation is held at a time, it goes on in the browser of the last one: a provider that knows one session of a
    /// person has that one, and each change of browsers would be a sign-in.
    private var candidates: [Int] {
        guard mostAtOnce == 1, let last else { return waiting }
        return waiting.filter { places[$0] == last } + waiting.filter { places[$0] != last }
    }

    private mutating func begin(_ index: Int) {
        if let place = places[index] ?? left[index] { last = place }
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
        if signsIn(index), running.count(where: signsIn) >= mostSignInsAtOnce { return true }
        // Who shares a browser finds it as the one before has left it.
        if let place = places[index], waiting.first(where: { places[$0] == place }) != index { return true }
        let isLong = { (index: Int) in requests[index].contains(where: \.isLong) }
        return isLong(index) && (!running.isEmpty || !waiting.allSatisfy(isLong))
    }

    /// The browser for a conversation; `nil` while another uses it, or while the flow is under way that leaves it behind.
    private mutating func browser(for index: Int, _ make: () -> SignInSession) -> SignInSession? {
        guard let place = places[index] else { return make() }
        if unopened.remove(place) != nil { return make() }
        return idle.removeValue(forKey: place)
    }

    /// Holds conversations again that had ended.
    mutating func hold(again indices: [Int]) {
        waiting = indices + waiting
        ended.subtract(indices)
    }

    mutating func end(_ turn: Turn, _ end: End) {
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
                    // Whoever waits for it would wait for ever: nothing else is due while it waits.
                    isUrgent: isUrgent || controls.contains(turn.index) || left[turn.index] != nil
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
