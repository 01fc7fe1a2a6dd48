internal import Preflight
internal import Transport

extension Preflight {
    /// The time that a run goes by.
    public struct Clock: Sendable {
        let runClock: RunClock

        /// This machine's.
        public static let system = Clock(.machine)

        /// A clock that a test moves, and its server goes by as well: then what takes time takes none.
        ///
        /// - Parameters:
        ///   - now: Seconds since 1970.
        ///   - wait: Lets so many seconds pass.
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
