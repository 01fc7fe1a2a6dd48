internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Ctrl-C and the end of the job: the first asks the run to stop and write its reports, the second ends at once.
enum Interruption {
    /// Runs `body` in a task that is cancelled by SIGINT or SIGTERM.
    static func cancellable<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        let sources = [SIGINT, SIGTERM]
            .map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    if task.isCancelled { _exit(130) }
                    Terminal.complain("Stopping: writing what was collected. Once more ends at once.")
                    task.cancel()
                }
                source.resume()
                return source
            }
        let value = await task.value
        for source in sources { source.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        return value
    }
}
