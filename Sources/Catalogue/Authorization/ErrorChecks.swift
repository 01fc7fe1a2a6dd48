package import Conformance

/// The form of every error response that reached the redirect URI.
package enum ErrorChecks {
    /// Error codes of RFC 6749 section 4.1.2.1, of Core section 3.1.2.6, and of extensions registered with IANA.
    private static let registered: Set<String> = [
        "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope",
        "server_error", "temporarily_unavailable", "interaction_required", "login_required",
        "account_selection_required", "consent_required", "invalid_request_uri", "invalid_request_object",
        "request_not_supported", "request_uri_not_supported", "registration_not_supported",
        "unmet_authentication_requirements", "invalid_target", "invalid_authorization_details", "invalid_dpop_proof",
        "unsupported_token_type", "invalid_trust_chain", "invalid_trust_anchor",
    ]

    static let isInItsPlace = Check(
        "authorization.error.is-in-its-place",
        "The provider returns errors in the query for response_type=code, and in the fragment for all others",
        .must,
        .conformance,
        Citation(
            .core,
            "3.2.2.6",
            "MUST return the error Authorization Response in the fragment component of the Redirection URI"
        ),
        why: "The client looks in one place only and never sees an error in the other.",
        reads: AuthorizationErrors.all,
        exempt: { subject, _ in
            if subject.asked.sentParameter("response_mode") != nil { return "the request set response_mode" }
            // RFC 6749 section 3.1.1: a response type that is not understood prescribes no place.
            if subject.code == "unsupported_response_type" { return "the provider does not support the response type" }
            return subject.requestedType == nil
                ? "the request has no known response type that prescribes the place" : nil
        },
        finding: { subject, _ in
            guard let type = subject.requestedType else { return nil }
            let isRight =
                type.isFrontChannel ? !subject.redirect.isInQuery("error") : subject.redirect.isInQuery("error")
            guard !isRight else { return nil }
            return Finding(
                "The provider returns an error in the \(type.isFrontChannel ? "query" : "fragment") of the redirect URI, "
                    + "although response_type is \(type.text.quoted).",
                at: "error",
                expected: type.isFrontChannel ? "fragment" : "query",
                found: type.isFrontChannel ? "query" : "fragment",
                fix:
                    "Return errors in the query for response_type=code, and in the fragment for all other response types."
            )
        }
    )

    static let isNamed = Check(
        "authorization.error.is-named",
        "The provider returns the error parameter in every redirect that grants nothing",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "error REQUIRED. A single ASCII [USASCII] error code"),
        why: "The client finds neither a code nor an error, and reports a broken provider.",
        reads: AuthorizationErrors.unnamed,
        supersededBy: ["authorization.response.holds-what-was-asked"],
        rule: { subject, _ in
            [
                Finding(
                    "The provider rejects a request by a redirect that has no error parameter"
                        + (subject.redirect.first("error_description").map { ", only error_description \($0.quoted)." }
                            ?? "."),
                    at: "error",
                    expected: "an error code",
                    found: "missing",
                    fix:
                        "Add the error parameter to every redirect that rejects a request; error_description alone is not enough."
                )
            ]
        }
    )

    static let isRedirected = Check(
        "authorization.error.is-redirected",
        "The provider returns errors to the client if client_id and redirect_uri are valid",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.6",
            "Unless the Redirection URI is invalid, the Authorization Server returns the Client to the Redirection URI"
        ),
        why: "The client waits for a response that never comes, and the user is stuck on an error page.",
        reads: AuthorizationErrors.provoked,
        exempt: { subject, facts in
            if subject.answer.page?.pushError != nil {
                return "the request was rejected when it was pushed (RFC 9126 section 2.3)"
            }
            let isOfObject = [Scenario.requestURI, .wronglySignedRequestObject, .unreadableRequestObject]
                .contains { $0.id == subject.asked.scenario }
            return isOfObject && facts.target.client?.requestObjectSigningAlg != nil
                ? "the redirect URI is in a request object, which the provider need not have read"
                : subject.isInconclusive
        },
        finding: { subject, _ in
            guard let page = subject.answer.page, subject.outcome == .refused(.page) else { return nil }
            return Finding(
                "The provider shows an error page instead of returning the error to the client.",
                at: "error",
                expected: "a redirect to the client with error",
                found: page.phrase,
                fix:
                    "Show an error page only if client_id or redirect_uri is invalid; otherwise redirect with error and state."
            )
        }
    )

    static let hasLegalCharacters = Check(
        "authorization.error.has-legal-characters",
        "The provider uses only allowed characters in error, error_description and error_uri",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E"),
        why: "Clients display or log these values; quotation marks, line breaks and non-ASCII characters break them.",
        reads: AuthorizationErrors.all
    ) { subject, _ in ErrorCharacters.illegal { subject.redirect.values($0) } }

    static let hasRegisteredCode = Check(
        "authorization.error.has-registered-code",
        "The provider uses error codes that a specification defines",
        .should,
        .conformance,
        Citation(.rfc6749, "8.5", "SHOULD be prefixed by an identifying name when possible"),
        why: "Clients choose the message for the user by the error code, and cannot interpret a proprietary one.",
        reads: AuthorizationErrors.all,
        supersededBy: ["authorization.error.has-legal-characters"],
        finding: { subject, _ in
            guard !registered.contains(subject.code) else { return nil }
            return Finding(
                "The error code \(subject.code.quoted) is not defined for the authorization endpoint.",
                at: "error",
                expected: "a code of RFC 6749 section 4.1.2.1 or Core section 3.1.2.6",
                found: subject.code.shown(),
                fix: "Return invalid_request, or the defined error code that fits the cause."
            )
        }
    )

    static let errorURIIsAURI = Check(
        "authorization.error.error-uri-is-a-uri",
        "error_uri is a valid URI reference",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "4.1.2.1",
            "Values for the \"error_uri\" parameter MUST conform to the URI-reference syntax"
        ),
        why: "A developer who opens the link to read about the error gets nowhere.",
        reads: AuthorizationErrors.all,
        supersededBy: ["authorization.error.has-legal-characters"],
        exempt: { subject, _ in subject.redirect.has("error_uri") ? nil : "the error has no error_uri" },
        rule: { subject, _ in
            subject.redirect.values("error_uri").filter { !$0.isURIReference }
                .map { value in
                    Finding(
                        "error_uri is not a valid URI reference.",
                        at: "error_uri",
                        expected: "a URI such as https://op.example.com/errors#invalid_request",
                        found: value.shown(limit: 120),
                        fix: "Set error_uri to the URL of a page about the error, or remove it."
                    )
                }
        }
    )

    static let hasNoArtefacts = Check(
        "authorization.error.has-no-code",
        "The provider returns no code or token with an error",
        .risk,
        .safety,
        Citation(.core, "3.1.2.6", "informs the RP (Client) by using the Error Response parameters"),
        why: "A client that looks for the code first signs in someone whom the provider rejected.",
        reads: AuthorizationErrors.all
    ) { subject, _ in
        Artefact.all.map(\.parameter).filter(subject.redirect.has)
            .map { name in
                Finding(
                    "The error response also contains \(name).",
                    at: name,
                    expected: "an error and no \(name)",
                    found: "both",
                    fix: "Return either an error or \(name)."
                )
            }
    }

    static let hasNothingMore = Check(
        "authorization.error.has-nothing-more",
        "The provider returns only error parameters in an error response",
        .should,
        .conformance,
        Citation(.core, "3.1.2.6", "Other parameters SHOULD NOT be returned."),
        why: "Clients ignore unknown parameters, so the user never sees the information in them.",
        reads: AuthorizationErrors.all,
        supersededBy: ["authorization.error.has-no-code"]
    ) { subject, _ in
        let usual: Set<String> = ["error", "error_description", "error_uri", "state", "session_state", "iss"]
        let names = subject.redirect.parameters.map(\.name)
        return names.filter { !usual.contains($0) }
            .map { name in
                Finding(
                    "The error response also contains \(name.quoted).",
                    at: name.shown(limit: 80),
                    expected: "error, error_description, error_uri, state and iss",
                    found: name.shown(limit: 80),
                    fix: "Remove \(name.quoted) from error responses, and put its information into error_description."
                )
            }
    }

    package static let all: [Check] = [
        isNamed, isRedirected, isInItsPlace, hasLegalCharacters, errorURIIsAURI, hasRegisteredCode, hasNoArtefacts,
        hasNothingMore,
    ]
}
