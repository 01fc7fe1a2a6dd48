/// Sends requests within the bounds of a run: concurrent, and over shared connections where they go over the network.
///
/// The sender is injected (``HTTPSending``); counting and pacing are done here, for libcurl and an application in this process
/// alike.
/// Nothing is followed or decided: a redirect is a response like any other. Nothing is retried either, except a request that
/// was lost with a connection which had served others before (RFC 9110 section 9.2.2). `send` never throws; an error is in the
/// exchange, and the data that arrived before is kept. Cancelling the task aborts the transfer. With limits, an endpoint that
/// timed out twice in a row gets no more requests, nor is anything sent beyond them.
package final class HTTPClient: Sendable {
    package let configuration: TransportConfiguration
    let sender: any HTTPSending
    /// The resources shared with other clients; `nil` for a sender of its own.
    private let shared: SharedTransport?
    /// Keeps exchanges apart, and the pause between them; `nil` where they go side by side.
    private let pacer: Pacer?
    private let budget: RunBudget?
    /// The clock of the run.
    package let clock: RunClock

    /// Makes a client; where requests go over the network, its thread starts with the first of them.
    ///
    /// - Parameters:
    ///   - shared: The resources shared with other clients, over the network; `nil` for connections of its own.
    ///   - clock: The clock for pauses and the limit of seconds.
    package init(
        configuration: TransportConfiguration = TransportConfiguration(),
        over way: HTTPSenderFactory = .libcurl,
        sharing shared: SharedTransport? = nil,
        clock: RunClock = .machine
    ) {
        self.configuration = configuration
        self.shared = shared
        sender = shared?.sender(for: configuration) ?? way.sender(configuration)
        pacer =
            configuration.pause > 0 || configuration.isSerial ? Pacer(pause: configuration.pause, clock: clock) : nil
        self.clock = clock
        budget = configuration.limits.map { RunBudget($0, clock: clock) }
    }

    deinit {
        sender.shutDown()
    }

    /// Whether requests leave this process; otherwise there are no names, addresses and TLS to observe.
    package var leavesProcess: Bool { sender.leavesProcess }

    /// Sends one request and waits for its answer, its failure or the cancellation of the task.
    ///
    /// With a pause set, or one at a time, it first waits for its turn: until every earlier exchange has ended, and for the
    /// pause.
    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        if let cause = configuration.refusal(of: request) { return HTTPExchange.unsent(request, cause: cause) }
        await pacer?.take()
        let exchange = await paced(request)
        await pacer?.leave()
        return exchange
    }

    /// Sends it when its host may be contacted again; a host with `Retry-After` is left alone until then.
    private func paced(_ request: HTTPRequest) async -> HTTPExchange {
        guard let pace = shared?.pace, let host = WebURL(request.url)?.hostAndPort else {
            return await allowed(request)
        }
        await pace.wait(for: host)
        let exchange = await allowed(request)
        if let response = exchange.response, [429, 503].contains(response.status),
            let seconds = response.header("Retry-After").flatMap(Double.init), seconds > 0
        {
            pace.block(host, seconds: seconds)
        }
        return exchange
    }

    /// The limits that were reached, in this order.
    package var limitsReached: [LimitReached] { budget?.reached ?? [] }

    /// Seconds that the whole may still take; `nil` where there is no limit.
    package var secondsLeft: Double? { budget?.secondsLeft }

    /// The limit of time, which then counts as reached; `nil` while time is left.
    package func timeLimitReached() -> LimitReached? { budget?.timeLimitReached() }

    /// Takes so many seconds out of the limit of time: the run waits for its own sake, and not for an answer.
    package func supersede(_ seconds: Double) { budget?.supersede(seconds) }

    /// Sends what the limits allow; what they do not is a failure that says so.
    private func allowed(_ request: HTTPRequest) async -> HTTPExchange {
        guard let budget else { return await sender.send(request) }
        if let limit = budget.refusal(of: request) {
            return HTTPExchange.unsent(request, cause: .limitReached(limit))
        }
        var request = request
        request.secondsLeft = budget.secondsLeft
        var exchange = await sender.send(request)
        if let limit = budget.ended(exchange) { exchange.failure?.cause = .limitReached(limit) }
        return exchange
    }

    /// Sends a GET request.
    package func get(_ url: String, headers: [HTTPField] = []) async -> HTTPExchange {
        await send(HTTPRequest(url: url, headers: headers))
    }

    /// Ends every transfer as cancelled and closes the connections; later requests fail as cancelled at once.
    ///
    /// Shared resources stay available to the others.
    package func shutdown() {
        sender.shutDown()
    }
}
