package import Conformance

/// Requests that contain a parameter twice.
package enum RepeatedParameterChecks {
    private static let once = Citation(
        .rfc6749,
        "4.1.2.1",
        "invalid_request The request is missing a required parameter, … includes a parameter more than once"
    )

    static let clientID = refused(
        "authorization.client-id.repeated-is-refused",
        "The provider rejects a request with two client_id parameters",
        "client_id",
        .clientID,
        why: "Two components can read different values and treat the request as that of different clients."
    )

    static let redirectURI = refused(
        "authorization.redirect-uri.repeated-is-refused",
        "The provider rejects a request with two redirect_uri parameters",
        "redirect_uri",
        .redirectURI,
        why: "A client that repeats the parameter by mistake receives no error. "
            + "Another check covers redirects to the unregistered value.",
        supersededBy: ["authorization.redirect-uri.repeated-is-not-redirected-to"]
    )

    static let redirectURIIsChecked = Check(
        "authorization.redirect-uri.repeated-is-not-redirected-to",
        "The provider does not redirect to the unregistered one of two redirect_uri parameters",
        .must,
        .safety,
        Citation(.rfc6749, "3.1.2.4", "MUST NOT automatically redirect the user-agent to the invalid redirection URI"),
        why: "An attacker who adds a second redirect_uri to a request receives the code.",
        reads: StepResults.authorization(.repeatedParameters, .redirectURI),
        supersededBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        passesOn: .answer,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.address.hasPrefix(Scenario.foreignRedirectURI) else {
                return nil
            }
            return Finding(
                "The provider redirects a request with two redirect_uri parameters to the unregistered one.",
                at: "redirect_uri",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Reject requests with a repeated parameter, and redirect only to the redirect_uri that was "
                    + "compared with the registered values."
            )
        }
    )

    static let scope = refused(
        "authorization.scope.repeated-is-refused",
        "The provider rejects a request with two scope parameters",
        "scope",
        .scope,
        why: "The scope that the user allows can differ from the scope that the client receives."
    )

    static let state = refused(
        "authorization.state.repeated-is-refused",
        "The provider rejects a request with two state parameters",
        "state",
        .state,
        why: "The provider may return a second state that an attacker added, and the client rejects the response."
    )

    static let nonce = refused(
        "authorization.nonce.repeated-is-refused",
        "The provider rejects a request with two nonce parameters",
        "nonce",
        .nonce,
        why: "The client compares one nonce, and the ID Token may contain the attacker's."
    )

    package static let all: [Check] = [clientID, redirectURI, redirectURIIsChecked, scope, state, nonce]

    /// Granting a request with two values does no harm by itself; using the second redirect URI has a check of its own.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ parameter: String,
        _ step: StepID,
        why: String,
        supersededBy supersedes: [CheckID] = []
    ) -> Check {
        Check(
            id,
            title,
            .should,
            .conformance,
            once,
            why: why,
            reads: StepResults.authorization(.repeatedParameters, step),
            supersededBy: supersedes + ["platform.firebase.duplicates.do-not-win"],
            passesOn: .refusal,
            exempt: { subject, _ in subject.isInconclusive },
            finding: { subject, _ in
                guard subject.isGranted else { return nil }
                return Finding(
                    "The provider grants a request that contains \(parameter) twice.",
                    at: parameter,
                    expected: "invalid_request, or an error page",
                    found: "a redirect with a code or token",
                    fix: "Reject requests that contain a parameter more than once (RFC 6749 section 3.1)."
                )
            }
        )
    }
}
