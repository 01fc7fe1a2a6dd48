import JSONTree
import Synchronization
import Transport

/// Decides on the requests that Firefox blocks: those for redirect URIs, and, while a page has secrets, all others.
///
/// The decision does not wait for the next look at the page: its script may wait for the response.
final class FirefoxRequests: Sendable {
    private struct State {
        var guardState = GuardState()
        var channel: MessageChannel?
        /// The bodies of requests that were decided, until they are read.
        var bodies: [String: String?] = [:]
    }

    private let bounds: BrowserBounds
    private let state = Mutex(State())

    init(_ bounds: BrowserBounds) {
        self.bounds = bounds
    }

    /// Sets the connection that the decisions go over; `nil` ends that.
    func use(_ channel: MessageChannel?) { state.withLock { $0.channel = channel } }

    /// Replaces the guard, and forgets what the previous one withheld.
    func apply(_ formGuard: FormGuard?) { state.withLock { $0.guardState = GuardState(formGuard: formGuard) } }

    /// Forgets the requests of a tab that is closed.
    func forgetBodies() { state.withLock { $0.bodies = [:] } }

    var withheld: String? { state.withLock { $0.guardState.withheld } }

    /// Whether an event is of a request that Firefox blocks.
    static func isPaused(_ event: JSON) -> Bool {
        event["method"]?.stringValue == "network.beforeRequestSent" && event["params"]?["isBlocked"]?.boolValue == true
    }

    /// Begins to decide on the request of an event, if Firefox blocks it.
    func take(_ event: JSON) {
        guard Self.isPaused(event), let channel = state.withLock({ $0.channel }) else { return }
        Task { await decide(event, channel) }
    }

    /// The body of a blocked request; `nil` while it is not decided.
    func body(of event: JSON) -> String?? {
        let key = Self.key(event)
        return state.withLock { $0.bodies.removeValue(forKey: key) }
    }

    /// Redirects of a chain have the same identifier.
    private static func key(_ event: JSON) -> String {
        let values = event["params"]
        return "\(values?["request"]?["request"]?.stringValue ?? "") \(values?["redirectCount"]?.integerValue ?? 0)"
    }

    private func decide(_ event: JSON, _ channel: MessageChannel) async {
        guard let values = event["params"], let request = values["request"], let identifier = request["request"] else {
            return
        }
        let url = request["url"]?.stringValue ?? ""
        let hasBody = request["bodySize"]?.integerValue ?? 0 > 0
        let body = hasBody ? await Self.data("request", of: identifier, channel) : nil
        let isDocument = NetworkLog.isDocument(values, request)
        let isRefused = state.withLock { state in
            isDocument
                && state.guardState.refuses(
                    url,
                    method: request["method"]?.stringValue ?? "",
                    body: hasBody ? body.map { Array($0.utf8) } : []
                )
        }
        state.withLock { $0.bodies[Self.key(event)] = .some(body) }
        let order = isRefused || isUnreachable(url) ? "network.failRequest" : "network.continueRequest"
        // One that its page gave up meanwhile is gone.
        _ = try? await channel.command(order, ["request": identifier])
    }

    /// Whether an address is at the place of a redirect URI.
    private func isUnreachable(_ address: String) -> Bool {
        guard let url = WebURL(address) else { return true }
        return url.host == FirefoxHandlers.host || bounds.unreachable.contains("\(url.host):\(url.effectivePort)")
    }

    /// The sent or received data, if it is text; `nil` if the browser no longer has it.
    static func data(_ type: String, of request: JSON, _ channel: MessageChannel) async -> String? {
        let answer = try? await channel.command("network.getData", ["dataType": .string(type), "request": request])
        let bytes = answer?["bytes"]
        return bytes?["type"]?.stringValue == "string" ? bytes?["value"]?.stringValue : nil
    }
}
