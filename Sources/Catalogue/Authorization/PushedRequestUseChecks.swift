package import Conformance
import JSONTree

/// What request URIs of pushed requests are good for (RFC 9126 section 4).
package enum PushedRequestUseChecks {
    package static let opensAuthorization = Check(
        "authorization.pushed-request.leads-to-the-client",
        "A pushed request ends at the redirect URI without an error",
        .must,
        .signIn,
        Citation(.rfc9126, "4", "The client uses the request_uri value returned by the authorization server"),
        why: "Clients that read the discovery document push every request, and nobody can sign in.",
        reads: Conversations.authorization(.pushedRequest, .use),
        excusedBy: ["authorization.flow.succeeds", "authorization.request-uri.is-not-ignored"],
        finding: { subject, _ in
            let found: String
            switch subject.answer.ending {
            case .page(let page): found = page.phrase
            case .redirected(let redirect):
                guard redirect.has("error") else { return nil }
                found = "the error \(redirect.errorText)"
            }
            return Finding(
                "A pushed request was answered with \(found).",
                at: "request_uri",
                expected: "a redirect to the client",
                found: found,
                fix: "Take client_id and request_uri alone for a whole request, and use what was pushed."
            )
        }
    )

    package static let isSingleUse = Check(
        "authorization.pushed-request.request-uri-is-single-use",
        "A request URI is good for one request only",
        .should,
        .conformance,
        Citation(.rfc9126, "4", "Authorization servers SHOULD treat request_uri values as one-time use"),
        why: "Whoever sees the address in a log or a history begins the same request again.",
        reads: Conversations.authorization(.pushedRequest, .useAgain),
        excusedBy: ["authorization.pushed-request.unknown-request-uri-is-refused"],
        passesOn: .refusal,
        exempt: { subject, _ in
            let first = subject.asked.run.authorization(.use).value?.redirect
            return first?.has("error") == false ? nil : "the request URI was refused the first time"
        },
        rule: { subject, _ in
            granted(
                subject,
                "A request URI that had been used was used again.",
                "Forget a pushed request when a response to it was sent."
            )
        }
    )

    package static let unknownIsRefused = Check(
        "authorization.pushed-request.unknown-request-uri-is-refused",
        "A request URI that was never issued is refused",
        .must,
        .conformance,
        Citation(.rfc9126, "4", "An expired request_uri MUST be rejected as invalid."),
        why: "A request that nobody made leads a person to the client with a code.",
        reads: Conversations.authorization(.pushedRequest, .unknown),
        passesOn: .refusal
    ) { subject, _ in
        granted(
            subject,
            "A request URI that was never issued was taken.",
            "Answer invalid_request_uri on a page when a request URI is not known."
        )
    }

    package static let requirementIsHonoured = Check(
        "authorization.pushed-request.requirement-is-honoured",
        "A provider that wants requests pushed takes no others",
        .must,
        .safety,
        Citation(.rfc9126, "5", "accepts authorization request data only via PAR"),
        why: "The provider promises that nobody can change a request in the browser, and an attacker can.",
        reads: plainRequests,
        passesOn: .refusal,
        exempt: { _, facts in
            facts.metadata.value?["require_pushed_authorization_requests"]?.boolValue == true
                ? nil : "the provider does not demand that requests are pushed"
        },
        rule: { subject, _ in
            granted(
                subject,
                "require_pushed_authorization_requests is true, and an ordinary request was granted.",
                "Refuse requests that were not pushed, or set require_pushed_authorization_requests to false."
            )
        }
    )

    package static let all: [Check] = [opensAuthorization, isSingleUse, unknownIsRefused, requirementIsHonoured]

    /// The answers to requests that were not pushed.
    ///
    /// A flow that was granted so is as good a proof as the request that is made for it.
    static let plainRequests: Slot<AnsweredAuthorization> = {
        let (plain, flows) = (Conversations.authorization(.notPushed), Conversations.flows)
        return Slot(plain.name, needs: plain.needs.union(flows.needs), features: plain.features) { facts in
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

    private static func granted(_ subject: AnsweredAuthorization, _ message: String, _ fix: String) -> [Finding] {
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
