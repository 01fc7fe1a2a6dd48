import Serving
import Synchronization
import Transport

/// A browser's only way to the network: a proxy on loopback that opens connections by the rules of the run's own requests.
///
/// It serves `CONNECT` (https, WebSockets), and http requests in absolute form. Whatever in a page sends a request, the address is
/// checked when the connection is opened, so that a name that changes its address does not bypass the policy.
final class BrowserGate: Sendable {
    /// The port on loopback.
    var port: Int { server.port }
    private let server: HTTPServer
    private let forwarder: RequestForwarder

    /// Connections at the same time; a browser opens far fewer.
    static let mostConnections = 256

    /// Opens a proxy at a port that the system chooses.
    ///
    /// - Parameters:
    ///   - configuration: The rules: addresses, address policy and proxies.
    ///   - timeout: Seconds for the response to an http request.
    ///   - unreachable: Hosts with ports that get no connection: those of redirect URIs.
    static func open(
        _ configuration: TransportConfiguration,
        timeout: Double,
        unreachable: Set<String>
    ) async throws(BrowserFailure) -> BrowserGate {
        var configuration = configuration
        configuration.limits = nil
        configuration.pause = 0
        configuration.isSerial = false
        configuration.bodyLimit = 32 << 20
        configuration.totalTimeout = timeout
        let forwarder = RequestForwarder(HTTPClient(configuration: configuration), unreachable)
        var limits = ServerLimits()
        limits.connections = mostConnections
        do {
            let server = try await HTTPServer.listen(on: "127.0.0.1", limits: limits) { await forwarder.answer($0) }
            return BrowserGate(server, forwarder)
        } catch {
            throw BrowserFailure("the browser's proxy could not be started: \(error)")
        }
    }

    private init(_ server: HTTPServer, _ forwarder: RequestForwarder) {
        self.server = server
        self.forwarder = forwarder
    }

    /// The field that distinguishes the proxy's own responses from those of servers (RFC 9209).
    static let mark = "Proxy-Status"

    /// The last failure for each host with its port, the port always said.
    var failures: [String: TransportFailure] { forwarder.failures.withLock { $0 } }

    func forgetFailures() { forwarder.failures.withLock { $0 = [:] } }

    /// Ends all connections.
    func stop() async {
        await server.stop(within: .zero)
        forwarder.client.shutdown()
    }

    private final class RequestForwarder: Sendable {
        let client: HTTPClient
        let failures = Mutex<[String: TransportFailure]>([:])
        private let unreachable: Set<String>

        /// Places whose failure is remembered.
        private static let mostFailures = 100
        /// Fields that are for one connection (RFC 9110 section 7.6.1), or that describe a body as it was encoded.
        private static let ofConnection: Set<String> = [
            "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-authorization",
            "proxy-connection", "proxy-status", "te", "trailer", "transfer-encoding", "upgrade",
        ]

        init(_ client: HTTPClient, _ unreachable: Set<String>) {
            self.client = client
            self.unreachable = unreachable
        }

        func answer(_ request: ServedRequest) async -> ServedAnswer {
            if request.method == "CONNECT" { return await connect(request.target) }
            // A request in origin form is for this proxy itself: the browser sends none, and a loop would.
            guard request.scheme == "http", let authority = request.value(of: "Host"),
                let url = WebURL("http://" + authority + request.target)
            else { return .problem(status: 400, "Only CONNECT and http requests in absolute form are served.") }
            if let answer = withheld(url.host, url.effectivePort) { return answer }
            return await forward(request, to: url)
        }

        private func connect(_ authority: String) async -> ServedAnswer {
            guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...]),
                (1...65_535).contains(port), authority.utf8.allSatisfy(Self.isOfAuthority),
                let host = WebURL("https://\(authority)")?.host
            else { return .problem(status: 400, "The target is not a host and a port.") }
            if let answer = withheld(host, port) { return answer }
            switch await client.connect(to: host, port: port) {
            case .success(let socket):
                succeed(host, port)
                return ServedAnswer(status: 200, tunnel: socket)
            case .failure(let failure): return answer(failure, host, port)
            }
        }

        private static func isOfAuthority(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: ":"):
                true
            default: "-._[]".utf8.contains(byte)
            }
        }

        private func withheld(_ host: String, _ port: Int) -> ServedAnswer? {
            guard unreachable.contains("\(host):\(port)") else { return nil }
            return .problem(status: 403, "The redirect URI is not loaded.")
        }

        private func forward(_ received: ServedRequest, to url: WebURL) async -> ServedAnswer {
            var request = HTTPRequest(method: received.method, url: url.text)
            request.headers = received.fields
                .filter { field in
                    let name = field.name.lowercased()
                    // The transport undoes codings that it requests itself.
                    return !Self.ofConnection.contains(name) && !["host", "accept-encoding"].contains(name)
                }
                .map { HTTPField(name: $0.name, value: $0.value) }
            request.agent = .none
            let framesBody = received.value(of: "Content-Length") ?? received.value(of: "Transfer-Encoding")
            if framesBody != nil { request.body = received.body }
            let exchange = await client.send(request)
            if let failure = exchange.failure { return answer(failure, url.host, url.effectivePort) }
            guard let response = exchange.response else { return .problem(status: 502, "No response.") }
            succeed(url.host, url.effectivePort)
            return ServedAnswer(
                status: response.status,
                fields: response.headers
                    .filter { field in
                        let name = field.name.lowercased()
                        return !Self.ofConnection.contains(name) && name != "content-encoding"
                    }
                    .map { HeaderField($0.name, $0.value) },
                body: response.body
            )
        }

        /// A failure as a response of the proxy, which contains nothing of the server.
        private func answer(_ failure: TransportFailure, _ host: String, _ port: Int) -> ServedAnswer {
            let place = "\(host):\(port)"
            failures.withLock { failures in
                if failures.count < Self.mostFailures || failures[place] != nil { failures[place] = failure }
            }
            var answer: ServedAnswer =
                switch failure.cause {
                case .addressRefused: .problem(status: 403, "The address policy refuses this address.")
                case .timedOut: .problem(status: 504, "The server did not respond in time.")
                default: .problem(status: 502, "The server could not be reached.")
                }
            answer.fields.append(HeaderField(BrowserGate.mark, "oidc-preflight"))
            return answer
        }

        private func succeed(_ host: String, _ port: Int) {
            failures.withLock { $0["\(host):\(port)"] = nil }
        }
    }
}
