internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Ctrl-C and the end of the job: the first asks the run to stop and write its reports, the second ends at once.
package enum Interruption {
    /// Runs `body` in a task that is cancelled by SIGINT or SIGTERM; from its first line on they are heard.
    ///
    /// In other surroundings than the process's own, signals are left alone and `body` is cancelled with the calling task.
    package static func cancellable<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        guard Surroundings.current.isOfProcess else { return await body() }
        let (listens, heard) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in listens {}
            return await body()
        }
        let listener = Listener {
            Terminal.complain("Stopping: writing what was collected. Once more ends at once.")
            task.cancel()
        }
        heard.finish()
        let value = await task.value
        listener.end()
        return value
    }

    /// Runs `body` to its end though SIGINT or SIGTERM come.
    ///
    /// To judge and to write takes a moment; a part of the reports would be worth nothing.
    package static func finishing<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard Surroundings.current.isOfProcess else { return try body() }
        let listener = Listener { Terminal.complain("Writing the reports. Once more ends at once.") }
        defer { listener.end() }
        return try body()
    }

    private static let heardOnce = Atomic(false)

    /// Whether SIGINT or SIGTERM have come, or the calling task was cancelled where signals are not listened to.
    package static var wasHeard: Bool {
        Surroundings.current.isOfProcess ? heardOnce.load(ordering: .relaxed) : Task.isCancelled
    }

    /// Hears SIGINT and SIGTERM: the first is told, the second ends the process.
    private final class Listener {
        private final class Heard: Sendable {
            let anything = Atomic(false)
        }

        private let sources: [any DispatchSourceSignal]

        /// Returns when both signals are listened to: one that came before that would be lost.
        init(_ first: @escaping @Sendable () -> Void) {
            let heard = Heard()
            let registered = DispatchGroup()
            sources = [SIGINT, SIGTERM]
                .map { number in
                    signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                    source.setEventHandler {
                        heardOnce.store(true, ordering: .relaxed)
                        if heard.anything.exchange(true, ordering: .relaxed) { _exit(130) }
                        first()
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
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
        }
    }
}
