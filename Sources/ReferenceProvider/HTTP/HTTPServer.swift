import Conformance
import HTTPTypes
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Carries requests from Hummingbird's server to a provider and its answers back.
///
/// Hummingbird's `Application` would write its own `Date` on every answer; here the provider has the last word, so its
/// server is used directly.
struct HTTPServer: Sendable {
    /// The provider, known only when the port is: its issuer names the port.
    final class Receiver: Sendable {
        private let provider = Mutex<Provider?>(nil)

        func become(_ provider: Provider) {
            self.provider.withLock { $0 = provider }
        }

        func answer(_ request: ProviderRequest) -> HTTPAnswer {
            guard let provider = provider.withLock({ $0 }) else {
                return Page.problem(status: 503, "The provider is not ready yet.")
            }
            return provider.answer(request)
        }
    }

    let port: Int
    private let group: ServiceGroup
    private let run: Task<Void, any Error>

    /// Listens on an address and returns when connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine.
    ///   - port: Zero for a free one.
    ///   - tls: Without it, plain HTTP.
    ///   - delay: Seconds that every answer waits.
    ///   - receiver: Answers the requests.
    static func listen(
        host: String,
        port: Int,
        tls: TLSConfiguration?,
        delay: Double,
        receiver: Receiver
    ) async throws -> HTTPServer {
        let plain = HTTPServerBuilder.http1(configuration: .init(idleTimeout: .seconds(60)))
        let builder = try tls.map { try HTTPServerBuilder.tls(plain, tlsConfiguration: $0) } ?? plain
        let logger = Logger(label: "reference-provider") { _ in SwiftLogNoOpLogHandler() }
        let (ports, report) = AsyncThrowingStream<Int, any Error>.makeStream()
        let server = try builder.buildServer(
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        ) { request, writer, _ in
            let answer = try await respond(to: request, at: host, receiver: receiver, delay: delay)
            try await writer.write(response: answer.head, body: answer.body)
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
        for try await port in ports { return HTTPServer(port: port, group: group, run: run) }
        throw CancellationError()
    }

    /// Takes no more connections, lets requests at hand end, and closes the rest.
    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await run.result
    }

    private static func respond(
        to request: Request,
        at address: String,
        receiver: Receiver,
        delay: Double
    ) async throws -> Response {
        let buffer = try await request.body.collect(upTo: 1 << 20)
        var received = ProviderRequest(
            method: request.method.rawValue,
            target: request.head.path ?? "/",
            headers: request.headers.map { Field($0.name.rawName, $0.value) },
            body: Array(buffer.readableBytesView)
        )
        received.address = address
        let isHead = received.method == "HEAD"
        if isHead { received.method = "GET" }
        let answer = receiver.answer(received)
        // The client is told before the browser goes on (RP-Initiated Logout section 3).
        for message in answer.messages { await message.send() }
        if delay > 0 { try await Task.sleep(for: .seconds(delay)) }
        var response = Response(
            status: .init(code: answer.status),
            headers: fields(answer.headers),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
        if isHead { response = response.createHeadResponse() }
        return response
    }

    /// The header fields in order; a name that is no token (RFC 9110 section 5.1) cannot be sent.
    private static func fields(_ headers: [Field]) -> HTTPFields {
        var fields = HTTPFields()
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
        }
        return fields
    }
}
