/// Lets exchanges through one at a time, in the order of the requests, with a pause between them.
///
/// The pause is counted from the end of an exchange. Counted from its start, the time of a first connection would make two
/// requests arrive closer together than they were sent.
actor Pacer {
    private let pause: Double
    private let clock: RunClock
    /// By the clock's uptime.
    private var lastEnd: Double?
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter pause: Seconds.
    init(pause: Double, clock: RunClock) {
        self.pause = pause
        self.clock = clock
    }

    /// Returns when the exchange may start; when the task is cancelled, as soon as those before it have ended.
    func take() async {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        // Cancelled, the exchange is not sent, so it need not wait.
        guard let lastEnd, !Task.isCancelled else { return }
        let left = lastEnd + pause - clock.uptime()
        if left > 0 { await clock.wait(left) }
    }

    /// Says that the exchange has ended.
    func leave() {
        lastEnd = clock.uptime()
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
