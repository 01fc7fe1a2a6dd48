package import Conformance

/// Token requests that are wrong whatever the code.
package enum TokenRequestChecks {
    package static let getIsRefused = Check(
        "token.get.is-refused",
        "Token requests with GET are refused",
        .risk,
        .conformance,
        Citation(.rfc6749, "3.2", "The client MUST use the HTTP \"POST\" method when making access token requests"),
        why: "Codes and secrets in an address end in logs and in the browser's history.",
        reads: Redemptions.slot(.malformedTokenRequests, .get),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "A token request with GET was looked at as if it were a POST.",
                expected: "HTTP status 405",
                found: subject.phrase,
                fix: "Take token requests with POST alone."
            )
        }
    )

    package static let repeatedIsRefused = Check(
        "token.repeated-parameter.is-refused",
        "A token request with a parameter twice is refused",
        // The sentence binds whoever sends; the provider's part is only named among the errors.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "repeats a parameter"),
        why: "A gateway that reads the first value and a server that reads the last see two different requests.",
        reads: Redemptions.slot(.malformedTokenRequests, .repeated),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "A token request with grant_type twice was gone on with.",
                at: "grant_type",
                expected: "HTTP status 400 and error invalid_request",
                found: subject.phrase,
                fix: "Answer invalid_request when a parameter occurs more than once."
            )
        }
    )

    package static let missingGrantType = Check(
        "token.grant-type.missing-is-invalid-request",
        "A token request without grant_type gets the error invalid_request",
        // No sign-in depends on it.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_request The request is missing a required parameter"),
        why: "The developer of a client looks in the wrong place.",
        reads: Redemptions.slot(.malformedTokenRequests, .noGrantType),
        excusedBy: ["token.error.has-error-member", "token.grant-type.missing-is-refused"],
        exempt: { subject, _ in refusedOtherwise(subject) },
        rule: { subject, _ in wrongError(subject, "without grant_type", expected: "invalid_request") }
    )

    package static let needsGrantType = Check(
        "token.grant-type.missing-is-refused",
        "A code is refused without grant_type",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.3", "grant_type REQUIRED. Value MUST be set to \"authorization_code\"."),
        why: "What a request asks for is guessed; a request that was meant otherwise gets tokens too.",
        reads: Redemptions.orRehearsed(.withoutGrantType),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens to a request without grant_type.",
            at: "grant_type",
            expected: "HTTP status 400 and error invalid_request",
            fix: "Answer invalid_request when grant_type is missing."
        )
    }

    package static let unknownGrantType = Check(
        "token.grant-type.unknown-is-unsupported",
        "A token request with an unknown grant type gets the error unsupported_grant_type",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "The authorization grant type is not supported by the authorization server."),
        why: "Clients that try another grant type learn from this error alone that the provider does not have it.",
        reads: Redemptions.slot(.malformedTokenRequests, .unknownGrantType),
        excusedBy: ["token.error.has-error-member"],
        exempt: { subject, _ in
            // True as well: nobody is allowed to use what does not exist.
            subject.error == "unauthorized_client" ? "the client is not allowed to use it" : refusedOtherwise(subject)
        },
        rule: { subject, _ in wrongError(subject, "with an unknown grant type", expected: "unsupported_grant_type") }
    )

    package static let all: [Check] = [
        getIsRefused, repeatedIsRefused, missingGrantType, needsGrantType, unknownGrantType,
    ]

    private static func refusedOtherwise(_ subject: AnsweredCall) -> String? {
        if subject.response.status >= 500 { return TokenErrors.serverFailed }
        // A redirect is no error of this endpoint, whatever it says; the check of the status reports it.
        return (300...399).contains(subject.response.status) ? TokenErrors.wasSuccess : subject.clientRefusal
    }

    private static func wrongError(_ subject: AnsweredCall, _ what: String, expected: String) -> [Finding] {
        guard subject.error != expected else { return [] }
        return [
            Finding(
                "A token request \(what) was answered with \(subject.phrase).",
                at: "/error",
                expected: expected,
                found: subject.error?.shown() ?? "no error member",
                fix: "Return \(expected) for a token request \(what)."
            )
        ]
    }
}
