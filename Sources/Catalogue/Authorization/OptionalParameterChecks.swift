package import Conformance
import JSONTree

/// Parameters that a provider may ignore but must not reject (Core section 15.1).
package enum OptionalParameterChecks {
    private static let notAnError = "its use must not result in an error"

    static let displayPage = AcceptedRequests.check(
        "authorization.display.page-is-accepted",
        "The provider accepts display=page",
        .must,
        .conformance,
        Citation(.core, "15.1", notAnError),
        why: "Clients that send this default value receive an error. Most clients do not send display.",
        reads: StepResults.authorization(.optionalParameters, .displayPage, or: .joint),
        what: "display=page",
        at: "display",
        fix: "Accept display, and ignore its value if there is only one page layout."
    )

    static let displayPopup = AcceptedRequests.check(
        "authorization.display.popup-is-accepted",
        "The provider accepts display=popup",
        .must,
        .conformance,
        Citation(.core, "15.1", notAnError),
        why: "Clients that open the sign-in page in a popup window receive an error. Most clients do not send display.",
        reads: StepResults.authorization(.optionalParameters, .displayPopup),
        what: "display=popup",
        at: "display",
        fix: "Accept display, and ignore its value if there is only one page layout.",
        supersededBy: ["authorization.display.page-is-accepted"]
    )

    static let uiLocales = AcceptedRequests.check(
        "authorization.ui-locales.is-accepted",
        "The provider accepts ui_locales, whatever languages it lists",
        .must,
        .conformance,
        // For unknown languages section 3.1.2.1 says SHOULD NOT; accepting the parameter itself is mandatory.
        Citation(.core, "15.1", "simply to have their use not result in errors"),
        why: "Clients that send the user's languages receive an error. Most clients do not send ui_locales.",
        reads: StepResults.authorization(.optionalParameters, .uiLocales, or: .joint),
        what: "ui_locales=de-CH fr tlh",
        at: "ui_locales",
        fix: "Accept ui_locales, and use the first listed language that the pages support."
    )

    static let claimsLocales = AcceptedRequests.check(
        "authorization.claims-locales.is-accepted",
        "The provider accepts claims_locales, whatever languages it lists",
        .must,
        .conformance,
        Citation(.core, "15.1", "simply to have their use not result in errors"),
        why: "Clients that request names in another language or script receive an error. "
            + "Most clients do not send claims_locales.",
        reads: StepResults.authorization(.optionalParameters, .claimsLocales, or: .joint),
        what: "claims_locales=de-CH fr tlh",
        at: "claims_locales",
        fix: "Accept claims_locales, and ignore it if claims exist in one language only."
    )

    static let acrValues = AcceptedRequests.check(
        "authorization.acr-values.is-accepted",
        "The provider accepts acr_values",
        .must,
        .conformance,
        Citation(.core, "15.1", "simply to have its use not result in an error"),
        why: "Clients that state a preferred authentication context receive an error. "
            + "Most clients do not send acr_values.",
        reads: StepResults.authorization(.optionalParameters, .acrValues, or: .joint),
        what: "acr_values",
        at: "acr_values",
        fix: "Accept acr_values even if it cannot be satisfied: it requests acr as a Voluntary Claim."
    )

    static let acrIsReturned = Check(
        "idtoken.acr.is-returned-when-asked",
        "The ID Token contains acr when the request has acr_values",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "The Authentication Context Class satisfied by the authentication performed is returned as the acr Claim Value"
        ),
        why: "A client that requires a strong sign-in cannot verify that there was one.",
        reads: StepResults.anyIDToken(.optionalParameters, .acrValues, or: .joint),
        concerns: .ofClaim("acr"),
        unless: { facts in
            facts.metadata.value?.strings("acr_values_supported")?.contains { !$0.isEmpty } == true
                ? nil : "the metadata lists no acr_values_supported"
        },
        finding: { token, _ in
            guard !token.claims.has("acr") else { return nil }
            return Finding(
                "The ID Token has no acr, although acr_values requests one that the provider lists.",
                at: "/acr",
                expected: token.asked.sentParameter("acr_values")?.shown(),
                found: "missing",
                fix: "Return the context class of the sign-in as acr, or remove acr_values_supported from the metadata."
            )
        }
    )

    static let registration = Check(
        "authorization.registration-parameter.has-right-error",
        "The provider ignores or supports the registration parameter, or returns registration_not_supported",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.6",
            "The OP does not support use of the registration parameter defined in Section 7.2.1"
        ),
        why: "A wrong error code misleads the developer who debugs the client.",
        reads: StepResults.authorization(.refusals, .registration),
        supersededBy: [
            "authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored", "authorization.error.is-named",
        ],
        exempt: { subject, facts in subject.isInconclusive ?? afterSignIn(subject, facts) },
        rule: { subject, _ in
            wrongRefusal(
                subject,
                "registration",
                expected: "registration_not_supported",
                fix: "Return registration_not_supported, or ignore the registration parameter."
            )
        }
    )

    static let resource = Check(
        "authorization.resource.has-right-error",
        "The provider ignores or supports the resource parameter, or returns invalid_target",
        .should,
        .conformance,
        Citation(
            .rfc8707,
            "2",
            "it should reject the request with an error response using the error code invalid_target"
        ),
        why:
            "Clients send resource to name the API that they need a token for. On another error they cannot fall back.",
        reads: StepResults.authorization(.refusals, .resource),
        supersededBy: ["authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored"],
        exempt: { subject, facts in subject.isInconclusive ?? afterSignIn(subject, facts) },
        rule: { subject, _ in
            wrongRefusal(
                subject,
                "resource",
                expected: "invalid_target",
                fix: "Ignore resource, or return invalid_target if it is unknown (RFC 8707 section 2)."
            )
        }
    )

    package static let all: [Check] = [
        displayPage, displayPopup, uiLocales, claimsLocales, acrValues, Check(acrIsReturned, in: .idtoken),
        registration, resource,
    ]

    /// Why an error page says nothing of a parameter: the provider showed a form first, so it had accepted the request.
    private static func afterSignIn(_ subject: AuthorizationResult, _ facts: Facts) -> String? {
        guard case .page(let page) = subject.answer.ending, page.pushError == nil,
            facts.evidence.exchange(subject.answer.exchange)?.request.method == "POST"
        else { return nil }
        return "the error page came after a form that the provider had shown for this request"
    }

    private static func wrongRefusal(
        _ subject: AuthorizationResult,
        _ parameter: String,
        expected: String,
        fix: String
    ) -> [Finding] {
        guard let refusal = subject.refusal, subject.errorCode != expected else { return [] }
        return [
            Finding(
                "The provider rejects a request with the parameter \(parameter): \(refusal).",
                at: parameter,
                expected: "the same response as without it, or error=\(expected)",
                found: refusal,
                fix: fix
            )
        ]
    }
}
