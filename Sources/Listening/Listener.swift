internal import Serving
internal import Synchronization

/// A request that somebody sent to a ``Listener``.
package struct ReceivedRequest: Sendable {
    package var method: String
    /// Path and query as they were sent.
    package var target: String
    package var contentType: String?
    package var body: [UInt8]
}

/// Why nothing could be listened on.
package struct ListenerError: Error, Sendable, CustomStringConvertible {
    package let description: String
}

/// Takes requests on an address of this machine, answers each with 200, and keeps them in order.
///
/// For messages that a provider sends to a client by itself. What is kept is bounded: 64 requests of 64 KiB each; longer
/// ones are refused, more are answered and forgotten.
package final class Listener: Sendable {
    private static let mostRequests = 64
    private static let mostOctets = 64 << 10

    private let server: HTTPServer
    private let kept: Kept
    package var port: Int { server.port }

    /// Reference to what has arrived, shared with the server's closure.
    private final class Kept: Sendable {
        private let requests = Mutex<[ReceivedRequest]>([])

        var all: [ReceivedRequest] { requests.withLock { $0 } }

        func keep(_ request: ReceivedRequest) {
            requests.withLock { requests in
                if requests.count < Listener.mostRequests { requests.append(request) }
            }
        }
    }

    private init(server: HTTPServer, kept: Kept) {
        self.server = server
        self.kept = kept
    }

    /// Listens; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine.
    ///   - port: Zero for a free one.
    package static func listen(host: String, port: Int) async throws(ListenerError) -> Listener {
        let kept = Kept()
        var limits = ServerLimits()
        limits.body = mostOctets
        limits.idleness = .seconds(30)
        do {
            let server = try await HTTPServer.listen(on: host, port: port, limits: limits) { request in
                kept.keep(
                    ReceivedRequest(
                        method: request.method,
                        target: request.target,
                        contentType: request.value(of: "Content-Type"),
                        body: request.body
                    )
                )
                // What the client of a message says when it has done as told, and wants it kept nowhere.
                return ServedAnswer(status: 200, fields: [HeaderField("Cache-Control", "no-store")])
            }
            return Listener(server: server, kept: kept)
        } catch {
            throw ListenerError(description: "nothing can be listened for at \(host):\(port): \(error.reason)")
        }
    }

    /// What has arrived so far, in order.
    package var requests: [ReceivedRequest] { kept.all }

    /// Takes no more connections.
    package func stop() async {
        await server.stop()
    }
}
