import Conformance

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3).
extension Provider {
    static let sessionCookie = "session"
    static let browserCookie = "browser"

    func authorize(_ request: ProviderRequest) -> HTTPAnswer {
        let received: [Field]
        switch request.method {
        case "GET": received = request.query
        case "POST":
            guard let form = request.form else { return Page.problem(status: 415, "The request is not a form.") }
            received = form
        default: return .methodNotAllowed(["GET", "HEAD", "POST"])
        }
        let parameters = received.withoutEmpty

        // Without a client and its redirect URI there is nowhere to send an error to (RFC 6749 section 4.1.2.1).
        guard let client = client(Self.only("client_id", in: parameters)) else {
            return Page.problem(status: 400, "The client is not known here.")
        }
        guard let redirectURI = Self.only("redirect_uri", in: parameters),
            seams.acceptsRedirectURI(redirectURI, client.redirectURIs)
        else { return Page.problem(status: 400, "The redirect URI is not registered for this client.") }

        let session = session(of: request)
        let asked = AuthorizationRequestParameters(all: parameters, isSignedIn: session != nil)
        let rules = AuthorizationRules(parameters: asked, client: client, offer: offer)
        var accepted = rules.accepted(redirectURI: redirectURI)
        accepted.hintedSubject = parameters.first("id_token_hint").flatMap(hint)?.subject
        let needs = needs(rules, accepted, session)
        if let error = seams.authorizationError(asked, rules.error ?? needs.error) {
            return refuse(error, accepted)
        }
        guard let session, !needs.signIn, !needs.consent else { return ask(accepted, needs, request) }
        return respond(accepted, session)
    }

    /// The value of a parameter that occurs exactly once.
    private static func only(_ name: String, in parameters: [Field]) -> String? {
        let values = parameters.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}
