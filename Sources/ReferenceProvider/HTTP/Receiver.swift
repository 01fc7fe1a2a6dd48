import Conformance
import Serving
import Synchronization

/// Passes requests from a server to a provider, and its responses back.
///
/// The provider is created after the port is known, because its issuer contains the port.
final class Receiver: Sendable {
    private let provider = Mutex<Provider?>(nil)
    private let delay: Double
    private let mostAtOnce: Int
    private let wait: @Sendable (Double) async -> Void
    private let underWay = Mutex(0)

    init(_ configuration: ReferenceProviderConfiguration) {
        delay = configuration.answerDelay
        mostAtOnce = configuration.mostAtOnce
        wait = configuration.wait
    }

    func become(_ provider: Provider) {
        self.provider.withLock { $0 = provider }
    }

    /// Listens on an address of this machine; port 0 selects a free one, and no identity means plain HTTP.
    func listen(on host: String, port: Int, tls: ServerIdentity?) async throws(ServingError) -> HTTPServer {
        try await HTTPServer.listen(on: host, port: port, tls: tls) { await self.answer($0) }
    }

    func answer(_ request: ServedRequest) async -> ServedAnswer {
        let isCrowded = underWay.withLock { count in
            count += 1
            return count > mostAtOnce
        }
        defer { underWay.withLock { $0 -= 1 } }
        if isCrowded { return served(Page.problem(status: 503, "Too many people are here at once.")) }
        var received = ProviderRequest(
            // The server sends no body for HEAD (RFC 9110 section 9.3.2); the endpoints see only GET.
            method: request.method == "HEAD" ? "GET" : request.method,
            target: request.target,
            headers: request.fields.map { Field($0.name, $0.value) },
            body: request.body
        )
        received.isHead = request.method == "HEAD"
        received.address = request.localAddress
        let provider = provider.withLock { $0 }
        if let provider { received.documents = await provider.fetched(for: received) }
        let answer = provider?.answer(received) ?? Page.problem(status: 503, "The provider is not ready yet.")
        // The client is notified before the browser continues (RP-Initiated Logout section 3).
        for message in answer.messages { await message.send() }
        let seconds = delay + answer.delay
        if seconds > 0 { await wait(seconds) }
        return served(answer)
    }

    private func served(_ answer: HTTPAnswer) -> ServedAnswer {
        ServedAnswer(
            status: answer.status,
            fields: answer.headers.map { HeaderField($0.name, $0.value) },
            body: answer.body
        )
    }
}
