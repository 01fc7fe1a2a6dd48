import JOSE
import Synchronization

/// The provider's state, in memory only.
final class Store: Sendable {
    /// Lifetime of a code in seconds; RFC 6749 section 4.1.2 recommends ten minutes at most.
    static let codeLifetime = 60.0
    /// Lifetime of an access token in seconds.
    static let accessTokenLifetime = 3_600.0
    /// Lifetime of a refresh token in seconds.
    static let refreshTokenLifetime = 30 * 86_400.0
    /// Time limit for a sign-in in seconds.
    static let timeLimit = 900.0
    /// Maximum number of entries of one kind before expired ones are removed.
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
        /// The last time step whose code was accepted, by user name.
        var codeSteps: [String: Int] = [:]
        /// The last signature counter of each user's passkey.
        var passkeyCounts: [String: Int] = [:]
        /// Access tokens that were revoked individually.
        var revoked: [String: Issued] = [:]
        /// Dynamically registered clients.
        var clients: [String: RegisteredClient] = [:]

        mutating func revoke(_ family: String) {
            accessTokens = accessTokens.filter { $0.value.grant.family != family }
            refreshTokens = refreshTokens.filter { $0.value.grant.family != family }
        }
    }

    private let state = Mutex(State())

    /// An unguessable value: 256 random bits.
    static func random() -> String { Base64URL.encode(Hashes.randomBytes(32)) }

    // MARK: Sessions

    func session(_ id: String) -> Session? { state.withLock { $0.sessions[id] } }

    /// Begins a session with a fresh identifier, which prevents session fixation.
    ///
    /// - Parameters:
    ///   - endingOlder: Whether the user's older sessions end.
    ///   - datingOlder: Whether they get the time of this sign-in.
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

    /// Ends a session; its codes and tokens stay valid (RP-Initiated Logout does not mention them).
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

    /// Accepts a one-time code; false for a used or older one (RFC 6238 section 5.2).
    func takeCode(of username: String, step: Int) -> Bool {
        state.withLock { state in
            guard step > state.codeSteps[username] ?? -1 else { return false }
            state.codeSteps[username] = step
            return true
        }
    }

    /// Accepts a passkey's signature counter; false if it has not increased (Web Authentication Level 2 section 7.2,
    /// step 21).
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

    /// Removes a client and everything issued to it (RFC 7592 section 2.3).
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

    /// Records an ID Token by its fingerprint; if there are too many, all earlier ones are removed.
    func remember(_ fingerprint: String, _ hint: IDTokenHint) {
        state.withLock { state in
            if state.hints.count >= Self.capacity { state.hints = [:] }
            state.hints[fingerprint] = hint
        }
    }

    // MARK: Codes and tokens

    /// - Parameter replacingNonces: Whether the session's earlier codes get the nonce of this one.
    func issueCode(_ grant: Grant, now: Double, replacingNonces: Bool, _ make: () -> String) -> String {
        if replacingNonces {
            state.withLock { state in
                for (code, issued) in state.codes where issued.grant.sessionID == grant.sessionID {
                    state.codes[code]?.grant.nonce = grant.nonce
                }
            }
        }
        return issue(\.codes, grant, now: now, lifetime: Self.codeLifetime, make)
    }

    func issueAccessToken(_ grant: Grant, now: Double, _ make: () -> String) -> String {
        issue(\.accessTokens, grant, now: now, lifetime: Self.accessTokenLifetime, make)
    }

    func issueRefreshToken(_ grant: Grant, now: Double, _ make: () -> String) -> String {
        issue(\.refreshTokens, grant, now: now, lifetime: Self.refreshTokenLifetime, make)
    }

    func grant(ofAccessToken token: String, now: Double, comparing part: (String) -> Substring = { $0[...] }) -> Grant?
    {
        state.withLock { state in
            let issued = state.accessTokens[token] ?? state.accessTokens.first { part($0.key) == part(token) }?.value
            return issued.flatMap { $0.expiresAt > now ? $0.grant : nil }
        }
    }

    /// The handling of a reused code.
    struct Reuse {
        /// Whether it revokes all tokens of its grant (RFC 6749 section 4.1.2).
        var revokesTokens = true
        /// Seconds for which its use is remembered.
        var memory = Double.infinity
    }

    /// Consumes a code, if the rules allow it.
    ///
    /// A reused code revokes all tokens of its grant (RFC 6749 section 4.1.2).
    func redeemCode(
        _ code: String,
        now: Double,
        reuse: Reuse,
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        redeem(\.codes, code, now: now, reuse: reuse, rule: rule)
    }

    /// Consumes a refresh token, if the rules allow it; a reused one is treated as stolen
    /// (RFC 9700 section 4.14.2).
    func redeemRefreshToken(
        _ token: String,
        now: Double,
        usesUp: Bool,
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        redeem(\.refreshTokens, token, now: now, usesUp: usesUp, rule: rule)
    }

    /// Records an assertion; false if it was used before.
    func use(assertion: String) -> Bool {
        state.withLock { state in
            if state.assertions.count >= Self.capacity { state.assertions = [] }
            return state.assertions.insert(assertion).inserted
        }
    }

    // MARK: Looking up and revoking

    /// An access token as introspection reports it.
    func issued(accessToken token: String, now: Double, orRevoked: Bool) -> Issued? {
        state.withLock { state in
            let issued = state.accessTokens[token] ?? (orRevoked ? state.revoked[token] : nil)
            return issued.flatMap { $0.expiresAt > now ? $0 : nil }
        }
    }

    /// A valid access token of the same authorization.
    func accessToken(ofFamily family: String) -> String? {
        state.withLock { $0.accessTokens.first { $0.value.grant.family == family }?.key }
    }

    /// Revokes an access token of the client; an unknown one, or another client's, is ignored.
    func revoke(accessToken token: String, of client: String?) {
        state.withLock { state in
            guard let issued = state.accessTokens[token], client.map({ $0 == issued.grant.client.id }) ?? true
            else { return }
            state.accessTokens[token] = nil
            state.revoked[token] = issued
        }
    }

    /// Revokes a refresh token of the client, and the access tokens of its grant (RFC 7009 section 2.1).
    func revoke(refreshToken token: String, of client: String, withFamily: Bool) {
        state.withLock { state in
            guard let grant = state.refreshTokens[token]?.grant, grant.client.id == client else { return }
            if withFamily { state.revoke(grant.family) } else { state.refreshTokens[token] = nil }
        }
    }

    struct Refusal: Error {
        var error: OAuthError
        /// The grant of the rejected value, if there is one.
        var grant: Grant?
    }

    private typealias Table = WritableKeyPath<State, [String: Issued]>

    private func issue(
        _ table: Table,
        _ grant: Grant,
        now: Double,
        lifetime: Double,
        _ make: () -> String
    ) -> String {
        let value = make()
        state.withLock { state in
            if state[keyPath: table].count >= Self.capacity {
                state[keyPath: table] = state[keyPath: table].filter { $0.value.expiresAt > now }
            }
            state[keyPath: table][value] = Issued(grant: grant, expiresAt: now + lifetime)
        }
        return value
    }

    private func redeem(
        _ table: Table,
        _ value: String,
        now: Double,
        usesUp: Bool = true,
        reuse: Reuse = Reuse(),
        rule: (Grant) -> OAuthError?
    ) -> Result<Grant, Refusal> {
        state.withLock { state in
            guard var issued = state[keyPath: table][value] else {
                return .failure(Refusal(error: OAuthError("invalid_grant", .unknownGrant)))
            }
            if let usedAt = issued.usedAt, now - usedAt <= reuse.memory {
                if reuse.revokesTokens { state.revoke(issued.grant.family) }
                let error = OAuthError("invalid_grant", table == \.codes ? .codeWasUsed : .tokenWasReplaced)
                return .failure(Refusal(error: error, grant: issued.grant))
            }
            guard issued.expiresAt > now else {
                return .failure(Refusal(error: OAuthError("invalid_grant", "it has expired"), grant: issued.grant))
            }
            if let error = rule(issued.grant) { return .failure(Refusal(error: error, grant: issued.grant)) }
            issued.usedAt = usesUp && !issued.grant.isRedeemedTwice ? now : nil
            state[keyPath: table][value] = issued
            return .success(issued.grant)
        }
    }
}
