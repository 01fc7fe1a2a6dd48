import Conformance
import JSONTree
import Synchronization
import Transport

/// Faults of successful authorization responses: their parameters, and where these are.
extension Fault {
    static let authorizationResponses: [Fault] = outcomes + states + issuerParameters + placements + artefacts

    private static let outcomes: [Fault] = [
        .provider("authorization.flow.succeeds", "a valid request returns invalid_request after sign-in") { hooks in
            hooks.onSuccess { response in
                response.parameters.removeAll { !["state", "iss"].contains($0.name) }
                response["error"] = "invalid_request"
            }
        },
        .provider(
            "authorization.response.goes-to-the-client-alone",
            "the response goes to a host that starts with the client's host name",
            also: ["authorization.form-post.action-is-redirect-uri"]
        ) { hooks in
            hooks.onSuccess { response in
                guard let url = WebURL(response.redirectURI) else { return }
                response.redirectURI = "\(url.scheme)://\(url.host).evil.example\(url.path)"
            }
        },
        .provider("authorization.response.holds-what-was-asked", "the response has no ID Token") { hooks in
            hooks.onSuccess { $0["id_token"] = nil }
        },
        .provider(
            "authorization.response.holds-nothing-more",
            "response_type=id_token also returns an access token"
        ) { hooks in
            hooks.onSuccess { response in
                guard response["id_token"] != nil, response["access_token"] == nil, response["code"] == nil else {
                    return
                }
                response["access_token"] = "SlAV32hkKGnobodyAskedForThis"
                response["token_type"] = "Bearer"
            }
        },
        .provider("authorization.parameters.are-not-repeated", "state is returned twice") { hooks in
            hooks.onSuccess { response in
                response.parameters += response.parameters.filter { $0.name == "state" }
            }
        },
    ]

    private static let states: [Fault] = [
        .provider("authorization.state.is-echoed", "state is not returned") { hooks in
            hooks.onSuccess { $0["state"] = nil }
        },
        .provider("authorization.state.is-echoed", variant: "changed", "state is returned in upper case") { hooks in
            hooks.onSuccess { $0["state"] = ($0["state"] ?? "").uppercased() + "=" }
        },
        .provider("authorization.state.is-echoed-with-errors", "error responses have no state") { hooks in
            hooks.onError { $0["state"] = nil }
        },
        .provider(
            "authorization.state.is-echoed-with-errors",
            variant: "first-of-session",
            "each error of a session has the state of the first one"
        ) { hooks in
            let states = FirstStates()
            hooks.authorizationError = { request, error in
                if error != nil, let session = request.sessionID, let state = request["state"] {
                    states.note(state, of: session)
                }
                return error
            }
            hooks.onError { $0["state"] = $0["state"].map(states.first) }
        },
    ]

    private static let issuerParameters: [Fault] = [
        .provider("authorization.iss.matches-issuer", "iss has an additional trailing slash") { hooks in
            hooks.onSuccess { $0["iss"] = ($0["iss"] ?? "") + "/" }
        },
        .provider(
            "authorization.iss.matches-issuer-with-errors",
            "iss in error responses has an additional trailing slash"
        ) { hooks in
            hooks.onError { $0["iss"] = ($0["iss"] ?? "") + "/" }
        },
        .provider("authorization.iss.is-sent", "iss is advertised but missing from responses without an ID Token") {
            hooks in
            hooks.onSuccess { if $0["id_token"] == nil { $0["iss"] = nil } }
        },
        .provider(
            "authorization.iss.is-sent-beside-id-token",
            "iss is advertised but missing from responses with an ID Token"
        ) {
            hooks in
            hooks.onSuccess { if $0["id_token"] != nil { $0["iss"] = nil } }
        },
        .provider("authorization.iss.is-sent-with-errors", "iss is advertised but missing from error responses") {
            hooks in
            hooks.onError { $0["iss"] = nil }
        },
        .provider("authorization.iss.is-right-in-every-response", "iss is missing from form_post responses") { hooks in
            hooks.onSuccess { if $0.mode == .formPost, $0["id_token"] == nil { $0["iss"] = nil } }
        },
        .provider("authorization.iss.is-advertised", "iss is returned but not advertised") { hooks in
            hooks.discovery = { document, _ in document["authorization_response_iss_parameter_supported"] = nil }
        },
    ]

    private static let placements: [Fault] = [
        .provider("authorization.redirects.have-uris", "the address of the sign-in page contains a space") { hooks in
            hooks.onAnswer(.authorization, 302...303) { answer in
                guard let location = answer.headers.first(where: { $0.isNamed("Location") })?.value,
                    !location.hasPrefix(RegisteredClient.redirectURI)
                else { return }
                answer.setHeader("Location", location + (location.contains("?") ? "&" : "?") + "hint=sign in")
            }
        },
        .provider("authorization.tokens.are-not-in-query", "ID Tokens are returned in the query") { hooks in
            hooks.onSuccess { if $0["id_token"] != nil, $0.mode == .fragment { $0.mode = .query } }
        },
        .provider("authorization.code.is-in-query", "the code is returned in the fragment") { hooks in
            hooks.onSuccess { if $0["id_token"] == nil, $0.mode == .query { $0.mode = .fragment } }
        },
        .provider("authorization.code.is-in-fragment", "the hybrid flow's code is returned in the query") { hooks in
            hooks.onAnswer(.authorization, 300...399) { $0.moveToQuery("code", ifBeside: "id_token") }
        },
        .provider(
            "authorization.response.is-in-fragment",
            "state is returned in the query of a response with an ID Token"
        ) { hooks in
            hooks.onAnswer(.authorization, 300...399) { $0.moveToQuery("state", ifBeside: "id_token") }
        },
    ]

    private static let artefacts: [Fault] = [
        .provider(
            "authorization.code.is-long-enough",
            "the code has only 8 characters",
            also: ["token.status.is-200"]
        ) { hooks in
            hooks.onSuccess { if $0["id_token"] == nil { $0["code"] = $0["code"].map { String($0.prefix(8)) } } }
        },
        .provider("authorization.code.has-no-spaces", "a + in the code is not percent-encoded") { hooks in
            hooks.parameters.makeCode = { "plus+" + Store.random() }
            hooks.answer = { _, answer in
                let location = answer.headers.first { $0.isNamed("Location") }?.value
                answer.setHeader("Location", location?.replacing("code=plus%2B", with: "code=plus+"))
            }
        },
        .provider("authorization.code.is-varied", "codes are consecutive numbers") { hooks in
            let counter = Counter(width: 40)
            hooks.parameters.makeCode = { counter.next() }
        },
        Fault(
            "authorization.redirect-uri.query-is-kept",
            "the query of the redirect URI is dropped",
            persona: .minimal,
            configure: { $0.redirectURI = RegisteredClient.redirectURI + "?tenant=1" },
            change: { hooks in
                hooks.acceptsRedirectURI = { asked, _ in asked == RegisteredClient.redirectURI + "?tenant=1" }
                hooks.onSuccess { $0.redirectURI = RegisteredClient.redirectURI }
            }
        ),
        Fault(
            "authorization.access-token.opens-userinfo",
            "UserInfo rejects the access token returned with a code",
            persona: .manyKeys,
            change: { hooks in
                hooks.onSuccess { response in
                    guard response["code"] != nil, response["access_token"] != nil else { return }
                    response["access_token"] = "SlAV32hkKGthatOpensNothingAtAll"
                }
            }
        ),
        .provider("authorization.token-type.is-bearer", "the response has an access token but no token_type") { hooks in
            hooks.onSuccess { $0["token_type"] = nil }
        },
        .provider("authorization.expires-in.is-a-number", "expires_in is not a number") { hooks in
            hooks.onSuccess { if $0["access_token"] != nil { $0["expires_in"] = "soon" } }
        },
        .provider("authorization.expires-in.accompanies-access-token", "expires_in is returned without an access token")
        {
            hooks in
            hooks.onSuccess { if $0["access_token"] == nil { $0["expires_in"] = "3600" } }
        },
    ]
}

/// The state of the first error of each session, keyed by the states of all errors of the session.
private final class FirstStates: Sendable {
    private struct States {
        var ofSessions: [String: String] = [:]
        var ofErrors: [String: String] = [:]
    }

    private let states = Mutex(States())

    func note(_ state: String, of session: String) {
        states.withLock { states in
            let first = states.ofSessions[session] ?? state
            states.ofSessions[session] = first
            states.ofErrors[state] = first
        }
    }

    /// The state that the error of a request with that state has.
    func first(_ state: String) -> String { states.withLock { $0.ofErrors[state] ?? state } }
}
