package import Conformance
import JSONTree

/// Parameters that a provider may ignore and must not refuse (Core section 15.1).
package enum OptionalParameterChecks {
    private static let notAnError = "its use must not result in an error"

    package static let displayPage = AcceptedRequests.check(
        "authorization.display.page-is-accepted",
        "display=page is accepted",
        .must,
        .conformance,
        Citation(.core, "15.1", notAnError),
        why: "It is the default; a client that says it cannot sign anybody in.",
        reads: Conversations.authorization(.optionalParameters, .displayPage, or: .joint),
        what: "display=page",
        at: "display",
        fix: "Accept display, and ignore it if there is only one kind of page."
    )

    package static let displayPopup = AcceptedRequests.check(
        "authorization.display.popup-is-accepted",
        "display=popup is accepted",
        .must,
        .conformance,
        Citation(.core, "15.1", notAnError),
        why: "Clients that sign in through a small window get an error there.",
        reads: Conversations.authorization(.optionalParameters, .displayPopup),
        what: "display=popup",
        at: "display",
        fix: "Accept display, and ignore it if there is only one kind of page.",
        excusedBy: ["authorization.display.page-is-accepted"]
    )

    package static let uiLocales = AcceptedRequests.check(
        "authorization.ui-locales.is-accepted",
        "ui_locales is accepted, whatever languages it names",
        .must,
        .conformance,
        // Of languages that are not known section 3.1.2.1 says the same with SHOULD NOT; to take the parameter is mandatory.
        Citation(.core, "15.1", "simply to have their use not result in errors"),
        why: "A person whose language the provider does not speak cannot sign in at all.",
        reads: Conversations.authorization(.optionalParameters, .uiLocales, or: .joint),
        what: "ui_locales=de-CH fr tlh",
        at: "ui_locales",
        fix: "Accept ui_locales, and use the first language that there are pages in."
    )

    package static let claimsLocales = AcceptedRequests.check(
        "authorization.claims-locales.is-accepted",
        "claims_locales is accepted, whatever languages it names",
        .must,
        .conformance,
        Citation(.core, "15.1", "simply to have their use not result in errors"),
        why: "A client that asks for names in another script gets none.",
        reads: Conversations.authorization(.optionalParameters, .claimsLocales, or: .joint),
        what: "claims_locales=de-CH fr tlh",
        at: "claims_locales",
        fix: "Accept claims_locales, and ignore it if claims are there in one language."
    )

    package static let acrValues = AcceptedRequests.check(
        "authorization.acr-values.is-accepted",
        "acr_values is accepted",
        .must,
        .conformance,
        Citation(.core, "15.1", "simply to have its use not result in an error"),
        why: "A client that asks for a way of signing in gets an error where it would have been content with another.",
        reads: Conversations.authorization(.optionalParameters, .acrValues, or: .joint),
        what: "acr_values",
        at: "acr_values",
        fix: "Accept acr_values: it asks for a Voluntary Claim, and need not be met."
    )

    package static let acrIsReturned = Check(
        "idtoken.acr.is-returned-when-asked",
        "Asked for by acr_values, the ID Token has acr",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "The Authentication Context Class satisfied by the authentication performed is returned as the acr Claim Value"
        ),
        why: "A client that let the person do something only after a strong sign-in cannot tell whether there was one.",
        reads: Conversations.anyIDToken(.optionalParameters, .acrValues, or: .joint),
        concerns: .ofClaim("acr"),
        exempt: { _, facts in
            facts.metadata.value?.strings("acr_values_supported")?.contains { !$0.isEmpty } == true
                ? nil : "the provider lists no acr_values_supported"
        },
        finding: { token, _ in
            guard !token.claims.has("acr") else { return nil }
            return Finding(
                "The ID Token has no acr, though acr_values asked for one that the provider lists.",
                at: "/acr",
                expected: token.asked.sentParameter("acr_values")?.shown(),
                found: "missing",
                fix:
                    "Return the context class of the sign-in as acr, or take acr_values_supported out of the metadata."
            )
        }
    )

    package static let registration = Check(
        "authorization.registration-parameter.has-right-error",
        "The registration parameter is ignored, honoured, or refused with registration_not_supported",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.6",
            "The OP does not support use of the registration parameter defined in Section 7.2.1"
        ),
        why: "Another error sends whoever debugs the client to the wrong place.",
        reads: Conversations.authorization(.refusals, .registration),
        excusedBy: ["authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored"],
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in
            wrongRefusal(
                subject,
                "registration",
                expected: "registration_not_supported",
                fix: "Return registration_not_supported, or ignore the parameter."
            )
        }
    )

    package static let resource = Check(
        "authorization.resource.has-right-error",
        "The resource parameter is ignored, honoured, or refused with invalid_target",
        .should,
        .conformance,
        Citation(
            .rfc8707,
            "2",
            "it should reject the request with an error response using the error code invalid_target"
        ),
        why:
            "Clients that name the API that they want a token for send it; without a right error they cannot do without.",
        reads: Conversations.authorization(.refusals, .resource),
        excusedBy: ["authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored"],
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in
            wrongRefusal(
                subject,
                "resource",
                expected: "invalid_target",
                fix: "Ignore resource, or return invalid_target for one that is not known (RFC 8707 section 2)."
            )
        }
    )

    package static let all: [Check] = [
        displayPage, displayPopup, uiLocales, claimsLocales, acrValues, Check(acrIsReturned, in: .idtoken),
        registration, resource,
    ]

    private static func wrongRefusal(
        _ subject: AnsweredAuthorization,
        _ parameter: String,
        expected: String,
        fix: String
    ) -> [Finding] {
        guard let refusal = subject.refusal, subject.errorCode != expected else { return [] }
        return [
            Finding(
                "A request with the parameter \(parameter) was answered with \(refusal).",
                at: parameter,
                expected: "the same as without, or error=\(expected)",
                found: refusal,
                fix: fix
            )
        ]
    }
}
