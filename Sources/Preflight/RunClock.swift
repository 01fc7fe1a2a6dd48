internal import Flows

/// The time that a run goes by: this machine's, or one that is moved without waiting.
package struct RunClock: Sendable {
    /// Seconds since 1970.
    package var now: @Sendable () -> Double
    /// Lets so many seconds pass; ends early when the run is interrupted.
    package var wait: @Sendable (Double) async -> Void

    package init(now: @escaping @Sendable () -> Double, wait: @escaping @Sendable (Double) async -> Void) {
        self.now = now
        self.wait = wait
    }

    package static let machine = RunClock(now: CollectorOptions.systemClock, wait: CollectorOptions.systemSleep)
}
