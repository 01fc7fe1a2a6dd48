import Synchronization

/// Something that happens once, for any number of tasks that wait for it.
package final class Event: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// Resumes all current and future waiters; the second call does nothing.
    package func happen() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.hasHappened = true
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the event has happened; the caller's cancellation does not end the wait.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                if !state.hasHappened { state.waiters.append(continuation) }
                return state.hasHappened
            }
            if isLate { continuation.resume() }
        }
    }
}
