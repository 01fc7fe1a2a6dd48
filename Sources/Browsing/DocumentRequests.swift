import JSONTree
import Synchronization
import Transport

/// Checks the requests of a Chromium for documents before they are sent, in all windows and frames: the Fetch domain of DevTools.
///
/// chromedriver does not pass the events of that domain on, so this is a connection of its own, to the browser.
final class DocumentRequests: Sendable {
    private struct State {
        var guardState = GuardState()
        /// Whether requests of the first window are checked.
        var isArmed = false
    }

    private let state: Shared
    private let channel: MessageChannel

    private final class Shared: Sendable {
        let state = Mutex(State())
        let channel = Mutex<MessageChannel?>(nil)
    }

    /// - Parameter address: Host and port of DevTools, as chromedriver states it.
    static func start(at address: String, _ limit: CommandLimit) async throws(BrowserFailure) -> DocumentRequests {
        guard let port = address.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw BrowserFailure("chromedriver does not state the address of DevTools")
        }
        let shared = Shared()
        let channel = try await MessageChannel.connect(port: port, path: path(port, limit), limit: limit) { event in
            shared.channel.withLock { $0 }.map { Self.take(event, shared, $0) } != nil
        }
        shared.channel.withLock { $0 = channel }
        let requests = DocumentRequests(shared, channel)
        do throws(BrowserFailure) {
            try await requests.arm(limit)
        } catch {
            requests.close()
            throw error
        }
        return requests
    }

    private init(_ state: Shared, _ channel: MessageChannel) {
        self.state = state
        self.channel = channel
    }

    /// The WebSocket of the whole browser has an address of its own for each start.
    private static func path(_ port: Int, _ limit: CommandLimit) async throws(BrowserFailure) -> String {
        var configuration = TransportConfiguration(totalTimeout: try limit.seconds(), proxy: ProxySettings())
        configuration.addressPolicy.allowedHosts = ["127.0.0.1"]
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown() }
        let exchange = await client.get("http://127.0.0.1:\(port)/json/version")
        let version = exchange.response.flatMap { try? JSONDocument.parse($0.body).root }
        guard let address = version?["webSocketDebuggerUrl"]?.stringValue,
            let start = address.firstRange(of: "/devtools/")
        else { throw BrowserFailure("DevTools does not state its address") }
        return String(address[start.lowerBound...])
    }

    func close() {
        channel.close()
        state.channel.withLock { $0 = nil }
    }

    /// Replaces the guard, and forgets what the previous one withheld.
    func apply(_ formGuard: FormGuard?) throws(BrowserFailure) {
        // Without its connection the browser would send everything.
        _ = try channel.events()
        state.state.withLock { $0.guardState = GuardState(formGuard: formGuard) }
    }

    /// The address of the request that was withheld.
    var withheld: String? { state.state.withLock { $0.guardState.withheld } }

    private func arm(_ limit: CommandLimit) async throws(BrowserFailure) {
        try await channel.command("Target.setAutoAttach", Self.attaching)
        let end = ContinuousClock.now + .seconds(try limit.seconds())
        while !state.state.withLock({ $0.isArmed }) {
            _ = try channel.events()
            guard ContinuousClock.now < end else { throw BrowserFailure("DevTools does not check requests") }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Windows and frames wait until their requests are checked.
    private static let attaching: JSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
    private static let documents: JSON = [
        "patterns": [["urlPattern": "*", "resourceType": "Document", "requestStage": "Request"]]
    ]

    private static func take(_ event: JSON, _ shared: Shared, _ channel: MessageChannel) {
        guard let values = event["params"] else { return }
        switch event["method"]?.stringValue {
        case "Target.attachedToTarget":
            guard let session = values["sessionId"]?.stringValue else { return }
            let isPage = values["targetInfo"]?["type"]?.stringValue == "page"
            Task { await attach(session, isPage: isPage, shared, channel) }
        case "Fetch.requestPaused":
            guard let identifier = values["requestId"], let request = values["request"] else { return }
            let isRefused = shared.state.withLock { state in
                state.guardState.refuses(
                    request["url"]?.stringValue ?? "",
                    method: request["method"]?.stringValue ?? "",
                    body: body(of: request)
                )
            }
            let session = event["sessionId"]?.stringValue
            if isRefused {
                let parameters: JSON = ["requestId": identifier, "errorReason": "BlockedByClient"]
                try? channel.order("Fetch.failRequest", parameters, session: session)
            } else {
                try? channel.order("Fetch.continueRequest", ["requestId": identifier], session: session)
            }
        default: break
        }
    }

    /// The body of a request; `nil` if it has one that is not known.
    private static func body(of request: JSON) -> [UInt8]? {
        if let text = request["postData"]?.stringValue { return Array(text.utf8) }
        return request["hasPostData"]?.boolValue == true ? nil : []
    }

    private static func attach(_ session: String, isPage: Bool, _ shared: Shared, _ channel: MessageChannel) async {
        // Workers have no documents, and reject the first command.
        let isChecked = (try? await channel.command("Fetch.enable", documents, session: session)) != nil
        try? channel.order("Target.setAutoAttach", attaching, session: session)
        try? channel.order("Runtime.runIfWaitingForDebugger", session: session)
        if isPage, isChecked { shared.state.withLock { $0.isArmed = true } }
    }
}
