package import Conformance

/// Unusual response types and modes: unknown, in another order, in the query.
package enum ResponseTypeChecks {
    static let queryCarriesNoTokens = Check(
        "authorization.response-mode.query-carries-no-tokens",
        "The provider returns no token or hybrid code in the query for response_mode=query",
        .must,
        .safety,
        Citation(
            .multipleResponseTypes,
            "5",
            "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT be used"
        ),
        why: "An attacker who adds response_mode=query exposes the tokens of other users in logs and Referer headers.",
        reads: StepResults.authorizations(
            ofTypes: .query,
            whenEmpty: "no configured flow returns tokens from the authorization endpoint",
            concerns: \.isFrontChannel
        ),
        supersededBy: ["authorization.tokens.are-not-in-query"],
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return Artefact.all.filter { redirect.isInQuery($0.parameter) }
                .map { artefact in
                    Finding(
                        "The provider returns \(artefact.parameter) in the query of the redirect URI for response_mode=query.",
                        at: artefact.parameter,
                        expected: "invalid_request, or the fragment",
                        found: "query",
                        fix: "Reject response_mode=query when response_type includes id_token or token."
                    )
                }
        }
    )

    static let orderDoesNotMatter = AcceptedRequests.check(
        "authorization.response-type.order-does-not-matter",
        "The provider accepts the values of response_type in any order",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.1", "where the order of values does not matter"),
        why: "Clients that write the values in another order receive an error. "
            + "Most clients use the order of the specification.",
        reads: StepResults.authorizations(
            ofTypes: .reordered,
            whenEmpty: "no configured response type has more than one value",
            concerns: { $0.values.count > 1 }
        ),
        what: "the values of response_type in another order",
        at: "response_type",
        fix: "Compare response types as sets of values."
    )

    static let unknownIsRefused = Check(
        "authorization.response-type.unknown-is-refused",
        "The provider rejects an unknown response_type",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "3.1.1",
            "if the response type is not understood, the authorization server MUST return an error response"
        ),
        why: "The client receives something that it did not request, or nothing.",
        reads: StepResults.authorization(.refusals, .unknownResponseType),
        supersededBy: ["authorization.response-type.missing-is-refused", ErrorChecks.isNamed.id],
        passesOn: .refusal,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.has("error") else { return nil }
            return Finding(
                "A request with an unknown response_type ends at \(redirect.address.shown()) without an error.",
                at: "response_type",
                expected: "unsupported_response_type",
                found: "no error",
                fix: "Return unsupported_response_type for every response_type that is not supported."
            )
        }
    )

    static let unknownHasRightError = Check(
        "authorization.response-type.unknown-has-right-error",
        "The provider returns unsupported_response_type or invalid_request for an unknown response_type",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "does not support obtaining an authorization code using this method"),
        why: "A wrong error code misleads the developer who debugs the client.",
        reads: StepResults.authorization(.refusals, .unknownResponseType),
        supersededBy: [
            "authorization.response-type.missing-has-right-error", "authorization.error.has-registered-code",
        ],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the response was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error,
                !["unsupported_response_type", "invalid_request"].contains(error)
            else { return nil }
            return Finding(
                "The provider returns the error \(redirect.errorText) for an unknown response_type.",
                at: "error",
                expected: "unsupported_response_type",
                found: error.shown(),
                fix: "Return unsupported_response_type for every response_type that is not supported."
            )
        }
    )

    static let unknownMethodIsRefused = Check(
        "authorization.code-challenge-method.unknown-is-refused",
        "The provider rejects an unknown code_challenge_method",
        .must,
        // Another check covers redemption of the code without a verifier.
        .conformance,
        Citation(
            .rfc7636,
            "4.4.1",
            "does not support the requested transformation, the authorization endpoint MUST return the authorization error response with \"error\" value set to \"invalid_request\""
        ),
        why:
            "A client with an unsupported method gets no error, although its codes are protected differently or not at all.",
        reads: StepResults.authorization(.refusals, .unknownChallengeMethod),
        supersededBy: ["token.code-verifier.missing-is-refused-for-unknown-method"],
        passesOn: .refusal,
        exempt: { subject, facts in
            if subject.asked.sentParameter("code_challenge") == nil { return "the request had no code_challenge" }
            let methods = facts.metadata.value?.strings("code_challenge_methods_supported") ?? []
            return methods.isEmpty ? "the provider does not advertise PKCE" : subject.isInconclusive
        },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "The provider grants a request with an unknown code_challenge_method.",
                at: "code_challenge_method",
                expected: "invalid_request",
                found: "a redirect with a code",
                fix: "Return invalid_request for every code_challenge_method that is not supported."
            )
        }
    )

    package static let all: [Check] = [
        unknownMethodIsRefused, queryCarriesNoTokens, orderDoesNotMatter, unknownIsRefused, unknownHasRightError,
    ]
}
