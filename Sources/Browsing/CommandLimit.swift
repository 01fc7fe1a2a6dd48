/// How long a command to a browser may take: its own limit, or what is left of the run.
struct CommandLimit: Sendable {
    /// Seconds for a command.
    let own: Double
    /// Seconds that the run may still take; `nil` if it has no limit.
    let secondsLeft: @Sendable () -> Double?

    /// - Parameter least: Seconds for a command even if the limit of a page is shorter: a busy machine needs them.
    init(_ options: BrowserOptions, least: Double = 60) {
        self.init(own: max(least, options.pageTimeout), secondsLeft: options.secondsLeft)
    }

    init(own: Double, secondsLeft: @escaping @Sendable () -> Double?) {
        self.own = own
        self.secondsLeft = secondsLeft
    }

    /// The limit of a command that starts now, in seconds; fails at the end of the run.
    ///
    /// - Parameter other: Another limit than that of a command.
    func seconds(_ other: Double? = nil) throws(BrowserFailure) -> Double {
        let left = secondsLeft() ?? .infinity
        guard left > 0 else { throw BrowserFailure("the run's time limit was reached") }
        return min(other ?? own, left)
    }

    /// The failure of a command that ran into its limit.
    ///
    /// The browser may still carry it out, so nothing is pressed instead.
    static func passed(_ seconds: Double) -> BrowserFailure {
        var failure = BrowserFailure("the browser did not respond within \(Int(seconds.rounded(.up))) s")
        failure.mayHaveHappened = true
        return failure
    }
}
