package import Conformance

/// Response types and modes beyond the ordinary: unknown, in another order, in the query.
package enum ResponseTypeChecks {
    package static let queryCarriesNoTokens = Check(
        "authorization.response-mode.query-carries-no-tokens",
        "response_mode=query brings no token into the query",
        .must,
        .safety,
        Citation(
            .multipleResponseTypes,
            "5",
            "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT be used"
        ),
        why: "An attacker who adds response_mode=query has the tokens of others written into logs and Referer headers.",
        reads: Conversations.authorizations(
            ofTypes: .query,
            whenEmpty: "no configured flow returns tokens from the authorization endpoint",
            concerns: \.isFrontChannel
        ),
        excusedBy: ["authorization.tokens.are-not-in-query"],
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return Artefact.all.filter { redirect.isInQuery($0.parameter) }
                .map { artefact in
                    Finding(
                        "A request with response_mode=query got \(artefact.parameter) in the query of the redirect URI.",
                        at: artefact.parameter,
                        expected: "invalid_request, or the fragment",
                        found: "query",
                        fix: "Refuse response_mode=query when response_type names id_token or token."
                    )
                }
        }
    )

    package static let orderDoesNotMatter = AcceptedRequests.check(
        "authorization.response-type.order-does-not-matter",
        "The values of response_type are taken in any order",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.1", "where the order of values does not matter"),
        why: "Libraries write the values in orders of their own; a provider that compares texts refuses some of them.",
        reads: Conversations.authorizations(
            ofTypes: .reordered,
            whenEmpty: "no configured response type has more than one value",
            concerns: { $0.values.count > 1 }
        ),
        what: "the values of response_type in another order",
        at: "response_type",
        fix: "Compare response types as sets of values."
    )

    package static let unknownIsRefused = Check(
        "authorization.response-type.unknown-is-refused",
        "A response type that is not known is refused",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "3.1.1",
            "if the response type is not understood, the authorization server MUST return an error response"
        ),
        why: "A client that asked for something else is given what it did not ask for, or nothing.",
        reads: Conversations.authorization(.refusals, .unknownResponseType),
        excusedBy: ["authorization.response-type.missing-is-refused", ErrorChecks.isNamed.id],
        passesOn: .refusal,
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.has("error") else { return nil }
            return Finding(
                "A request with an unknown response_type ended at \(redirect.address.shown()) without an error.",
                at: "response_type",
                expected: "unsupported_response_type",
                found: "no error",
                fix: "Return unsupported_response_type for every response_type that is not offered."
            )
        }
    )

    package static let unknownHasRightError = Check(
        "authorization.response-type.unknown-has-right-error",
        "A response type that is not known gets unsupported_response_type or invalid_request",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "does not support obtaining an authorization code using this method"),
        why: "Another code sends whoever debugs the client to the wrong place.",
        reads: Conversations.authorization(.refusals, .unknownResponseType),
        excusedBy: ["authorization.response-type.missing-has-right-error", "authorization.error.has-registered-code"],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the answer was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error,
                !["unsupported_response_type", "invalid_request"].contains(error)
            else { return nil }
            return Finding(
                "A request with an unknown response_type got the error \(redirect.errorText).",
                at: "error",
                expected: "unsupported_response_type",
                found: error.shown(),
                fix: "Return unsupported_response_type for every response_type that is not offered."
            )
        }
    )

    package static let unknownMethodIsRefused = Check(
        "authorization.code-challenge-method.unknown-is-refused",
        "A code_challenge_method that is not known is refused",
        .must,
        // Another check judges whether the code can be redeemed without a verifier.
        .conformance,
        Citation(
            .rfc7636,
            "4.4.1",
            "does not support the requested transformation, the authorization endpoint MUST return the authorization error response with \"error\" value set to \"invalid_request\""
        ),
        why:
            "A client that sends an unsupported method is not told that its codes are protected differently, or not at all.",
        reads: Conversations.authorization(.refusals, .unknownChallengeMethod),
        excusedBy: ["token.code-verifier.missing-is-refused-for-unknown-method"],
        passesOn: .refusal,
        exempt: { subject, facts in
            if subject.asked.sentParameter("code_challenge") == nil { return "the request had no code_challenge" }
            let methods = facts.metadata.value?.strings("code_challenge_methods_supported") ?? []
            return methods.isEmpty ? "the provider does not say that it supports PKCE" : subject.isUndecided
        },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "A request with a code_challenge_method that nobody knows was granted.",
                at: "code_challenge_method",
                expected: "invalid_request",
                found: "a redirect with a code",
                fix: "Answer invalid_request to every code_challenge_method that is not supported."
            )
        }
    )

    package static let all: [Check] = [
        unknownMethodIsRefused, queryCarriesNoTokens, orderDoesNotMatter, unknownIsRefused, unknownHasRightError,
    ]
}
