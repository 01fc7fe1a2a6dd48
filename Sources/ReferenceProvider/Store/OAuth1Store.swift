import Conformance
import OAuth1
import Synchronization

/// What the provider remembers of OAuth 1.0: credentials, and the requests that it has seen.
final class OAuth1Store: Sendable {
    /// Seconds that temporary credentials can be used in (RFC 5849 section 2 recommends a limit).
    static let lifetime = 600.0
    /// Seconds by which a timestamp may differ (section 3.3).
    static let tolerance = 300.0
    private static let capacity = 10_000

    /// Temporary credentials, on their way to becoming token credentials.
    struct Temporary: Sendable {
        var secret: Secret
        var client: RegisteredClient
        var callback: String
        var expiresAt: Double
        /// Who allowed it; `nil` until somebody does.
        var account: Account?
        var verifier: String?
        var isUsed = false
    }

    struct Token: Sendable {
        var secret: Secret
        var client: RegisteredClient
        var account: Account
    }

    private struct State: Sendable {
        var temporary: [String: Temporary] = [:]
        var tokens: [String: Token] = [:]
        /// Client, token, timestamp and nonce of each request.
        var seen: Set<String> = []
    }

    private let state = Mutex(State())

    func keep(_ temporary: Temporary, as token: String, now: Double) {
        state.withLock { state in
            if state.temporary.count >= Self.capacity {
                state.temporary = state.temporary.filter { $0.value.expiresAt > now }
            }
            state.temporary[token] = temporary
        }
    }

    func temporary(_ token: String, now: Double) -> Temporary? {
        state.withLock { state in state.temporary[token].flatMap { $0.expiresAt > now ? $0 : nil } }
    }

    /// Notes who allowed the access, and what proves it.
    func allow(_ token: String, account: Account, verifier: String) {
        state.withLock { state in
            state.temporary[token]?.account = account
            state.temporary[token]?.verifier = verifier
        }
    }

    /// Uses temporary credentials up; false when they have been used before.
    func use(_ token: String) -> Bool {
        state.withLock { state in
            guard state.temporary[token]?.isUsed == false else { return false }
            state.temporary[token]?.isUsed = true
            return true
        }
    }

    func keep(_ token: Token, as identifier: String) {
        state.withLock { state in
            if state.tokens.count >= Self.capacity { state.tokens = [:] }
            state.tokens[identifier] = token
        }
    }

    func token(_ identifier: String) -> Token? { state.withLock { $0.tokens[identifier] } }

    /// Notes a request; false when it has been seen before (section 3.2).
    func note(_ request: String) -> Bool {
        state.withLock { state in
            // Older ones are refused for their timestamp long before so many have come.
            if state.seen.count >= Self.capacity { state.seen = [] }
            return state.seen.insert(request).inserted
        }
    }
}
