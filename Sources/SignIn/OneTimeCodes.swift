/// The one-time codes of one person, over all browsers of a run: each time step's code is handed out once.
///
/// A verifier takes no code twice (RFC 6238 section 5.2), and one that is sent at the end of its time step may arrive after it.
/// So a browser waits for the next time step where this one's code is spent or nearly over, and several wait one behind the
/// other. No code is made before its time step has begun.
package actor OneTimeCodes {
    /// What somebody who asks for a code is given.
    enum Answer: Sendable {
        case code(Credential)
        /// The wait was cut short: the run was interrupted, or its time is over.
        case none
    }

    /// Seconds that a code must have left when it is handed out, or a quarter of what a short one lasts.
    private static let leastLeft = 2.0
    /// Rounds of waiting where a wait ends behind the time step that it was for; more are a clock that runs wild.
    private static let mostRounds = 5

    /// How many seconds a code lasts.
    package nonisolated let period: Double
    private let clock: @Sendable () -> Double
    private let wait: @Sendable (Double) async -> Void
    private let waiting: @Sendable (Double) -> Void
    private let make: @Sendable (Int) -> Credential
    /// The last time step whose code was given to somebody, or may have been used before.
    private var last: Int
    /// Whether somebody is being given a code, and who comes after that.
    private var isTaken = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - period: How many seconds a code lasts.
    ///   - isFresh: Whether nobody has used a code just before; else the time step of this moment is passed over, for another run
    ///     may have sent its code.
    ///   - clock: Seconds since 1970.
    ///   - wait: Lets so many seconds pass, or fewer when the run ends.
    ///   - waiting: Is told of a wait and how many seconds it takes.
    ///   - make: The code of a time step.
    package init(
        period: Double,
        isFresh: Bool = false,
        clock: @escaping @Sendable () -> Double,
        wait: @escaping @Sendable (Double) async -> Void,
        waiting: @escaping @Sendable (Double) -> Void = { _ in },
        make: @escaping @Sendable (Int) -> Credential
    ) {
        self.period = period
        self.clock = clock
        self.wait = wait
        self.waiting = waiting
        self.make = make
        last = isFresh ? -1 : Self.step(clock(), period)
    }

    /// A code that nobody has been given, of the time step that is on when it is returned; who asks first is first.
    func next() async -> Answer {
        if isTaken { await withCheckedContinuation { queue.append($0) } }
        isTaken = true
        defer { handOver() }
        for _ in 0..<Self.mostRounds {
            let now = clock()
            let current = Self.step(now, period)
            let left = Double(current + 1) * period - now
            let isNearlyOver = left < min(Self.leastLeft, period / 4)
            let step = max(isNearlyOver ? current + 1 : current, last + 1)
            await wait(until: Double(step) * period, from: now)
            let reached = Self.step(clock(), period)
            // A wait that was cut short ends before the time step, and one that took too long behind it.
            if reached < step { return .none }
            if reached > step { continue }
            last = step
            return .code(make(step))
        }
        return .none
    }

    private func wait(until moment: Double, from now: Double) async {
        guard moment > now else { return }
        waiting(moment - now)
        await wait(moment - now)
        // Timers may end a moment before the clock says so.
        let missing = moment - clock()
        if missing > 0, missing < min(0.5, period / 4) { await wait(missing + 0.01) }
    }

    private func handOver() {
        if queue.isEmpty { isTaken = false } else { queue.removeFirst().resume() }
    }

    private static func step(_ seconds: Double, _ period: Double) -> Int { Int((seconds / period).rounded(.down)) }
}
