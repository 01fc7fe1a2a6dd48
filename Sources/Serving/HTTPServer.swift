/// A server of HTTP/1.1 on an address of this machine, over TLS or not.
///
/// Connections are kept and requests may be pipelined; they are answered one after the other. All servers of a process
/// share one thread for the network, while handlers run as tasks: a slow answer holds up no other connection.
///
/// It goes on until it is stopped, whether anybody holds this value or not.
package struct HTTPServer: Sendable {
    /// The port that is listened on.
    package let port: Int
    private let loop: ServingLoop
    private let number: UInt

    /// Listens on an address; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address, or a name, of which the first address that the system knows is taken.
    ///   - port: Zero for a free one.
    ///   - tls: Without it, plain HTTP.
    ///   - limits: Beyond them a request is refused.
    ///   - answer: Called for each request that can be read, at the same time for requests of several connections. Its
    ///     task is cancelled when the server stops and does not wait any longer.
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

    /// Takes no more connections and closes all that it has: at once where nothing is at hand, after the answer where a
    /// request is, and in any case when `limit` is over.
    package func stop(within limit: Duration = .seconds(2)) async {
        await stop { try? await Task.sleep(for: limit) }
    }

    /// The same, where the limit is over when `patience` returns; its task is cancelled when nothing is left to wait for.
    package func stop(patience: @escaping @Sendable () async -> Void) async {
        await loop.stop(number, patience)
    }
}
