import JSONTree
import Synchronization
import Transport

/// The W3C WebDriver protocol, as far as it is used, with the commands of Chromium's DevTools that its driver passes on.
///
/// After a command that ran into its limit the browser gets no other: its page may run without end.
final class WebDriver: Sendable {
    private let client: HTTPClient
    private let base: String
    private let limit: CommandLimit
    private let end = Mutex<BrowserFailure?>(nil)

    /// - Parameter port: Where a driver listens on loopback.
    init(port: Int, limit: CommandLimit) {
        var configuration = TransportConfiguration()
        // A page's document and the entries of its log.
        configuration.bodyLimit = 64 << 20
        configuration.totalTimeout = .infinity
        configuration.addressPolicy.allowedHosts = ["127.0.0.1"]
        configuration.proxy = ProxySettings()
        client = HTTPClient(configuration: configuration)
        base = "http://127.0.0.1:\(port)"
        self.limit = limit
    }

    func close() { client.shutdown() }

    /// Whether the driver takes sessions (section 8.3, Status).
    func isReady() async -> Bool {
        (try? await command("GET", "/status"))?["ready"]?.boolValue ?? false
    }

    /// Sends a command and returns its `value` (section 6.3).
    ///
    /// - Parameter seconds: Another limit than that of a command.
    @discardableResult
    func command(
        _ method: String,
        _ path: String,
        _ body: JSON? = nil,
        within seconds: Double? = nil
    ) async throws(BrowserFailure) -> JSON {
        if let end = end.withLock({ $0 }) { throw end }
        let seconds = try limit.seconds(seconds)
        var request = HTTPRequest(method: method, url: base + path)
        if method == "POST" {
            request.headers.append(HTTPField(name: "Content-Type", value: "application/json; charset=utf-8"))
            request.body = Array((body ?? [:]).serialized().utf8)
        }
        request.secondsLeft = seconds
        let exchange = await client.send(request)
        if case .timedOut? = exchange.failure?.cause {
            let failure = CommandLimit.passed(seconds)
            end.withLock { $0 = failure }
            throw failure
        }
        if let failure = exchange.failure { throw BrowserFailure("the browser's driver does not respond: \(failure)") }
        guard let response = exchange.response,
            let value =
                (try? JSONDocument.parse(response.body, depthLimit: 256, valueLimit: JSONDocument.ownValueLimit))?
                .root["value"]
        else { throw BrowserFailure("the browser's driver returned an invalid WebDriver response") }
        if let error = value["error"]?.stringValue, response.status >= 400 {
            let message = value["message"]?.stringValue ?? ""
            throw BrowserFailure("\(error): \(message.prefix { $0 != "\n" }.prefix(300))")
        }
        return value
    }
}
