/// Lets exchanges through one at a time, in the order in which they were asked for, with a pause between them.
///
/// The pause is counted from the end of an exchange: counted from its start, the time that a first connection takes would
/// bring two requests closer together at the server than they were sent.
actor Pacer {
    private let pause: Duration
    private let clock = ContinuousClock()
    private var lastEnd: ContinuousClock.Instant?
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter pause: Seconds.
    init(pause: Double) {
        self.pause = .seconds(pause)
    }

    /// Returns when the exchange may start; when the task is cancelled, as soon as those before it have ended.
    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        // Cancelled, the exchange is not sent, so it need not wait.
        if let lastEnd { try? await clock.sleep(until: lastEnd + pause) }
    }

    /// Says that the exchange has ended.
    func leave() {
        lastEnd = clock.now
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
