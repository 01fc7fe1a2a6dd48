package import Conformance
import JSONTree

/// Request objects by value and by reference (Core section 6).
package enum RequestObjectChecks {
    private static let noRefusal = "the answer was not an error redirect"

    package static let isNotIgnored = Check(
        "authorization.request-object.is-not-ignored",
        "A request object is read, or refused with request_not_supported",
        .must,
        .safety,
        Citation(
            .core,
            "6.1",
            "Should an OP not support this parameter and an RP uses it, the OP MUST return the request_not_supported error."
        ),
        why:
            "What the application protected in the object is thrown away, and what an attacker wrote beside it is used.",
        reads: objects,
        excusedBy: ["authorization.state.is-echoed"],
        finding: { subject, _ in
            guard subject.answer.redirect.map({ subject.usesParameters($0) }) == true else { return nil }
            return Finding(
                "The request object was passed over: the answer has the state that stood beside it.",
                at: "request",
                expected: "the error request_not_supported",
                found: "an answer to the parameters beside the object",
                fix: "Return request_not_supported when request is sent, or let its values supersede the others."
            )
        }
    )

    package static let unsupportedIsSaid = Check(
        "authorization.request-object.unsupported-has-request-not-supported",
        "A provider without request objects says request_not_supported",
        .must,
        .conformance,
        Citation(.core, "6.1", "the OP MUST return the request_not_supported error"),
        why: "Clients that fall back to ordinary requests on this code do not do so on another.",
        reads: Conversations.authorization(.unsignedRequestObject),
        excusedBy: ["authorization.flow.succeeds"],
        exempt: { subject, facts in
            if facts.states("request_parameter_supported") == true { return "the provider supports request objects" }
            return subject.answer.redirect?.has("error") == true ? nil : noRefusal
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.error != "request_not_supported" else { return nil }
            return Finding(
                "A request object was refused with the error \(redirect.errorText).",
                at: "error",
                expected: "request_not_supported",
                found: redirect.error?.shown(),
                fix: "Return request_not_supported when request is sent."
            )
        }
    )

    package static let supportedIsTaken = Check(
        "authorization.request-object.supported-is-taken",
        "A provider that advertises request objects does not call them unsupported",
        // Inferred: the member promises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "Boolean value specifying whether the OP supports use of the request parameter, with true indicating support."
        ),
        why: "Clients that read the discovery document send a request object with every sign-in, and none works.",
        reads: objects,
        unless: { facts in
            facts.states("request_parameter_supported") != false
                ? nil : "the provider does not promise to take request objects"
        },
        finding: { subject, _ in
            guard subject.errorCode == "request_not_supported" else { return nil }
            return Finding(
                "request_parameter_supported is true, and a request object got request_not_supported.",
                at: "/request_parameter_supported",
                expected: "false, or no such error",
                found: "true",
                fix: "Set request_parameter_supported to false, or support request objects."
            )
        }
    )

    package static let signatureIsVerified = Check(
        "authorization.request-object.wrong-signature-is-refused",
        "A request object with a wrong signature is refused",
        .must,
        .safety,
        Citation(.core, "6.3.2", "The Authorization Server MUST return an error if signature validation fails."),
        why: "Whoever can lead a browser astray writes requests in the name of the application.",
        reads: Conversations.authorization(.wronglySignedRequestObject),
        excusedBy: ["authorization.request-object.is-not-ignored"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.has("error"), subject.usesObject(redirect) else {
                return nil
            }
            return Finding(
                "A request object signed with a key that nobody knows was taken.",
                at: "request",
                expected: "the error invalid_request_object",
                found: "an answer with the state of the object",
                fix: "Verify the signature with the client's secret or registered key before anything of it is used."
            )
        }
    )

    package static let redirectURISupersedes = Check(
        "authorization.request-object.redirect-uri-supersedes",
        "The redirect URI of a request object counts, and not the one beside it",
        .must,
        .safety,
        Citation(
            .core,
            "6.1",
            "values contained in the JWT supersede those passed using the OAuth 2.0 request syntax"
        ),
        why: "An attacker moves a protected request to another of the application's addresses.",
        reads: Conversations.authorization(.foreignRequestObject),
        excusedBy: ["authorization.request-object.is-not-ignored"],
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, !redirect.has("error") else {
                return nil
            }
            return Finding(
                "A request was granted at the redirect URI beside the request object, which names another.",
                at: "redirect_uri",
                expected: "an error page, as the one in the object is not registered",
                found: redirect.address.shown(),
                fix: "Take every parameter from the request object that is in it, redirect_uri too."
            )
        }
    )

    package static let uriIsNotIgnored = Check(
        "authorization.request-uri.is-not-ignored",
        "A request_uri is fetched, or refused",
        .must,
        .safety,
        Citation(
            .core,
            "6.2",
            "Should an OP not support this parameter and an RP uses it, the OP MUST return the request_uri_not_supported error."
        ),
        why: "What the application put there is thrown away, and what an attacker wrote beside it is used.",
        reads: Conversations.authorization(.requestURI),
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "A request_uri with nothing at its address was passed over.",
                at: "request_uri",
                expected: "request_uri_not_supported or invalid_request_uri",
                found: "an answer to the parameters beside it",
                fix: "Return request_uri_not_supported when request_uri is sent and not supported."
            )
        }
    )

    package static let unsupportedURIIsSaid = Check(
        "authorization.request-uri.unsupported-has-request-uri-not-supported",
        "A provider without request_uri says request_uri_not_supported",
        .must,
        .conformance,
        Citation(.core, "6.2", "the OP MUST return the request_uri_not_supported error"),
        why: "Clients that fall back to ordinary requests on this code do not do so on another.",
        reads: Conversations.authorization(.requestURI),
        excusedBy: ["authorization.flow.succeeds"],
        exempt: { subject, facts in
            guard facts.metadata.value?["request_uri_parameter_supported"]?.boolValue == false else {
                return "the provider does not say that it takes no request_uri"
            }
            return subject.answer.redirect?.has("error") == true ? nil : noRefusal
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.error != "request_uri_not_supported" else {
                return nil
            }
            return Finding(
                "A request_uri was refused with the error \(redirect.errorText).",
                at: "error",
                expected: "request_uri_not_supported",
                found: redirect.error?.shown(),
                fix: "Return request_uri_not_supported when request_uri is sent."
            )
        }
    )

    package static let uriSupportIsTrue = Check(
        "authorization.request-uri.supported-is-taken",
        "A provider that advertises request_uri does not call it unsupported",
        // Inferred: the member promises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "Boolean value specifying whether the OP supports use of the request_uri parameter, with true indicating support."
        ),
        why: "Clients that read the discovery document send request_uri with every sign-in, and none works.",
        reads: Conversations.authorization(.requestURI),
        unless: { facts in
            // Left out it means true as well, of which a check of the discovery document tells.
            facts.states("request_uri_parameter_supported") != false
                ? nil : "the provider does not say that it takes request_uri"
        },
        finding: { subject, _ in
            guard subject.errorCode == "request_uri_not_supported" else { return nil }
            return Finding(
                "request_uri_parameter_supported is true, and a request_uri got request_uri_not_supported.",
                at: "/request_uri_parameter_supported",
                expected: "false, or no such error",
                found: "true",
                fix: "Set request_uri_parameter_supported to false, or fetch request objects."
            )
        }
    )

    package static let all: [Check] = [
        isNotIgnored, unsupportedIsSaid, supportedIsTaken, signatureIsVerified, redirectURISupersedes, uriIsNotIgnored,
        unsupportedURIIsSaid,
        uriSupportIsTrue,
    ]

    /// The answers to request objects that a provider may well take.
    private static let objects = Slot<AnsweredAuthorization>(
        "answers to request objects",
        needs: [.discovery, .probe(Scenario.unsignedRequestObject.id), .probe(Scenario.signedRequestObject.id)]
    ) { facts in
        let samples = [Scenario.unsignedRequestObject, .signedRequestObject]
            .flatMap { scenario in
                Conversations.authorization(scenario).samples(facts)
                    .map { Sample($0.observation, label: scenario.title, exchange: $0.exchange) }
            }
        // Signed ones are sent to some providers only; nobody misses them elsewhere.
        let made = samples.filter(\.wasTried)
        return made.isEmpty ? Array(samples.prefix(1)) : made
    }
}

extension AnsweredAuthorization {
    /// Whether the redirect answers what stood in the request object.
    fileprivate func usesObject(_ redirect: RedirectAnswer) -> Bool {
        let state = asked.sentParameter("state") ?? ""
        return redirect.isRedirectURI
            && redirect.values("state").contains(state + AuthorizationRequest.objectStateSuffix)
    }

    /// Whether the redirect grants what stood beside the request object.
    fileprivate func usesParameters(_ redirect: RedirectAnswer) -> Bool {
        redirect.isRedirectURI && !redirect.has("error") && !usesObject(redirect)
    }
}

extension Facts {
    /// Whether a member of the discovery document is true; `nil` without a document.
    fileprivate func states(_ member: String) -> Bool? { metadata.value.map { $0[member]?.boolValue == true } }
}
