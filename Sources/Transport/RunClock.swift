#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The time that a run goes by: this machine's, or one that a test moves.
///
/// Pauses between requests, retries, budgets, rates and every "now" of a run are by this clock. Time limits of a single exchange are by
/// the machine's, because the other end goes by that.
package struct RunClock: Sendable {
    /// Seconds since 1970.
    package var now: @Sendable () -> Double
    /// Seconds since some fixed moment; setting the machine's time does not change it.
    package var uptime: @Sendable () -> Double
    /// Lets so many seconds pass; returns early when the task is cancelled.
    package var wait: @Sendable (Double) async -> Void
    /// Whether it shows the machine's time, which may be wrong; a test's clock shows what the test means.
    package var isOfMachine = false

    /// - Parameter uptime: `nil` for a clock that is never set: its `now`.
    package init(
        now: @escaping @Sendable () -> Double,
        uptime: (@Sendable () -> Double)? = nil,
        wait: @escaping @Sendable (Double) async -> Void
    ) {
        self.now = now
        self.uptime = uptime ?? now
        self.wait = wait
    }

    package static let machine = {
        var clock = RunClock(
            now: { WallClock.now },
            uptime: { start.duration(to: .now) / .seconds(1) },
            wait: { try? await Task.sleep(for: .seconds(max(0, $0))) }
        )
        clock.isOfMachine = true
        return clock
    }()

    private static let start = ContinuousClock.now
}

/// The wall clock, read when an exchange starts.
package enum WallClock {
    /// Seconds since 1970.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
