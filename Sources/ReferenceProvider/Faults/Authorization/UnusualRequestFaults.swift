import Conformance
import JSONTree

/// Faults in answering requests that are as good as any other and look different.
extension Fault {
    static let unusualRequests: [Fault] = responseTypes + advertisedTypes + optionalParameters + unusualValues

    private static let advertisedTypes: [Fault] = [
        .refusing(
            "authorization.response-type.advertised-is-served",
            "a response type is advertised that is not there",
            with: "unsupported_response_type"
        ) { $0["response_type"].map { ResponseType($0) } == "code id_token" },
        .refusing(
            "authorization.code-challenge-method.advertised-is-taken",
            "PKCE is advertised, and requests with it are refused"
        ) { $0["code_challenge_method"] == "S256" },
        .provider(
            "authorization.response-mode.fragment-is-honoured",
            "a code comes in the query where the fragment was asked for"
        ) { seams in
            seams.parameters.mode = { request, mode in
                request["response_mode"] == "fragment" && request.responseType == "code" ? .query : mode
            }
        },
        Fault(
            "authorization.response-type.none-is-served",
            "none is advertised, and not served",
            persona: .assertionClient,
            change: { seams in
                seams.authorizationError = { request, error in
                    request["response_type"] == "none" ? "unsupported_response_type" : error
                }
            }
        ),
        Fault(
            "authorization.response-type.none-is-answered-in-the-query",
            "the answer to response_type=none is in the fragment",
            persona: .assertionClient,
            change: { seams in
                seams.parameters.mode = { request, mode in request["response_type"] == "none" ? .fragment : mode }
            }
        ),
        .provider(
            "authorization.prompt-none.is-answered-in-its-place",
            "prompt=none is answered in the query, whatever the response type"
        ) { seams in
            seams.parameters.mode = { request, mode in
                let isSilent = request["prompt"] == "none" && request.isSignedIn
                return isSilent && mode == .fragment ? .query : mode
            }
        },
        .provider(
            "authorization.prompt-none.is-answered-in-its-place",
            variant: "form",
            "prompt=none is answered in the query, whatever the response mode"
        ) { seams in
            seams.parameters.mode = { request, mode in
                let isSilent = request["prompt"] == "none" && request.isSignedIn
                return isSilent && mode == .formPost ? .query : mode
            }
        },
        .refusing(
            "authorization.prompt.needs-no-session",
            "an account can be chosen only by who has signed in",
            with: "invalid_request"
        ) { $0["prompt"]?.contains("select_account") == true && !$0.isSignedIn },
    ]

    private static let responseTypes: [Fault] = [
        .provider("authorization.response-mode.query-carries-no-tokens", "tokens are returned in the query when asked")
        {
            seams in
            seams.parameters.mode = { request, mode in request["response_mode"] == "query" ? .query : mode }
            seams.authorizationError = { _, error in
                error?.text == "tokens are not returned in a query" ? nil : error
            }
        },
        .refusing(
            "authorization.response-type.order-does-not-matter",
            "response types are compared as texts",
            with: "unsupported_response_type"
        ) { request in
            guard let text = request["response_type"], ResponseType.known.contains(ResponseType(text)) else {
                return false
            }
            return !ResponseType.known.map(\.text).contains(text)
        },
        .provider("authorization.response-type.unknown-is-refused", "an unknown response type yields a code") { seams in
            seams.authorizationError = { request, error in
                request["response_type"] == "preflight_unknown" ? nil : error
            }
            seams.onSuccess { response in
                let names = response.parameters.map(\.name)
                let isEmpty = !["code", "id_token", "access_token"].contains(where: names.contains)
                if isEmpty { response["code"] = "SplxlOBeZQQYbYS6WxSbIA-and-more" }
            }
        },
        .provider(
            "authorization.code-challenge-method.unknown-is-refused",
            "a code_challenge_method that nobody knows is taken for S256"
        ) { seams in
            seams.takeUnknownChallengeMethod()
        },
        .refusing(
            "authorization.response-type.unknown-has-right-error",
            "an unknown response type is access_denied",
            with: "access_denied"
        ) { $0["response_type"] == "preflight_unknown" },
        .provider(
            "authorization.nonce.missing-is-refused-in-hybrid",
            "a hybrid flow's ID Token is issued without a nonce"
        ) { $0.grantWithoutNonce { $0.hasCode } },
        .provider("authorization.nonce.missing-has-right-error", "a missing nonce is access_denied") { seams in
            seams.onError { if $0["error_description"] == "nonce is missing" { $0["error"] = "access_denied" } }
        },
    ]

    private static let optionalParameters: [Fault] = [
        .refusing("authorization.display.page-is-accepted", "display is refused") { $0["display"] != nil },
        .refusing("authorization.display.popup-is-accepted", "display=popup is refused") { $0["display"] == "popup" },
        .refusing("authorization.ui-locales.is-accepted", "languages that are not spoken are refused") {
            $0["ui_locales"]?.contains("tlh") == true
        },
        .refusing("authorization.claims-locales.is-accepted", "claims_locales is refused") {
            $0["claims_locales"] != nil
        },
        .refusing("authorization.acr-values.is-accepted", "acr_values is refused") { $0["acr_values"] != nil },
        .provider("idtoken.acr.is-returned-when-asked", "acr_values is accepted and forgotten") { seams in
            seams.setClaim("acr", nil)
        },
        .refusing(
            "authorization.registration-parameter.has-right-error",
            "the registration parameter is an invalid_request"
        ) { $0["registration"] != nil },
        .refusing("authorization.resource.has-right-error", "the resource parameter is an invalid_request") {
            $0["resource"] != nil
        },
    ]

    private static let unusualValues: [Fault] = [
        .provider("authorization.post.is-accepted", "authorization requests by POST are refused") { seams in
            seams.parameters.takesPOST = false
        },
        .provider(
            "authorization.post.is-accepted",
            variant: "lost",
            "authorization requests by POST are forgotten when the user signs in"
        ) { $0.parameters.keepsPOST = false },
        .refusing("authorization.state.may-be-short", "a state needs 24 characters", with: "invalid_request") {
            request in
            request["state"].map { $0.count < 24 } ?? false
        },
        .refusing("authorization.nonce.may-be-short", "a nonce needs 24 characters", with: "invalid_request") {
            request in
            request["nonce"].map { $0.count < 24 } ?? false
        },
        .refusing(
            "authorization.scope.order-does-not-matter",
            "openid must come first",
            with: "invalid_scope"
        ) { request in
            let scopes = (request["scope"] ?? "").split(separator: " ")
            return scopes.contains("openid") && scopes.first != "openid"
        },
        .refusing("authorization.state-and-nonce.may-be-long", "a nonce of more than 32 characters is refused") {
            ($0["nonce"] ?? "").count > 32
        },
        .provider("authorization.state.long-is-returned", "state is cut off after 100 characters") { seams in
            seams.onSuccess { $0["state"] = $0["state"].map { String($0.prefix(100)) } }
        },
        .refusing("authorization.state.very-long-is-returned", "a state of more than 255 characters is refused") {
            ($0["state"] ?? "").count > 255
        },
        .provider("authorization.state.special-characters-are-returned", "a + in state comes back as a space") {
            seams in
            seams.onSuccess { $0["state"] = $0["state"]?.replacing("+", with: " ") }
        },
        .provider("idtoken.nonce.special-characters-are-returned", "a + in nonce comes back as a space") { seams in
            seams.idTokenClaims = { claims, _ in claims.rewrite("nonce") { $0.replacing("+", with: " ") } }
        },
        .refusing("authorization.state.may-be-absent", "state is demanded") { $0["state"] == nil },
        .provider("authorization.state.is-not-invented", "a state comes back though none was sent") { seams in
            seams.onSuccess { if $0["state"] == nil { $0["state"] = "none" } }
        },
        .refusing("authorization.nonce.may-be-absent", "a nonce is demanded in the code flow") {
            $0["nonce"] == nil && $0.responseType == "code"
        },
        .refusing("authorization.scope.unknown-is-ignored", "unknown scope values are refused", with: "invalid_scope") {
            $0["scope"]?.contains("preflight_unknown") == true
        },
        .provider("authorization.scope.without-openid-yields-no-id-token", "every sign-in yields an ID Token") {
            seams in
            seams.tokenResponse = { response in
                let scopes = response["scope"]?.stringValue?.split(separator: " ") ?? []
                if !scopes.contains("openid") { response["id_token"] = "e30.e30.c2lnbmF0dXJl" }
            }
        },
    ]

    /// A provider that refuses requests of one kind.
    private static func refusing(
        _ trips: CheckID,
        _ title: String,
        with refusal: OAuthError = "invalid_request",
        _ matches: @escaping @Sendable (AuthorizationRequestParameters) -> Bool
    ) -> Fault {
        .provider(trips, title) { seams in
            seams.authorizationError = { request, error in matches(request) ? refusal : error }
        }
    }
}
