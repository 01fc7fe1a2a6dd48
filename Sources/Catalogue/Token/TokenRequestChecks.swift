package import Conformance

/// Token requests that are invalid whatever the code.
package enum TokenRequestChecks {
    static let getIsRefused = Check(
        "token.get.is-refused",
        "The token endpoint rejects GET requests",
        .risk,
        .conformance,
        Citation(.rfc6749, "3.2", "The client MUST use the HTTP \"POST\" method when making access token requests"),
        why: "Codes and secrets in a URL end up in logs and in the browser's history.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .get),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "The token endpoint processes a GET request like a POST request.",
                expected: "HTTP status 405",
                found: subject.phrase,
                fix: "Accept only POST at the token endpoint, and return HTTP status 405 for GET."
            )
        }
    )

    static let getHasAnErrorStatus = Check(
        "token.get.has-an-error-status",
        "The token endpoint returns an error status for a GET request",
        .should,
        .conformance,
        Citation(.rfc9110, "9.1", "SHOULD respond with the 405 (Method Not Allowed) status code"),
        why: "A client that sends GET by mistake reports an unreadable page, and not its mistake.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .get),
        supersededBy: ["token.get.is-refused"],
        exempt: { subject, _ in
            subject.isAcceptance ? "the token endpoint processes the request, which another check reports" : nil
        },
        finding: { subject, _ in
            guard (200...399).contains(subject.response.status), subject.error == nil else { return nil }
            return Finding(
                "The token endpoint returns HTTP status \(subject.response.status) for a GET request.",
                expected: "HTTP status 405",
                found: "HTTP status \(subject.response.status)",
                fix: "Return HTTP status 405 for GET at the token endpoint."
            )
        }
    )

    static let repeatedIsRefused = Check(
        "token.repeated-parameter.is-refused",
        "The token endpoint rejects a request with a repeated parameter",
        // The sentence is a requirement for clients; the provider's response is only mentioned among the errors.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "repeats a parameter"),
        why: "A gateway that reads the first value and a server that reads the last process two different requests.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .repeated),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "The token endpoint processes a request with two grant_type parameters.",
                at: "grant_type",
                expected: "HTTP status 400 and error invalid_request",
                found: subject.phrase,
                fix: "Return invalid_request if a parameter occurs more than once."
            )
        }
    )

    static let missingGrantType = Check(
        "token.grant-type.missing-is-invalid-request",
        "The token endpoint returns invalid_request for a request without grant_type",
        // No sign-in depends on it.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_request The request is missing a required parameter"),
        why: "The developer of a client looks for the error in the wrong place.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .noGrantType),
        supersededBy: ["token.error.has-error-member", "token.grant-type.missing-is-refused"],
        exempt: { subject, _ in refusedOtherwise(subject) },
        rule: { subject, _ in wrongError(subject, "without grant_type", expected: "invalid_request") }
    )

    static let needsGrantType = Check(
        "token.grant-type.missing-is-refused",
        "The token endpoint rejects a code without grant_type",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.3", "grant_type REQUIRED. Value MUST be set to \"authorization_code\"."),
        why: "The provider guesses the grant type, and issues tokens for requests that were meant for another grant.",
        reads: IncorrectRedemptions.orOfBogusCode(.withoutGrantType),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for a request without grant_type.",
            at: "grant_type",
            expected: "HTTP status 400 and error invalid_request",
            fix: "Return invalid_request if grant_type is missing."
        )
    }

    static let unknownGrantType = Check(
        "token.grant-type.unknown-is-unsupported",
        "The token endpoint returns unsupported_grant_type for an unknown grant_type",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "The authorization grant type is not supported by the authorization server."),
        why: "Clients that try another grant type need this error to detect that the provider does not support it.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .unknownGrantType),
        supersededBy: ["token.error.has-error-member"],
        exempt: { subject, _ in
            // Also correct: no client is allowed to use an unknown grant type.
            subject.error == "unauthorized_client"
                ? "unauthorized_client is also correct for an unknown grant type" : refusedOtherwise(subject)
        },
        rule: { subject, _ in wrongError(subject, "with an unknown grant_type", expected: "unsupported_grant_type") }
    )

    package static let all: [Check] = [
        getIsRefused, getHasAnErrorStatus, repeatedIsRefused, missingGrantType, needsGrantType, unknownGrantType,
    ]

    private static func refusedOtherwise(_ subject: CallResult) -> String? {
        if subject.response.status >= 500 { return TokenErrors.serverFailed }
        // A redirect is not an error response of this endpoint, whatever its parameters; the status check reports it.
        return (300...399).contains(subject.response.status) ? TokenErrors.wasSuccess : subject.clientRefusal
    }

    private static func wrongError(_ subject: CallResult, _ what: String, expected: String) -> [Finding] {
        guard subject.error != expected else { return [] }
        return [
            Finding(
                "The token endpoint returns \(subject.phrase) for a token request \(what).",
                at: "/error",
                expected: expected,
                found: subject.error?.shown() ?? "no error member",
                fix: "Return \(expected) for a token request \(what)."
            )
        ]
    }
}
