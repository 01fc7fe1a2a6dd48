/// The one-time codes of one user, over all browsers of a run: each time step's code is used once.
///
/// A verifier accepts no code twice (RFC 6238 section 5.2), and a code sent at the end of its time step may arrive too late. So
/// a browser waits for the next time step if this one's code is used or nearly expired, and several browsers queue. No code is
/// computed before its time step has begun.
package actor OneTimeCodes {
    /// The outcome of a request for a code.
    enum Answer: Sendable {
        case code(Credential)
        /// The wait was cut short: the run was interrupted, or its time is over.
        case none
    }

    /// Seconds that a code must have left when it is handed out, or a quarter of what a short one lasts.
    private static let leastLeft = 2.0
    /// Rounds of waiting if a wait ends after its time step; more mean a broken clock.
    private static let mostRounds = 5

    /// How many seconds a code lasts.
    nonisolated let period: Double
    private let clock: @Sendable () -> Double
    private let wait: @Sendable (Double) async -> Void
    private let waiting: @Sendable (Double) -> Void
    private let make: @Sendable (Int) -> Credential
    /// The last time step whose code was handed out, or may have been used before.
    private var last: Int
    /// Whether a code is being handed out, and the queue behind it.
    private var isBusy = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - period: How many seconds a code lasts.
    ///   - isFresh: Whether no code was used just before; otherwise the current time step is skipped, for another run may have
    ///     sent its code.
    ///   - clock: Seconds since 1970.
    ///   - wait: Lets so many seconds pass, or fewer when the run ends.
    ///   - waiting: Called with the seconds of each wait.
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

    /// An unused code of the time step that is current when it is returned; requests are served in order.
    func next() async -> Answer {
        if isBusy { await withCheckedContinuation { queue.append($0) } }
        isBusy = true
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
        if queue.isEmpty { isBusy = false } else { queue.removeFirst().resume() }
    }

    private static func step(_ seconds: Double, _ period: Double) -> Int { Int((seconds / period).rounded(.down)) }
}
