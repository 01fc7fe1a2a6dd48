import CLibcurl
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The one thread that owns libcurl's multi handle, and the queue of requests to it.
final class MultiEngine: HTTPSending {
    typealias Continuation = CheckedContinuation<HTTPExchange, Never>

    /// A request that waits for the thread.
    private struct Start {
        let identifier: UInt64
        let request: HTTPRequest
        let configuration: TransportConfiguration
        let continuation: Continuation
    }

    /// The multi handle, for waking the thread.
    ///
    /// Unchecked, because libcurl documents `curl_multi_wakeup` as callable from any thread; it is called under
    /// the lock of the queue only, and the thread takes the handle out under that lock before it frees it.
    private struct WakeHandle: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct RequestQueue {
        var starts: [Start] = []
        var cancelled: Set<UInt64> = []
        var hasNews = false
        var isShutDown = false
        var threadIsRunning = false
        var wakeHandle: WakeHandle?

        mutating func wake() {
            hasNews = true
            if let multi = wakeHandle?.multi { curl_multi_wakeup(multi) }
        }
    }

    private static let libcurlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Which authorities are trusted.
    private let configuration: TransportConfiguration
    private let isShared: Bool
    private let requests = Mutex(RequestQueue())
    private let nextIdentifier = Atomic<UInt64>(1)

    /// - Parameter isShared: Whether several clients send over it.
    init(configuration: TransportConfiguration, isShared: Bool = false) {
        self.configuration = configuration
        self.isShared = isShared
    }

    var leavesProcess: Bool { true }

    func send(_ request: HTTPRequest) async -> HTTPExchange { await send(request, configuration) }

    /// Sends a request within the bounds of one of its clients.
    func send(_ request: HTTPRequest, _ configuration: TransportConfiguration) async -> HTTPExchange {
        let identifier = nextIdentifier.add(1, ordering: .relaxed).newValue
        let exchange = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(identifier, request, configuration, continuation)
            }
        } onCancel: {
            cancel(identifier)
        }
        forget(identifier)
        return exchange
    }

    /// Hands a request to the thread, starting the thread with the first one.
    private func start(
        _ identifier: UInt64,
        _ request: HTTPRequest,
        _ configuration: TransportConfiguration,
        _ continuation: Continuation
    ) {
        let isAccepted = requests.withLock { requests in
            guard !requests.isShutDown, Self.libcurlIsReady else { return false }
            if !requests.threadIsRunning { requests.threadIsRunning = launchThread() }
            guard requests.threadIsRunning else { return false }
            requests.starts.append(
                Start(
                    identifier: identifier,
                    request: request,
                    configuration: configuration,
                    continuation: continuation
                )
            )
            requests.wake()
            return true
        }
        if !isAccepted { continuation.resume(returning: HTTPExchange.unsent(request, cause: .cancelled)) }
    }

    /// Requests the end of a transfer, whether it has started or not.
    private func cancel(_ identifier: UInt64) {
        requests.withLock { requests in
            requests.cancelled.insert(identifier)
            requests.wake()
        }
    }

    /// Drops what is remembered of a transfer that has ended.
    private func forget(_ identifier: UInt64) {
        requests.withLock { requests in _ = requests.cancelled.remove(identifier) }
    }

    /// Ends the thread; it answers every open transfer as cancelled first.
    func shutDown() {
        requests.withLock { requests in
            requests.isShutDown = true
            requests.wake()
        }
    }

    private func launchThread() -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let engine = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread,
            &attributes,
            { argument in
                // The thread keeps the engine until it ends, and `shutDown` ends it.
                guard let argument else { return nil }
                Unmanaged<MultiEngine>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            engine.toOpaque()
        )
        if result != 0 { engine.release() }
        return result == 0
    }

    /// The thread's life: take the mail, let libcurl work, hand out what is done, sleep until something happens.
    private func run() {
        // With NOSIGNAL libcurl leaves SIGPIPE alone, and a peer that closes would end the process; the other signals
        // are for the threads that wait for them.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let made = curl_multi_init()
        // Without a descriptor for the call that wakes the thread, requests would wait until the next one ends.
        guard let multi = made, curl_multi_wakeup(multi) == CURLM_OK else {
            if let made { curl_multi_cleanup(made) }
            let text = "libcurl has no memory, or no file descriptors"
            answerWaiting(with: .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), text: text))
            return
        }
        let handle = WakeHandle(multi: multi)
        requests.withLock { requests in requests.wakeHandle = handle }
        var transfers = TransferSet(multi: multi, configuration: configuration, isShared: isShared)
        while startRequested(into: &transfers) {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            transfers.finishDone()
            let hasNews = requests.withLock { requests in requests.hasNews }
            if !hasNews { curl_multi_poll(multi, nil, 0, 60_000, nil) }
        }
        transfers.cancelAll()
        requests.withLock { requests in requests.wakeHandle = nil }
        curl_multi_cleanup(multi)
        answerWaiting(with: .cancelled)
    }

    /// Starts and cancels the requested transfers; false when the engine should end.
    private func startRequested(into transfers: inout TransferSet) -> Bool {
        let (starts, cancelled, continues) = requests.withLock { requests in
            defer {
                requests.starts = []
                requests.hasNews = false
            }
            return (requests.starts, requests.cancelled, !requests.isShutDown)
        }
        for start in starts {
            if cancelled.contains(start.identifier) || !continues {
                start.continuation.resume(returning: HTTPExchange.unsent(start.request, cause: .cancelled))
            } else {
                transfers.add(start.identifier, start.request, start.configuration, start.continuation)
            }
        }
        for identifier in cancelled { transfers.cancel(identifier) }
        return continues
    }

    private func answerWaiting(with cause: TransportFailure.Cause) {
        let starts = requests.withLock { requests in
            requests.isShutDown = true
            defer { requests.starts = [] }
            return requests.starts
        }
        for start in starts { start.continuation.resume(returning: HTTPExchange.unsent(start.request, cause: cause)) }
    }
}

/// The transfers that run now; lives on the engine's thread only.
private struct TransferSet {
    private let multi: UnsafeMutableRawPointer
    private let trust: TrustSource
    private let isShared: Bool
    private let privateHosts = PrivateHosts()
    private var running: [UInt64: Transfer] = [:]
    private var identifiers: [UnsafeMutableRawPointer: UInt64] = [:]

    init(multi: UnsafeMutableRawPointer, configuration: TransportConfiguration, isShared: Bool) {
        self.multi = multi
        self.isShared = isShared
        trust = TrustSource(
            system: configuration.systemAuthorities,
            certificateAuthorityFile: configuration.certificateAuthorityFile
        )
    }

    mutating func add(
        _ identifier: UInt64,
        _ request: HTTPRequest,
        _ configuration: TransportConfiguration,
        _ continuation: MultiEngine.Continuation
    ) {
        do {
            let transfer = try Transfer(identifier, request, configuration, trust, continuation)
            if isShared { transfer.share(privateHosts) }
            let result = curl_multi_add_handle(multi, transfer.easy)
            guard result == CURLM_OK else {
                let text = String(cString: curl_multi_strerror(result))
                transfer.finish(cause: .other(code: Int(result.rawValue), text: text))
                return
            }
            running[identifier] = transfer
            identifiers[transfer.easy] = identifier
        } catch {
            continuation.resume(returning: HTTPExchange.unsent(request, cause: error.cause))
        }
    }

    /// Hands out every transfer that libcurl reports as done.
    mutating func finishDone() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let result = message.pointee.data.result
            guard let transfer = identifiers[easy].flatMap({ running[$0] }) else { continue }
            if transfer.prepareAgain(after: result) {
                curl_multi_remove_handle(multi, easy)
                if curl_multi_add_handle(multi, easy) == CURLM_OK { continue }
            }
            running[transfer.identifier] = nil
            identifiers[easy] = nil
            transfer.finish(result: result)
            curl_multi_remove_handle(multi, easy)
        }
    }

    mutating func cancel(_ identifier: UInt64) {
        guard let transfer = running.removeValue(forKey: identifier) else { return }
        identifiers[transfer.easy] = nil
        transfer.finish(cause: .cancelled)
        curl_multi_remove_handle(multi, transfer.easy)
    }

    mutating func cancelAll() {
        for identifier in running.keys.sorted() { cancel(identifier) }
    }
}
