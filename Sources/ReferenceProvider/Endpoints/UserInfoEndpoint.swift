import Conformance
import JSONTree

/// The UserInfo endpoint (Core section 5.3), which requires a bearer token (RFC 6750).
extension Provider {
    func userInfo(_ request: ProviderRequest) -> HTTPAnswer {
        guard hooks.life.userInfoMethods.contains(request.method) else {
            return .methodNotAllowed(["GET", "HEAD", "POST", "OPTIONS"])
        }
        if request.method == "POST", hooks.life.userInfoNeedsForm, request.form == nil {
            return Page.problem(status: 415, "The request is not a form.")
        }
        let tokens = bearerTokens(request)
        // RFC 6750 section 3.1: without any token, no error code.
        guard let token = tokens.first else {
            return refuse(TokenLifecycleHooks.BearerRefusal(status: 401), hadToken: false)
        }
        // RFC 6750 section 2: not more than one method in a request.
        guard tokens.count == 1 else {
            return bearerError(TokenLifecycleHooks.BearerRefusal(status: 400, error: "invalid_request"))
        }
        guard let grant = store.grant(ofAccessToken: token, now: now(), comparing: hooks.life.comparedPart) else {
            return hooks.life.takesIDTokens && hint(token) != nil
                ? anyUsersClaims
                : hooks.life.takesAnyTokenByPOST && request.method == "POST"
                    ? anyUsersClaims
                    : refuse(TokenLifecycleHooks.BearerRefusal(status: 401, error: "invalid_token"), hadToken: true)
        }
        if let key = grant.proofKey, let error = proofError(request, of: key, accessToken: token) {
            return bearerError(TokenLifecycleHooks.BearerRefusal(status: 401, error: error))
        }
        guard grant.hasOpenID else {
            return bearerError(TokenLifecycleHooks.BearerRefusal(status: 403, error: "insufficient_scope"))
        }
        return claims(of: grant, byPOST: request.method == "POST")
    }

    private func bearerTokens(_ request: ProviderRequest) -> [String] {
        var tokens: [String] = []
        let isRead = hooks.life.takesBearerInLowerCase || request.header("Authorization")?.hasPrefix("bearer") != true
        let schemes = offer.requiresProofs ? ["bearer", "dpop"] : ["bearer"]
        if let (scheme, credentials) = request.authorization, schemes.contains(scheme), isRead {
            tokens.append(credentials)
        }
        if request.method == "POST", hooks.life.takesTokenInBody, let token = request.form?.first("access_token") {
            tokens.append(token)
        }
        if hooks.life.takesTokenInQuery, let token = request.query.first("access_token") { tokens.append(token) }
        return tokens
    }

    private func claims(of grant: Grant, byPOST: Bool) -> HTTPAnswer {
        let subject: JSONObject = ["sub": .string(self.subject(of: grant))]
        var claims = subject.merging(grant.account.claims(for: hooks.userInfoScopes(grant.scopes)))
        if hooks.requests.answersClaimsAtUserInfo {
            claims = claims.merging(grant.account.claims(named: grant.claims.userInfo))
        }
        hooks.userInfo(&claims)
        if byPOST { hooks.life.userInfoByPOST(&claims) }
        var answer = HTTPAnswer.json(claims)
        do {
            if let token = try userInfoJWT(claims, for: grant.client) {
                answer = HTTPAnswer(
                    status: 200,
                    headers: [Field("Content-Type", "application/jwt")],
                    body: Array(token.utf8)
                )
            }
        } catch {
            answer = Page.problem(status: 500, "\(error)")
        }
        answer.forbidStoring()
        return answer
    }

    private func refuse(_ refusal: TokenLifecycleHooks.BearerRefusal, hadToken: Bool) -> HTTPAnswer {
        hooks.life.userInfoRefusal(hadToken, refusal).map(bearerError) ?? anyUsersClaims
    }

    /// The response of a provider that does not check the token.
    private var anyUsersClaims: HTTPAnswer {
        let sample = Grant(
            family: Store.random(),
            client: clients.first ?? .confidential,
            account: accounts.first ?? .alice,
            scopes: ["openid"],
            authenticatedAt: now().rounded(.down)
        )
        return claims(of: sample, byPOST: false)
    }

    private func bearerError(_ refusal: TokenLifecycleHooks.BearerRefusal) -> HTTPAnswer {
        var challenge = "\(offer.requiresProofs ? "DPoP" : "Bearer") realm=\"\(issuer)\""
        if let error = refusal.error { challenge += ", error=\"\(error)\"" }
        var headers = refusal.hasChallenge ? [Field("WWW-Authenticate", challenge)] : []
        if refusal.error == "use_dpop_nonce" { headers.append(Field("DPoP-Nonce", Self.proofNonce)) }
        var answer = HTTPAnswer(status: refusal.status, headers: headers, body: [])
        answer.forbidStoring()
        return answer
    }
}
