/// Carries requests: over the network by libcurl, or to an application in this process.
///
/// It counts and spaces nothing: what a run may spend is the client's matter (``HTTPClient``), so that it is counted alike however
/// requests go.
package protocol HTTPSending: Sendable {
    /// Whether requests leave this process; otherwise there are no names, addresses and TLS to observe.
    var leavesProcess: Bool { get }

    /// Sends one request and waits for its answer, its failure or the cancellation of the task; what went wrong is in the exchange.
    func send(_ request: HTTPRequest) async -> HTTPExchange

    /// Ends every exchange as cancelled; later requests fail as cancelled at once.
    func shutDown()
}

/// How the requests of a run are sent; the sender is made with the limits of each client.
package struct HTTPSenderFactory: Sendable {
    let make: @Sendable (TransportConfiguration) -> any HTTPSending

    /// Over the network.
    package static let libcurl = HTTPSenderFactory { MultiEngine(configuration: $0) }

    /// To an application in this process, without a socket.
    ///
    /// - Parameters:
    ///   - origins: The origins of the application, as in ``WebURL/origin``; a request for another one fails like one to an
    ///     unknown host.
    ///   - answer: The application; called for several requests in parallel.
    package static func inMemory(
        _ origins: Set<String>,
        _ answer: @escaping InMemorySender.Application
    ) -> HTTPSenderFactory {
        HTTPSenderFactory { InMemorySender(configuration: $0, origins: origins, application: answer) }
    }

    func sender(_ configuration: TransportConfiguration) -> any HTTPSending { make(configuration) }
}

extension HTTPExchange {
    /// An exchange that reached no server.
    static func unsent(_ request: HTTPRequest, cause: TransportFailure.Cause) -> HTTPExchange {
        let host = WebURL(request.url)?.hostAndPort ?? ""
        return HTTPExchange(
            request: request,
            failure: TransportFailure(step: .preparing, host: host, cause: cause),
            startedAt: WallClock.now
        )
    }
}
