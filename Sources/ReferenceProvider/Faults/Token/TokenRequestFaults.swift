import Conformance

/// Faults in reading token requests.
extension Fault {
    static let tokenRequests: [Fault] = [
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
    ]
}
