package import Conformance

/// The key that made the signature: clients use the one that the header names, and only if it is for signatures.
package enum SigningKeyChecks {
    static let isTheNamedKey = Check(
        "idtoken.signature.is-by-the-named-key",
        "The ID Token is signed with the key that its header names",
        .must,
        .signIn,
        Citation(.core, "10.1", "a kid value MUST be provided in the JOSE Header"),
        why: "Clients select the key by its kid, find that the signature does not verify, and reject the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: cannotBeChecked,
        exempt: { token, facts in key(token, facts)?.whyUnknown },
        rule: { token, facts in key(token, facts)?.otherThanNamed("ID Token") ?? [] }
    )

    static let maySign = Check(
        "idtoken.signature.key-is-for-signatures",
        "The key that signed the ID Token is published for signatures",
        .must,
        .signIn,
        Citation(.core, "10.1", "The key usage of the respective keys MUST support signing."),
        why: "Clients skip keys that are published for encryption, and find none that verifies the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: ["keys.signing-key.is-present"] + cannotBeChecked,
        exempt: { token, facts in key(token, facts)?.whyUnknown },
        rule: { token, facts in key(token, facts)?.mayNotSign("ID Token") ?? [] }
    )

    static let hasTheAlgorithm = Check(
        "idtoken.signature.key-is-for-the-algorithm",
        "The key that signed the ID Token does not state another algorithm",
        .risk,
        .signIn,
        Citation(.rfc7517, "4.4", "identifies the algorithm intended for use with the key"),
        why: "Clients that select keys by alg and kid find none that verifies the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: [
            "keys.signing-key.is-present", "idtoken.alg.is-advertised", "idtoken.alg.is-the-registered",
            "idtoken.alg.is-the-default",
        ] + cannotBeChecked,
        exempt: { token, facts in key(token, facts)?.whyUnknown },
        rule: { token, facts in key(token, facts)?.hasOtherAlgorithm("ID Token") ?? [] }
    )

    package static let all: [Check] = [isTheNamedKey, maySign, hasTheAlgorithm]

    private static let cannotBeChecked: [CheckID] = ["idtoken.kid.is-published", "idtoken.signature.verifies"]

    private static func key(_ token: IDToken, _ facts: Facts) -> SigningKey? {
        facts.keySet.value.map { SigningKey(token.facts, header: token.header, $0) }
    }
}
