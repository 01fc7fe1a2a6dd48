import Conformance

/// The rules of the specifications for an authorization request whose client and redirect URI are valid.
struct AuthorizationRules: Sendable {
    let parameters: AuthorizationRequestParameters
    let client: RegisteredClient
    let offer: Offer

    /// Why the request is rejected; `nil` if it is valid.
    var error: OAuthError? {
        parameterError ?? responseTypeError ?? responseModeError ?? scopeError ?? nonceError ?? promptError
            ?? challengeError
    }

    var prompts: [String] { words("prompt") }

    /// The maximum age of the sign-in in seconds.
    var maxAge: Double? { parameters["max_age"].flatMap { UInt32($0) }.map { Double($0) } }

    var responseType: ResponseType? { parameters.responseType }

    /// Errors use the same mode (Multiple Response Type Encoding Practices sections 3 and 5).
    var mode: AuthorizationResponse.Mode {
        if parameters["response_mode"] == "form_post", offer.hasFormPost { return .formPost }
        if responseType?.isFrontChannel == true { return .fragment }
        return parameters["response_mode"] == "fragment" ? .fragment : .query
    }

    /// The request with its defaults applied.
    func accepted(redirectURI: String) -> AcceptedRequest {
        let type = responseType ?? "code"
        return AcceptedRequest(
            client: client,
            redirectURI: redirectURI,
            responseType: type,
            mode: mode,
            scopes: grantedScopes,
            state: parameters["state"],
            nonce: parameters["nonce"],
            codeChallenge: type.hasCode ? challenge : nil,
            loginHint: parameters["login_hint"],
            // Core section 3.1.2.1: a Voluntary Claim, and all users sign in by the same means here.
            contextClass: parameters["acr_values"] == nil ? nil : offer.contextClasses.first
        )
    }

    /// Scopes that are not understood are ignored (Core section 3.1.2.1).
    private var grantedScopes: [String] {
        var seen: Set<String> = []
        return words("scope")
            .filter { scope in
                guard offer.scopes.contains(scope), seen.insert(scope).inserted else { return false }
                // Core section 11: without consent, or without a code, the request for offline access is ignored.
                return scope != "offline_access" || prompts.contains("consent") && responseType?.hasCode == true
            }
    }

    private var parameterError: OAuthError? {
        if let name = parameters.all.repeatedName {
            return OAuthError("invalid_request", .repeatedParameter(name))
        }
        // Core section 3.1.2.6.
        if parameters["request"] != nil { return "request_not_supported" }
        if parameters["request_uri"] != nil { return "request_uri_not_supported" }
        if parameters["registration"] != nil { return "registration_not_supported" }
        // Core section 5.5.
        if offer.hasClaimsParameter, let claims = parameters["claims"], ClaimsRequest.isMalformed(claims) {
            return OAuthError("invalid_request", .malformedClaims)
        }
        return nil
    }

    private var responseTypeError: OAuthError? {
        guard let type = responseType else { return OAuthError("invalid_request", "response_type is missing") }
        guard offer.offers(type), words("response_type").count == type.values.count else {
            return "unsupported_response_type"
        }
        if let registered = client.responseTypes, !registered.contains(type) { return "unauthorized_client" }
        return nil
    }

    private var responseModeError: OAuthError? {
        switch parameters["response_mode"] {
        case nil, "fragment": nil
        case "form_post" where offer.hasFormPost: nil
        // Multiple Response Type Encoding Practices sections 3 and 5.
        case "query" where responseType?.isFrontChannel == true:
            OAuthError("invalid_request", .tokensInQuery)
        case "query": nil
        default: OAuthError("invalid_request", "the response mode is not supported")
        }
    }

    private var scopeError: OAuthError? {
        let scopes = words("scope")
        if scopes.isEmpty { return OAuthError("invalid_scope", "scope is missing") }
        // Without openid a code is plain OAuth 2.0, but there is no ID Token.
        guard scopes.contains("openid") || responseType?.hasIDToken == false else {
            return OAuthError("invalid_scope", "an ID Token needs the scope openid")
        }
        return nil
    }

    /// Core sections 3.2.2.1 and 3.3.2.11: required when the authorization endpoint returns an ID Token.
    private var nonceError: OAuthError? {
        guard responseType?.hasIDToken == true, parameters["nonce"] == nil else { return nil }
        return OAuthError("invalid_request", "nonce is missing")
    }

    private var promptError: OAuthError? {
        // Core section 3.1.2.1: none cannot be combined with another value.
        if prompts.contains("none"), prompts.count > 1 {
            return OAuthError("invalid_request", "prompt has none and something else")
        }
        if parameters["max_age"] != nil, maxAge == nil { return OAuthError("invalid_request", .malformedMaxAge) }
        return nil
    }

    /// RFC 7636 section 4.4.1.
    private var challengeError: OAuthError? {
        guard responseType?.hasCode == true else { return nil }
        guard let challenge = parameters["code_challenge"] else {
            if client.requiresPKCE || offer.requiresPKCE {
                return OAuthError("invalid_request", "code challenge required")
            }
            if parameters["code_challenge_method"] == nil { return nil }
            return OAuthError("invalid_request", "there is a code_challenge_method but no code_challenge")
        }
        guard parameters["code_challenge_method"] == "S256" || isPlain else {
            return OAuthError("invalid_request", .unknownTransform)
        }
        guard PKCE.isWellFormed(challenge) else { return OAuthError("invalid_request", "code_challenge is malformed") }
        return nil
    }

    /// RFC 7636 section 4.3: the default is `plain`.
    private var isPlain: Bool {
        offer.takesPlainChallenges && parameters["code_challenge_method"] ?? "plain" == "plain"
    }

    /// The value that the verifier's hash is compared with.
    private var challenge: String? {
        parameters["code_challenge"].map { isPlain ? PKCE.challenge(of: $0) : $0 }
    }

    private func words(_ name: String) -> [String] {
        (parameters[name] ?? "").split(separator: " ").map(String.init)
    }
}
