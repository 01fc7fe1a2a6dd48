import Conformance

/// Faults in reading token requests.
extension Fault {
    static let tokenRequests: [Fault] =
        [
            .provider("token.get.is-refused", "GET is as good as POST") { seams in
                seams.tokenRequestMethods = ["POST", "GET"]
            },
            .provider("token.repeated-parameter.is-refused", "grant_type may come twice") { seams in
                seams.letCodePass { _, text in text == "grant_type occurs more than once" }
            },
            .provider("token.grant-type.missing-is-invalid-request", "a missing grant_type is unsupported") { seams in
                seams.tokenError = { _, error in
                    error?.text == "grant_type is missing" ? "unsupported_grant_type" : error
                }
            },
            .provider("token.grant-type.missing-is-refused", "a code alone says what is meant") { seams in
                seams.looksAtMissingGrantType = false
            },
            .provider("token.grant-type.unknown-is-unsupported", "an unknown grant_type is invalid_request") { seams in
                seams.tokenError = { _, error in error?.code == "unsupported_grant_type" ? "invalid_request" : error }
            },
        ] + writings

    private static let writings: [Fault] = [
        refusing("token.media-type.may-name-a-charset", "the media type must be that of a form, letter for letter") {
            $0.header("Content-Type").contains("charset")
        },
        refusing("token.unknown-parameter.is-ignored", "unknown parameters are refused") {
            $0["preflight_unknown"] != nil
        },
        refusing("token.scope.is-ignored-with-a-code", "a code is not redeemed for a scope") {
            $0["grant_type"] == "authorization_code" && $0["scope"] != nil
        },
        refusing("token.client-id.may-stand-beside-basic", "client_id beside Basic counts as a second method") {
            $0.method == .clientSecretBasic && $0["client_id"] != nil
        },
        refusing("token.basic.scheme-may-be-in-lower-case", "Basic has to be written so") {
            $0.header("Authorization").hasPrefix("basic")
        },
        .provider("token.basic.percent-encoding-is-undone", "a secret that begins with a percent sign is not decoded") {
            seams in
            seams.decodesBasicHalf = { $0.hasPrefix("%") ? $0 : FormEncoding.decodeComponent($0) }
        },
    ]

    private static func refusing(
        _ trips: CheckID,
        _ title: String,
        _ isRefused: @escaping @Sendable (TokenRequestParameters) -> Bool
    ) -> Fault {
        .provider(trips, title) { seams in
            seams.tokenError = { request, error in
                isRefused(request) ? OAuthError("invalid_request", "the request cannot be read") : error
            }
        }
    }
}
