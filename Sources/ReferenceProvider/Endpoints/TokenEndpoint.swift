import Conformance
import JOSE
import JSONTree

/// The token endpoint (RFC 6749 section 3.2, Core section 3.1.3).
extension Provider {
    func token(_ request: ProviderRequest) -> HTTPAnswer { translated(tokenAnswer(request), to: request) }

    private func tokenAnswer(_ request: ProviderRequest) -> HTTPAnswer {
        // RFC 6749 section 3.2: the client MUST use POST.
        guard hooks.tokenRequestMethods.contains(request.method) else {
            return .methodNotAllowed(hooks.tokenRequestMethods)
        }
        let received = request.method == "POST" ? request.form : request.query
        let form = (received ?? []).withoutEmpty
        let credentials = ClientCredentials(request, form, decode: hooks.decodesBasicHalf)
        let parameters = TokenRequestParameters(
            all: form,
            method: credentials.method,
            headers: request.headers,
            emptyNames: (received ?? []).filter(\.value.isEmpty).map(\.name)
        )
        let decision = decision(parameters, credentials, isForm: received != nil)
        if let error = hooks.tokenError(parameters, decision.error) { return tokenError(error) }
        do {
            // If a hook accepts a request that has no grant, the response is as if the first user had
            // signed in to the first client.
            return try tokenResponse(decision.grant ?? substituteGrant(credentials), decision)
        } catch {
            return tokenError(OAuthError("server_error", error.description))
        }
    }

    /// The decision of the specifications on a token request.
    private struct TokenDecision {
        var error: OAuthError?
        var grant: Grant?
        var isRefreshed = false
        /// The scopes of the new access token, if fewer than those granted.
        var narrowed: [String]?
    }

    private func decision(
        _ parameters: TokenRequestParameters,
        _ credentials: ClientCredentials,
        isForm: Bool
    ) -> TokenDecision {
        guard isForm else { return TokenDecision(error: OAuthError("invalid_request", "the request is not a form")) }
        if let name = parameters.all.repeatedName {
            return TokenDecision(error: OAuthError("invalid_request", .repeatedParameter(name)))
        }
        let client: RegisteredClient
        switch authenticate(credentials) {
        case .success(let found): client = found
        case .failure(let refusal):
            if hooks.spendsCodesOfRefusedClients, let code = parameters["code"] {
                _ = store.redeemCode(code, now: now(), reuse: Store.Reuse()) { _ in nil }
            }
            return TokenDecision(error: refusal.error)
        }
        guard offer.requiresProofs else { return grant(parameters, client) }
        switch proved(parameters.headers, at: .token, by: "POST") {
        case .failure(let refusal): return TokenDecision(error: refusal.error)
        case .success(let key):
            var decision = grant(parameters, client)
            decision.grant?.proofKey = key
            return decision
        }
    }

    private func grant(_ parameters: TokenRequestParameters, _ client: RegisteredClient) -> TokenDecision {
        switch parameters["grant_type"] ?? (hooks.looksAtMissingGrantType ? nil : "authorization_code") {
        case nil: return TokenDecision(error: OAuthError("invalid_request", .missingGrantType))
        case "authorization_code": return redeemCode(parameters, client)
        case "refresh_token" where offer.hasRefreshTokens: return refresh(parameters, client)
        default: return TokenDecision(error: "unsupported_grant_type")
        }
    }

    /// The authenticated client.
    func authenticate(_ credentials: ClientCredentials) -> Result<RegisteredClient, Store.Refusal> {
        if let error = credentials.error { return .failure(Store.Refusal(error: error)) }
        if let assertion = credentials.assertion, client(credentials.id)?.registration != nil {
            return client(assertedBy: assertion.compact).map { .success($0) }
                ?? .failure(Store.Refusal(error: invalidClient(credentials)))
        }
        guard let method = credentials.method, let client = client(credentials.id),
            client.isDescribed || offer.authenticationMethods.contains(method),
            client.authenticationMethods.contains(method)
        else { return .failure(Store.Refusal(error: invalidClient(credentials))) }
        if let assertion = credentials.assertion {
            guard let flaw = problem(assertion, client) else { return .success(client) }
            var error = invalidClient(credentials)
            error.text = flaw.text
            error.rejection = flaw
            return .failure(Store.Refusal(error: error))
        }
        guard let registered = client.secret else { return .success(client) }
        guard let given = credentials.secret,
            hooks.acceptsSecret(given.reveal(), registered.reveal(), method)
        else { return .failure(Store.Refusal(error: invalidClient(credentials))) }
        return .success(client)
    }

    /// RFC 7523 section 3; an assertion cannot be used twice (Core section 9).
    private func problem(_ assertion: ReceivedAssertion, _ client: RegisteredClient) -> RejectionReason? {
        let audiences =
            switch offer.assertion?.audience {
            case .issuer: [issuer]
            case .tokenEndpoint: [address(.token)]
            case nil: [issuer, address(.token)]
            }
        if let problem = assertion.problem(client, audiences: audiences, now: now(), offer.assertion) { return problem }
        let isFresh = store.use(assertion: client.id + " " + (assertion.text("jti") ?? ""))
        return isFresh ? nil : .reusedAssertion
    }

    /// A 401 needs a challenge, and only Basic is possible; RFC 6749 section 5.2 leaves the choice unless
    /// the client itself used the Authorization field.
    private func invalidClient(_ credentials: ClientCredentials) -> OAuthError {
        var error: OAuthError = "invalid_client"
        let hasChallenge = offer.authenticationMethods.contains(.clientSecretBasic)
        if !hasChallenge, credentials.method != .clientSecretBasic { error.status = 400 }
        if !hooks.challengesUnknownClients, client(credentials.id) == nil { error.status = 400 }
        return error
    }

    /// Core section 3.1.3.2.
    private func redeemCode(_ parameters: TokenRequestParameters, _ client: RegisteredClient) -> TokenDecision {
        guard let code = parameters["code"] else {
            return TokenDecision(error: OAuthError("invalid_request", "code is missing"))
        }
        let reuse = Store.Reuse(revokesTokens: hooks.revokesTokensOnReuse, memory: hooks.codeMemory)
        let result = store.redeemCode(code, now: now(), reuse: reuse) { grant in
            if grant.client.id != client.id { return OAuthError("invalid_grant", .otherClient) }
            if grant.redirectURI != parameters["redirect_uri"] {
                return OAuthError("invalid_grant", .otherRedirectURI)
            }
            return verifierError(grant.codeChallenge, parameters["code_verifier"])
        }
        return decision(result, isRefreshed: false)
    }

    private func verifierError(_ challenge: String?, _ verifier: String?) -> OAuthError? {
        switch (challenge, verifier) {
        case (nil, nil): nil
        // RFC 9700 section 4.8.2: otherwise an attacker could remove the challenge unnoticed.
        case (nil, _?): OAuthError("invalid_grant", .verifierWithoutChallenge)
        case (_?, nil): OAuthError("invalid_grant", .missingVerifier)
        case (.some, challenge?): OAuthError("invalid_grant", .challengeAsVerifier)
        case (let challenge?, let verifier?):
            if !PKCE.isWellFormed(verifier) {
                OAuthError("invalid_grant", .malformedVerifier)
            } else if !PKCE.matches(verifier: verifier, challenge: challenge) {
                OAuthError("invalid_grant", .wrongVerifier)
            } else {
                nil
            }
        }
    }

    /// RFC 6749 section 6; the refresh token is consumed and a new one issued.
    private func refresh(_ parameters: TokenRequestParameters, _ client: RegisteredClient) -> TokenDecision {
        guard let token = parameters["refresh_token"] else {
            return TokenDecision(error: OAuthError("invalid_request", "refresh_token is missing"))
        }
        let scopes = parameters["scope"].map { $0.split(separator: " ").map(String.init) }
        let result = store.redeemRefreshToken(token, now: now(), usesUp: hooks.life.rotates) { grant in
            if grant.client.id != client.id { return OAuthError("invalid_grant", .otherClient) }
            let isWithin = scopes?.allSatisfy(grant.scopes.contains) ?? true
            return isWithin || hooks.life.widensScope ? nil : "invalid_scope"
        }
        var decision = decision(result, isRefreshed: true)
        decision.narrowed = scopes
        return decision
    }

    private func decision(_ result: Result<Grant, Store.Refusal>, isRefreshed: Bool) -> TokenDecision {
        switch result {
        case .success(let grant): TokenDecision(grant: grant, isRefreshed: isRefreshed)
        case .failure(let refusal): TokenDecision(error: refusal.error, grant: refusal.grant, isRefreshed: isRefreshed)
        }
    }

    private func substituteGrant(_ credentials: ClientCredentials) -> Grant {
        Grant(
            family: Store.random(),
            client: client(credentials.id) ?? clients.first ?? .confidential,
            account: accounts.first ?? .alice,
            scopes: ["openid"],
            authenticatedAt: now().rounded(.down)
        )
    }

    // MARK: Responses

    /// RFC 6749 section 5.1, Core section 3.1.3.3.
    private func tokenResponse(_ granted: Grant, _ decision: TokenDecision) throws(JOSEError) -> HTTPAnswer {
        let isRefreshed = decision.isRefreshed
        var grant = granted
        if let narrowed = decision.narrowed { grant.scopes = narrowed }
        let accessToken = accessToken(grant, isRefreshed: isRefreshed)
        var response: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": .string(grant.proofKey == nil ? offer.tokenDialect.tokenType : "DPoP"),
        ]
        if offer.tokenDialect.statesLifetime {
            response["expires_in"] = .integer(Int64(Store.accessTokenLifetime))
        }
        if offer.hasRefreshTokens, !isRefreshed || hooks.life.rotates {
            // RFC 6749 section 6: the scope of a refresh token never changes.
            let isForgotten = isRefreshed && !hooks.life.remembersRotated
            let token =
                isForgotten ? Store.random() : store.issueRefreshToken(granted, now: now(), hooks.life.makeRefreshToken)
            response["refresh_token"] = .string(token)
        }
        response["scope"] = .string(grant.scopes.joined(separator: offer.tokenDialect.scopeSeparator))
        if grant.hasOpenID {
            let token = try idToken(
                for: grant,
                at: .tokenEndpoint,
                accessToken: accessToken,
                carriesClaims: !offer.hasUserInfo,
                isRefreshed: isRefreshed
            )
            response["id_token"] = .string(token)
        }
        hooks.tokenResponse(&response)
        if isRefreshed { hooks.life.refreshed(&response) }
        var answer = HTTPAnswer.json(response)
        answer.forbidStoring()
        if isRefreshed { hooks.life.refreshAnswer(&answer) }
        return answer
    }

    private func accessToken(_ grant: Grant, isRefreshed: Bool) -> String {
        guard isRefreshed else { return store.issueAccessToken(grant, now: now(), hooks.life.makeAccessToken) }
        if hooks.life.repeatsAccessToken, let earlier = store.accessToken(ofFamily: grant.family) { return earlier }
        var grant = grant
        if let account = hooks.life.refreshedAccount { grant.account = account }
        return hooks.life.remembersRefreshed
            ? store.issueAccessToken(grant, now: now(), hooks.life.makeAccessToken) : Store.random()
    }

    /// RFC 6749 section 5.2.
    func tokenError(_ error: OAuthError) -> HTTPAnswer {
        var response: JSONObject = ["error": .string(offer.tokenDialect.errorName(error))]
        response["error_description"] = error.text.map(JSON.string)
        hooks.tokenErrorResponse(&response)
        var answer = HTTPAnswer.json(response, status: offer.tokenDialect.errorStatus ?? error.status)
        answer.forbidStoring()
        // RFC 9110 section 15.5.2: a 401 must state how to authenticate.
        if error.code == "use_dpop_nonce" { answer.setHeader("DPoP-Nonce", Self.proofNonce) }
        if answer.status == 401 { answer.setHeader("WWW-Authenticate", "Basic realm=\"\(issuer)\"") }
        return answer
    }
}
