import Synchronization

/// Hands requests to an application in this process, and its answers back as if they had come over a connection.
///
/// The limits of time and size are those of libcurl, and an answer that could not be sent over HTTP is a failure here as well. There is
/// no name service, no address and no TLS: an exchange has no ``HTTPExchange/peer`` and no ``HTTPExchange/tls``.
package final class InMemorySender: HTTPSending {
    /// The application; an error that it throws is a connection that was lost.
    package typealias Application = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private let configuration: TransportConfiguration
    private let origins: Set<String>
    private let application: Application
    private let underWay = Mutex(UnderWay())

    private struct UnderWay {
        var answers: [ObjectIdentifier: FirstAnswer] = [:]
        var isShutDown = false
    }

    init(configuration: TransportConfiguration, origins: Set<String>, application: @escaping Application) {
        self.configuration = configuration
        self.origins = origins
        self.application = application
    }

    package var leavesProcess: Bool { false }

    package func shutDown() {
        let open = underWay.withLock { state in
            state.isShutDown = true
            return state.answers.values
        }
        for answer in open { answer.give(.failure(.cancelled)) }
    }

    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        let url: WebURL
        do { url = try request.usableURL() } catch { return .unsent(request, cause: error.cause) }
        var exchange = HTTPExchange(request: request, startedAt: WallClock.now)
        guard origins.contains(url.origin) else {
            let reason =
                "the application in this process serves only \(origins.sorted().joined(separator: " and "))"
            exchange.failure = TransportFailure(
                step: .connecting,
                host: url.hostAndPort,
                cause: .unreachable(reason: reason)
            )
            return exchange
        }
        let clock = ContinuousClock()
        let start = clock.now
        let result = await answer(to: complete(request, url))
        exchange.timings.total = start.duration(to: clock.now) / .seconds(1)
        exchange.timings.firstByte = exchange.timings.total
        switch result {
        case .success(let response): take(response, into: &exchange, url)
        case .failure(let failure):
            exchange.failure = TransportFailure(step: .waiting, host: url.hostAndPort, cause: failure.cause)
        }
        return exchange
    }

    /// The first of: the application's answer, the end of the time, the end of the task.
    private func answer(to request: HTTPRequest) async -> Result<HTTPResponse, FirstAnswer.Failure> {
        let first = FirstAnswer()
        let isOpen = underWay.withLock { state in
            if !state.isShutDown { state.answers[ObjectIdentifier(first)] = first }
            return !state.isShutDown
        }
        guard isOpen else { return .failure(.cancelled) }
        defer { underWay.withLock { state in _ = state.answers.removeValue(forKey: ObjectIdentifier(first)) } }
        let seconds = min(configuration.totalTimeout, request.secondsLeft ?? .infinity)
        let application = application
        // No child tasks: an application that does not heed the end of its task must not delay the run.
        let work = Task {
            do {
                first.give(.success(try await application(request)))
            } catch {
                first.give(.failure(FirstAnswer.Failure(.connectionLost(reason: "the application threw \(error)"))))
            }
        }
        let timer = Task {
            try? await Task.sleep(for: .seconds(max(0, seconds)))
            first.give(.failure(FirstAnswer.Failure(.timedOut(seconds: seconds))))
        }
        let result = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            first.give(.failure(.cancelled))
        }
        timer.cancel()
        work.cancel()
        return result
    }

    /// The headers that libcurl adds to a request; no content coding is requested, since it would not be decoded.
    private func complete(_ request: HTTPRequest, _ url: WebURL) -> HTTPRequest {
        var request = request
        let names = Set(request.headers.map { $0.name.lowercased() })
        func add(_ name: String, _ value: String) {
            if !names.contains(name.lowercased()) { request.headers.append(HTTPField(name: name, value: value)) }
        }
        if !names.contains("host") { request.headers.insert(HTTPField(name: "Host", value: url.hostAndPort), at: 0) }
        switch request.agent {
        case .own: add("User-Agent", configuration.userAgent)
        case .other(let agent): add("User-Agent", agent)
        case .none: break
        }
        add("Accept", "*/*")
        add("Accept-Encoding", "identity")
        if request.body != nil || request.method == "POST" { add("Content-Length", "\(request.body?.count ?? 0)") }
        return request
    }

    /// The answer as it would have arrived.
    private func take(_ response: HTTPResponse, into exchange: inout HTTPExchange, _ url: WebURL) {
        func fail(_ cause: TransportFailure.Cause) {
            exchange.failure = TransportFailure(step: .reading, host: url.hostAndPort, cause: cause)
        }
        if let problem = Self.problem(of: response, to: exchange.request.method) {
            return fail(.protocolViolation(reason: problem))
        }
        var response = response
        if response.headers.reduce(0, { $0 + $1.bytes }) > configuration.headerLimit {
            return fail(.headersTooLarge(limit: configuration.headerLimit))
        }
        for index in response.headers.indices {
            response.headers[index].value = response.headers[index].value[...].trimmingSpaces
        }
        if Self.hasNoBody(response.status, exchange.request.method) { response.body = [] }
        if response.body.count > configuration.bodyLimit {
            response.body.removeLast(response.body.count - configuration.bodyLimit)
            response.bodyWasTruncated = true
            fail(.bodyTooLarge(limit: configuration.bodyLimit))
        }
        exchange.response = response
    }

    /// Whether an answer ends with its head (RFC 9110 section 6.4.1).
    private static func hasNoBody(_ status: Int, _ method: String) -> Bool {
        method == "HEAD" || status == 204 || status == 304
    }

    /// Why an answer could not be sent over HTTP; `nil` when it could.
    private static func problem(of response: HTTPResponse, to method: String) -> String? {
        guard (200...599).contains(response.status) else { return "the status is \(response.status)" }
        for field in response.headers {
            guard HTTPField.isToken(field.name) else { return "a header name has invalid characters" }
            guard field.isOneLine else { return "the header \(field.name) has a line break or a zero byte" }
        }
        if let coding = response.contentEncoding, coding.lowercased() != "identity" {
            return "the body is coded as \(coding), but only identity was requested"
        }
        if let length = response.header("Content-Length"), length != "\(response.body.count)",
            !hasNoBody(response.status, method)
        {
            return "Content-Length says \(length), and the body has \(response.body.count) bytes"
        }
        return nil
    }
}

/// Resumes one caller, with the first result.
private final class FirstAnswer: Sendable {
    struct Failure: Error {
        let cause: TransportFailure.Cause

        init(_ cause: TransportFailure.Cause) {
            self.cause = cause
        }

        static let cancelled = Failure(.cancelled)
    }

    typealias Given = Result<HTTPResponse, Failure>

    private struct State {
        var given: Given?
        var waiting: CheckedContinuation<Given, Never>?
    }

    private let state = Mutex(State())

    /// Waits for the first that is given; for one caller.
    var value: Given {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state in
                    if state.given == nil { state.waiting = continuation }
                    return state.given
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }

    func give(_ answer: Given) {
        let waiting = state.withLock { state in
            guard state.given == nil else { return nil as CheckedContinuation<Given, Never>? }
            state.given = answer
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }
}
