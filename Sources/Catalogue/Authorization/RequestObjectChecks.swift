package import Conformance
import JSONTree

/// Request objects by value and by reference (Core section 6).
package enum RequestObjectChecks {
    private static let noRefusal = "the response was not an error redirect"

    static let isNotIgnored = Check(
        "authorization.request-object.is-not-ignored",
        "The provider uses a request object or rejects it, and does not ignore it",
        .must,
        .safety,
        Citation(
            .core,
            "6.1",
            "Should an OP not support this parameter and an RP uses it, the OP MUST return the request_not_supported error."
        ),
        why: "The provider discards the protected parameters and uses those that an attacker can write beside them.",
        reads: objects,
        supersededBy: ["authorization.state.is-echoed"],
        finding: { subject, _ in
            guard subject.answer.redirect.map({ subject.usesParameters($0) }) == true else { return nil }
            return Finding(
                "The provider ignores the request object: the response does not have the state in it.",
                at: "request",
                expected: "the error request_not_supported",
                found: "a response to the parameters beside the object",
                fix:
                    "Return request_not_supported for the parameter request, or use its values instead of those beside it."
            )
        }
    )

    static let unreadableIsRefused = Check(
        "authorization.request-object.unreadable-is-refused",
        "The provider rejects a request object that is not a JWT",
        .must,
        .conformance,
        Citation(
            .core,
            "6.1",
            "It represents the request as a JWT whose Claims are the request parameters specified in Section 3.1.2."
        ),
        why: "A client whose request object is damaged on the way signs users in with the parameters beside it.",
        reads: StepResults.authorization(.unreadableRequestObject),
        supersededBy: ["authorization.request-object.is-not-ignored"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "The provider ignores a request object that is not a JWT, and uses the parameters beside it.",
                at: "request",
                expected: "the error invalid_request_object or request_not_supported",
                found: "a response to the parameters beside it",
                fix: "Return invalid_request_object if the parameter request is not a JWT that the provider can read."
            )
        }
    )

    static let unsupportedIsReported = Check(
        "authorization.request-object.unsupported-has-request-not-supported",
        "The provider returns request_not_supported if it does not support request objects",
        .must,
        .conformance,
        Citation(.core, "6.1", "the OP MUST return the request_not_supported error"),
        why: "Clients fall back to ordinary requests on this error code only.",
        reads: StepResults.authorization(.unsignedRequestObject),
        supersededBy: ["authorization.flow.succeeds"],
        exempt: { subject, facts in
            if facts.states("request_parameter_supported") == true { return "the provider supports request objects" }
            return subject.answer.redirect?.has("error") == true ? nil : noRefusal
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.error != "request_not_supported" else { return nil }
            return Finding(
                "The provider rejects a request object with the error \(redirect.errorText).",
                at: "error",
                expected: "request_not_supported",
                found: redirect.error?.shown(),
                fix: "Return request_not_supported for requests with the parameter request."
            )
        }
    )

    static let supportedIsAccepted = Check(
        "authorization.request-object.supported-is-taken",
        "The provider does not return request_not_supported if it advertises request objects",
        // Inferred: the member advertises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "Boolean value specifying whether the OP supports use of the request parameter, with true indicating support."
        ),
        why: "Clients that read the discovery document and send request objects receive an error. "
            + "Most clients send plain parameters.",
        reads: objects,
        unless: { facts in
            facts.states("request_parameter_supported") != false
                ? nil : "the provider does not advertise request objects"
        },
        finding: { subject, _ in
            guard subject.errorCode == "request_not_supported" else { return nil }
            return Finding(
                "The provider returns request_not_supported although request_parameter_supported is true.",
                at: "/request_parameter_supported",
                expected: "false, or no such error",
                found: "true",
                fix: "Set request_parameter_supported to false, or support request objects."
            )
        }
    )

    static let signatureIsVerified = Check(
        "authorization.request-object.wrong-signature-is-refused",
        "The provider rejects a request object with an invalid signature",
        .must,
        .safety,
        Citation(.core, "6.3.2", "The Authorization Server MUST return an error if signature validation fails."),
        why: "An attacker who can open a URL in a user's browser forges requests of the application.",
        reads: StepResults.authorization(.wronglySignedRequestObject),
        supersededBy: ["authorization.request-object.is-not-ignored"],
        passesOn: .refusal,
        exempt: { subject, facts in
            let listed = facts.metadata.value?.strings("request_object_signing_alg_values_supported")
            guard case .refused = subject.outcome, listed?.contains("none") == false,
                StepResults.authorization(.signedRequestObject).samples(facts).allSatisfy({ !$0.observation.wasTried })
            else { return nil }
            return "the provider accepts only signed request objects, and the run sent none that is valid"
        },
        finding: { subject, _ in
            acceptedObject(
                subject,
                "The provider accepts a request object signed with an unknown key.",
                fix:
                    "Verify the signature with the client's secret or registered key before using any value of the object."
            )
        }
    )

    static let unsignedIsRefused = Check(
        "authorization.request-object.unsigned-is-refused",
        "The provider rejects an unsigned request object of a client that registered an algorithm",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "All Request Objects from this Client MUST be rejected, if not signed with this algorithm."
        ),
        why: "An attacker who can open a URL in a user's browser forges requests of the application.",
        reads: StepResults.authorization(.unsignedRequestObject),
        supersededBy: [
            "authorization.request-object.is-not-ignored", "authorization.request-object.wrong-signature-is-refused",
        ],
        passesOn: .refusal,
        unless: { facts in
            facts.target.client?.requestObjectSigningAlg == nil
                ? "the client registered no algorithm (client.request_object_signing_alg)" : nil
        },
        finding: { subject, facts in
            acceptedObject(
                subject,
                "The provider accepts an unsigned request object.",
                fix: "Reject request objects that are not signed with the client's request_object_signing_alg, "
                    + "\(facts.target.client?.requestObjectSigningAlg ?? "")."
            )
        }
    )

    /// A finding if the provider grants the request of the object.
    private static func acceptedObject(_ subject: AuthorizationResult, _ message: String, fix: String) -> Finding? {
        guard let redirect = subject.answer.redirect, !redirect.has("error"), subject.usesObject(redirect) else {
            return nil
        }
        return Finding(
            message,
            at: "request",
            expected: "the error invalid_request_object",
            found: "a response with the state of the object",
            fix: fix
        )
    }

    static let redirectURISupersedes = Check(
        "authorization.request-object.redirect-uri-supersedes",
        "The provider uses the redirect URI in the request object, not the one beside it",
        .must,
        .safety,
        Citation(.core, "6.1", "values contained in the JWT supersede those passed using the OAuth 2.0 request syntax"),
        why: "An attacker can send the response of a protected request to another URL of the application.",
        reads: StepResults.authorization(.foreignRequestObject),
        supersededBy: ["authorization.request-object.is-not-ignored"],
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, !redirect.has("error") else {
                return nil
            }
            return Finding(
                "The provider grants a request at the redirect URI beside the request object, which contains another.",
                at: "redirect_uri",
                expected: "an error page, because the redirect URI in the object is not registered",
                found: redirect.address.shown(),
                fix: "Use every parameter from the request object that it contains, including redirect_uri."
            )
        }
    )

    static let redirectURIIsCompared = Check(
        "authorization.request-object.redirect-uri-is-compared",
        "The provider redirects to no unregistered address that a request object contains",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "3.1.2.3",
            "MUST compare and match the value received against at least one of the registered redirection URIs"
        ),
        why:
            "An attacker puts a redirect URI of their own into an unsigned object, and receives the codes of other users.",
        endangers: .allUsers,
        reads: StepResults.authorization(.foreignRequestObject),
        supersededBy: [
            "authorization.redirect-uri.unregistered-is-not-redirected-to",
            "authorization.redirect-uri.unregistered-is-never-redirected-to",
        ],
        passesOn: .answer,
        finding: { subject, _ in
            RequestChecks.redirectedAway(
                subject,
                fix: "Compare the redirect URI with the registered values after the request object is read, and return "
                    + "request_not_supported if request objects are not supported."
            )
        }
    )

    static let uriIsNotIgnored = Check(
        "authorization.request-uri.is-not-ignored",
        "The provider fetches a request_uri or rejects it, and does not ignore it",
        .must,
        .safety,
        Citation(
            .core,
            "6.2",
            "Should an OP not support this parameter and an RP uses it, the OP MUST return the request_uri_not_supported error."
        ),
        why: "The provider discards the referenced parameters and uses those that an attacker can write beside them.",
        reads: StepResults.authorization(.requestURI),
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "The provider ignores a request_uri that returns no request object.",
                at: "request_uri",
                expected: "request_uri_not_supported or invalid_request_uri",
                found: "a response to the parameters beside it",
                fix: "Return request_uri_not_supported if request_uri is not supported."
            )
        }
    )

    static let unsupportedURIIsReported = Check(
        "authorization.request-uri.unsupported-has-request-uri-not-supported",
        "The provider returns request_uri_not_supported if it does not support request_uri",
        .must,
        .conformance,
        Citation(.core, "6.2", "the OP MUST return the request_uri_not_supported error"),
        why: "Clients fall back to ordinary requests on this error code only.",
        reads: StepResults.authorization(.requestURI),
        supersededBy: ["authorization.flow.succeeds"],
        exempt: { subject, facts in
            guard facts.metadata.value?["request_uri_parameter_supported"]?.boolValue == false else {
                return "request_uri_parameter_supported is not false"
            }
            return subject.answer.redirect?.has("error") == true ? nil : noRefusal
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.error != "request_uri_not_supported" else {
                return nil
            }
            return Finding(
                "The provider rejects a request_uri with the error \(redirect.errorText).",
                at: "error",
                expected: "request_uri_not_supported",
                found: redirect.error?.shown(),
                fix: "Return request_uri_not_supported for requests with request_uri."
            )
        }
    )

    static let uriSupportIsTrue = Check(
        "authorization.request-uri.supported-is-taken",
        "The provider does not return request_uri_not_supported if it advertises request_uri",
        // Inferred: the member advertises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "Boolean value specifying whether the OP supports use of the request_uri parameter, with true indicating support."
        ),
        why: "Clients that read the discovery document and send request_uri receive an error. "
            + "Most clients send plain parameters.",
        reads: StepResults.authorization(.requestURI),
        unless: { facts in
            // The default is true as well, which a check of the discovery document reports.
            facts.states("request_uri_parameter_supported") != false
                ? nil : "the provider does not advertise request_uri"
        },
        finding: { subject, _ in
            guard subject.errorCode == "request_uri_not_supported" else { return nil }
            return Finding(
                "The provider returns request_uri_not_supported although request_uri_parameter_supported is true.",
                at: "/request_uri_parameter_supported",
                expected: "false, or no such error",
                found: "true",
                fix: "Set request_uri_parameter_supported to false, or fetch request objects."
            )
        }
    )

    package static let all: [Check] = [
        isNotIgnored, unreadableIsRefused, unsupportedIsReported, supportedIsAccepted, signatureIsVerified,
        unsignedIsRefused, redirectURISupersedes, redirectURIIsCompared, uriIsNotIgnored, unsupportedURIIsReported,
        uriSupportIsTrue,
    ]

    /// The responses to request objects that a provider may accept.
    private static let objects = Query<AuthorizationResult>(
        "answers to request objects",
        needs: [.discovery, .probe(Scenario.unsignedRequestObject.id), .probe(Scenario.signedRequestObject.id)]
    ) { facts in
        let samples = [Scenario.unsignedRequestObject, .signedRequestObject]
            .flatMap { scenario in
                StepResults.authorization(scenario).samples(facts)
                    .map { Sample($0.observation, label: scenario.title, exchange: $0.exchange) }
            }
        // Signed request objects are sent to some providers only; elsewhere their absence means nothing.
        let made = samples.filter(\.wasTried)
        return made.isEmpty ? Array(samples.prefix(1)) : made
    }
}

extension AuthorizationResult {
    /// Whether the redirect responds to the parameters in the request object.
    fileprivate func usesObject(_ redirect: RedirectAnswer) -> Bool {
        let state = asked.sentParameter("state") ?? ""
        return redirect.isRedirectURI
            && redirect.values("state").contains(state + AuthorizationRequest.objectStateSuffix)
    }

    /// Whether the redirect grants the parameters beside the request object.
    fileprivate func usesParameters(_ redirect: RedirectAnswer) -> Bool {
        redirect.isRedirectURI && !redirect.has("error") && !usesObject(redirect)
    }
}

extension Facts {
    /// Whether a member of the discovery document is true; `nil` without a document.
    fileprivate func states(_ member: String) -> Bool? { metadata.value.map { $0[member]?.boolValue == true } }
}
