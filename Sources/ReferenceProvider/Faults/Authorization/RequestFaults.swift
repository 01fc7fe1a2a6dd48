import Conformance

/// Faults of error responses, and of requests that the provider must reject.
extension Fault {
    static let authorizationRequests: [Fault] = errors + redirectURIs + requests + prompts + pages

    private static let pages: [Fault] = [
        .provider("authorization.sign-in.is-not-sent-on", "the response to the password is a redirect with status 307")
        { hooks in
            hooks.onAnswer(.signInPage, 303...303) { $0.status = 307 }
        },
        .provider(
            "authorization.sign-in.forms-reach-the-client",
            "form-action 'self' on the consent page blocks the redirect to the client"
        ) { hooks in
            hooks.onAnswer(.consentPage, 200...200) { answer in
                answer.setHeader("Content-Security-Policy", "default-src 'none'; form-action 'self'")
            }
        },
        .provider(
            "authorization.sign-in.forms-reach-the-client",
            variant: "meta",
            "a Content-Security-Policy in a meta element blocks the redirect to the client"
        ) { hooks in
            hooks.onAnswer(.consentPage, 200...200) { answer in
                answer.setHeader("Content-Security-Policy", "form-action *")
                let policy =
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"form-action https://elsewhere.example\">"
                answer.text = answer.text.replacing("<title>", with: policy + "<title>")
            }
        },
        .provider(
            "authorization.sign-in.cookies-are-kept",
            "the sign-in page sets a cookie with SameSite=None and without Secure"
        ) { hooks in
            hooks.onAnswer(.signInPage, 200...200) { answer in
                answer.headers.append(Field("Set-Cookie", "theme=dark; Path=/; SameSite=None"))
            }
        },
    ]

    private static let errors: [Fault] = [
        .provider(
            "authorization.error.is-in-its-place",
            "errors are returned in the fragment instead of the query, and vice versa"
        ) { hooks in
            hooks.onError { response in
                switch response.mode {
                case .query: response.mode = .fragment
                case .fragment: response.mode = .query
                case .formPost: break
                }
            }
        },
        .provider("authorization.error.is-named", "errors have error_description but no error") { hooks in
            hooks.onError { $0["error"] = nil }
        },
        .provider(
            "authorization.error.is-redirected",
            "an unknown response_type is reported on a page instead of by redirect"
        ) { hooks in
            hooks.answer = { endpoint, answer in
                let isOfType = answer.headers.contains { field in
                    field.name == "Location" && field.value.contains("error=unsupported_response_type")
                }
                guard endpoint == .authorization, isOfType else { return }
                answer = Page.html(status: 400, title: "This does not work", "<p>response_type is not known.</p>")
            }
        },
        .provider(
            "authorization.error.is-redirected",
            variant: "max-age",
            "a max_age that is not a number is reported on a page instead of by redirect"
        ) { $0.showsPage(insteadOf: "max_age is no number") },
        .provider(
            "authorization.error.is-redirected",
            variant: "claims",
            "a claims parameter that is not JSON is reported on a page instead of by redirect"
        ) { $0.showsPage(insteadOf: "claims is not a JSON object") },
        .provider(
            "authorization.error.has-legal-characters",
            "error_description contains quotation marks and an umlaut"
        ) {
            hooks in
            hooks.onError { $0["error_description"] = "Das ist \"ungültig\"" }
        },
        .provider("authorization.error.error-uri-is-a-uri", "error_uri contains an unfilled placeholder") { hooks in
            hooks.onError { $0["error_uri"] = "https://op.example.com/errors/{code}" }
        },
        .provider("authorization.error.has-registered-code", "a missing nonce returns an unregistered error code") {
            hooks in
            hooks.onError { if $0["error_description"] == "nonce is missing" { $0["error"] = "nonce_required" } }
        },
        .provider("authorization.error.has-nothing-more", "errors have an additional error_code parameter") { hooks in
            hooks.onError { $0["error_code"] = "1021" }
        },
        .provider("authorization.error.has-no-code", "error responses contain a code") { hooks in
            hooks.onError { $0["code"] = "SplxlOBeZQQYbYS6WxSbIA-and-more" }
        },
    ]

    private static let redirectURIs: [Fault] = [
        .provider(
            "authorization.redirect-uri.unregistered-is-not-redirected-to",
            "errors are sent to an unregistered redirect URI"
        ) { hooks in
            hooks.acceptsRedirectURI = { asked, registered in
                registered.contains(asked) || asked == Scenario.foreignRedirectURI
            }
            hooks.authorizationError = { request, error in
                request["redirect_uri"] == Scenario.foreignRedirectURI ? "invalid_request" : error
            }
        },
        .provider(
            "authorization.client-id.unknown-is-not-redirected",
            "an unknown client_id causes an error redirect"
        ) { hooks in
            hooks.answer = { endpoint, answer in
                guard endpoint == .authorization, answer.text.contains("The client is not known here.") else { return }
                answer.status = 302
                answer.setHeader("Location", RegisteredClient.redirectURI + "?error=unauthorized_client")
            }
        },
    ]

    private static let requests: [Fault] = [
        .provider("authorization.response-type.missing-is-refused", "a missing response_type is accepted") { hooks in
            hooks.authorizationError = { request, error in request.responseType == nil ? nil : error }
        },
        .provider(
            "authorization.response-type.missing-has-right-error",
            "a missing response_type returns access_denied"
        ) {
            hooks in
            hooks.authorizationError = { request, error in request.responseType == nil ? "access_denied" : error }
        },
        .provider("authorization.unknown-parameter.is-ignored", "a request with an unknown parameter is rejected") {
            hooks in
            hooks.authorizationError = { request, error in
                request["preflight_unknown"] == nil ? error : "invalid_request"
            }
        },
        .provider("authorization.nonce.missing-is-refused", "an ID Token is issued without a nonce") { hooks in
            hooks.grantWithoutNonce { !$0.hasCode }
        },
    ]

    private static let prompts: [Fault] = [
        .provider("authorization.prompt-none.shows-no-page", "prompt=none shows the sign-in page") { hooks in
            hooks.authorizationError = { _, error in error?.code == "login_required" ? nil : error }
        },
        .provider(
            "authorization.prompt-none.shows-no-page",
            variant: "hybrid",
            "prompt=none shows the sign-in page for response_type=code id_token"
        ) { hooks in
            hooks.authorizationError = { request, error in
                error?.code == "login_required" && request.responseType == "code id_token" ? nil : error
            }
        },
        .provider("authorization.prompt-none.is-refused-without-session", "prompt=none issues a code without a session")
        {
            hooks in
            hooks.onError { response in
                guard response["error"] == "login_required" else { return }
                response["error"] = nil
                response["error_description"] = nil
                response["code"] = "SplxlOBeZQQYbYS6WxSbIA-and-more"
            }
        },
        .provider("authorization.prompt-none.has-right-error", "prompt=none without a session returns access_denied") {
            hooks in
            hooks.onError { if $0["error"] == "login_required" { $0["error"] = "access_denied" } }
        },
    ]
}

extension Hooks {
    /// Shows an error page instead of the redirect with that `error_description`.
    fileprivate mutating func showsPage(insteadOf description: String) {
        let parameter = "error_description=" + FormEncoding.encodeComponent(description)
        onAnswer(.authorization, 300...399) { answer in
            let location = answer.headers.first { $0.isNamed("Location") }?.value ?? ""
            guard location.contains(parameter) else { return }
            answer = Page.html(status: 400, title: "This does not work", "<p>A parameter has an invalid value.</p>")
        }
    }

    /// Issues ID Tokens without a nonce for some of the response types that have one.
    mutating func grantWithoutNonce(_ concerns: @escaping @Sendable (ResponseType) -> Bool) {
        authorizationError = { request, error in
            guard request["nonce"] == nil, let type = request.responseType, type.hasIDToken, concerns(type) else {
                return error
            }
            return nil
        }
    }
}
