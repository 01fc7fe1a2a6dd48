/// Limits the rate at which the passwords of one user are sent.
package struct SignInPace: Sendable {
    /// How many are sent without a pause.
    private let burst: Int
    /// Seconds between two of the others, which begin a minute after the first.
    private let interval: Double
    private let past: EarlierSignIns
    /// Seconds from any moment on.
    private let now: @Sendable () -> Double
    private let wait: @Sendable (Double) async -> Void

    /// - Parameters:
    ///   - past: The sign-ins before this run that count.
    ///   - wait: Lets so many seconds pass, or fewer when the run ends.
    package init(
        burst: Int,
        interval: Double,
        after past: EarlierSignIns = EarlierSignIns(),
        now: @escaping @Sendable () -> Double,
        wait: @escaping @Sendable (Double) async -> Void
    ) {
        self.burst = burst
        self.interval = interval
        self.past = past
        self.now = now
        self.wait = wait
    }

    /// Waits until the next password may be sent.
    func next() async {
        let sent = past.sent
        if sent.count >= burst, let first = sent.first, let last = sent.last {
            let pause = max(first + 60, last + interval) - now()
            if pause > 0 { await wait(pause) }
        }
        past.note(sent: now())
    }
}
