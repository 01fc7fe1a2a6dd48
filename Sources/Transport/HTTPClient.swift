/// Sends requests over one libcurl multi engine: concurrent, over shared connections, within bounds.
///
/// Nothing is followed or decided: a redirect is an answer like any other. Nothing is tried again either, but a request
/// that was lost with a connection which had served others before (RFC 9110 section 9.2.2). `send` never throws; what went
/// wrong is in the exchange, and what arrived before is kept. Cancelling the task aborts the transfer. With limits, an
/// endpoint that timed out twice in a row is asked no more, nor is anything sent beyond them.
package final class HTTPClient: Sendable {
    package let configuration: TransportConfiguration
    private let engine: MultiEngine
    /// What is shared with other clients; `nil` for an engine of its own.
    private let shared: SharedTransport?
    /// Keeps the pause between exchanges; `nil` when none is set.
    private let pacer: Pacer?
    private let allowance: Allowance?

    /// Makes a client; its thread starts with the first request.
    ///
    /// - Parameter shared: What it has in common with other clients; `nil` for connections of its own.
    package init(
        configuration: TransportConfiguration = TransportConfiguration(),
        sharing shared: SharedTransport? = nil
    ) {
        self.configuration = configuration
        self.shared = shared
        engine = shared?.engine(for: configuration) ?? MultiEngine(configuration: configuration)
        pacer = configuration.pause > 0 ? Pacer(pause: configuration.pause) : nil
        allowance = configuration.limits.map(Allowance.init)
    }

    deinit {
        if shared == nil { engine.shutDown() }
    }

    /// Sends one request and waits for its answer, its failure or the cancellation of the task.
    ///
    /// With a pause set, it first waits for its turn: until every exchange asked for before has ended, and for the pause.
    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        await pacer?.take()
        let exchange = await paced(request)
        await pacer?.leave()
        return exchange
    }

    /// Sends it when its host may be asked again; a host that says when it wants to be is left alone until then.
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
    package var limitsReached: [LimitReached] { allowance?.reached ?? [] }

    /// Seconds that the whole may still take; `nil` where there is no limit.
    package var secondsLeft: Double? { allowance?.secondsLeft }

    /// Sends what the limits allow; what they do not is a failure that says so.
    private func allowed(_ request: HTTPRequest) async -> HTTPExchange {
        guard let allowance else { return await exchange(request) }
        if let limit = allowance.refusal(of: request) {
            return MultiEngine.unsent(request, cause: .limitReached(limit))
        }
        var request = request
        request.secondsLeft = allowance.secondsLeft
        var exchange = await exchange(request)
        if let limit = allowance.ended(exchange) { exchange.failure?.cause = .limitReached(limit) }
        return exchange
    }

    private func exchange(_ request: HTTPRequest) async -> HTTPExchange {
        let identifier = engine.newIdentifier()
        let exchange = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.start(identifier, request, configuration, continuation)
            }
        } onCancel: {
            engine.cancel(identifier)
        }
        engine.forget(identifier)
        return exchange
    }

    /// Sends a GET request.
    package func get(_ url: String, headers: [HTTPField] = []) async -> HTTPExchange {
        await send(HTTPRequest(url: url, headers: headers))
    }

    /// Ends every transfer as cancelled and closes the connections; later requests fail as cancelled at once.
    ///
    /// What is shared is left to the others.
    package func shutdown() {
        if shared == nil { engine.shutDown() }
    }
}
