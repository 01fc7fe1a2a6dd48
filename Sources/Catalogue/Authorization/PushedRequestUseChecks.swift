package import Conformance
import JSONTree

/// The use of the request URIs of pushed requests (RFC 9126 section 4).
package enum PushedRequestUseChecks {
    static let opensAuthorization = Check(
        "authorization.pushed-request.leads-to-the-client",
        "A pushed request ends at the redirect URI without an error",
        .must,
        .signIn,
        Citation(.rfc9126, "4", "The client uses the request_uri value returned by the authorization server"),
        why: "Clients that read the discovery document push every request, and every sign-in fails.",
        reads: StepResults.authorization(.pushedRequest, .use),
        supersededBy: ["authorization.flow.succeeds", "authorization.request-uri.is-not-ignored"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let found = subject.refusal else { return nil }
            return Finding(
                "The response to a request with a pushed request_uri is \(found).",
                at: "request_uri",
                expected: "a redirect to the client",
                found: found,
                fix: "Accept a request that has only client_id and request_uri, and use the pushed parameters."
            )
        }
    )

    static let isSingleUse = Check(
        "authorization.pushed-request.request-uri-is-single-use",
        "The provider accepts a pushed request_uri only once",
        .should,
        .conformance,
        Citation(.rfc9126, "4", "Authorization servers SHOULD treat request_uri values as one-time use"),
        why: "Clients that rely on one use of request_uri must detect a repeated request by state. "
            + "Other clients are not affected.",
        reads: StepResults.authorization(.pushedRequest, .useAgain),
        supersededBy: ["authorization.pushed-request.unknown-request-uri-is-refused"],
        passesOn: .refusal,
        exempt: { subject, _ in
            let first = subject.asked.run.authorization(.use).value?.redirect
            return first?.has("error") == false ? nil : "the provider did not accept the first use of the request_uri"
        },
        rule: { subject, _ in
            granted(
                subject,
                "The provider accepts a request_uri that was already used.",
                "Delete a pushed request when its response has been sent."
            )
        }
    )

    static let unknownIsRefused = Check(
        "authorization.pushed-request.unknown-request-uri-is-refused",
        "The provider rejects a request_uri that it never issued",
        .must,
        .conformance,
        Citation(.rfc9126, "4", "An expired request_uri MUST be rejected as invalid."),
        why: "Clients that push requests cannot rely on the provider to use only these. "
            + "Clients that send plain parameters are not affected.",
        reads: StepResults.authorization(.pushedRequest, .unknown),
        passesOn: .refusal
    ) { subject, _ in
        granted(
            subject,
            "The provider accepts a request_uri that it never issued.",
            "Show an error page with invalid_request_uri when the request_uri is unknown."
        )
    }

    static let requirementIsHonoured = Check(
        "authorization.pushed-request.requirement-is-honoured",
        "The provider rejects ordinary requests if it requires pushed requests",
        .must,
        .safety,
        Citation(.rfc9126, "5", "accepts authorization request data only via PAR"),
        why: "An attacker can change a request in the browser, although the metadata rules that out.",
        reads: plainRequests,
        passesOn: .refusal,
        unless: { facts in
            facts.metadata.value?["require_pushed_authorization_requests"]?.boolValue == true
                ? nil : "the provider does not require pushed requests"
        },
        rule: { subject, _ in
            granted(
                subject,
                "The provider grants an ordinary request although require_pushed_authorization_requests is true.",
                "Reject requests that were not pushed, or set require_pushed_authorization_requests to false."
            )
        }
    )

    package static let all: [Check] = [opensAuthorization, isSingleUse, unknownIsRefused, requirementIsHonoured]

    /// The responses to requests that were not pushed.
    ///
    /// A flow that is granted without pushing proves as much as the dedicated request.
    static let plainRequests: Query<AuthorizationResult> = {
        let (plain, flows) = (StepResults.authorization(.notPushed), StepResults.flows)
        return Query(plain.name, needs: plain.needs.union(flows.needs), features: plain.features) { facts in
            let granted = flows.samples(facts)
                .filter { sample in
                    guard let flow = sample.observation.value, flow.isGranted else { return false }
                    let first = facts.evidence.exchange(flow.asked.run.visits.first?.exchange)
                    return first?.request.url.contains("request_uri=") == false
                }
            let tried = plain.samples(facts)
            return granted.isEmpty ? tried : tried.filter(\.wasTried) + granted
        }
    }()

    private static func granted(_ subject: AuthorizationResult, _ message: String, _ fix: String) -> [Finding] {
        guard let redirect = subject.answer.redirect, redirect.isRedirectURI, !redirect.has("error") else { return [] }
        return [
            Finding(
                message,
                at: "request_uri",
                expected: "an error",
                found: redirect.has("code") ? "a code" : "no error",
                fix: fix
            )
        ]
    }
}
