package import Conformance
import JOSE
import JSONTree

/// Whether the key that the header of an ID Token names can be found by that name.
package enum KeyNameChecks {
    package static let isStatedInTheSet = Check(
        "idtoken.kid.is-stated-in-the-key-set",
        "The key that the header names states that name",
        // A key may do without a kid (RFC 7517 section 4.5), and the signature may verify with it all the same.
        .risk,
        .signIn,
        Citation(.rfc7515, "4.1.4", "the \"kid\" value is used to match a JWK \"kid\" parameter value"),
        why: "Client libraries that look for the key by its kid find none, and refuse the token.",
        reads: IDTokenSlots.withKeys,
        excusedBy: ["keys.list.is-present", "keys.kid.is-present"],
        exempt: { token, facts in
            if token.isSymmetric { return "the token is signed with the client secret" }
            guard let kid = token.kid else { return "the header has no kid" }
            return facts.isPublished(kid) ? "the key set names this key" : nil
        },
        finding: { token, facts in
            guard let kid = token.kid, facts.hasKeyWithoutName(for: token) else { return nil }
            return .claim(
                "kid",
                "The header names a key, and the key set holds a key that fits and has no kid.",
                expected: "a key with the kid \(kid.shown(limit: 80)) in the key set",
                found: .string(kid),
                fix: "Give the published key its kid: \"kid\": \(JSON.string(kid).serialized().shown(limit: 120))."
            )
        }
    )

    package static let all: [Check] = [isStatedInTheSet]
}

extension Facts {
    func isPublished(_ kid: String) -> Bool {
        keySet.value?.keys.contains { $0.kid?.hasSameOctets(as: kid) == true } ?? false
    }

    /// Whether a key that could have signed the token states no kid, so that it may be the one that the header names.
    func hasKeyWithoutName(for token: IDToken) -> Bool { hasKeyWithoutName(for: token.alg) }

    /// The same for a token that is signed with this algorithm.
    func hasKeyWithoutName(for alg: String?) -> Bool {
        guard let algorithm = alg.flatMap(JWSAlgorithm.init(rawValue:)) else { return false }
        return keySet.value?.keys
            .contains { key in
                guard !key.object.has("kid"), key.isForSigning, let type = key.jwk.keyType else { return false }
                let isFree = key.jwk.alg == nil || key.jwk.alg == algorithm.rawValue
                return isFree && algorithm.accepts(type, key.jwk.curve)
            } ?? false
    }
}
