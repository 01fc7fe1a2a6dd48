package import Conformance

/// The `iss` parameter of authorization responses (RFC 9207).
package enum IssuerParameterChecks {
    private static let noParameter = "the response has no iss parameter"
    private static let notAdvertised =
        "authorization_response_iss_parameter_supported is not true, so the iss parameter is not advertised"

    static let matchesIssuer = Check(
        "authorization.iss.matches-issuer",
        "The iss parameter is identical to the issuer",
        .must,
        .signIn,
        Citation(.rfc9207, "2.3", "MUST be identical to the iss parameter's value"),
        why: "Clients that compare iss reject the response, and the sign-in fails.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("iss") ? nil : noParameter },
        rule: { subject, facts in mismatches(subject.1, facts) }
    )

    static let matchesIssuerWithErrors = Check(
        "authorization.iss.matches-issuer-with-errors",
        "The iss parameter of error responses is identical to the issuer",
        .must,
        .conformance,
        Citation(.rfc9207, "2.3", "MUST be identical to the iss parameter's value"),
        why: "Clients that compare iss reject the response and never show the actual error.",
        reads: AuthorizationErrors.all,
        exempt: { subject, _ in subject.redirect.has("iss") ? nil : noParameter },
        rule: { subject, facts in mismatches(subject.redirect, facts) }
    )

    static let isSent = Check(
        "authorization.iss.is-sent",
        "The provider returns the advertised iss parameter in responses",
        .must,
        .signIn,
        Citation(.rfc9207, "2", "MUST indicate its identity by including the iss parameter in the response"),
        why: "A client that reads the metadata rejects responses without iss.",
        reads: StepResults.successes,
        exempt: { subject, facts in
            if !facts.advertisesIssParameter { return notAdvertised }
            return subject.1.has("id_token")
                ? "the response contains an ID Token, which names the issuer (RFC 9207 section 4)" : nil
        },
        rule: { subject, facts in omissions(subject.1, facts) }
    )

    static let isSentBesideIDToken = Check(
        "authorization.iss.is-sent-beside-id-token",
        "The provider returns the advertised iss parameter even with an ID Token",
        .may,
        .conformance,
        Citation(.rfc9207, "4", "the use and verification of the iss parameter is not necessary and MAY be omitted"),
        why: "Some clients require the advertised iss parameter even if the response contains an ID Token.",
        reads: StepResults.successes,
        exempt: { subject, facts in
            if !facts.advertisesIssParameter { return notAdvertised }
            return subject.1.has("id_token") ? nil : "the response contains no ID Token"
        },
        rule: { subject, facts in omissions(subject.1, facts) }
    )

    static let isSentWithErrors = Check(
        "authorization.iss.is-sent-with-errors",
        "The provider returns the advertised iss parameter in error responses",
        .must,
        .conformance,
        Citation(.rfc9207, "2", "In authorization responses to the client, including error responses"),
        why: "A client that reads the metadata rejects errors without iss, and the cause of the failure is lost.",
        reads: AuthorizationErrors.all,
        unless: { facts in facts.advertisesIssParameter ? nil : notAdvertised },
        rule: { subject, facts in omissions(subject.redirect, facts) }
    )

    static let isRightEverywhere = Check(
        "authorization.iss.is-right-in-every-response",
        "Successful responses to all other requests of the run have the right iss parameter",
        .must,
        .conformance,
        Citation(.rfc9207, "2", "MUST indicate its identity by including the iss parameter in the response"),
        why: "Clients that compare iss reject the responses to some requests, for example those with response_mode.",
        reads: AuthorizationErrors.others,
        supersededBy: [matchesIssuer.id, isSent.id],
        exempt: { subject, facts in
            if subject.redirect.has("iss") { return nil }
            if !facts.advertisesIssParameter { return notAdvertised }
            return subject.redirect.has("id_token")
                ? "the response contains an ID Token, which names the issuer (RFC 9207 section 4)" : nil
        },
        rule: { subject, facts in
            subject.redirect.has("iss") ? mismatches(subject.redirect, facts) : omissions(subject.redirect, facts)
        }
    )

    static let isAdvertised = Check(
        "authorization.iss.is-advertised",
        "The provider advertises the iss parameter that it returns",
        // The MUST is about metadata "according to RFC 8414"; this document follows Discovery.
        .should,
        .conformance,
        Citation(.rfc9207, "2.3", "The server MUST indicate its support for the iss parameter"),
        why: "Under RFC 9207, clients discard responses with an iss parameter that the metadata does not advertise.",
        reads: StepResults.successes,
        supersededBy: ["discovery.authorization-response-iss-parameter-supported.is-a-boolean"],
        exempt: { subject, facts in
            guard facts.metadata.value != nil else { return "there is no discovery document that could advertise iss" }
            return subject.1.has("iss") ? nil : noParameter
        },
        finding: { _, facts in
            guard !facts.advertisesIssParameter else { return nil }
            return Finding(
                "The response has an iss parameter that the discovery document does not advertise.",
                at: "/authorization_response_iss_parameter_supported",
                expected: "true",
                found: facts.metadata.value?["authorization_response_iss_parameter_supported"]?.shown ?? "missing",
                fix: "Add \"authorization_response_iss_parameter_supported\": true to the discovery document."
            )
        }
    )

    package static let all: [Check] = [
        matchesIssuer, matchesIssuerWithErrors, isSent, isSentBesideIDToken, isSentWithErrors, isRightEverywhere,
        isAdvertised,
    ]

    private static func mismatches(_ redirect: RedirectAnswer, _ facts: Facts) -> [Finding] {
        guard let iss = redirect.first("iss"), !facts.isIssuer(iss) else { return [] }
        return [
            Finding(
                "The iss parameter differs from the issuer.",
                at: "iss",
                expected: facts.issuer.shown(),
                found: iss.shown(),
                fix: "Return iss=\(facts.issuer.shown()) with every authorization response."
            )
        ]
    }

    private static func omissions(_ redirect: RedirectAnswer, _ facts: Facts) -> [Finding] {
        guard !redirect.has("iss") else { return [] }
        return [
            Finding(
                "The metadata advertises the iss parameter, and the response has none.",
                at: "iss",
                expected: facts.issuer.shown(),
                found: "missing",
                fix: "Return iss=\(facts.issuer.shown()) with every authorization response, errors included."
            )
        ]
    }
}
