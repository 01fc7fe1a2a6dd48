import Conformance

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3).
extension Provider {
    static let sessionCookie = "session"
    static let browserCookie = "browser"

    func authorize(_ request: ProviderRequest) -> HTTPAnswer {
        let all: [Field]
        switch request.method {
        case "GET": all = request.query
        case "POST" where hooks.parameters.takesPOST:
            guard let form = request.form else { return Page.problem(status: 415, "The request is not a form.") }
            all = form
        default: return .methodNotAllowed(["GET", "HEAD", "POST"])
        }
        // Without a known client and redirect URI, an error must not be redirected (RFC 6749 section 4.1.2.1).
        guard let client = client(hooks.parameters.one("client_id", all.withoutEmpty)) else {
            return Page.problem(status: 400, "The client is not known here.")
        }
        let resolved = resolve(all.withoutEmpty, client, request.documents)
        let parameters = resolved.parameters
        if resolved.error == "invalid_request_object", parameters.first("redirect_uri") == nil {
            return Page.problem(status: 400, "The request object is invalid.")
        }
        guard let asked = hooks.parameters.redirectURI(parameters, client),
            hooks.acceptsRedirectURI(asked.checked, client.redirectURIs) || client.isAnotherPort(asked.checked, hooks)
                || hooks.requests.obeysUnannouncedObjects && all.first("request") != nil
        else { return mismatch(parameters, client) }

        let session = session(of: request)
        let received = AuthorizationRequestParameters(all: parameters, sessionID: session?.id)
        let rules = AuthorizationRules(parameters: received, client: client, offer: offer)
        var accepted = rules.accepted(redirectURI: asked.used)
        accepted.mode = hooks.parameters.mode(received, accepted.mode)
        accepted.signInPageRepeats = hooks.session.asksAgainFor(received)
        accepted.isLostAtSignIn = request.method == "POST" && !hooks.parameters.keepsPOST
        accepted.isRedeemedTwice = request.method == "POST" && hooks.parameters.racesOverCodes
        if !hooks.parameters.keepsChallenge(received) { accepted.codeChallenge = nil }
        accepted.hintedSubject = parameters.first("id_token_hint").flatMap(hint)?.subject
        if offer.hasClaimsParameter { accepted.claims = ClaimsRequest(parameters.first("claims")) }
        if hooks.requests.regardsSubject { accepted.hintedSubject = accepted.claims.subject ?? accepted.hintedSubject }
        let needs = needs(rules, accepted, session)
        if let error = hooks.authorizationError(received, resolved.error ?? rules.error ?? needs.error) {
            return refuse(error, accepted)
        }
        guard let session, !needs.signIn, !needs.consent else { return ask(accepted, needs, request) }
        return respond(accepted, session)
    }
}
