package import Conformance

/// Response types and modes that the discovery document names: what is advertised works.
package enum AdvertisedTypeChecks {
    /// The error that contradicts the list (RFC 6749 section 4.1.2.1); others are about the client, the person or the request, and may
    /// be the user's mistake.
    private static let ofTheType = ["unsupported_response_type"]

    package static let typeIsServed = Check(
        "authorization.response-type.advertised-is-served",
        "A response type that is advertised is served",
        // The client may not be registered for it, which no answer tells for sure.
        .risk,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "A client that chooses a response type from the list signs nobody in.",
        reads: Conversations.flowsAsAnswered,
        excusedBy: [
            "authorization.flow.succeeds", "platform.microsoft.id-token.is-enabled",
            "authorization.state-and-nonce.may-be-long", "authorization.code-challenge-method.advertised-is-taken",
        ],
        exempt: { subject, facts in
            let type = subject.asked.responseType
            if facts.metadata.value?.responseTypes.contains(type) != true {
                return "the response type is not advertised"
            }
            // Where none works, the cause is another one.
            return facts.target.flows.contains { $0 != type && facts.hasWorked(.responseType($0)) }
                ? nil : "no other response type worked"
        },
        finding: { subject, _ in
            let error = subject.errorCode
            guard let refusal = subject.refusal, error.map(ofTheType.contains) ?? true else { return nil }
            let type = subject.asked.responseType.text
            return Finding(
                "The response type \(type.quoted) is advertised, and refused with \(refusal).",
                at: "/response_types_supported",
                expected: "the answer that the response type promises",
                found: refusal,
                fix: "Allow \(type.quoted) for this client at the provider, or take it out of "
                    + "response_types_supported and of flows in the configuration."
            )
        }
    )

    package static let challengeIsTaken = Check(
        "authorization.code-challenge-method.advertised-is-taken",
        "A request with PKCE is taken where S256 is advertised",
        .must,
        .signIn,
        Citation(.rfc9700, "2.1.1", "Authorization servers MUST support PKCE"),
        why: "Libraries send code_challenge as soon as the method is in the document; nobody signs in by them.",
        reads: Conversations.flowsAndSimpler,
        exempt: { subject, facts in
            if !facts.advertisesPKCE { return "S256 is not advertised" }
            if subject.asked.sentParameter("code_challenge") == nil { return "the request was made without PKCE" }
            let isShown = subject.isGranted || facts.collected.takesRefusedRequest(.noChallenge)
            return isShown && !facts.wasRefusedWithout(.noChallenge)
                ? nil : "the request was not granted, and not for its challenge"
        },
        finding: { subject, _ in
            guard let refusal = subject.refusal else { return nil }
            return Finding(
                "A request with PKCE by S256, which is advertised, was refused with \(refusal); without PKCE it is let in.",
                at: "/code_challenge_methods_supported",
                expected: "the answer that the request without code_challenge has",
                found: refusal,
                fix: "Take code_challenge with S256 for this client at the provider; until then take S256 out of "
                    + "code_challenge_methods_supported."
            )
        }
    )

    package static let fragmentIsHonoured = Check(
        "authorization.response-mode.fragment-is-honoured",
        "response_mode=fragment brings the code in the fragment where it is advertised",
        .must,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "Authorization Response parameters are encoded in the fragment added to the redirect_uri"
        ),
        why: "An application in the browser reads the fragment alone; it waits for ever for what stands in the query.",
        reads: Conversations.authorizations(
            ofTypes: .inFragment,
            whenEmpty: "the provider does not advertise the mode, or no configured flow is the code flow",
            isOffered: { $0.metadata.value?.strings("response_modes_supported")?.contains("fragment") == true },
            concerns: { !$0.isFrontChannel }
        ),
        excusedBy: ["authorization.flow.succeeds", "authorization.code.is-in-query"],
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            let isInQuery = subject.answer.redirect.map { $0.isInQuery("code") && !$0.has("error") } ?? false
            guard isInQuery || subject.refusal != nil else { return nil }
            return Finding(
                subject.refusal.map { "A code flow request with response_mode=fragment was refused with \($0)." }
                    ?? "A code that was asked for in the fragment came in the query.",
                at: "response_mode",
                expected: "the code in the fragment",
                found: subject.refusal ?? "the code in the query",
                fix: "Return the code in the fragment when response_mode says so, or take fragment out of "
                    + "response_modes_supported."
            )
        }
    )

    package static let noneIsServed = Check(
        "authorization.response-type.none-is-served",
        "response_type=none is answered at the client, with no code and no token",
        .should,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "4",
            "the User Agent SHOULD be redirected there after granting or denying access"
        ),
        why: "The client waits for a person who never comes back, or is given what it did not ask for.",
        reads: answersToNone,
        excusedBy: ["authorization.flow.succeeds"],
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            let given = Artefact.all.map(\.parameter).filter { subject.answer.redirect?.has($0) ?? false }
            let found = subject.refusal ?? (given.isEmpty ? nil : given.joined(separator: ", "))
            guard let found else { return nil }
            return Finding(
                "A request with response_type=none, which is advertised, was answered with \(found).",
                at: "response_type",
                expected: "a redirect to the client with state alone",
                found: found,
                fix:
                    "Redirect to the client without code and token when response_type is none, or take none out of "
                    + "response_types_supported."
            )
        }
    )

    package static let noneIsInQuery = Check(
        "authorization.response-type.none-is-answered-in-the-query",
        "The answer to response_type=none has the state, and has it in the query",
        .must,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "4",
            "the Authorization Server MUST echo its value as a response parameter"
        ),
        why:
            "The client looks into the query, whose encoding is the default here, and takes the answer for a stranger's.",
        reads: answersToNone,
        exempt: { subject, _ in
            subject.answer.redirect?.isRedirectURI == true ? nil : "the answer did not come to the client"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.isInQuery("state") else { return nil }
            let found = redirect.isInFragment("state") ? "state in the fragment" : "no state"
            return Finding(
                "The answer to a request with response_type=none has \(found).",
                at: "state",
                expected: "state in the query",
                found: found,
                fix: "Return state in the query of the redirect URI when response_type is none."
            )
        }
    )

    private static let answersToNone = Conversations.authorization(.nothingWanted)
        .narrowed(
            "response to: " + Scenario.nothingWanted.title,
            whenEmpty: "the provider does not advertise response_type none"
        ) { sample, facts in
            guard let metadata = facts.metadata.value else { return sample }
            return metadata.strings("response_types_supported")?.contains("none") == true ? sample : nil
        }

    package static let all: [Check] = [typeIsServed, challengeIsTaken, fragmentIsHonoured, noneIsServed, noneIsInQuery]
}
