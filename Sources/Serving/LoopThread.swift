import CLibevent
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread that runs libevent's loop for as long as the process lives, and between its events the jobs of the actor that
/// has this as its executor: what the actor holds is touched on this thread alone, by callbacks and by jobs.
final class LoopThread: SerialExecutor {
    // Unchecked, because each is set once and lives as long as the process. libevent locks the base and with it the event
    // (`evthread_use_pthreads`), so that `event_active` may be called from any thread; all else is called on this one.
    nonisolated(unsafe) let base: OpaquePointer
    nonisolated(unsafe) private let wake: OpaquePointer
    private let jobs = Mutex<[UnownedJob]>([])
    private let thread = Mutex<pthread_t?>(nil)

    /// Makes the loop; the thread is not running yet.
    ///
    /// - Parameter woken: Called on the thread when jobs wait; runs ``runJobs()``.
    init(woken: @escaping event_callback_fn) throws(ServingError) {
        guard evthread_use_pthreads() == 0, let base = event_base_new(),
            let wake = event_new(base, -1, Int16(EV_PERSIST), woken, nil)
        else { throw .loop(reason: "libevent makes no loop") }
        self.base = base
        self.wake = wake
    }

    /// Starts the thread.
    func start() throws(ServingError) {
        var identifier = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let executor = Unmanaged.passRetained(self)
        let result = pthread_create(
            &identifier,
            &attributes,
            { argument in
                // The thread holds the executor, and never ends.
                guard let argument else { return nil }
                Unmanaged<LoopThread>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            executor.toOpaque()
        )
        guard result == 0 else {
            executor.release()
            throw .loop(reason: String(cString: strerror(result)))
        }
    }

    private func run() {
        // A client that is gone makes writing raise SIGPIPE in the thread that writes, which is this one: OpenSSL and
        // libevent write without MSG_NOSIGNAL. The other signals are for the threads that wait for them.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        thread.withLock { $0 = pthread_self() }
        // Jobs that came before the thread have activated the event already.
        event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { event_active(wake, Int32(EV_READ), 0) }
    }

    /// Runs what waits; jobs that come meanwhile are for the next turn, after the network's events.
    func runJobs() {
        let waiting = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Asked by the runtime when a callback of libevent enters the actor, where no task is running.
    func checkIsolated() {
        let isHere = thread.withLock { thread in thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(isHere, "the loop's state is touched from another thread")
    }
}
