package import Conformance
import JSONTree

/// Choices that every specification allows and some clients do not support.
package enum ChoiceChecks {
    static let audienceIsOneString = Check(
        "idtoken.aud.is-one-string",
        "The ID Token states a single audience as a string",
        .may,
        .conformance,
        Citation(.core, "2", "the aud value MAY be a single case-sensitive string"),
        why:
            "A list with one element is valid, but some client libraries compare aud with the client ID and reject it.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.aud.holds-client"],
        finding: { token, _ in
            guard token.claims["aud"]?.strings?.count == 1 else { return nil }
            return .claim(
                "aud",
                "aud is a list with one element.",
                expected: "a string",
                found: token.claims["aud"],
                fix: "If a client rejects the list, write aud as a string."
            )
        }
    )

    static let algorithmIsListedFirst = Check(
        "idtoken.alg.is-listed-first",
        "The ID Token is signed with the first algorithm that discovery lists",
        .may,
        .conformance,
        Citation(.experience, "", "client libraries that take the first algorithm that discovery lists"),
        why: "A client that uses only the first listed algorithm rejects tokens signed with any other.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised", "idtoken.alg.is-the-default"],
        exempt: { token, facts in
            if facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg != nil {
                return "the client registered an algorithm"
            }
            return facts.metadata.value?.strings(list)?.isEmpty == false
                ? nil : "the discovery document lists no algorithms"
        },
        finding: { token, facts in
            let listed = facts.metadata.value?.strings(list) ?? []
            guard let first = listed.first, let alg = token.alg, first != alg else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted), but \(first.quoted) is listed first.",
                expected: first.shown(),
                found: .string(alg),
                fix: "List \(alg.shown()) first in \(list)."
            )
        }
    )

    package static let all: [Check] = [audienceIsOneString, algorithmIsListedFirst]

    private static let list = "id_token_signing_alg_values_supported"
}
