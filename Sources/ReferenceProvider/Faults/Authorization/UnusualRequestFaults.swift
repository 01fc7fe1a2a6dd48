import Conformance
import JSONTree

/// Faults with valid but unusual requests.
extension Fault {
    static let unusualRequests: [Fault] = responseTypes + advertisedTypes + optionalParameters + unusualValues

    private static let advertisedTypes: [Fault] = [
        .refusing(
            "authorization.response-type.advertised-is-served",
            "code id_token is advertised but rejected",
            with: "unsupported_response_type"
        ) { $0["response_type"].map { ResponseType($0) } == "code id_token" },
        .refusing(
            "authorization.code-challenge-method.advertised-is-taken",
            "S256 is advertised, but requests with it are rejected"
        ) { $0["code_challenge_method"] == "S256" },
        .provider(
            "authorization.response-mode.fragment-is-honoured",
            "the code is returned in the query although response_mode=fragment was requested"
        ) { hooks in
            hooks.parameters.mode = { request, mode in
                request["response_mode"] == "fragment" && request.responseType == "code" ? .query : mode
            }
        },
        Fault(
            "authorization.response-type.none-is-served",
            "response_type=none is advertised but rejected",
            persona: .assertionClient,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["response_type"] == "none" ? "unsupported_response_type" : error
                }
            }
        ),
        Fault(
            "authorization.response-type.none-is-answered-in-the-query",
            "the response to response_type=none is in the fragment",
            persona: .assertionClient,
            change: { hooks in
                hooks.parameters.mode = { request, mode in request["response_type"] == "none" ? .fragment : mode }
            }
        ),
        .provider(
            "authorization.prompt-none.is-answered-in-its-place",
            "prompt=none returns tokens in the query instead of the fragment"
        ) { hooks in
            hooks.parameters.mode = { request, mode in
                let isSilent = request["prompt"] == "none" && request.isSignedIn
                return isSilent && mode == .fragment ? .query : mode
            }
        },
        .provider(
            "authorization.prompt-none.is-answered-in-its-place",
            variant: "form",
            "prompt=none ignores response_mode=form_post and responds in the query"
        ) { hooks in
            hooks.parameters.mode = { request, mode in
                let isSilent = request["prompt"] == "none" && request.isSignedIn
                return isSilent && mode == .formPost ? .query : mode
            }
        },
        .refusing(
            "authorization.prompt.needs-no-session",
            "prompt=select_account without a session is rejected",
            with: "invalid_request"
        ) { $0["prompt"]?.contains("select_account") == true && !$0.isSignedIn },
    ]

    private static let responseTypes: [Fault] = [
        .provider(
            "authorization.response-mode.query-carries-no-tokens",
            "response_mode=query returns tokens in the query"
        ) {
            hooks in
            hooks.parameters.mode = { request, mode in request["response_mode"] == "query" ? .query : mode }
            hooks.authorizationError = { _, error in
                error?.rejection == .tokensInQuery ? nil : error
            }
        },
        .refusing(
            "authorization.response-type.order-does-not-matter",
            "a response type with reordered values is rejected",
            with: "unsupported_response_type"
        ) { request in
            guard let text = request["response_type"], ResponseType.known.contains(ResponseType(text)) else {
                return false
            }
            return !ResponseType.known.map(\.text).contains(text)
        },
        .provider("authorization.response-type.unknown-is-refused", "an unknown response type returns a code") {
            hooks in
            hooks.authorizationError = { request, error in
                request["response_type"] == "preflight_unknown" ? nil : error
            }
            hooks.onSuccess { response in
                let names = response.parameters.map(\.name)
                let isEmpty = !["code", "id_token", "access_token"].contains(where: names.contains)
                if isEmpty { response["code"] = "SplxlOBeZQQYbYS6WxSbIA-and-more" }
            }
        },
        .provider(
            "authorization.code-challenge-method.unknown-is-refused",
            "an unknown code_challenge_method is treated as S256"
        ) { hooks in
            hooks.takeUnknownChallengeMethod()
        },
        .refusing(
            "authorization.response-type.unknown-has-right-error",
            "an unknown response type returns access_denied",
            with: "access_denied"
        ) { $0["response_type"] == "preflight_unknown" },
        .provider(
            "authorization.nonce.missing-is-refused-in-hybrid",
            "the hybrid flow issues an ID Token without a nonce"
        ) { $0.grantWithoutNonce { $0.hasCode } },
        .provider("authorization.nonce.missing-has-right-error", "a missing nonce returns access_denied") { hooks in
            hooks.onError { if $0["error_description"] == "nonce is missing" { $0["error"] = "access_denied" } }
        },
    ]

    private static let optionalParameters: [Fault] = [
        .refusing("authorization.display.page-is-accepted", "a request with display is rejected") {
            $0["display"] != nil
        },
        .refusing("authorization.display.popup-is-accepted", "a request with display=popup is rejected") {
            $0["display"] == "popup"
        },
        .refusing(
            "authorization.ui-locales.is-accepted",
            "a request with an unsupported language in ui_locales is rejected"
        ) {
            $0["ui_locales"]?.contains("tlh") == true
        },
        .refusing("authorization.claims-locales.is-accepted", "a request with claims_locales is rejected") {
            $0["claims_locales"] != nil
        },
        .refusing("authorization.acr-values.is-accepted", "a request with acr_values is rejected") {
            $0["acr_values"] != nil
        },
        .provider("idtoken.acr.is-returned-when-asked", "the ID Token has no acr although acr_values was requested") {
            hooks in
            hooks.setClaim("acr", nil)
        },
        .refusing(
            "authorization.registration-parameter.has-right-error",
            "the registration parameter returns invalid_request"
        ) { $0["registration"] != nil },
        .refusing("authorization.resource.has-right-error", "the resource parameter returns invalid_request") {
            $0["resource"] != nil
        },
    ]

    private static let unusualValues: [Fault] = [
        .provider("authorization.post.is-accepted", "authorization requests by POST are rejected") { hooks in
            hooks.parameters.takesPOST = false
        },
        .provider(
            "authorization.post.is-accepted",
            variant: "lost",
            "authorization requests by POST are lost during sign-in"
        ) { $0.parameters.keepsPOST = false },
        .refusing(
            "authorization.state.may-be-short",
            "a state shorter than 24 characters is rejected",
            with: "invalid_request"
        ) {
            request in
            request["state"].map { $0.count < 24 } ?? false
        },
        .refusing(
            "authorization.nonce.may-be-short",
            "a nonce shorter than 24 characters is rejected",
            with: "invalid_request"
        ) {
            request in
            request["nonce"].map { $0.count < 24 } ?? false
        },
        .refusing(
            "authorization.scope.order-does-not-matter",
            "a scope that does not start with openid is rejected",
            with: "invalid_scope"
        ) { request in
            let scopes = (request["scope"] ?? "").split(separator: " ")
            return scopes.contains("openid") && scopes.first != "openid"
        },
        .refusing("authorization.state-and-nonce.may-be-long", "a nonce longer than 32 characters is rejected") {
            ($0["nonce"] ?? "").count > 32
        },
        .provider("authorization.state.long-is-returned", "state is truncated to 100 characters") { hooks in
            hooks.onSuccess { $0["state"] = $0["state"].map { String($0.prefix(100)) } }
        },
        .refusing("authorization.state.very-long-is-returned", "a state longer than 255 characters is rejected") {
            ($0["state"] ?? "").count > 255
        },
        .provider("authorization.state.letter-case-is-kept", "state is returned in lower case") { hooks in
            hooks.onSuccess { $0["state"] = $0["state"]?.lowercased() }
        },
        .provider("authorization.state.special-characters-are-returned", "a + in state is returned as a space") {
            hooks in
            hooks.onSuccess { $0["state"] = $0["state"]?.replacing("+", with: " ") }
        },
        .refusing(
            "authorization.nonce.special-characters-are-accepted",
            "a nonce of more than 64 characters is rejected"
        ) { ($0["nonce"]?.count ?? 0) > 64 },
        .refusing(
            "authorization.state.special-characters-are-returned",
            variant: "refused",
            "a state with special characters is rejected"
        ) { $0.responseType == "code" && $0["state"]?.contains("~") == true },
        .provider(
            "authorization.state.special-characters-are-returned",
            variant: "fragment",
            "a + in state is not percent-encoded in the fragment"
        ) { hooks in
            hooks.onAnswer(.authorization, 300...399) { answer in
                guard let location = answer.headers.first(where: { $0.isNamed("Location") })?.value,
                    let start = location.firstIndex(of: "#")
                else { return }
                let parameters = location[location.index(after: start)...].split(separator: "&")
                    .map { $0.hasPrefix("state=") ? $0.replacing("%2B", with: "+") : $0 }
                answer.setHeader("Location", String(location[...start]) + parameters.joined(separator: "&"))
            }
        },
        .provider("idtoken.nonce.special-characters-are-returned", "a + in nonce is returned as a space") { hooks in
            hooks.idTokenClaims = { claims, _ in claims.rewrite("nonce") { $0.replacing("+", with: " ") } }
        },
        .refusing("authorization.state.may-be-absent", "a request without state is rejected") { $0["state"] == nil },
        .provider("authorization.state.is-not-invented", "state is returned although none was sent") { hooks in
            hooks.onSuccess { if $0["state"] == nil { $0["state"] = "none" } }
        },
        .refusing("authorization.nonce.may-be-absent", "the code flow without a nonce is rejected") {
            $0["nonce"] == nil && $0.responseType == "code"
        },
        .refusing(
            "authorization.scope.unknown-is-ignored",
            "a request with an unknown scope is rejected",
            with: "invalid_scope"
        ) {
            $0["scope"]?.contains("preflight_unknown") == true
        },
        .provider(
            "authorization.scope.without-openid-yields-no-id-token",
            "an ID Token is issued without the scope openid"
        ) {
            hooks in
            hooks.tokenResponse = { response in
                let scopes = response["scope"]?.stringValue?.split(separator: " ") ?? []
                if !scopes.contains("openid") { response["id_token"] = "e30.e30.c2lnbmF0dXJl" }
            }
        },
    ]

    /// A provider that rejects requests of one kind.
    private static func refusing(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        with refusal: OAuthError = "invalid_request",
        _ matches: @escaping @Sendable (AuthorizationRequestParameters) -> Bool
    ) -> Fault {
        .provider(trips, variant: variant, title) { hooks in
            hooks.authorizationError = { request, error in matches(request) ? refusal : error }
        }
    }
}
