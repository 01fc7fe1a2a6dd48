package import Conformance
import Transport

/// The outcome of waiting for an issuer.
package enum IssuerReadiness: Sendable, Hashable {
    /// It responded; the response is evaluated later.
    case ready(afterSeconds: Double)
    /// The time was over; the reason is the last thing that went wrong.
    case notReady(reason: String)
    case cancelled
}

/// Requests the discovery document until the issuer returns status 200 or the time is over.
///
/// For pipelines that start the provider beside the job. A rejected certificate, a name that does not resolve and a 404 are
/// waited out like a rejected connection: all of them pass while a provider starts.
///
/// - Parameters:
///   - target: The issuer as given, and the addresses that the configuration names.
///   - address: The address to request instead of the discovery document, if there may be none: an endpoint, which is up when
///     it returns anything but a server error.
///   - seconds: How long to wait at most.
///   - options: Transport and clock.
///   - progress: Called for every attempt that failed.
package func waitForIssuer(
    _ target: Target,
    at address: String? = nil,
    seconds: Double,
    options: CollectorOptions,
    progress: @escaping ProgressHandler
) async -> IssuerReadiness {
    var transport = options.transport(for: target)
    // The requests for waiting do not count.
    transport.limits = nil
    let client = HTTPClient(configuration: transport, over: options.way, clock: options.clock)
    defer { client.shutdown() }
    let statuses = address == nil ? 200...399 : 200...499
    let address = address ?? WellKnown.address(of: target.issuer)
    var request = HTTPRequest(url: address)
    request.isPublic = true
    let clock = options.clock
    let start = clock.uptime()
    var pause = 0.1
    while true {
        let exchange = await client.send(request)
        let passed = clock.uptime() - start
        if Task.isCancelled { return .cancelled }
        // A redirect is a response as well: it is checked, not waited out.
        if exchange.failure == nil, let status = exchange.response?.status, statuses.contains(status) {
            // The run that follows has a client of its own, which knows nothing of this request.
            if options.transport.pause > 0 { await clock.wait(options.transport.pause) }
            return .ready(afterSeconds: passed)
        }
        let reason = exchange.failure?.description ?? "returned HTTP status \(exchange.response?.status ?? 0)"
        let left = seconds - passed
        guard left > 0 else { return .notReady(reason: "\(address.shown()): \(reason)") }
        progress(.waitingForIssuer(secondsLeft: left, reason: reason))
        await clock.wait(min(pause, left))
        if Task.isCancelled { return .cancelled }
        pause = min(pause * 2, 2)
    }
}
