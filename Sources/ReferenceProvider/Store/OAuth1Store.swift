import Conformance
import Synchronization

/// The OAuth 1.0 state: credentials, and earlier requests.
final class OAuth1Store: Sendable {
    /// Lifetime of temporary credentials in seconds (RFC 5849 section 2 recommends a limit).
    static let lifetime = 600.0
    /// Permitted deviation of a timestamp in seconds (section 3.3).
    static let tolerance = 300.0
    private static let capacity = 10_000

    /// Temporary credentials, which are exchanged for token credentials.
    struct Temporary: Sendable {
        var secret: Secret
        var client: RegisteredClient
        var callback: String
        var expiresAt: Double
        /// The user who allowed access; `nil` until then.
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

    /// Records the user who allowed access, and the verification code.
    func allow(_ token: String, account: Account, verifier: String) {
        state.withLock { state in
            state.temporary[token]?.account = account
            state.temporary[token]?.verifier = verifier
        }
    }

    /// Consumes temporary credentials; false if they were used before.
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

    /// Records a request; false if it is a replay (section 3.2).
    func note(_ request: String) -> Bool {
        state.withLock { state in
            // Older requests are rejected for their timestamp well before this limit is reached.
            if state.seen.count >= Self.capacity { state.seen = [] }
            return state.seen.insert(request).inserted
        }
    }
}
