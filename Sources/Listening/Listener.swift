internal import Serving
internal import Synchronization

/// A request received by a ``Listener``.
package struct ReceivedRequest: Sendable {
    package var method: String
    /// Path and query as sent.
    package var target: String
    package var contentType: String?
    package var body: [UInt8]
}

/// Why a listener could not start.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    package let description: String
}

/// Receives requests on a local address, returns 200, and stores them in order.
///
/// For messages that a provider sends to a client on its own. It stores 64 requests of up to 64 KiB that can be such a
/// message; longer ones are rejected, and the others are answered but not stored.
package final class Listener: Sendable {
    private static let mostRequests = 64
    private static let mostBytes = 64 << 10

    private let server: HTTPServer
    private let received: ReceivedRequests
    package var port: Int { server.port }

    /// The received requests, shared with the closure of the server.
    private final class ReceivedRequests: Sendable {
        private let state = Mutex((requests: [ReceivedRequest](), isFull: false))
        private let isRelevant: @Sendable (ReceivedRequest) -> Bool

        var all: [ReceivedRequest] { state.withLock(\.requests) }
        var isFull: Bool { state.withLock(\.isFull) }

        init(_ isRelevant: @escaping @Sendable (ReceivedRequest) -> Bool) { self.isRelevant = isRelevant }

        func keep(_ request: ReceivedRequest) {
            guard isRelevant(request) else { return }
            state.withLock { state in
                if state.requests.count < Listener.mostRequests {
                    state.requests.append(request)
                } else {
                    state.isFull = true
                }
            }
        }
    }

    private init(server: HTTPServer, received: ReceivedRequests) {
        self.server = server
        self.received = received
    }

    /// Listens; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine.
    ///   - port: Zero for a free one.
    ///   - isRelevant: Whether a request can be a message of the provider: any host that reaches the port can send one.
    package static func listen(
        host: String,
        port: Int,
        for isRelevant: @escaping @Sendable (ReceivedRequest) -> Bool
    ) async throws(ListenerError) -> Listener {
        let received = ReceivedRequests(isRelevant)
        var limits = ServerLimits()
        limits.body = mostBytes
        limits.idleness = .seconds(30)
        do {
            let server = try await HTTPServer.listen(on: host, port: port, limits: limits) { request in
                received.keep(
                    ReceivedRequest(
                        method: request.method,
                        target: request.target,
                        contentType: request.value(of: "Content-Type"),
                        body: request.body
                    )
                )
                // The client reports success; nothing may cache the response.
                return ServedAnswer(status: 200, fields: [HeaderField("Cache-Control", "no-store")])
            }
            return Listener(server: server, received: received)
        } catch {
            throw ListenerError(description: "cannot listen at \(host):\(port): \(error.reason)")
        }
    }

    /// The stored requests, in order.
    package var requests: [ReceivedRequest] { received.all }

    /// Whether more relevant requests came than are stored.
    package var isFull: Bool { received.isFull }

    /// Accepts no more connections.
    package func stop() async {
        await server.stop()
    }
}
