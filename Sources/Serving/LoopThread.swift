import CLibevent
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread that runs libevent's loop and the jobs of the actor whose executor it is.
///
/// Callbacks and jobs access the state of the actor only on this thread, which lives as long as the process.
final class LoopThread: SerialExecutor {
    // Unchecked, because each is set once and lives as long as the process. libevent locks the base and its events
    // (`evthread_use_pthreads`), so `event_active` may be called from any thread; all else is called on this one.
    nonisolated(unsafe) let base: OpaquePointer
    nonisolated(unsafe) private let wake: OpaquePointer
    private let jobs = Mutex<[UnownedJob]>([])
    private let thread = Mutex<pthread_t?>(nil)

    /// Creates the loop, without starting the thread.
    ///
    /// - Parameter woken: Called on the thread when jobs are waiting; runs ``runJobs()``.
    init(woken: @escaping event_callback_fn) throws(ServingError) {
        guard evthread_use_pthreads() == 0, let base = event_base_new(),
            let wake = event_new(base, -1, Int16(EV_PERSIST), woken, nil)
        else { throw .loop(reason: "libevent cannot create an event loop") }
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
                // The thread retains the executor, and never ends.
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
        // Writing to a disconnected client raises SIGPIPE in this thread, because OpenSSL and libevent write without
        // MSG_NOSIGNAL. Other signals are for the threads that handle them.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        thread.withLock { $0 = pthread_self() }
        // Jobs queued before the start have already activated the event.
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

    /// Runs the waiting jobs; jobs added meanwhile run in the next iteration, after network events.
    func runJobs() {
        let waiting = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Called by the runtime when a libevent callback enters the actor outside a task.
    func checkIsolated() {
        let isHere = thread.withLock { thread in thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(isHere, "the loop's state is accessed from another thread")
    }
}
