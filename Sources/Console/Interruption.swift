internal import CShims
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Ctrl-C, SIGTERM and SIGHUP: the first stops the run and writes the reports, a second Ctrl-C or SIGTERM exits immediately.
///
/// A lost terminal sends SIGHUP more than once, so a second one changes nothing. Under nohup it is ignored from the start.
package enum Interruption {
    /// Runs `body` in a task that SIGINT or SIGTERM cancels from the start.
    ///
    /// When embedded, signals are not handled, and `body` is cancelled with the calling task.
    package static func cancellable<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        guard ProcessContext.current.isOfProcess else { return await body() }
        let (listening, isRegistered) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in listening {}
            return await body()
        }
        let listener = Listener {
            Terminal.complain("Stopping and writing the reports. Press Ctrl-C again to exit immediately.")
            task.cancel()
        }
        isRegistered.finish()
        let value = await task.value
        listener.end()
        return value
    }

    /// Runs `body` to its end despite SIGINT or SIGTERM.
    ///
    /// Evaluation and writing are short, and partial reports are useless.
    package static func finishing<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard ProcessContext.current.isOfProcess else { return try body() }
        let listener = Listener { Terminal.complain("Writing the reports. Press Ctrl-C again to exit immediately.") }
        defer { listener.end() }
        return try body()
    }

    private static let receivedOnce = Atomic(false)

    /// Whether SIGINT or SIGTERM was received; when embedded, whether the task was cancelled.
    package static var wasReceived: Bool {
        ProcessContext.current.isOfProcess ? receivedOnce.load(ordering: .relaxed) : Task.isCancelled
    }

    /// Handles SIGINT and SIGTERM: reports the first, and exits on the second.
    private final class Listener {
        private final class ReceivedSignals: Sendable {
            let anything = Atomic(false)
        }

        /// SIGHUP only if the parent did not have it ignored.
        private static let signals = preflight_is_ignored(SIGHUP) == 0 ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]

        private let sources: [any DispatchSourceSignal]

        /// Returns when both handlers are registered, so that no signal is lost.
        init(_ first: @escaping @Sendable () -> Void) {
            let received = ReceivedSignals()
            let registered = DispatchGroup()
            sources = Self.signals
                .map { number in
                    signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                    source.setEventHandler {
                        receivedOnce.store(true, ordering: .relaxed)
                        guard received.anything.exchange(true, ordering: .relaxed) else { return first() }
                        if number != SIGHUP { _exit(130) }
                    }
                    registered.enter()
                    source.setRegistrationHandler { registered.leave() }
                    source.resume()
                    return source
                }
            registered.wait()
        }

        func end() {
            for source in sources { source.cancel() }
            for number in Self.signals { signal(number, SIG_DFL) }
        }
    }
}
