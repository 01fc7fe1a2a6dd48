import Synchronization

/// The total limits of a client.
package struct RunLimits: Sendable, Hashable {
    /// How many requests are sent.
    package var requests: Int
    /// Seconds from the first request on.
    package var seconds: Double
    /// How many bytes of bodies are received.
    package var bytes: Int

    package init(requests: Int = 1_500, seconds: Double = 300, bytes: Int = 100_000_000) {
        self.requests = requests
        self.seconds = seconds
        self.bytes = bytes
    }
}

/// Why a client sends something no more.
package enum LimitReached: Sendable, Hashable {
    case requests(Int)
    case seconds(Double)
    case bytes(Int)
    /// An endpoint that timed out twice in a row, by the first request that did.
    case endpoint(String)
    /// A provider at which request after request timed out, by the first that did.
    case provider(after: String)

    /// Whether nothing at all is sent any more.
    package var endsAll: Bool {
        if case .endpoint = self { false } else { true }
    }

    /// The event, in one sentence without a full stop.
    package var summary: String {
        switch self {
        case .requests(let count): "the run's limit of \(count) requests was reached"
        case .seconds(let seconds): "the run's limit of \(Int(seconds)) s was reached"
        case .bytes(let count): "the run's limit of \(count) bytes was reached"
        case .endpoint(let request): "\(request) timed out twice in a row, and was not sent again"
        case .provider(let request): "the provider stopped responding after \(request), so no more requests were sent"
        }
    }

    /// The advice.
    package var advice: String {
        switch self {
        case .requests: "Raise limits.requests or --max-requests, or choose fewer checks with --only."
        case .seconds: "Raise limits.seconds or --max-time, or choose fewer checks with --only."
        case .bytes: "Raise limits.bytes, or check which of the provider's pages are so large."
        case .endpoint, .provider:
            "See the provider's health and its log for that request; network.total_timeout sets the time limit."
        }
    }
}

/// Counts what a client spends, and says when it has spent enough.
///
/// An endpoint that does not respond is given up after two time-outs in a row. The provider is given up if they are at two
/// endpoints, or if it has not responded to anything: each further request would take the whole time of an exchange.
final class RunBudget: Sendable {
    private struct State {
        /// By the clock's uptime.
        var firstAt: Double?
        /// Seconds that do not count.
        var pauses = 0.0
        var requests = 0
        var bytes = 0
        /// For each endpoint the requests that timed out since it last answered.
        var timeouts: [String: Int] = [:]
        /// The requests that timed out since anything answered: when each was sent, and which it was.
        var unanswered: [(startedAt: Double, request: String, endpoint: String)] = []
        /// Whether anything answered.
        var hasAnswered = false
        var givenUp: [String: LimitReached] = [:]
        var end: LimitReached?
        var reached: [LimitReached] = []

        mutating func reach(_ limit: LimitReached) -> LimitReached {
            // A provider that does not respond at all is reported once, and not for every endpoint.
            if case .provider = limit {
                reached.removeAll { earlier in if case .endpoint = earlier { true } else { false } }
            }
            if !reached.contains(limit) { reached.append(limit) }
            if limit.endsAll { end = limit }
            return limit
        }
    }

    private static let mostTimeouts = 2

    private let limits: RunLimits
    private let clock: RunClock
    private let state = Mutex(State())

    init(_ limits: RunLimits, clock: RunClock) {
        self.limits = limits
        self.clock = clock
    }

    /// The limit that was reached, in this order.
    var reached: [LimitReached] { state.withLock(\.reached) }

    /// Seconds that are left.
    var secondsLeft: Double {
        state.withLock { state in
            guard let firstAt = state.firstAt else { return limits.seconds }
            return max(0, limits.seconds + state.pauses - (clock.uptime() - firstAt))
        }
    }

    /// The limit of time, which then counts as reached; `nil` while time is left.
    func timeLimitReached() -> LimitReached? {
        state.withLock { state in
            guard let firstAt = state.firstAt, clock.uptime() - firstAt - state.pauses >= limits.seconds else {
                return nil
            }
            return state.reach(.seconds(limits.seconds))
        }
    }

    /// Takes so many seconds out of the limit of time.
    func supersede(_ seconds: Double) { state.withLock { $0.pauses += seconds } }

    /// Why a request is not sent; `nil` when it is, and is counted.
    func refusal(of request: HTTPRequest) -> LimitReached? {
        state.withLock { state in
            if let end = state.end { return end }
            if let limit = state.givenUp[Self.endpoint(of: request)] { return limit }
            let firstAt = state.firstAt ?? clock.uptime()
            state.firstAt = firstAt
            if state.requests >= limits.requests { return state.reach(.requests(limits.requests)) }
            if clock.uptime() - firstAt - state.pauses >= limits.seconds {
                return state.reach(.seconds(limits.seconds))
            }
            if state.bytes >= limits.bytes { return state.reach(.bytes(limits.bytes)) }
            state.requests += 1
            return nil
        }
    }

    /// Takes note of how a request ended; the limit that it ran into, if it was one of the whole run.
    func ended(_ exchange: HTTPExchange) -> LimitReached? {
        let endpoint = Self.endpoint(of: exchange.request)
        let named = Self.named(exchange.request)
        return state.withLock { state in
            state.bytes += exchange.response?.body.count ?? 0
            guard case .timedOut? = exchange.failure?.cause else {
                // A rejected connection is neither a sign of life nor of failure.
                if exchange.response != nil {
                    state.hasAnswered = true
                    state.timeouts[endpoint] = 0
                    state.unanswered = []
                }
                return nil
            }
            if let firstAt = state.firstAt, clock.uptime() - firstAt - state.pauses >= limits.seconds - 0.01 {
                return state.reach(.seconds(limits.seconds))
            }
            state.timeouts[endpoint, default: 0] += 1
            // One address of several that cannot be reached from here says nothing of the provider.
            if exchange.request.address == nil {
                state.unanswered.append((exchange.startedAt, named, endpoint))
            }
            let first = state.unanswered.min { $0.startedAt < $1.startedAt }?.request ?? named
            let isWholeProvider = !state.hasAnswered || Set(state.unanswered.map(\.endpoint)).count > 1
            if state.unanswered.count >= Self.mostTimeouts, isWholeProvider {
                _ = state.reach(.provider(after: first))
            } else if state.timeouts[endpoint, default: 0] >= Self.mostTimeouts, state.givenUp[endpoint] == nil {
                state.givenUp[endpoint] = state.reach(.endpoint(named))
            }
            return nil
        }
    }

    /// The target of a request, without its query; for one that is bound to an address, with that.
    private static func endpoint(of request: HTTPRequest) -> String {
        String(request.url.prefix { $0 != "?" && $0 != "#" }) + (request.address.map { " at \($0)" } ?? "")
    }

    /// `POST https://op.example.com/token (grant_type=refresh_token)`: nothing of it is secret.
    private static func named(_ request: HTTPRequest) -> String {
        let name = "\(request.method) \(endpoint(of: request))"
        guard request.method == "POST", let body = request.body,
            let grant = FormParameters(parsing: String(decoding: body, as: UTF8.self))["grant_type"],
            grant.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) })
        else { return name }
        return "\(name) (grant_type=\(grant))"
    }
}
