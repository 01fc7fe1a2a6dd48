package import Conformance

/// The form of every error that reached the redirect URI.
package enum ErrorChecks {
    /// RFC 6749 section 4.1.2.1, Core section 3.1.2.6, and what extensions registered with IANA.
    private static let registered: Set<String> = [
        "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope",
        "server_error", "temporarily_unavailable", "interaction_required", "login_required",
        "account_selection_required", "consent_required", "invalid_request_uri", "invalid_request_object",
        "request_not_supported", "request_uri_not_supported", "registration_not_supported",
        "unmet_authentication_requirements", "invalid_target", "invalid_authorization_details",
        "invalid_dpop_proof", "unsupported_token_type", "invalid_trust_chain", "invalid_trust_anchor",
    ]

    package static let isInItsPlace = Check(
        "authorization.error.is-in-its-place",
        "Errors stand in the query for code and in the fragment for all other response types",
        .must,
        .conformance,
        Citation(
            .core,
            "3.2.2.6",
            "MUST return the error Authorization Response in the fragment component of the Redirection URI"
        ),
        why: "The client looks in one place only; it waits for an answer that stands in the other.",
        reads: AuthorizationErrors.all,
        exempt: { subject, _ in
            if subject.asked.sentParameter("response_mode") != nil { return "the request chose a response mode" }
            // RFC 6749 section 3.1.1: where the type is not understood, there is none that would prescribe the place.
            if subject.code == "unsupported_response_type" { return "the response type is not supported" }
            return subject.requestedType == nil
                ? "the request named no response type that would prescribe the place" : nil
        },
        finding: { subject, _ in
            guard let type = subject.requestedType else { return nil }
            let isRight =
                type.isFrontChannel
                ? !subject.redirect.isInQuery("error") : subject.redirect.isInQuery("error")
            guard !isRight else { return nil }
            return Finding(
                "The error came in the \(type.isFrontChannel ? "query" : "fragment") of the redirect URI, though "
                    + "response_type was \(type.text.quoted).",
                at: "error",
                expected: type.isFrontChannel ? "fragment" : "query",
                found: type.isFrontChannel ? "query" : "fragment",
                fix: "Return errors in the same place as the successful response of the response type."
            )
        }
    )

    package static let isNamed = Check(
        "authorization.error.is-named",
        "An answer that grants nothing says which error it is",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "error REQUIRED. A single ASCII [USASCII] error code"),
        why: "The client finds neither a code nor an error, and reports a broken provider.",
        reads: AuthorizationErrors.unnamed,
        excusedBy: ["authorization.response.holds-what-was-asked"],
        rule: { subject, _ in
            [
                Finding(
                    "A request was refused by a redirect without error"
                        + (subject.redirect.first("error_description").map { ", with error_description \($0.quoted)." }
                            ?? "."),
                    at: "error",
                    expected: "an error code",
                    found: "missing",
                    fix: "Return error in every redirect that refuses a request; error_description alone says nothing."
                )
            ]
        }
    )

    package static let isRedirected = Check(
        "authorization.error.is-redirected",
        "Errors of a request whose client and redirect URI are right go to the client",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.6",
            "Unless the Redirection URI is invalid, the Authorization Server returns the Client to the Redirection URI"
        ),
        why: "The client waits for an answer that never comes, and the person is left on a page without a way back.",
        reads: AuthorizationErrors.provoked,
        exempt: { subject, _ in
            subject.answer.page?.pushError == nil
                ? subject.isUndecided : "the request was refused when it was pushed (RFC 9126 section 2.3)"
        },
        finding: { subject, _ in
            guard let page = subject.answer.page, subject.outcome == .refused(.page) else { return nil }
            return Finding(
                "An error was shown on a page where the client should have been told of it.",
                at: "error",
                expected: "a redirect to the client with error",
                found: page.phrase,
                fix:
                    "Show a page only when client_id or redirect_uri is wrong; redirect with error and state otherwise."
            )
        }
    )

    package static let hasLegalCharacters = Check(
        "authorization.error.has-legal-characters",
        "error, error_description and error_uri hold only the characters that are allowed there",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E"),
        why: "Clients show or log these values; quotation marks, line breaks and other scripts break them.",
        reads: AuthorizationErrors.all
    ) { subject, _ in
        ErrorCharacters.illegal { subject.redirect.values($0) }
    }

    package static let hasRegisteredCode = Check(
        "authorization.error.has-registered-code",
        "The error code is one that a specification defines",
        .should,
        .conformance,
        Citation(.rfc6749, "8.5", "SHOULD be prefixed by an identifying name when possible"),
        why: "Clients choose what to tell the user by the code; one of the provider's own means nothing to them.",
        reads: AuthorizationErrors.all,
        excusedBy: ["authorization.error.has-legal-characters"],
        finding: { subject, _ in
            guard !registered.contains(subject.code) else { return nil }
            return Finding(
                "The error code \(subject.code.quoted) is not defined for the authorization endpoint.",
                at: "error",
                expected: "a code of RFC 6749 section 4.1.2.1 or Core section 3.1.2.6",
                found: subject.code.shown(),
                fix: "Return invalid_request, or the defined code that fits the cause."
            )
        }
    )

    package static let errorURIIsAURI = Check(
        "authorization.error.error-uri-is-a-uri",
        "error_uri is the address of a page",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "4.1.2.1",
            "Values for the \"error_uri\" parameter MUST conform to the URI-reference syntax"
        ),
        why: "Whoever follows it to read about the error ends nowhere.",
        reads: AuthorizationErrors.all,
        excusedBy: ["authorization.error.has-legal-characters"],
        exempt: { subject, _ in subject.redirect.has("error_uri") ? nil : "the error has no error_uri" },
        rule: { subject, _ in
            subject.redirect.values("error_uri").filter { !$0.isURIReference }
                .map { value in
                    Finding(
                        "error_uri is no address.",
                        at: "error_uri",
                        expected: "an address such as https://op.example.com/errors#invalid_request",
                        found: value.shown(limit: 120),
                        fix: "Write the address of a page about the error into error_uri, or leave it out."
                    )
                }
        }
    )

    package static let hasNoArtefacts = Check(
        "authorization.error.has-no-code",
        "No code and no token comes beside an error",
        .risk,
        .safety,
        Citation(.core, "3.1.2.6", "informs the RP (Client) by using the Error Response parameters"),
        why: "A client that looks for the code first signs in somebody whom the provider refused.",
        reads: AuthorizationErrors.all
    ) { subject, _ in
        Artefact.all.map(\.parameter).filter(subject.redirect.has)
            .map { name in
                Finding(
                    "The error response also holds \(name).",
                    at: name,
                    expected: "an error and no \(name)",
                    found: "both",
                    fix: "Return either an error or \(name)."
                )
            }
    }

    package static let hasNothingMore = Check(
        "authorization.error.has-nothing-more",
        "An error response holds nothing but what belongs to an error",
        .should,
        .conformance,
        Citation(.core, "3.1.2.6", "Other parameters SHOULD NOT be returned."),
        why: "Clients ignore what they do not know; what the user should learn belongs into error_description.",
        reads: AuthorizationErrors.all,
        excusedBy: ["authorization.error.has-no-code"]
    ) { subject, _ in
        let usual: Set<String> = ["error", "error_description", "error_uri", "state", "session_state", "iss"]
        let names = subject.redirect.parameters.map(\.name)
        return names.filter { !usual.contains($0) }
            .map { name in
                Finding(
                    "The error response also holds \(name.quoted).",
                    at: name.shown(limit: 80),
                    expected: "error, error_description, error_uri, state and iss",
                    found: name.shown(limit: 80),
                    fix: "Leave \(name.quoted) out of errors; write what it says in error_description."
                )
            }
    }

    package static let all: [Check] = [
        isNamed, isRedirected, isInItsPlace, hasLegalCharacters, errorURIIsAURI, hasRegisteredCode, hasNoArtefacts,
        hasNothingMore,
    ]
}
