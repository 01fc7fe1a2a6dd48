package import Conformance

/// The placement of response parameters: query or fragment.
package enum PlacementChecks {
    static let tokensAreNotInQuery = Check(
        "authorization.tokens.are-not-in-query",
        "The provider returns no token in the query",
        .must,
        .safety,
        Citation(.multipleResponseTypes, "7", "Access Tokens and ID Tokens MUST NOT be encoded in the query string"),
        why: "The query ends up in server logs and Referer headers, where an attacker can read the token.",
        reads: StepResults.successes
    ) { subject, _ in
        Artefact.all.filter { $0.isToken && subject.1.isInQuery($0.parameter) }
            .map { artefact in
                Finding(
                    "The provider returns \(artefact.parameter) in the query of the redirect URI.",
                    at: artefact.parameter,
                    expected: "fragment",
                    found: "query",
                    fix: "Return \(artefact.parameter) in the fragment of the redirect URI."
                )
            }
    }

    static let codeIsInQuery = Check(
        "authorization.code.is-in-query",
        "The provider returns the code of the code flow in the query",
        .must,
        .signIn,
        Citation(.core, "3.1.2.5", "by adding them as query parameters to the redirect_uri"),
        why: "The server at the redirect URI does not receive the fragment and finds no code.",
        reads: StepResults.successes,
        exempt: { subject, _ in
            if subject.0.asked.responseType.isFrontChannel { return "the response type is not code" }
            if subject.0.asked.sentParameter("response_mode") != nil { return "the request set response_mode" }
            return subject.1.has("code") ? nil : "the response has no code"
        },
        finding: { subject, _ in
            guard !subject.1.isInQuery("code") else { return nil }
            return Finding(
                "The provider returns the code in the fragment of the redirect URI.",
                at: "code",
                expected: "query",
                found: "fragment",
                fix: "Return the code in the query for response_type=code."
            )
        }
    )

    static let codeIsInFragment = Check(
        "authorization.code.is-in-fragment",
        "The provider returns the code of a hybrid flow in the fragment",
        .must,
        .signIn,
        Citation(
            .multipleResponseTypes,
            "5",
            "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT be used"
        ),
        why: "A client of a hybrid flow reads only the fragment and finds no code.",
        reads: StepResults.successes,
        supersededBy: ["authorization.tokens.are-not-in-query"],
        exempt: { subject, _ in
            let type = subject.0.asked.responseType
            guard type.isFrontChannel && type.hasCode else { return "the flow is not hybrid" }
            return subject.1.has("code") ? nil : "the response has no code"
        },
        finding: { subject, _ in
            guard subject.1.isInQuery("code") else { return nil }
            return Finding(
                "The provider returns the code in the query of the redirect URI.",
                at: "code",
                expected: "fragment",
                found: "query",
                fix: "Return all parameters in the fragment for response_type "
                    + "\(subject.0.asked.responseType.text.quoted)."
            )
        }
    )

    static let restIsInFragment = Check(
        "authorization.response.is-in-fragment",
        "The provider returns state and all other parameters in the fragment with the tokens",
        .must,
        .conformance,
        Citation(
            .core,
            "3.2.2.5",
            "all response parameters are added to the fragment component of the Redirection URI"
        ),
        why: "The script that reads the fragment misses state or iss and rejects the response.",
        reads: StepResults.successes,
        supersededBy: ["authorization.tokens.are-not-in-query", "authorization.code.is-in-fragment"],
        exempt: { subject, _ in
            subject.0.asked.responseType.isFrontChannel ? nil : "the code flow returns its response in the query"
        },
        rule: { subject, _ in
            let others = Artefact.responseParameters.subtracting(Artefact.all.map(\.parameter))
            return subject.1.query.filter { others.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The provider returns the parameter \(parameter.name) in the query of the redirect URI.",
                        at: parameter.name,
                        expected: "fragment",
                        found: "query",
                        fix: "Return \(parameter.name) in the fragment, with the rest of the response."
                    )
                }
        }
    )

    package static let all: [Check] = [tokensAreNotInQuery, codeIsInQuery, codeIsInFragment, restIsInFragment]
}
