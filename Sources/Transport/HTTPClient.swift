/// Sends requests within the bounds of a run: concurrent, and over shared connections where they go over the network.
///
/// Who carries them is handed in (``HTTPSending``); what is counted and spaced is counted and spaced here, for libcurl and an
/// application in this process alike.
/// Nothing is followed or decided: a redirect is an answer like any other. Nothing is tried again either, but a request
/// that was lost with a connection which had served others before (RFC 9110 section 9.2.2). `send` never throws; what went
/// wrong is in the exchange, and what arrived before is kept. Cancelling the task aborts the transfer. With limits, an
/// endpoint that timed out twice in a row is asked no more, nor is anything sent beyond them.
package final class HTTPClient: Sendable {
    package let configuration: TransportConfiguration
    private let sender: any HTTPSending
    /// Keeps the pause between exchanges; `nil` when none is set.
    private let pacer: Pacer?
    private let allowance: Allowance?

    /// Makes a client; where requests go over the network, its thread starts with the first of them.
    package init(configuration: TransportConfiguration = TransportConfiguration(), over way: HTTPWay = .libcurl) {
        self.configuration = configuration
        sender = way.sender(configuration)
        pacer = configuration.pause > 0 ? Pacer(pause: configuration.pause) : nil
        allowance = configuration.limits.map(Allowance.init)
    }

    deinit {
        sender.shutDown()
    }

    /// Whether requests leave this process; otherwise nothing is learned of names, addresses and TLS.
    package var leavesProcess: Bool { sender.leavesProcess }

    /// Sends one request and waits for its answer, its failure or the cancellation of the task.
    ///
    /// With a pause set, it first waits for its turn: until every exchange asked for before has ended, and for the pause.
    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        await pacer?.take()
        let exchange = await allowed(request)
        await pacer?.leave()
        return exchange
    }

    /// The limits that were reached, in this order.
    package var limitsReached: [LimitReached] { allowance?.reached ?? [] }

    /// Seconds that the whole may still take; `nil` where there is no limit.
    package var secondsLeft: Double? { allowance?.secondsLeft }

    /// Sends what the limits allow; what they do not is a failure that says so.
    private func allowed(_ request: HTTPRequest) async -> HTTPExchange {
        guard let allowance else { return await sender.send(request) }
        if let limit = allowance.refusal(of: request) {
            return HTTPExchange.unsent(request, cause: .limitReached(limit))
        }
        var request = request
        request.secondsLeft = allowance.secondsLeft
        var exchange = await sender.send(request)
        if let limit = allowance.ended(exchange) { exchange.failure?.cause = .limitReached(limit) }
        return exchange
    }

    /// Sends a GET request.
    package func get(_ url: String, headers: [HTTPField] = []) async -> HTTPExchange {
        await send(HTTPRequest(url: url, headers: headers))
    }

    /// Ends every transfer as cancelled and closes the connections; later requests fail as cancelled at once.
    package func shutdown() {
        sender.shutDown()
    }
}
