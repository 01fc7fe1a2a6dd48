import Synchronization

/// The shared resources of many runs: connections, looked-up names, parsed authorities, and request rates per host.
///
/// Clients with the same authorities and host addresses share one engine, others have engines of their own: a connection
/// verified by one client's authorities serves no other client.
package final class SharedTransport: Sendable {
    private struct Variant: Hashable {
        let systemAuthorities: SystemAuthorities
        let certificateAuthorityFile: String?
        let resolve: [HostOverride]
        let proxy: ProxySettings
    }

    private let engines = Mutex<[Variant: MultiEngine]>([:])
    let pace: HostPace?

    /// - Parameters:
    ///   - requestsPerSecond: How often one host is asked at the most; `nil` for no limit.
    ///   - clock: The clock of the rate.
    package init(requestsPerSecond: Double? = nil, clock: RunClock = .machine) {
        pace = requestsPerSecond.map { HostPace(requestsPerSecond: $0, clock: clock) }
    }

    deinit {
        for engine in engines.withLock({ Array($0.values) }) { engine.shutDown() }
    }

    /// Carries the requests of one client, within its bounds.
    func sender(for configuration: TransportConfiguration) -> any HTTPSending {
        SharedSender(engine: engine(for: configuration), configuration: configuration)
    }

    private func engine(for configuration: TransportConfiguration) -> MultiEngine {
        let variant = Variant(
            systemAuthorities: configuration.systemAuthorities,
            certificateAuthorityFile: configuration.certificateAuthorityFile,
            resolve: configuration.resolve,
            proxy: configuration.proxy
        )
        return engines.withLock { engines in
            if let engine = engines[variant] { return engine }
            let engine = MultiEngine(configuration: configuration, isShared: true)
            engines[variant] = engine
            return engine
        }
    }
}

/// One client's part of an engine that others use as well, and that does not end with it.
private struct SharedSender: HTTPSending {
    let engine: MultiEngine
    let configuration: TransportConfiguration

    var leavesProcess: Bool { true }

    func send(_ request: HTTPRequest) async -> HTTPExchange { await engine.send(request, configuration) }

    func shutDown() {}
}

/// Spreads the requests to each host over time (the generic cell rate algorithm, ITU-T I.371 annex A).
final class HostPace: Sendable {
    /// Requests that may be sent without waiting, so that an issuer with its own host does not wait.
    private static let burst = 4.0
    /// The maximum seconds that a host is left alone at its request.
    private static let longestBlock = 60.0
    /// Hosts that are remembered before those whose time has passed are forgotten.
    private static let mostHosts = 4_096

    private let interval: Double
    private let clock: RunClock
    /// When each host's next cell is due, by the clock's uptime.
    private let due = Mutex<[String: Double]>([:])

    init(requestsPerSecond: Double, clock: RunClock = .machine) {
        interval = 1 / requestsPerSecond
        self.clock = clock
    }

    /// Returns when a request may be sent to the host; earlier when the task is cancelled.
    func wait(for host: String) async {
        let now = clock.uptime()
        let turn = take(host, now: now)
        if turn > now { await clock.wait(turn - now) }
    }

    /// When the next request to the host may be sent.
    func take(_ host: String, now: Double) -> Double {
        due.withLock { due in
            if due.count > Self.mostHosts { due = due.filter { $0.value > now } }
            let cell = max(now, due[host] ?? 0)
            due[host] = cell + interval
            return max(now, cell - (Self.burst - 1) * interval)
        }
    }

    /// Leaves the host alone for the seconds that it requested (RFC 9110 section 10.2.3).
    func block(_ host: String, seconds: Double) {
        let end = clock.uptime() + min(seconds, Self.longestBlock) + Self.burst * interval
        due.withLock { $0[host] = max($0[host] ?? 0, end) }
    }
}

/// The places that were connected to at an address that only those may ask who named the host.
///
/// Lives on the engine's thread only.
final class PrivateHosts {
    private var places: Set<String> = []

    func note(_ url: WebURL) { places.insert(url.hostAndPort) }

    func contains(_ url: WebURL) -> Bool { !places.isEmpty && places.contains(url.hostAndPort) }
}
