package import OtherPrograms
import Synchronization
package import Transport

/// A clock that moves when a task waits or the test moves it, so that waiting takes no real time.
package final class TestClock: Sendable {
    private struct State {
        var now: Double
        var waits: [Double] = []
    }

    private let state: Mutex<State>

    /// - Parameter now: Seconds since 1970.
    package init(_ now: Double = 1_800_000_000) {
        state = Mutex(State(now: now))
    }

    package var now: Double { state.withLock { $0.now } }

    /// Seconds of every wait so far, in order.
    package var waits: [Double] { state.withLock { $0.waits } }

    package func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }

    package var clock: RunClock {
        RunClock(
            now: { self.now },
            wait: { seconds in
                self.state.withLock { state in
                    state.now += seconds
                    state.waits.append(seconds)
                }
            }
        )
    }

    /// A clock that stands still: a wait ends with the cancellation of its task.
    ///
    /// - Parameter waiting: The event that happens when the first wait begins.
    package static func stopped(_ waiting: Event) -> RunClock {
        RunClock(
            now: { 1_800_000_000 },
            wait: { _ in
                waiting.happen()
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
        )
    }
}
