/// An HTTP/1.1 server on a local address, with or without TLS.
///
/// Connections are persistent, and pipelined requests are answered in order. All servers of a process share one network
/// thread; handlers run as tasks, so a slow response does not block other connections.
///
/// It runs until it is stopped, even without a reference to this value.
package struct HTTPServer: Sendable {
    /// The listening port.
    package let port: Int
    private let loop: ServingLoop
    private let number: UInt

    /// Listens on an address; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address, or a name, which resolves to its first address.
    ///   - port: Zero for a free one.
    ///   - tls: `nil` for plain HTTP.
    ///   - limits: Requests beyond these are rejected.
    ///   - answer: Called for each valid request, concurrently for several connections. Its task is cancelled when the server
    ///     stops without waiting.
    package static func listen(
        on host: String,
        port: Int = 0,
        tls: ServerIdentity? = nil,
        limits: ServerLimits = ServerLimits(),
        answer: @escaping @Sendable (ServedRequest) async -> ServedAnswer
    ) async throws(ServingError) -> HTTPServer {
        let address = try SocketAddress.resolve(host, port: port)
        let loop = try ServingLoop.shared.get()
        let place = SocketAddress.place(host, port)
        let (number, port) = try await loop.listen(on: address, place: place, tls, limits, answer)
        return HTTPServer(port: port, loop: loop, number: number)
    }

    /// Stops the server.
    ///
    /// It accepts no more connections. Idle connections close immediately, others after the current response, and all of them
    /// after `limit`.
    package func stop(within limit: Duration = .seconds(2)) async {
        await stop { try? await Task.sleep(for: limit) }
    }

    /// The same, with a limit that ends when `timeLimit` returns; its task is cancelled when all connections are closed.
    package func stop(timeLimit: @escaping @Sendable () async -> Void) async {
        await loop.stop(number, timeLimit)
    }
}
