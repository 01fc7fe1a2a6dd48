package import Conformance
import JSONTree

/// How requests are pushed (RFC 9126 section 2).
package enum PushedRequestChecks {
    private static let pushed = Conversations.answer(.pushedRequest, .push)
    private static let notPushed = "the pushed request was refused, which another check reports"

    package static let isAccepted = Check(
        "authorization.pushed-request.is-accepted",
        "An ordinary request of the client can be pushed",
        .must,
        .signIn,
        Citation(.rfc9126, "2.2", "the server MUST generate a request URI and provide it in the response"),
        why: "Clients that read the discovery document push every request, and nobody can sign in.",
        reads: pushed,
        excusedBy: ["token.client-authentication.is-accepted"],
        finding: { subject, _ in
            guard !subject.isPushed else { return nil }
            return Finding(
                "A request that works otherwise was refused when it was pushed: \(subject.phrase).",
                expected: "HTTP status 201 and request_uri",
                found: subject.phrase,
                fix: subject.error == "invalid_client"
                    ? "Let the client authenticate here as it does at the token endpoint."
                    : "Accept pushed requests, or remove pushed_authorization_request_endpoint."
            )
        }
    )

    package static let statusIs201 = Check(
        "authorization.pushed-request.has-201",
        "A pushed request is answered with HTTP status 201",
        .must,
        .conformance,
        Citation(.rfc9126, "2.2", "provide it in the response with a 201 HTTP status code"),
        why: "Client libraries take any other status for an error.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in
            guard subject.response.status != 201 else { return nil }
            return Finding(
                "A pushed request was answered with HTTP status \(subject.response.status).",
                expected: "201",
                found: String(subject.response.status),
                fix: "Answer pushed requests with 201 Created."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "authorization.pushed-request.content-type-is-json",
        "The answer to a pushed request is marked as application/json",
        .must,
        .conformance,
        Citation(.rfc9126, "2.2", "in the message body of the HTTP response using the \"application/json\" media type"),
        why: "Client libraries do not read the request URI from another media type.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The answer to a pushed request") }
    )

    package static let expiresInIsPositive = Check(
        "authorization.pushed-request.expires-in-is-a-positive-integer",
        "The lifetime of a request URI is a positive integer",
        .must,
        .conformance,
        Citation(
            .rfc9126,
            "2.2",
            "A JSON number that represents the lifetime of the request URI in seconds as a positive integer"
        ),
        why: "Clients refuse an answer without the lifetime, or use a request URI that has expired.",
        reads: pushed,
        exempt: { subject, _ in subject.isPushed ? nil : notPushed },
        finding: { subject, _ in
            let value = subject.object?["expires_in"]
            guard (value?.integerValue ?? 0) <= 0 else { return nil }
            return Finding(
                "The answer to a pushed request has no usable expires_in.",
                at: "/expires_in",
                expected: "a positive integer",
                found: value?.shown ?? "missing",
                fix: "Return the lifetime in seconds, as in \"expires_in\": 60."
            )
        }
    )

    package static let credentialsAreRequired = Check(
        "authorization.pushed-request.no-credentials-is-refused",
        "A confidential client cannot push without its secret",
        .must,
        .safety,
        Citation(.rfc9126, "2.1", "Authenticate the client in the same way as at the token endpoint"),
        why: "Anybody can push requests in the name of the application.",
        reads: Redemptions.confidential(Conversations.answer(.pushedRequest, .noCredentials)),
        passesOn: .refusal
    ) { subject, _ in
        subject.isSuccess
            ? [
                taken(
                    "without the client's secret",
                    subject,
                    at: "client_secret",
                    "Authenticate the client at this endpoint before the request is looked at."
                )
            ] : []
    }

    package static let requestURIIsRefused = Check(
        "authorization.pushed-request.request-uri-is-refused",
        "A pushed request with a request_uri is refused",
        .must,
        .conformance,
        Citation(.rfc9126, "2.1", "Reject the request if the request_uri authorization request parameter is provided."),
        why: "One pushed request could stand for another, which nobody has validated.",
        reads: Conversations.answer(.pushedRequest, .withRequestURI),
        passesOn: .refusal
    ) { subject, _ in
        subject.isSuccess
            ? [taken("with a request_uri", subject, at: "request_uri", "Refuse pushed requests with request_uri.")] : []
    }

    package static let redirectURIIsValidated = Check(
        "authorization.pushed-request.redirect-uri-is-validated",
        "A pushed request with a redirect URI that is not registered is refused",
        .must,
        .conformance,
        Citation(
            .rfc9126,
            "2.1",
            "Validate the pushed request as it would an authorization request sent to the authorization endpoint"
        ),
        why: "The error reaches a person at the end of the way, and not the application at its beginning.",
        reads: Conversations.answer(.pushedRequest, .badRedirectURI),
        excusedBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        unless: { facts in
            // RFC 9126 section 2.4 lets authenticated clients choose redirect URIs of their own.
            facts.target.flows.first(where: \.hasCode).flatMap(facts.target.client)?.isConfidential == true
                ? "an authenticated client may push redirect URIs that are not registered (RFC 9126 section 2.4)" : nil
        },
        rule: { subject, _ in
            subject.isSuccess
                ? [
                    taken(
                        "with a redirect URI that is not registered",
                        subject,
                        at: "redirect_uri",
                        "Compare redirect_uri with the registered ones when a request is pushed."
                    )
                ] : []
        }
    )

    package static let all: [Check] = [
        isAccepted, statusIs201, contentTypeIsJSON, expiresInIsPositive, credentialsAreRequired, requestURIIsRefused,
        redirectURIIsValidated,
    ]

    private static func taken(_ how: String, _ subject: AnsweredCall, at pointer: String, _ fix: String) -> Finding {
        Finding(
            "A request pushed \(how) was answered with HTTP status \(subject.response.status).",
            at: pointer,
            expected: "an error",
            found: subject.phrase,
            fix: fix
        )
    }
}

extension AnsweredCall {
    /// Whether the answer holds a request URI.
    fileprivate var isPushed: Bool { isSuccess && object?["request_uri"]?.stringValue?.isEmpty == false }
}
