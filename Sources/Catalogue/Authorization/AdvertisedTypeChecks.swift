package import Conformance

/// Response types and modes that the discovery document advertises must work.
package enum AdvertisedTypeChecks {
    /// The error that contradicts the list (RFC 6749 section 4.1.2.1).
    ///
    /// Other errors are about the client, the user or the request, and the configuration may cause them.
    private static let ofTheType = ["unsupported_response_type"]

    static let typeIsServed = Check(
        "authorization.response-type.advertised-is-served",
        "The provider supports the response types that it advertises",
        // The client may not be registered for the type, and no response shows that for certain.
        .risk,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "Sign-in fails with every client that chooses this response type from the discovery document.",
        reads: StepResults.flowsAsAnswered,
        supersededBy: [
            "authorization.flow.succeeds", "platform.microsoft.id-token.is-enabled",
            "authorization.state-and-nonce.may-be-long", "authorization.code-challenge-method.advertised-is-taken",
            "authorization.response.holds-what-was-asked",
        ],
        exempt: { subject, facts in
            let type = subject.asked.responseType
            if facts.metadata.value?.responseTypes.contains(type) != true {
                return "the response type is not advertised"
            }
            // If no response type works, the root cause is elsewhere.
            return facts.target.flows.contains { $0 != type && facts.hasWorked(.responseType($0)) }
                ? nil : "no other response type worked"
        },
        finding: { subject, _ in
            let error = subject.errorCode
            guard let refusal = subject.refusal, error.map(ofTheType.contains) ?? true else { return nil }
            let type = subject.asked.responseType.text
            return Finding(
                "The provider advertises the response type \(type.quoted) but rejects it: \(refusal).",
                at: "/response_types_supported",
                expected: "a successful authorization response",
                found: refusal,
                fix: "Allow \(type.quoted) for this client at the provider, or remove it from "
                    + "response_types_supported and from flows in the configuration."
            )
        }
    )

    static let challengeIsAccepted = Check(
        "authorization.code-challenge-method.advertised-is-taken",
        "The provider accepts requests with PKCE if it advertises S256",
        .must,
        .signIn,
        Citation(.rfc9700, "2.1.1", "Authorization servers MUST support PKCE"),
        why: "Libraries send code_challenge as soon as the metadata lists S256, and every sign-in with them fails.",
        reads: StepResults.flowsAndSimpler,
        exempt: { subject, facts in
            if !facts.advertisesPKCE { return "S256 is not advertised" }
            if subject.asked.sentParameter("code_challenge") == nil { return "the request did not use PKCE" }
            let isShown = subject.isGranted || facts.collected.takesRefusedRequest(.noChallenge)
            return isShown && !facts.wasRefusedWithout(.noChallenge)
                ? nil : "the request was not granted, and code_challenge is not known to be the cause"
        },
        finding: { subject, _ in
            guard let refusal = subject.refusal else { return nil }
            return Finding(
                "The provider advertises S256 but rejects a request with it: \(refusal). Without PKCE it accepts the request.",
                at: "/code_challenge_methods_supported",
                expected: "the same response as without code_challenge",
                found: refusal,
                fix: "Accept code_challenge with S256 for this client at the provider. Until then, remove S256 from "
                    + "code_challenge_methods_supported."
            )
        }
    )

    static let fragmentIsHonoured = Check(
        "authorization.response-mode.fragment-is-honoured",
        "The provider returns the code in the fragment for response_mode=fragment if it advertises the mode",
        .must,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "Authorization Response parameters are encoded in the fragment added to the redirect_uri"
        ),
        why: "An application in the browser reads only the fragment, and waits forever for a code in the query.",
        reads: StepResults.authorizations(
            ofTypes: .inFragment,
            whenEmpty: "the provider does not advertise the mode, or the code flow is not configured",
            isOffered: { $0.metadata.value?.strings("response_modes_supported")?.contains("fragment") == true },
            concerns: { !$0.isFrontChannel }
        ),
        supersededBy: ["authorization.flow.succeeds", "authorization.code.is-in-query"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            let isInQuery = subject.answer.redirect.map { $0.isInQuery("code") && !$0.has("error") } ?? false
            guard isInQuery || subject.refusal != nil else { return nil }
            return Finding(
                subject.refusal.map { "The provider rejects a code flow request with response_mode=fragment: \($0)." }
                    ?? "The provider returns the code in the query, although the request has response_mode=fragment.",
                at: "response_mode",
                expected: "the code in the fragment",
                found: subject.refusal ?? "the code in the query",
                fix: "Return the code in the fragment for response_mode=fragment, or remove fragment from "
                    + "response_modes_supported."
            )
        }
    )

    static let noneIsServed = Check(
        "authorization.response-type.none-is-served",
        "The provider redirects a request with response_type=none to the client, without a code or token",
        .should,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "4",
            "the User Agent SHOULD be redirected there after granting or denying access"
        ),
        why: "The client waits for a user who never returns, or receives a code or token that it did not request.",
        reads: answersToNone,
        supersededBy: ["authorization.flow.succeeds"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            let given = Artefact.all.map(\.parameter).filter { subject.answer.redirect?.has($0) ?? false }
            let found = subject.refusal ?? (given.isEmpty ? nil : given.joined(separator: ", "))
            guard let found else { return nil }
            return Finding(
                "The provider advertises response_type=none but returns \(found).",
                at: "response_type",
                expected: "a redirect to the client with state, and without a code or token",
                found: found,
                fix: "Redirect to the client without a code or token for response_type=none, or remove none from "
                    + "response_types_supported."
            )
        }
    )

    static let noneIsInQuery = Check(
        "authorization.response-type.none-is-answered-in-the-query",
        "The provider returns state in the query for response_type=none",
        .must,
        .conformance,
        Citation(.multipleResponseTypes, "4", "the Authorization Server MUST echo its value as a response parameter"),
        why:
            "The client reads state from the query, the default for this response type, and rejects a response without it.",
        reads: answersToNone,
        exempt: { subject, _ in
            subject.answer.redirect?.isRedirectURI == true ? nil : "the response did not reach the redirect URI"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.isInQuery("state") else { return nil }
            let found = redirect.isInFragment("state") ? "state in the fragment" : "no state"
            return Finding(
                "The response to a request with response_type=none has \(found).",
                at: "state",
                expected: "state in the query",
                found: found,
                fix: "Return state in the query of the redirect URI for response_type=none."
            )
        }
    )

    private static let answersToNone = StepResults.authorization(.responseTypeNone)
        .narrowed(
            "response to: " + Scenario.responseTypeNone.title,
            whenEmpty: "the provider does not advertise response_type=none"
        ) { sample, facts in
            guard let metadata = facts.metadata.value else { return sample }
            return metadata.strings("response_types_supported")?.contains("none") == true ? sample : nil
        }

    package static let all: [Check] = [
        typeIsServed, challengeIsAccepted, fragmentIsHonoured, noneIsServed, noneIsInQuery,
    ]
}
