package import Conformance

/// What becomes of requests that are wrong, unusual or must not be shown to a person.
package enum RequestChecks {
    package static let unregisteredIsNotRedirectedTo = Check(
        "authorization.redirect-uri.unregistered-is-not-redirected-to",
        "Nobody is redirected to a redirect URI that is not registered",
        .must,
        .safety,
        Citation(.rfc6749, "3.1.2.4", "MUST NOT automatically redirect the user-agent to the invalid redirection URI"),
        why: "An attacker who may choose the redirect URI receives codes and tokens of other people.",
        reads: Conversations.authorization(.unregisteredRedirectURI),
        passesOn: .answer,
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect,
                redirect.isRedirectURI || redirect.address.hasPrefix(Scenario.foreignRedirectURI)
            else { return nil }
            return Finding(
                "The provider redirected to an address that is not registered"
                    + (redirect.has("error") ? ", with the error \(redirect.errorText)." : "."),
                at: "redirect_uri",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Compare redirect_uri with the registered ones character for character before anything else; "
                    + "on a difference show an error page."
            )
        }
    )

    package static let unknownClientIsNotRedirected = Check(
        "authorization.client-id.unknown-is-not-redirected",
        "Nobody is redirected for a client that is not known",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2.1",
            "if the client identifier is missing or invalid, the authorization server SHOULD inform the resource owner of the error and MUST NOT automatically redirect"
        ),
        why: "No redirect URI is registered for such a client, so anybody can choose where the browser is sent.",
        endangers: .everybody,
        reads: Conversations.authorization(.refusals, .unknownClient),
        passesOn: .answer,
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "A request of a client that does not exist was redirected"
                    + (redirect.has("error") ? ", with the error \(redirect.errorText)." : "."),
                at: "client_id",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Look the client up before anything else, and show an error page when it is not known."
            )
        }
    )

    package static let missingTypeIsRefused = Check(
        "authorization.response-type.missing-is-refused",
        "A request without response_type is answered with an error",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.1", "the authorization server MUST return an error response"),
        why: "A provider that guesses a response type may send tokens that the client did not ask for.",
        reads: Conversations.authorization(.missingResponseType),
        excusedBy: [ErrorChecks.isNamed.id],
        passesOn: .refusal,
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in
            switch subject.answer.ending {
            case .page: return []
            case .redirected(let redirect) where redirect.has("error"): return []
            case .redirected(let redirect):
                return [guessed("ended at \(redirect.address.shown()) without an error")]
            }
        }
    )

    package static let missingTypeHasRightError = Check(
        "authorization.response-type.missing-has-right-error",
        "A request without response_type gets invalid_request or unsupported_response_type",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "The request is missing a required parameter"),
        why: "Another code sends whoever debugs the client to the wrong place.",
        reads: Conversations.authorization(.missingResponseType),
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the answer was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error,
                !["invalid_request", "unsupported_response_type"].contains(error)
            else { return nil }
            return Finding(
                "A request without response_type got the error \(redirect.errorText).",
                at: "error",
                expected: "invalid_request or unsupported_response_type",
                found: error.shown(),
                fix: "Return invalid_request when response_type is missing."
            )
        }
    )

    package static let unknownParameterIsIgnored = Check(
        "authorization.unknown-parameter.is-ignored",
        "A parameter that no specification knows is ignored",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1", "The authorization server MUST ignore unrecognized request parameters."),
        why: "Platforms add parameters of their own; a provider that refuses them refuses every sign-in.",
        reads: Conversations.authorization(.unknownParameter),
        finding: { subject, facts in
            let found: String
            switch subject.answer.ending {
            case .page(let page):
                guard page.isError else { return nil }
                found = page.phrase
            case .redirected(let redirect):
                guard redirect.has("error") else { return nil }
                found = "the error \(redirect.errorText)"
            }
            let isAlone = facts.evidence.run(Scenario.asThePlatformSends.id).map { !$0.isRefused } ?? true
            return Finding(
                "An ordinary request with the parameter preflight_unknown was answered with \(found).",
                at: "preflight_unknown",
                expected: "the sign-in page",
                found: found,
                fix: isAlone
                    ? "Ignore parameters that are not known."
                    : "A request without the parameter is refused as well: look at the client's registration first "
                        + "(client_id, redirect_uri, response types)."
            )
        }
    )

    package static let missingNonceIsRefused = Check(
        "authorization.nonce.missing-is-refused",
        "No ID Token is issued at the authorization endpoint without a nonce",
        .must,
        .conformance,
        Citation(.core, "3.2.2.1", "nonce REQUIRED. String value used to associate a Client session with an ID Token"),
        why: "A client that forgets its nonce is never told, and cannot tell a stolen ID Token from its own.",
        reads: Conversations.authorization(.missingNonce),
        passesOn: .refusal,
        exempt: { subject, facts in
            let types = facts.metadata.value?.strings("response_types_supported") ?? ["id_token"]
            return types.contains { ResponseType($0) == "id_token" }
                ? nil : "the provider does not offer response_type id_token"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, !redirect.has("error"),
                redirect.has("id_token")
            else { return nil }
            return Finding(
                "A request for an ID Token without a nonce was granted.",
                at: "nonce",
                expected: "invalid_request",
                found: "an ID Token",
                fix: "Refuse response types with id_token when the request has no nonce."
            )
        }
    )

    package static let all: [Check] = [
        unregisteredIsNotRedirectedTo, unknownClientIsNotRedirected, missingTypeIsRefused, missingTypeHasRightError,
        unknownParameterIsIgnored, missingNonceIsRefused, missingNonceIsRefusedInHybrid, missingNonceHasRightError,
    ]

    package static let missingNonceIsRefusedInHybrid = Check(
        "authorization.nonce.missing-is-refused-in-hybrid",
        "No hybrid flow returns an ID Token from the authorization endpoint without a nonce",
        .must,
        .conformance,
        Citation(
            .core,
            "3.3.2.1",
            "nonce REQUIRED if the Response Type of the request is code id_token or code id_token token"
        ),
        why: "A client that forgets its nonce is never told, and cannot tell a stolen ID Token from its own.",
        reads: Conversations.authorizations(
            ofTypes: .noNonce,
            whenEmpty: "no configured flow returns code and ID Token from the authorization endpoint",
            concerns: { $0.hasCode && $0.hasIDToken }
        ),
        passesOn: .refusal,
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "A request for code and ID Token without a nonce was granted.",
                at: "nonce",
                expected: "invalid_request",
                found: "a code or token",
                fix: "Refuse response types with id_token when the request has no nonce."
            )
        }
    )

    package static let missingNonceHasRightError = Check(
        "authorization.nonce.missing-has-right-error",
        "A request for an ID Token without a nonce gets invalid_request",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "The request is missing a required parameter"),
        why: "Another code sends whoever debugs the client to the wrong place.",
        reads: Conversations.authorization(.missingNonce),
        excusedBy: ["authorization.error.has-registered-code"],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the answer was not an error redirect"
        },
        finding: { subject, facts in
            let types = facts.metadata.value?.strings("response_types_supported") ?? ["id_token"]
            guard let redirect = subject.answer.redirect, let error = redirect.error, error != "invalid_request",
                types.contains(where: { ResponseType($0) == "id_token" })
            else { return nil }
            return Finding(
                "A request for an ID Token without a nonce got the error \(redirect.errorText).",
                at: "error",
                expected: "invalid_request",
                found: error.shown(),
                fix: "Return invalid_request when nonce is missing."
            )
        }
    )

    private static func guessed(_ what: String) -> Finding {
        Finding(
            "A request without response_type \(what).",
            at: "response_type",
            expected: "an error",
            found: "no error",
            fix: "Return invalid_request when response_type is missing."
        )
    }
}

extension ScenarioRun {
    /// Whether the authorization endpoint refused the request: an error page, or an error at the client.
    var isRefused: Bool {
        guard let answer = authorization.value else { return false }
        return answer.page?.isError ?? false || answer.redirect?.has("error") ?? false
    }
}
