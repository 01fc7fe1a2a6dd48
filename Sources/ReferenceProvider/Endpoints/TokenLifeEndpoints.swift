import JSONTree

/// The endpoints for revocation and introspection.
extension Provider {
    /// The revocation endpoint (RFC 7009).
    func revoke(_ request: ProviderRequest) -> HTTPAnswer {
        guard request.method == "POST" else { return .methodNotAllowed(["POST"]) }
        let asked = askedOfToken(request)
        if let error = hooks.life.revocationError(asked.parameters, asked.error) { return tokenError(error) }
        if let client = asked.client?.id, let token = asked.parameters["token"] {
            if hooks.life.revokesAccessTokens {
                store.revoke(accessToken: token, of: hooks.life.revokesForAnyClient ? nil : client)
            }
            if hooks.life.revokesRefreshTokens {
                store.revoke(refreshToken: token, of: client, withFamily: hooks.life.revokesFamilies)
            }
        }
        // RFC 7009 section 2.2: an unknown token counts as revoked.
        var answer = HTTPAnswer(status: 200, headers: [], body: [])
        answer.forbidStoring()
        return answer
    }

    /// The introspection endpoint (RFC 7662).
    func introspect(_ request: ProviderRequest) -> HTTPAnswer {
        guard request.method == "POST" else { return .methodNotAllowed(["POST"]) }
        var asked = askedOfToken(request)
        // The client must authenticate, or an attacker could probe for tokens (RFC 7662 section 2.1).
        if asked.error == nil, asked.client?.secret == nil { asked.error = "invalid_client" }
        if let error = hooks.life.introspectionError(asked.parameters, asked.error) { return tokenError(error) }
        var object = description(of: asked.parameters["token"] ?? "", for: asked.client)
        if object["active"] == true { hooks.life.introspected(&object) } else { hooks.life.inactive(&object) }
        var answer = HTTPAnswer.json(object)
        answer.forbidStoring()
        return answer
    }

    /// RFC 7662 section 2.2: an invalid token, or another client's, is only reported as inactive.
    private func description(of token: String, for client: RegisteredClient?) -> JSONObject {
        guard
            let issued = store.issued(accessToken: token, now: now(), orRevoked: hooks.life.forgetsRevocation),
            issued.grant.client.id == client?.id ?? issued.grant.client.id
        else { return ["active": false] }
        return [
            "active": true,
            "iss": .string(issuer),
            "sub": .string(subject(of: issued.grant)),
            "client_id": .string(issued.grant.client.id),
            "scope": .string(issued.grant.scopes.joined(separator: " ")),
            "token_type": "Bearer",
            "exp": .integer(Int64(issued.expiresAt)),
        ]
    }

    /// An introspection or revocation request, with its client or the error in it.
    private struct TokenLifeRequest {
        var parameters: TokenRequestParameters
        var client: RegisteredClient?
        var error: OAuthError?
    }

    private func askedOfToken(_ request: ProviderRequest) -> TokenLifeRequest {
        let form = (request.form ?? []).withoutEmpty
        let credentials = ClientCredentials(request, form, decode: hooks.decodesBasicHalf)
        var asked = TokenLifeRequest(parameters: TokenRequestParameters(all: form, method: credentials.method))
        guard request.form != nil else {
            asked.error = OAuthError("invalid_request", "the request is not a form")
            return asked
        }
        switch authenticate(credentials) {
        case .success(let client): asked.client = client
        case .failure(let refusal):
            asked.error = refusal.error
            asked.client = client(credentials.id)
        }
        if asked.error == nil, asked.parameters["token"] == nil {
            asked.error = OAuthError("invalid_request", "token is missing")
        }
        return asked
    }
}
