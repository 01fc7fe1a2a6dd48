package import Conformance
import JSONTree

/// Requests that are invalid or unusual.
package enum RequestChecks {
    static let unregisteredIsNotRedirectedTo = Check(
        "authorization.redirect-uri.unregistered-is-not-redirected-to",
        "The provider does not redirect to an unregistered redirect URI",
        .must,
        .safety,
        Citation(.rfc6749, "3.1.2.4", "MUST NOT automatically redirect the user-agent to the invalid redirection URI"),
        why: "An attacker who can choose the redirect URI receives the codes and tokens of other users.",
        reads: StepResults.authorization(.unregisteredRedirectURI),
        passesOn: .answer,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect,
                redirect.isRedirectURI || redirect.address.hasPrefix(Scenario.foreignRedirectURI)
            else { return nil }
            return redirected(
                redirect,
                fix: "Compare redirect_uri with the registered values character by character before anything else, "
                    + "and show an error page on a mismatch."
            )
        }
    )

    static let unregisteredIsNeverRedirectedTo = Check(
        "authorization.redirect-uri.unregistered-is-never-redirected-to",
        "The provider redirects no kind of request to an unregistered redirect URI",
        .must,
        .safety,
        unregisteredIsNotRedirectedTo.citation,
        why: "An attacker chooses the kind of request, and receives the codes and tokens of other users.",
        reads: RedirectURIChecks.answers(
            to: .foreignRedirectURIs,
            Scenario.foreignRedirectURIs.steps.map { ($0.id, $0.title ?? "") }
        ),
        supersededBy: [unregisteredIsNotRedirectedTo.id],
        passesOn: .answer,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            redirectedAway(
                subject,
                fix: "Compare redirect_uri with the registered values before anything else, in requests of every "
                    + "response_type, response_mode and HTTP method."
            )
        }
    )

    /// The finding for a redirect to the unregistered address.
    static func redirectedAway(_ subject: AuthorizationResult, fix: String) -> Finding? {
        guard let redirect = subject.answer.redirect, redirect.address.hasPrefix(Scenario.foreignRedirectURI) else {
            return nil
        }
        return redirected(redirect, fix: fix)
    }

    private static func redirected(_ redirect: RedirectAnswer, fix: String) -> Finding {
        Finding(
            "The provider redirects to an address that is not registered"
                + (redirect.has("error") ? ", with the error \(redirect.errorText)." : "."),
            at: "redirect_uri",
            expected: "an error page",
            found: redirect.address.shown(),
            fix: fix
        )
    }

    static let unknownClientIsNotRedirected = Check(
        "authorization.client-id.unknown-is-not-redirected",
        "The provider does not redirect a request with an unknown client_id",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2.1",
            "if the client identifier is missing or invalid, the authorization server SHOULD inform the resource owner of the error and MUST NOT automatically redirect"
        ),
        why: "An unknown client has no registered redirect URI, so an attacker can choose where the browser is sent.",
        endangers: .allUsers,
        reads: StepResults.authorization(.refusals, .unknownClient),
        passesOn: .answer,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "The provider redirects a request with an unknown client_id"
                    + (redirect.has("error") ? ", with the error \(redirect.errorText)." : "."),
                at: "client_id",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Look up client_id before anything else, and show an error page if it is unknown."
            )
        }
    )

    static let missingTypeIsRefused = Check(
        "authorization.response-type.missing-is-refused",
        "The provider returns an error for a request without response_type",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.1", "the authorization server MUST return an error response"),
        why: "A provider that guesses a response type may send tokens that the client did not request.",
        reads: StepResults.authorization(.missingResponseType),
        supersededBy: [ErrorChecks.isNamed.id],
        passesOn: .refusal,
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in
            switch subject.answer.ending {
            case .page: return []
            case .redirected(let redirect) where redirect.has("error"): return []
            case .redirected(let redirect): return [guessed("ends at \(redirect.address.shown()) without an error")]
            }
        }
    )

    static let missingTypeHasRightError = Check(
        "authorization.response-type.missing-has-right-error",
        "The provider returns invalid_request or unsupported_response_type for a request without response_type",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "The request is missing a required parameter"),
        why: "A wrong error code misleads the developer who debugs the client.",
        reads: StepResults.authorization(.missingResponseType),
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the response was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error,
                !["invalid_request", "unsupported_response_type"].contains(error)
            else { return nil }
            return Finding(
                "The provider returns the error \(redirect.errorText) for a request without response_type.",
                at: "error",
                expected: "invalid_request or unsupported_response_type",
                found: error.shown(),
                fix: "Return invalid_request when response_type is missing."
            )
        }
    )

    static let unknownParameterIsIgnored = Check(
        "authorization.unknown-parameter.is-ignored",
        "The provider ignores an unknown request parameter",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1", "The authorization server MUST ignore unrecognized request parameters."),
        why: "Sign-in fails with every platform that adds parameters of its own.",
        reads: StepResults.authorization(.unknownParameter),
        finding: { subject, facts in
            guard let found = subject.refusal else { return nil }
            let isAlone = facts.evidence.run(Scenario.asThePlatformSends.id).map { !$0.isRefused } ?? true
            return Finding(
                "The provider rejects an ordinary request with the parameter preflight_unknown: \(found).",
                at: "preflight_unknown",
                expected: "the sign-in page",
                found: found,
                fix: isAlone
                    ? "Ignore unknown request parameters."
                    : "Check the client's registration first (client_id, redirect_uri, response types): "
                        + "the provider rejects a request without the parameter as well."
            )
        }
    )

    static let missingNonceIsRefused = Check(
        "authorization.nonce.missing-is-refused",
        "The authorization endpoint issues no ID Token without a nonce",
        .must,
        .conformance,
        Citation(.core, "3.2.2.1", "nonce REQUIRED. String value used to associate a Client session with an ID Token"),
        why: "A client that forgets nonce gets no error, and cannot distinguish a stolen ID Token from its own.",
        reads: StepResults.authorization(.missingNonce),
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
                "The provider grants a request for an ID Token without a nonce.",
                at: "nonce",
                expected: "invalid_request",
                found: "an ID Token",
                fix: "Reject a response_type that includes id_token when the request has no nonce."
            )
        }
    )

    package static let all: [Check] = [
        unregisteredIsNotRedirectedTo, unregisteredIsNeverRedirectedTo, unknownClientIsNotRedirected,
        missingTypeIsRefused, missingTypeHasRightError, unknownParameterIsIgnored, missingNonceIsRefused,
        missingNonceIsRefusedInHybrid, missingNonceHasRightError, plainIsAccepted,
    ]

    /// The run pushes or signs its requests where the provider or the client's registration says so, and the platform does neither.
    static let plainIsAccepted = Check(
        "authorization.plain-request.is-accepted",
        "The provider accepts the platform's request, which is neither pushed nor a signed request object",
        .platform,
        .signIn,
        Citation(
            .rfc6749,
            "4.1.1",
            "The client constructs the request URI by adding the following parameters to the query component"
        ),
        why: "The platform sends its request in the URL, so the provider rejects every sign-in there.",
        reads: StepResults.authorization(.asThePlatformSends),
        unless: { facts in
            if facts.profile.parameters.states(.requestsArePushed) { return "the platform pushes its requests" }
            return facts.extendsRequests ? nil : "the run's own requests are neither pushed nor signed"
        },
        exempt: { subject, facts in
            if subject.answer.requestsPKCE, !facts.profile.parameters.sendsPKCE(to: facts.metadata.value?.object) {
                return "the error is about PKCE, which another check reports"
            }
            return subject.isInconclusive
        },
        finding: { subject, _ in
            guard let found = subject.refusal else { return nil }
            return Finding(
                "The authorization endpoint rejects a request with its parameters in the URL: \(found).",
                at: "request",
                expected: "the sign-in page",
                found: found,
                fix:
                    "Accept plain requests for this client, or use a platform that pushes (RFC 9126) or signs (RFC 9101) its requests."
            )
        }
    )

    static let missingNonceIsRefusedInHybrid = Check(
        "authorization.nonce.missing-is-refused-in-hybrid",
        "The authorization endpoint issues no ID Token in a hybrid flow without a nonce",
        .must,
        .conformance,
        Citation(
            .core,
            "3.3.2.1",
            "nonce REQUIRED if the Response Type of the request is code id_token or code id_token token"
        ),
        why: "A client that forgets nonce gets no error, and cannot distinguish a stolen ID Token from its own.",
        reads: StepResults.authorizations(
            ofTypes: .noNonce,
            whenEmpty: "no configured flow returns a code and an ID Token from the authorization endpoint",
            concerns: { $0.hasCode && $0.hasIDToken }
        ),
        passesOn: .refusal,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "The provider grants a request for a code and an ID Token without a nonce.",
                at: "nonce",
                expected: "invalid_request",
                found: "a code or token",
                fix: "Reject a response_type that includes id_token when the request has no nonce."
            )
        }
    )

    static let missingNonceHasRightError = Check(
        "authorization.nonce.missing-has-right-error",
        "The provider returns invalid_request for an ID Token request without a nonce",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "The request is missing a required parameter"),
        why: "A wrong error code misleads the developer who debugs the client.",
        reads: StepResults.authorization(.missingNonce),
        supersededBy: ["authorization.error.has-registered-code"],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the response was not an error redirect"
        },
        finding: { subject, facts in
            let types = facts.metadata.value?.strings("response_types_supported") ?? ["id_token"]
            guard let redirect = subject.answer.redirect, let error = redirect.error, error != "invalid_request",
                types.contains(where: { ResponseType($0) == "id_token" })
            else { return nil }
            return Finding(
                "The provider returns the error \(redirect.errorText) for an ID Token request without a nonce.",
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

extension Facts {
    /// Whether the run pushes its requests or sends them in signed request objects.
    var extendsRequests: Bool {
        let client = target.client
        return client?.requestObjectSigningAlg != nil || client?.requiresPushedRequests == true
            || metadata.value?["require_pushed_authorization_requests"]?.boolValue == true
    }
}

extension ScenarioRun {
    /// Whether the authorization endpoint rejected the request, by an error page or by an error at the client.
    var isRefused: Bool {
        guard let answer = authorization.value else { return false }
        return answer.page?.isError ?? false || answer.redirect?.has("error") ?? false
    }
}
