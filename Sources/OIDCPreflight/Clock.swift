internal import Preflight
internal import Transport

extension Preflight {
    /// The clock of a run.
    public struct Clock: Sendable {
        let runClock: RunClock

        /// The system clock.
        public static let system = Clock(.machine)

        /// A clock controlled by a test and shared with its server, so that waiting takes no time.
        ///
        /// - Parameters:
        ///   - now: Seconds since 1970.
        ///   - wait: Waits for a number of seconds.
        public init(now: @escaping @Sendable () -> Double, wait: @escaping @Sendable (_ seconds: Double) async -> Void)
        {
            self.init(RunClock(now: now, wait: wait))
        }

        private init(_ clock: RunClock) {
            runClock = clock
        }

        func now() -> Double { runClock.now() }
    }
}
