package import Conformance
import JOSE
import JSONTree

/// Whether the key that the header of an ID Token names can be found by that name.
package enum KeyNameChecks {
    package static let isStatedInTheSet = Check(
        "idtoken.kid.is-stated-in-the-key-set",
        "The key that the header names states that name",
        // A key may do without a kid (RFC 7517 section 4.5), but then a token that names one names no published key.
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why:
            "24 of 26 measured clients look for the key by its kid, find none and refuse the token.",
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

    package static let isAString = kind(
        "idtoken.kid.is-a-string",
        "kid is no number, object or list",
        why: "24 of 30 measured clients refuse the token."
    ) { $0.stringValue == nil && $0 != .null }

    package static let isNotNull = kind(
        "idtoken.kid.is-not-null",
        "kid is not null",
        why:
            "12 of 30 measured clients refuse the token, those in Python and Node among them; others take null for no kid."
    ) { $0 == .null }

    package static let isStatedForTheOnlyKey = Check(
        "idtoken.kid.is-stated",
        "The header names the key, also where the key set holds no other",
        .may,
        .signIn,
        Citation(.rfc7515, "4.1.4", "Use of this Header Parameter is OPTIONAL."),
        why: "Some clients find keys by their kid alone: PyJWT's PyJWKClient, json-jwt (GitLab, Mastodon), Nextcloud.",
        reads: IDTokenSlots.withKeys,
        excusedBy: [
            "idtoken.kid.is-present", "idtoken.kid.is-a-string", "idtoken.kid.is-not-null", "platform.id-token.has-kid",
            "platform.keys.have-kid",
        ],
        exempt: { token, _ in
            token.isSymmetric || token.alg == "none" ? "the token is signed with no published key" : nil
        },
        finding: { token, _ in
            guard token.kid == nil else { return nil }
            return .claim(
                "kid",
                "The header has no kid.",
                expected: "the kid of the signing key",
                found: token.header["kid"],
                fix: "Give the published key a kid, and name it in the header."
            )
        }
    )

    package static let all: [Check] = [isStatedInTheSet, isAString, isNotNull, isStatedForTheOnlyKey]

    /// A check that kid is of no wrong kind of JSON.
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
            reads: Conversations.idTokens,
            exempt: { token, _ in token.header.has("kid") ? nil : "the header has no kid" },
            finding: { token, _ in
                guard let kid = token.header["kid"], isWrong(kid) else { return nil }
                return .claim(
                    "kid",
                    "kid is \(kid.kind.phrase).",
                    expected: "a string",
                    found: kid,
                    fix: "Write kid as a string, as in the key set, or leave it out."
                )
            }
        )
    }
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
