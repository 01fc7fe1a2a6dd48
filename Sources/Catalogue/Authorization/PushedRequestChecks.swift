package import Conformance
import JSONTree

/// The pushed authorization request endpoint (RFC 9126 section 2).
package enum PushedRequestChecks {
    private static let pushed = StepResults.answer(.pushedRequest, .push)
    private static let notPushed = "the provider rejected the pushed request, which another check reports"

    static let isAccepted = Check(
        "authorization.pushed-request.is-accepted",
        "The provider accepts an ordinary request as a pushed request",
        .must,
        .signIn,
        Citation(.rfc9126, "2.2", "the server MUST generate a request URI and provide it in the response"),
        why: "Clients that read the discovery document push every request, and every sign-in fails.",
        reads: pushed,
        supersededBy: ["token.client-authentication.is-accepted"],
        finding: { subject, _ in
            guard !subject.isPushed else { return nil }
            return Finding(
                "The provider returns no request_uri for an ordinary pushed request: \(subject.phrase).",
                expected: "HTTP status 201 and request_uri",
                found: subject.phrase,
                fix: subject.error == "invalid_client"
                    ? "Accept the client authentication of the token endpoint at the pushed authorization request endpoint too."
                    : "Accept pushed requests, or remove pushed_authorization_request_endpoint from the metadata."
            )
        }
    )

    static let statusIs201 = Check(
        "authorization.pushed-request.has-201",
        "The provider returns HTTP status 201 for a pushed request",
        .must,
        .conformance,
        Citation(.rfc9126, "2.2", "provide it in the response with a 201 HTTP status code"),
        why: "Client libraries treat any other status as an error.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in
            guard subject.response.status != 201 else { return nil }
            return Finding(
                "The provider returns HTTP status \(subject.response.status) for a pushed request.",
                expected: "HTTP status 201",
                found: "HTTP status \(subject.response.status)",
                fix: "Return 201 Created for pushed requests."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "authorization.pushed-request.content-type-is-json",
        "The response to a pushed request has the media type application/json",
        .must,
        .conformance,
        Citation(.rfc9126, "2.2", "in the message body of the HTTP response using the \"application/json\" media type"),
        why: "Client libraries do not read request_uri from a response with another media type.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The response to a pushed request") }
    )

    static let expiresInIsPositive = Check(
        "authorization.pushed-request.expires-in-is-a-positive-integer",
        "The response to a pushed request has a positive integer as expires_in",
        .must,
        .conformance,
        Citation(
            .rfc9126,
            "2.2",
            "A JSON number that represents the lifetime of the request URI in seconds as a positive integer"
        ),
        why: "Clients reject a response without a lifetime, or use a request_uri that has expired.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in
            let value = subject.object?["expires_in"]
            guard (value?.integerValue ?? 0) <= 0 else { return nil }
            return Finding(
                "The response to a pushed request has no positive integer as expires_in.",
                at: "/expires_in",
                expected: "a positive integer",
                found: value?.shown ?? "missing",
                fix: "Return the lifetime in seconds, as in \"expires_in\": 60."
            )
        }
    )

    static let credentialsAreRequired = Check(
        "authorization.pushed-request.no-credentials-is-refused",
        "The provider rejects a pushed request of a confidential client without its credentials",
        .must,
        .safety,
        Citation(.rfc9126, "2.1", "Authenticate the client in the same way as at the token endpoint"),
        why: "An attacker can push requests in the name of the application.",
        reads: IncorrectRedemptions.confidential(StepResults.answer(.pushedRequest, .noCredentials)),
        passesOn: .refusal
    ) { subject, _ in
        subject.isSuccess
            ? [
                taken(
                    "without the client's credentials",
                    subject,
                    at: "client_secret",
                    "Authenticate the client at the pushed authorization request endpoint before processing its request."
                )
            ] : []
    }

    static let wrongSecretIsRefused = Check(
        "authorization.pushed-request.wrong-secret-is-refused",
        "The provider rejects a pushed request of a confidential client with a wrong secret",
        .must,
        .safety,
        Citation(.rfc9126, "2.1", "Authenticate the client in the same way as at the token endpoint"),
        why: "An attacker can push requests in the name of the application.",
        reads: IncorrectRedemptions.confidential(StepResults.answer(.pushedRequest, .wrongSecret)),
        supersededBy: [credentialsAreRequired.id, "token.code.needs-the-right-secret"],
        passesOn: .refusal
    ) { subject, _ in
        subject.isSuccess
            ? [
                taken(
                    "with a wrong secret",
                    subject,
                    at: "client_secret",
                    "Verify the client's secret at the pushed authorization request endpoint as at the token endpoint."
                )
            ] : []
    }

    static let requestURIIsRefused = Check(
        "authorization.pushed-request.request-uri-is-refused",
        "The provider rejects a pushed request with a request_uri",
        .must,
        .conformance,
        Citation(.rfc9126, "2.1", "Reject the request if the request_uri authorization request parameter is provided."),
        why: "A pushed request could refer to another request that the provider has not validated.",
        reads: StepResults.answer(.pushedRequest, .withRequestURI),
        passesOn: .refusal
    ) { subject, _ in
        subject.isSuccess
            ? [taken("with a request_uri", subject, at: "request_uri", "Reject pushed requests with request_uri.")] : []
    }

    static let redirectURIIsValidated = Check(
        "authorization.pushed-request.redirect-uri-is-validated",
        "The provider rejects a pushed request with an unregistered redirect URI",
        .must,
        .conformance,
        Citation(
            .rfc9126,
            "2.1",
            "Validate the pushed request as it would an authorization request sent to the authorization endpoint"
        ),
        why: "The user sees an error later, although the application could have received it at once.",
        reads: StepResults.answer(.pushedRequest, .badRedirectURI),
        supersededBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        unless: { facts in
            // RFC 9126 section 2.4 lets authenticated clients choose redirect URIs of their own.
            facts.target.flows.first(where: \.hasCode).flatMap(facts.target.client)?.isConfidential == true
                ? "an authenticated client may push unregistered redirect URIs (RFC 9126 section 2.4)" : nil
        },
        rule: { subject, _ in
            subject.isSuccess
                ? [
                    taken(
                        "with an unregistered redirect URI",
                        subject,
                        at: "redirect_uri",
                        "Compare redirect_uri with the registered values when a request is pushed, and reject others."
                    )
                ] : []
        }
    )

    package static let all: [Check] = [
        isAccepted, statusIs201, contentTypeIsJSON, expiresInIsPositive, credentialsAreRequired, wrongSecretIsRefused,
        requestURIIsRefused, redirectURIIsValidated,
    ]

    private static func taken(_ how: String, _ subject: CallResult, at pointer: String, _ fix: String) -> Finding {
        Finding(
            "The provider accepts a request pushed \(how): HTTP status \(subject.response.status).",
            at: pointer,
            expected: "an error",
            found: subject.phrase,
            fix: fix
        )
    }
}

extension CallResult {
    /// Whether the response contains a request URI.
    fileprivate var isPushed: Bool { isSuccess && object?["request_uri"]?.stringValue?.isEmpty == false }
}
