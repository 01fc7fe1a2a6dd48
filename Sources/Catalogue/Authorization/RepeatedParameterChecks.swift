package import Conformance

/// Requests in which a parameter comes twice.
package enum RepeatedParameterChecks {
    private static let once = Citation(
        .rfc6749,
        "4.1.2.1",
        "invalid_request The request is missing a required parameter, … includes a parameter more than once"
    )

    package static let clientID = refused(
        "authorization.client-id.repeated-is-refused",
        "A request with two client_id is refused",
        "client_id",
        .clientID,
        why: "Two readers on the way can take the request for that of two clients."
    )

    package static let redirectURI = refused(
        "authorization.redirect-uri.repeated-is-refused",
        "A request with two redirect_uri is refused",
        "redirect_uri",
        .redirectURI,
        why: "One that is checked and another that is used is how codes are stolen.",
        excusedBy: ["authorization.redirect-uri.repeated-is-not-redirected-to"]
    )

    package static let redirectURIIsChecked = Check(
        "authorization.redirect-uri.repeated-is-not-redirected-to",
        "Of two redirect_uri, the one that is not registered is not redirected to",
        .must,
        .safety,
        Citation(.rfc6749, "3.1.2.4", "MUST NOT automatically redirect the user-agent to the invalid redirection URI"),
        why: "A provider that checks the first and uses the last sends codes to whoever adds a second one.",
        reads: Conversations.authorization(.repeatedParameters, .redirectURI),
        excusedBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        passesOn: .answer,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.address.hasPrefix(Scenario.foreignRedirectURI) else {
                return nil
            }
            return Finding(
                "A request with two redirect_uri was answered at the one that is not registered.",
                at: "redirect_uri",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Refuse requests with a repeated parameter, and use no other redirect_uri than the one that was "
                    + "compared."
            )
        }
    )

    package static let scope = refused(
        "authorization.scope.repeated-is-refused",
        "A request with two scope is refused",
        "scope",
        .scope,
        why: "What the person allows and what the client is given can differ."
    )

    package static let state = refused(
        "authorization.state.repeated-is-refused",
        "A request with two state is refused",
        "state",
        .state,
        why: "The client compares one state, and the attacker's may be the one that comes back."
    )

    package static let nonce = refused(
        "authorization.nonce.repeated-is-refused",
        "A request with two nonce is refused",
        "nonce",
        .nonce,
        why: "The client compares one nonce, and the attacker's may be the one in the ID Token."
    )

    package static let all: [Check] = [clientID, redirectURI, redirectURIIsChecked, scope, state, nonce]

    /// A request with two values harms nobody by being granted; that the second redirect URI is used is a check of its own.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ parameter: String,
        _ step: StepID,
        why: String,
        excusedBy excuses: [CheckID] = []
    ) -> Check {
        Check(
            id,
            title,
            .should,
            .conformance,
            once,
            why: why,
            reads: Conversations.authorization(.repeatedParameters, step),
            excusedBy: excuses + ["platform.firebase.duplicates.do-not-win"],
            passesOn: .refusal,
            exempt: { subject, _ in subject.isUndecided },
            finding: { subject, _ in
                guard subject.isGranted else { return nil }
                return Finding(
                    "A request with \(parameter) twice was granted.",
                    at: parameter,
                    expected: "invalid_request, or an error page",
                    found: "a redirect with a code or token",
                    fix: "Refuse requests in which a parameter comes more than once (RFC 6749 section 3.1)."
                )
            }
        )
    }
}
