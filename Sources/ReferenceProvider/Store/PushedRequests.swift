import Conformance
import Synchronization

/// Pushed authorization requests that have not been used yet (RFC 9126).
final class PushedRequests: Sendable {
    /// Lifetime of a pushed request in seconds.
    static let lifetime = 90.0
    /// The prefix of request URIs (RFC 9126 section 2.2).
    static let prefix = "urn:ietf:params:oauth:request_uri:"
    private static let capacity = 1_000

    private struct Pushed: Sendable {
        var client: String
        var parameters: [Field]
        var expiresAt: Double
    }

    private let waiting = Mutex<[String: Pushed]>([:])

    /// Stores a request and returns its request URI.
    func keep(_ parameters: [Field], of client: RegisteredClient, now: Double) -> String {
        let uri = Self.prefix + Store.random()
        waiting.withLock { waiting in
            if waiting.count >= Self.capacity { waiting = waiting.filter { $0.value.expiresAt > now } }
            waiting[uri] = Pushed(client: client.id, parameters: parameters, expiresAt: now + Self.lifetime)
        }
        return uri
    }

    /// The request with that request URI, if it is the client's and has not expired.
    func take(_ uri: String, of client: RegisteredClient, now: Double, forgets: Bool) -> [Field]? {
        waiting.withLock { waiting in
            guard let pushed = waiting[uri], pushed.client == client.id, pushed.expiresAt > now else { return nil }
            if forgets { waiting[uri] = nil }
            return pushed.parameters
        }
    }
}
