package import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
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
/// For messages that a provider sends to a client by itself. What is kept is bounded: 64 requests of 64 KiB each; more are
/// answered and forgotten.
package final class Listener: Sendable {
    private static let mostRequests = 64
    private static let mostOctets = 64 << 10

    private let group: ServiceGroup
    private let run: Task<Void, any Error>
    private let kept: Kept
    package let port: Int

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

    private init(port: Int, group: ServiceGroup, run: Task<Void, any Error>, kept: Kept) {
        self.port = port
        self.group = group
        self.run = run
        self.kept = kept
    }

    /// Listens; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine.
    ///   - port: Zero for a free one.
    package static func listen(host: String, port: Int) async throws(ListenerError) -> Listener {
        do {
            return try await open(host: host, port: port)
        } catch {
            throw ListenerError(description: "nothing can be listened for at \(host):\(port): \(error)")
        }
    }

    private static func open(host: String, port: Int) async throws -> Listener {
        let kept = Kept()
        let logger = Logger(label: "listener") { _ in SwiftLogNoOpLogHandler() }
        let (ports, report) = AsyncThrowingStream<Int, any Error>.makeStream()
        let server = try HTTPServerBuilder.http1(configuration: .init(idleTimeout: .seconds(30)))
            .buildServer(
                configuration: ServerConfiguration(address: .hostname(host, port: port)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                logger: logger
            ) { request, writer, _ in
                let buffer = try await request.body.collect(upTo: mostOctets)
                kept.keep(
                    ReceivedRequest(
                        method: request.method.rawValue,
                        target: request.head.path ?? "/",
                        contentType: request.headers[.contentType],
                        body: Array(buffer.readableBytesView)
                    )
                )
                // What the client of a message says when it has done as told, and wants it kept nowhere.
                let response = Response(status: .ok, headers: [.cacheControl: "no-store"])
                try await writer.write(response: response.head, body: response.body)
            } onServerRunning: { channel in
                report.yield(channel.localAddress?.port ?? port)
            }
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        let run = Task {
            do {
                try await group.run()
                report.finish()
            } catch {
                report.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports { return Listener(port: port, group: group, run: run, kept: kept) }
        throw CancellationError()
    }

    /// What has arrived so far, in order.
    package var requests: [ReceivedRequest] { kept.all }

    /// Takes no more connections.
    package func stop() async {
        await group.triggerGracefulShutdown()
        _ = await run.result
    }
}
