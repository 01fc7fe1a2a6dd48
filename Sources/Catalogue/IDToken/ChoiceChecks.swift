package import Conformance
import JSONTree

/// Choices that every specification allows, and that some clients cannot follow.
package enum ChoiceChecks {
    package static let audienceIsOneString = Check(
        "idtoken.aud.is-one-string",
        "A single audience is a string",
        .may,
        .conformance,
        Citation(.core, "2", "the aud value MAY be a single case-sensitive string"),
        why: "A list with one element is right, and some client libraries compare it with the client ID and refuse it.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.aud.holds-client"],
        finding: { token, _ in
            guard token.claims["aud"]?.strings?.count == 1 else { return nil }
            return .claim(
                "aud",
                "aud is a list with one element.",
                expected: "a string",
                found: token.claims["aud"],
                fix: "Write the one audience as a string, if a client refuses the list."
            )
        }
    )

    package static let algorithmIsListedFirst = Check(
        "idtoken.alg.is-listed-first",
        "The algorithm that is used is the first of the list",
        .may,
        .conformance,
        Citation(.experience, "", "client libraries that take the first algorithm that discovery lists"),
        why: "A client that takes the first algorithm of the list refuses tokens that are signed with another.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised", "idtoken.alg.is-the-default"],
        exempt: { token, facts in
            if facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg != nil {
                return "the client registered its algorithm"
            }
            return facts.metadata.value?.strings(list)?.isEmpty == false
                ? nil : "there is no list of algorithms to compare with"
        },
        finding: { token, facts in
            let listed = facts.metadata.value?.strings(list) ?? []
            guard let first = listed.first, let alg = token.alg, first != alg else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted), and \(first.quoted) is listed first.",
                expected: first.shown(),
                found: .string(alg),
                fix: "List \(alg.shown()) first in \(list)."
            )
        }
    )

    package static let all: [Check] = [audienceIsOneString, algorithmIsListedFirst]

    private static let list = "id_token_signing_alg_values_supported"
}
