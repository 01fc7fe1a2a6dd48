package import Conformance
import JOSE
import JSONTree

/// Whether the `kid` in the header of an ID Token is usable to find the key.
package enum KeyNameChecks {
    static let isStatedInTheSet = Check(
        "idtoken.kid.is-stated-in-the-key-set",
        "The key set states the kid that the ID Token's header names",
        // kid is optional in a key (RFC 7517 section 4.5), but then a token that has a kid names no published key.
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why: "24 of 26 measured clients look up the key by its kid, find none and reject the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: ["keys.list.is-present", "keys.kid.is-present"],
        exempt: { token, facts in
            if token.isSymmetric { return "the token is signed with the client secret" }
            guard let kid = token.kid else { return "the header has no kid" }
            return facts.isPublished(kid) ? "the key set names this key" : nil
        },
        finding: { token, facts in
            guard let kid = token.kid, facts.hasKeyWithoutName(for: token) else { return nil }
            return .claim(
                "kid",
                "The header has a kid, but the matching key in the key set has none.",
                expected: "a key with the kid \(kid.shown(limit: 80)) in the key set",
                found: .string(kid),
                fix: "Add \"kid\": \(JSON.string(kid).serialized().shown(limit: 120)) to the published key."
            )
        }
    )

    static let namesOneKey = Check(
        "idtoken.kid.names-the-signing-key",
        "The first published key with the ID Token's kid verifies its signature",
        // Measured: half of the clients try no other.
        .must,
        .signIn,
        Citation(.rfc7517, "4.5", "different keys within the JWK Set SHOULD use distinct \"kid\" values"),
        why: "Half of the measured clients try only the first key with the kid, and reject the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: ["idtoken.signature.verifies"],
        exempt: { token, _ in
            if token.isSymmetric { return "the token is signed with the client secret" }
            return token.kid == nil ? "the header has no kid" : nil
        },
        finding: { token, facts in
            guard let kid = token.kid, let keys = facts.keySet.value?.keys else { return nil }
            let named = keys.indices.filter { keys[$0].kid == kid }
            let signing = token.facts.trials.compactMap { trial -> Int? in
                guard case .published(let place) = trial.key, trial.isVerified else { return nil }
                return place
            }
            guard named.count > 1, let first = named.first, let right = named.first(where: signing.contains),
                right != first, keys[first].jwk.kty == keys[right].jwk.kty
            else { return nil }
            return .claim(
                "kid",
                "\(named.count) published keys have the token's kid, and the first of them did not sign the token.",
                expected: "one key with the kid \(kid.shown(limit: 80))",
                found: .string(kid),
                fix: "Set a unique kid for each key, such as its thumbprint (RFC 7638)."
            )
        }
    )

    static let isAString = kind(
        "idtoken.kid.is-a-string",
        "The ID Token's kid is not a number, boolean, object or list",
        why: "24 of 30 measured clients reject the token."
    ) { $0.stringValue == nil && $0 != .null }

    static let isNotNull = kind(
        "idtoken.kid.is-not-null",
        "The ID Token's kid is not null",
        why:
            "12 of 30 measured clients, including those in Python and Node, reject the token; others treat null as no kid."
    ) { $0 == .null }

    static let isStatedForTheOnlyKey = Check(
        "idtoken.kid.is-stated",
        "The ID Token's header names the signing key even if the key set contains only one",
        .may,
        .signIn,
        Citation(.rfc7515, "4.1.4", "Use of this Header Parameter is OPTIONAL."),
        why: "Some clients find keys only by kid: PyJWT's PyJWKClient, json-jwt (GitLab, Mastodon), Nextcloud.",
        reads: IDTokenQueries.withKeys,
        supersededBy: [
            "idtoken.kid.is-present", "idtoken.kid.is-a-string", "idtoken.kid.is-not-null", "platform.id-token.has-kid",
            "platform.keys.have-kid",
        ],
        exempt: { token, _ in
            token.isSymmetric || token.alg == "none" ? "the token is not signed with a published key" : nil
        },
        finding: { token, _ in
            guard token.kid == nil else { return nil }
            return .claim(
                "kid",
                "The header has no kid.",
                expected: "the kid of the signing key",
                found: token.header["kid"],
                fix: "Add a kid to the published key, and set kid in the header to it."
            )
        }
    )

    package static let all: [Check] = [isStatedInTheSet, namesOneKey, isAString, isNotNull, isStatedForTheOnlyKey]

    /// A check that kid does not have a certain wrong JSON type.
    private static func kind(
        _ id: CheckID,
        _ title: String,
        why: String,
        isWrong: @escaping @Sendable (JSON) -> Bool
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .signIn,
            Citation(.rfc7515, "4.1.4", "Its value MUST be a case-sensitive string."),
            why: why,
            reads: StepResults.idTokens,
            exempt: { token, _ in token.header.has("kid") ? nil : "the header has no kid" },
            finding: { token, _ in
                guard let kid = token.header["kid"], isWrong(kid) else { return nil }
                return .claim(
                    "kid",
                    "kid is \(kid.kind.phrase).",
                    expected: "a string",
                    found: kid,
                    fix: "Write kid as a string, as in the key set, or omit it."
                )
            }
        )
    }
}

extension Facts {
    func isPublished(_ kid: String) -> Bool {
        [keySet.value, keySetRefetched.value]
            .contains { $0?.keys.contains { $0.kid?.hasSameBytes(as: kid) == true } == true }
    }

    /// Whether a key that could have signed the token has no kid, so that it may be the one that the header names.
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
