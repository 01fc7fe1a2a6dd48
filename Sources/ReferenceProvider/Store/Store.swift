import Conformance
import JOSE
import Synchronization

/// Everything that the provider remembers, in memory; it is gone when the provider stops.
final class Store: Sendable {
    /// Seconds that a code can be redeemed in; RFC 6749 section 4.1.2 recommends ten minutes at most.
    static let codeLifetime = 60.0
    /// Seconds that an access token opens UserInfo.
    static let accessTokenLifetime = 3_600.0
    /// Seconds that a refresh token can be used in.
    static let refreshTokenLifetime = 30 * 86_400.0
    /// Seconds that a person may take to sign in.
    static let patience = 900.0
    /// What is kept of one kind before the expired is thrown away.
    private static let capacity = 10_000

    struct Issued: Sendable {
        var grant: Grant
        var expiresAt: Double
        /// Seconds since 1970.
        var usedAt: Double?
    }

    private struct State: Sendable {
        var sessions: [String: Session] = [:]
        var pending: [String: PendingAuthorization] = [:]
        var codes: [String: Issued] = [:]
        var accessTokens: [String: Issued] = [:]
        var refreshTokens: [String: Issued] = [:]
        var hints: [String: IDTokenHint] = [:]
        /// Clients and the `jti` of their assertions.
        var assertions: Set<String> = []
        /// The last time step whose code was taken, by user name.
        var codeSteps: [String: Int] = [:]
        /// The last signature counter of each person's passkey.
        var passkeyCounts: [String: Int] = [:]
        /// Access tokens that were revoked one by one.
        var revoked: [String: Issued] = [:]
        /// Clients that registered themselves.
        var clients: [String: RegisteredClient] = [:]

        mutating func revoke(_ family: String) {
            accessTokens = accessTokens.filter { $0.value.grant.family != family }
            refreshTokens = refreshTokens.filter { $0.value.grant.family != family }
        }
    }

    private let state = Mutex(State())

    /// A value that nobody can guess: 256 random bits.
    static func random() -> String { Base64URL.encode(Hashes.randomOctets(32)) }

    // MARK: Sessions

    func session(_ id: String) -> Session? { state.withLock { $0.sessions[id] } }

    /// Begins a session under a fresh identifier, so that one known beforehand is worth nothing.
    ///
    /// - Parameters:
    ///   - endingOlder: Whether the person's older sessions end.
    ///   - datingOlder: Whether they count as begun now as well.
    func begin(_ session: Session, endingOlder: Bool = false, datingOlder: Bool = false) -> String {
        let id = Self.random()
        state.withLock { state in
            let older = state.sessions.filter { $0.value.account.username == session.account.username }.keys
            for other in older where endingOlder { state.sessions[other] = nil }
            for other in older where datingOlder { state.sessions[other]?.authenticatedAt = session.authenticatedAt }
            state.sessions[id] = session
        }
        return id
    }

    /// Ends a session; its codes and tokens live on (RP-Initiated Logout says nothing of them).
    func end(_ session: String) {
        state.withLock { $0.sessions[session] = nil }
    }

    func allow(_ scopes: [String], to client: RegisteredClient, in session: String) {
        state.withLock { $0.sessions[session]?.allow(scopes, to: client) }
    }

    // MARK: Pending authorizations

    func keep(_ pending: PendingAuthorization, now: Double) -> String {
        let id = Self.random()
        state.withLock { state in
            if state.pending.count >= Self.capacity {
                state.pending = state.pending.filter { $0.value.expiresAt > now }
            }
            state.pending[id] = pending
        }
        return id
    }

    func pending(_ id: String, now: Double) -> PendingAuthorization? {
        state.withLock { state in state.pending[id].flatMap { $0.expiresAt > now ? $0 : nil } }
    }

    func update(_ id: String, _ change: (inout PendingAuthorization) -> Void) {
        state.withLock { state in
            guard var pending = state.pending[id] else { return }
            change(&pending)
            state.pending[id] = pending
        }
    }

    func forget(_ id: String) {
        state.withLock { $0.pending[id] = nil }
    }

    /// Takes a one-time code; false for one that was taken before, or an older one (RFC 6238 section 5.2).
    func takeCode(of username: String, step: Int) -> Bool {
        state.withLock { state in
            guard step > state.codeSteps[username] ?? -1 else { return false }
            state.codeSteps[username] = step
            return true
        }
    }

    /// Takes a passkey's signature counter; false for one that is not above the last (Web Authentication Level 2 section 7.2, step 21).
    func takeCount(of username: String, _ count: Int) -> Bool {
        state.withLock { state in
            guard count > state.passkeyCounts[username] ?? -1 else { return false }
            state.passkeyCounts[username] = count
            return true
        }
    }

    // MARK: Clients

    func register(_ client: RegisteredClient) {
        state.withLock { $0.clients[client.id] = client }
    }

    func registered(_ id: String) -> RegisteredClient? { state.withLock { $0.clients[id] } }

    /// Forgets a client and all that was issued to it (RFC 7592 section 2.3).
    func forgetClient(_ id: String) {
        state.withLock { state in
            state.clients[id] = nil
            state.codes = state.codes.filter { $0.value.grant.client.id != id }
            state.accessTokens = state.accessTokens.filter { $0.value.grant.client.id != id }
            state.refreshTokens = state.refreshTokens.filter { $0.value.grant.client.id != id }
        }
    }

    // MARK: ID Tokens

    func hint(_ fingerprint: String) -> IDTokenHint? { state.withLock { $0.hints[fingerprint] } }

    /// Remembers an ID Token by its fingerprint; when there are too many, all earlier ones are forgotten.
    func remember(_ fingerprint: String, _ hint: IDTokenHint) {
        state.withLock { state in
            if state.hints.count >= Self.capacity { state.hints = [:] }
            state.hints[fingerprint] = hint
        }
    }

    // MARK: Codes and tokens

    func issueCode(_ grant: Grant, now: Double, _ make: () -> String) -> String {
        issue(\.codes, grant, now: now, lifetime: Self.codeLifetime, make)
    }

    func issueAccessToken(_ grant: Grant, now: Double, _ make: () -> String) -> String {
        issue(\.accessTokens, grant, now: now, lifetime: Self.accessTokenLifetime, make)
    }

    func issueRefreshToken(_ grant: Grant, now: Double, _ make: () -> String) -> String {
        issue(\.refreshTokens, grant, now: now, lifetime: Self.refreshTokenLifetime, make)
    }

    func grant(ofAccessToken token: String, now: Double) -> Grant? {
        state.withLock { state in state.accessTokens[token].flatMap { $0.expiresAt > now ? $0.grant : nil } }
    }

    /// What becomes of a code that comes again.
    struct Reuse {
        /// Whether it takes all tokens of its grant with it (RFC 6749 section 4.1.2).
        var revokesTokens = true
        /// Seconds that it is known to be used.
        var memory = Double.infinity
    }

    /// Uses a code up, if the rules allow it.
    ///
    /// A code that was used before takes all tokens of its grant with it (RFC 6749 section 4.1.2).
    func redeemCode(
        _ code: String,
        now: Double,
        reuse: Reuse,
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        redeem(\.codes, code, now: now, reuse: reuse, rule: rule)
    }

    /// Uses a refresh token up, if the rules allow it; one that was used before is stolen
    /// (RFC 9700 section 4.14.2).
    func redeemRefreshToken(
        _ token: String,
        now: Double,
        usesUp: Bool,
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        redeem(\.refreshTokens, token, now: now, usesUp: usesUp, rule: rule)
    }

    /// Takes note of an assertion; false when it was used before.
    func use(assertion: String) -> Bool {
        state.withLock { state in
            if state.assertions.count >= Self.capacity { state.assertions = [] }
            return state.assertions.insert(assertion).inserted
        }
    }

    // MARK: Looking up and revoking

    /// An access token as introspection tells of it.
    func issued(accessToken token: String, now: Double, orRevoked: Bool) -> Issued? {
        state.withLock { state in
            let issued = state.accessTokens[token] ?? (orRevoked ? state.revoked[token] : nil)
            return issued.flatMap { $0.expiresAt > now ? $0 : nil }
        }
    }

    /// A live access token that came from the same authorization.
    func accessToken(ofFamily family: String) -> String? {
        state.withLock { $0.accessTokens.first { $0.value.grant.family == family }?.key }
    }

    /// Forgets an access token of the client; one of another client, or an unknown one, is left alone.
    func revoke(accessToken token: String, of client: String) {
        state.withLock { state in
            guard let issued = state.accessTokens[token], issued.grant.client.id == client else { return }
            state.accessTokens[token] = nil
            state.revoked[token] = issued
        }
    }

    /// Forgets a refresh token of the client, and with it the access tokens of its grant (RFC 7009 section 2.1).
    func revoke(refreshToken token: String, of client: String, withFamily: Bool) {
        state.withLock { state in
            guard let grant = state.refreshTokens[token]?.grant, grant.client.id == client else { return }
            if withFamily { state.revoke(grant.family) } else { state.refreshTokens[token] = nil }
        }
    }

    struct Refusal: Error {
        var error: OAuthError
        /// The grant that the refused value stands for, if it stands for any.
        var grant: Grant?
    }

    private typealias Shelf = WritableKeyPath<State, [String: Issued]>

    private func issue(
        _ shelf: Shelf,
        _ grant: Grant,
        now: Double,
        lifetime: Double,
        _ make: () -> String
    ) -> String {
        let value = make()
        state.withLock { state in
            if state[keyPath: shelf].count >= Self.capacity {
                state[keyPath: shelf] = state[keyPath: shelf].filter { $0.value.expiresAt > now }
            }
            state[keyPath: shelf][value] = Issued(grant: grant, expiresAt: now + lifetime)
        }
        return value
    }

    private func redeem(
        _ shelf: Shelf,
        _ value: String,
        now: Double,
        usesUp: Bool = true,
        reuse: Reuse = Reuse(),
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        state.withLock { state in
            guard var issued = state[keyPath: shelf][value] else {
                return .failure(Refusal(error: OAuthError("invalid_grant", "it was never issued, or was revoked")))
            }
            if let usedAt = issued.usedAt, now - usedAt <= reuse.memory {
                if reuse.revokesTokens { state.revoke(issued.grant.family) }
                let text = shelf == \.codes ? "it was used before" : "it was replaced by another"
                let error = OAuthError("invalid_grant", text)
                return .failure(Refusal(error: error, grant: issued.grant))
            }
            guard issued.expiresAt > now else {
                return .failure(Refusal(error: OAuthError("invalid_grant", "it has expired"), grant: issued.grant))
            }
            if let error = rule(issued.grant) { return .failure(Refusal(error: error, grant: issued.grant)) }
            issued.usedAt = usesUp && !issued.grant.isRedeemedTwice ? now : nil
            state[keyPath: shelf][value] = issued
            return .success(issued.grant)
        }
    }
}
