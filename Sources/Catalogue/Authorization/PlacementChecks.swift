package import Conformance

/// Where the parts of a response stand: query or fragment.
package enum PlacementChecks {
    package static let tokensAreNotInQuery = Check(
        "authorization.tokens.are-not-in-query",
        "No token stands in the query",
        .must,
        .safety,
        Citation(.multipleResponseTypes, "7", "Access Tokens and ID Tokens MUST NOT be encoded in the query string"),
        why: "A query reaches servers, logs and the Referer header: whoever reads them has the token.",
        reads: Conversations.successes
    ) { subject, _ in
        Artefact.all.filter { $0.isToken && subject.1.isInQuery($0.parameter) }
            .map { artefact in
                Finding(
                    "The response carries \(artefact.parameter) in the query of the redirect URI.",
                    at: artefact.parameter,
                    expected: "fragment",
                    found: "query",
                    fix: "Return \(artefact.parameter) in the fragment of the redirect URI."
                )
            }
    }

    package static let codeIsInQuery = Check(
        "authorization.code.is-in-query",
        "The code of the code flow stands in the query",
        .must,
        .signIn,
        Citation(.core, "3.1.2.5", "by adding them as query parameters to the redirect_uri"),
        why: "A server behind the redirect URI never sees a fragment and finds no code.",
        reads: Conversations.successes,
        exempt: { subject, _ in
            if subject.0.asked.responseType.isFrontChannel { return "the response type is not code alone" }
            if subject.0.asked.sentParameter("response_mode") != nil { return "the request chose a response mode" }
            return subject.1.has("code") ? nil : "the response has no code"
        },
        finding: { subject, _ in
            guard !subject.1.isInQuery("code") else { return nil }
            return Finding(
                "The code came in the fragment of the redirect URI.",
                at: "code",
                expected: "query",
                found: "fragment",
                fix: "Return the code in the query for response_type code."
            )
        }
    )

    package static let codeIsInFragment = Check(
        "authorization.code.is-in-fragment",
        "The code of a hybrid flow stands in the fragment",
        .must,
        .signIn,
        Citation(
            .multipleResponseTypes,
            "5",
            "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT be used"
        ),
        why: "A hybrid client reads the fragment and finds no code there.",
        reads: Conversations.successes,
        excusedBy: ["authorization.tokens.are-not-in-query"],
        exempt: { subject, _ in
            let type = subject.0.asked.responseType
            guard type.isFrontChannel && type.hasCode else { return "the response type is not a hybrid one" }
            return subject.1.has("code") ? nil : "the response has no code"
        },
        finding: { subject, _ in
            guard subject.1.isInQuery("code") else { return nil }
            return Finding(
                "The code came in the query of the redirect URI.",
                at: "code",
                expected: "fragment",
                found: "query",
                fix: "Return all parameters in the fragment for response_type "
                    + "\(subject.0.asked.responseType.text.quoted)."
            )
        }
    )

    package static let restIsInFragment = Check(
        "authorization.response.is-in-fragment",
        "State and the like stand in the fragment beside the tokens",
        .must,
        .conformance,
        Citation(
            .core,
            "3.2.2.5",
            "all response parameters are added to the fragment component of the Redirection URI"
        ),
        why: "The script that reads the fragment misses state or iss and refuses the answer.",
        reads: Conversations.successes,
        excusedBy: ["authorization.tokens.are-not-in-query", "authorization.code.is-in-fragment"],
        exempt: { subject, _ in
            subject.0.asked.responseType.isFrontChannel ? nil : "the response of the code flow stands in the query"
        },
        rule: { subject, _ in
            let others = Artefact.responseParameters.subtracting(Artefact.all.map(\.parameter))
            return subject.1.query.filter { others.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The response parameter \(parameter.name) stands in the query.",
                        at: parameter.name,
                        expected: "fragment",
                        found: "query",
                        fix: "Return \(parameter.name) in the fragment, as all of the response."
                    )
                }
        }
    )

    package static let all: [Check] = [tokensAreNotInQuery, codeIsInQuery, codeIsInFragment, restIsInFragment]
}
