import Conformance

/// Faults in reading token requests.
extension Fault {
    static let tokenRequests: [Fault] =
        [
            .provider("token.get.is-refused", "the token endpoint accepts GET") { hooks in
                hooks.tokenRequestMethods = ["POST", "GET"]
            },
            .provider("token.get.has-an-error-status", "the token endpoint redirects GET to the sign-in page") {
                hooks in
                hooks.answer = { endpoint, answer in
                    if endpoint == .token, answer.status == 405 {
                        answer = HTTPAnswer(status: 302, headers: [Field("Location", "/sign-in")], body: [])
                    }
                }
            },
            .provider("token.repeated-parameter.is-refused", "a repeated grant_type is accepted") { hooks in
                hooks.overrideRedemption { _, rejection in rejection == .repeatedParameter("grant_type") }
            },
            .provider(
                "token.grant-type.missing-is-invalid-request",
                "a missing grant_type returns unsupported_grant_type"
            ) { hooks in
                hooks.tokenError = { _, error in
                    error?.rejection == .missingGrantType ? "unsupported_grant_type" : error
                }
            },
            .provider("token.grant-type.missing-is-refused", "a token request without grant_type is accepted") {
                hooks in
                hooks.looksAtMissingGrantType = false
            },
            .provider("token.grant-type.unknown-is-unsupported", "an unknown grant_type returns invalid_request") {
                hooks in
                hooks.tokenError = { _, error in error?.code == "unsupported_grant_type" ? "invalid_request" : error }
            },
            .provider(
                "token.basic.malformed-is-refused",
                "Basic credentials that are not base64 return unauthorized_client"
            ) { hooks in
                hooks.tokenError = { _, error in
                    error?.rejection == .malformedBasic ? "unauthorized_client" : error
                }
            },
        ] + writings

    private static let writings: [Fault] = [
        refusing("token.media-type.may-name-a-charset", "a Content-Type with charset is rejected") {
            $0.header("Content-Type").contains("charset")
        },
        refusing("token.unknown-parameter.is-ignored", "a token request with an unknown parameter is rejected") {
            $0["preflight_unknown"] != nil
        },
        refusing("token.scope.is-ignored-with-a-code", "a code is rejected if the request contains scope") {
            $0["grant_type"] == "authorization_code" && $0["scope"] != nil
        },
        refusing("token.resource.has-right-error", "a token request with a resource indicator is rejected") {
            $0["resource"] != nil
        },
        refusing(
            "token.client-id.may-stand-beside-basic",
            "client_id is rejected in a request with Basic authentication"
        ) {
            $0.method == .clientSecretBasic && $0["client_id"] != nil
        },
        refusing("token.basic.scheme-may-be-in-lower-case", "the scheme basic in lower case is rejected") {
            $0.header("Authorization").hasPrefix("basic")
        },
        .provider(
            "token.basic.percent-encoding-is-undone",
            "Basic credentials that start with a percent-encoded character are not decoded"
        ) {
            hooks in
            hooks.decodesBasicHalf = { $0.hasPrefix("%") ? $0 : FormEncoding.decodeComponent($0) }
        },
    ]

    private static func refusing(
        _ trips: CheckID,
        _ title: String,
        _ isRefused: @escaping @Sendable (TokenRequestParameters) -> Bool
    ) -> Fault {
        .provider(trips, title) { hooks in
            hooks.tokenError = { request, error in
                isRefused(request) ? OAuthError("invalid_request", "the request cannot be read") : error
            }
        }
    }
}
