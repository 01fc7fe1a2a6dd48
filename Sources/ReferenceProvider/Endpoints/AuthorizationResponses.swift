import Conformance
import JOSE

/// The responses to the client.
extension Provider {
    /// All parameters of the response type (Core sections 3.1.2.5, 3.2.2.5 and 3.3.2.5).
    func respond(_ request: AcceptedRequest, _ session: Session) -> HTTPAnswer {
        if let token = request.temporaryToken { return callBack(token, request, session) }
        let type = request.responseType
        let grant = Grant(
            family: Store.random(),
            client: request.client,
            account: session.account,
            scopes: request.scopes,
            authenticatedAt: session.authenticatedAt,
            sessionID: session.id,
            nonce: request.nonce,
            redirectURI: request.redirectURI,
            codeChallenge: request.codeChallenge,
            contextClass: request.contextClass,
            claims: request.claims,
            isRedeemedTwice: request.isRedeemedTwice
        )
        let replacesNonces = hooks.session.keepsNonceWithSession
        let code =
            type.hasCode
            ? store.issueCode(grant, now: now(), replacingNonces: replacesNonces, hooks.parameters.makeCode) : nil
        let accessToken = type.hasToken ? store.issueAccessToken(grant, now: now(), hooks.life.makeAccessToken) : nil
        var parameters: [Field] = []
        if let code { parameters.append(Field("code", code)) }
        if let accessToken {
            parameters.append(Field("access_token", accessToken))
            parameters.append(Field("token_type", "Bearer"))
            parameters.append(Field("expires_in", String(Int(Store.accessTokenLifetime))))
            parameters.append(Field("scope", grant.scopes.joined(separator: " ")))
        }
        if type.hasIDToken {
            do {
                let token = try idToken(
                    for: grant,
                    at: .authorizationEndpoint,
                    accessToken: accessToken,
                    code: code,
                    // Core section 5.4: without an access token, the claims are returned in the ID Token.
                    carriesClaims: !(type.hasCode || type.hasToken) || !offer.hasUserInfo
                )
                parameters.append(Field("id_token", token))
            } catch {
                return refuse(OAuthError("server_error", error.description), request)
            }
        }
        return redirect(request, parameters, isError: false)
    }

    /// An error response (RFC 6749 sections 4.1.2.1 and 4.2.2.1, Core section 3.1.2.6).
    func refuse(_ error: OAuthError, _ request: AcceptedRequest) -> HTTPAnswer {
        if let token = request.temporaryToken { return callBackDenied(token, request) }
        var parameters = [Field("error", error.code)]
        if let text = error.text { parameters.append(Field("error_description", text)) }
        return redirect(request, parameters, isError: true)
    }

    private func redirect(_ request: AcceptedRequest, _ parameters: [Field], isError: Bool) -> HTTPAnswer {
        var parameters = parameters
        if let state = request.state { parameters.append(Field("state", state)) }
        if offer.sendsIssuer { parameters.append(Field("iss", issuer)) }
        var response = AuthorizationResponse(
            redirectURI: request.redirectURI,
            mode: request.mode,
            parameters: parameters,
            isError: isError
        )
        hooks.authorizationResponse(&response)
        let separator: String
        switch response.mode {
        case .fragment: separator = "#"
        // RFC 6749 section 3.1.2: the query of the redirect URI is kept.
        case .query: separator = response.redirectURI.contains("?") ? "&" : "?"
        case .formPost: return Page.response(response.parameters, to: response.redirectURI)
        }
        return .redirect(to: response.redirectURI + separator + FormEncoding.encode(response.parameters))
    }
}
