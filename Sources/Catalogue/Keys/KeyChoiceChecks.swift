import Conformance
import JOSE
import JSONTree

/// Whether a client finds the one key that it needs.
enum KeyChoiceChecks {
    static let isPresent = Check(
        "keys.list.is-present",
        "The key set has a list of keys",
        .must,
        .signIn,
        Citation(.rfc7517, "5", "The JSON object MUST have a \"keys\" member"),
        why: "Clients find no key, and refuse every ID Token.",
        reads: Documents.keySet,
        finding: { set, _ in
            if set.object["keys"]?.arrayValue != nil { return nil }
            return Finding(
                set.object.has("keys") ? "keys is not an array" : "keys is missing",
                at: "/keys",
                expected: "an array of keys",
                found: set.object["keys"]?.kind.phrase ?? "no such member",
                fix: "Write the key set as {\"keys\": [...]}."
            )
        }
    )

    static let hasSigningKey = Check(
        "keys.signing-key.is-present",
        "There is a key to verify ID Tokens with",
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why: "No ID Token can be verified, or none that is signed as this client expects.",
        reads: Documents.discoveryAndKeys,
        excusedBy: ["keys.list.is-present"],
        exempt: unlessSignaturesAreAdvertised,
        finding: { pair, facts in
            let (metadata, set) = pair
            let needed = neededAlgorithms(facts)
            let all = advertised(metadata)
            let without = (needed ?? all).filter { algorithm in !set.keys.contains { $0.verifies(algorithm) } }
            let isMissing =
                needed == nil ? without.count == all.count || without.contains(.rs256) : !without.isEmpty
            guard isMissing else { return nil }
            return Finding(
                "no published key can verify a signature by \(without.map(\.rawValue).listed)",
                at: "/keys",
                expected: needed == nil
                    ? "a public signing key for each advertised algorithm"
                    : "a public signing key for the algorithm of this client's ID Tokens",
                found: set.keys.map { $0.description }.written,
                fix: "Publish the key that ID Tokens are signed with, with use sig or without use."
            )
        }
    )

    static let hasKeyPerAlgorithm = Check(
        "keys.signing-key.fits-every-algorithm",
        "There is a key for every advertised signature algorithm",
        .risk,
        .conformance,
        Citation(.discovery, "3", "a list of the JWS signing algorithms (alg values) supported by the OP"),
        why: "A client that registers for such an algorithm gets tokens that it cannot verify, or none.",
        reads: Documents.discoveryAndKeys,
        excusedBy: ["keys.list.is-present", "keys.signing-key.is-present"],
        exempt: unlessSignaturesAreAdvertised,
        finding: { pair, _ in
            let (metadata, set) = pair
            let without = advertised(metadata).filter { algorithm in !set.keys.contains { $0.verifies(algorithm) } }
            guard !without.isEmpty else { return nil }
            let names = without.map(\.rawValue)
            return Finding(
                "\(names.listed) \(names.count == 1 ? "is" : "are") advertised, and no published key fits"
                    + inTheWay(without, set),
                at: "/keys",
                expected: without.map { "\(($0.curve?.rawValue ?? $0.keyType.rawValue)) for \($0.rawValue)" }.listed,
                found: set.keys.map { $0.description }.written,
                fix: "Publish keys for \(names.listed), or remove these from id_token_signing_alg_values_supported; "
                    + "where the provider makes such a key once a client asks for it, nothing need be done."
            )
        }
    )

    static let kidIsPresent = Check(
        "keys.kid.is-present",
        "Each of several signing keys has a kid",
        // The sentence demands kid of the token, which has a check of its own; for keys it is optional (RFC 7517, 4.5).
        .risk,
        .signIn,
        Citation(.core, "10.1", "a kid value MUST be provided in the JOSE Header"),
        why: "A client cannot tell which key a token was signed with; many refuse to try them all.",
        reads: Documents.keySet
    ) { set, _ in
        let candidates = set.signingKeys
        guard candidates.count > 1 else { return [] }
        return candidates.filter { !$0.object.has("kid") }
            .map { key in
                key.finding(
                    "\(key.label) has no kid though the set has \(candidates.count) signing keys",
                    at: "kid",
                    expected: "a kid",
                    found: "no such member",
                    fix: "Give every key a kid, its thumbprint for example, and name it in the header of ID Tokens."
                )
            }
    }

    static let onlyKeyHasKid = Check(
        "keys.kid.is-stated",
        "The only signing key has a kid",
        .may,
        .signIn,
        Citation(.rfc7517, "4.5", "Use of this member is OPTIONAL."),
        why: "Some clients find keys by their kid alone: PyJWT's PyJWKClient, json-jwt (GitLab, Mastodon), Nextcloud.",
        reads: Documents.keySet,
        excusedBy: ["platform.keys.have-kid", "idtoken.kid.is-stated-in-the-key-set"],
        finding: { set, _ in
            let candidates = set.signingKeys
            guard candidates.count == 1, let key = candidates.first, !key.object.has("kid") else { return nil }
            return key.finding(
                "\(key.label) has no kid",
                at: "kid",
                expected: "a kid",
                found: "no such member",
                fix: "Give the key a kid, its thumbprint for example, and name it in the header of ID Tokens."
            )
        }
    )

    static let kidIsUnique = Check(
        "keys.kid.is-unique",
        "No two keys of a type have the same kid",
        .should,
        .conformance,
        Citation(.rfc7517, "4.5", "different keys within the JWK Set SHOULD use distinct \"kid\" values"),
        why: "A client takes the first key of that name, which may be the wrong one.",
        reads: Documents.keySet
    ) { set, _ in
        var seen: Set<[String?]> = []
        return set.keys.filter { key in key.kid != nil && !seen.insert([key.kid, key.jwk.kty]).inserted }
            .map { key in
                key.finding(
                    "\(key.label) has the kid of another key",
                    at: "kid",
                    expected: "a kid of its own",
                    found: key.kid?.shown(),
                    fix: "Give each key a kid of its own; its thumbprint (RFC 7638) always is one."
                )
            }
    }

    static let publishedOnce = Check(
        "keys.key.is-published-once",
        "No key is published twice",
        .risk,
        .conformance,
        Citation(.experience, "", "the same key under two identifiers"),
        why: "Clients that try all keys, or that index them by thumbprint, stumble over the repetition.",
        reads: Documents.keySet
    ) { set, _ in
        let prints = set.keys.map { ($0, $0.leniently?.thumbprint) }
        var seen: Set<String> = []
        return prints.filter { _, print in print.map { !seen.insert($0).inserted } ?? false }
            .map { key, print in
                key.finding(
                    "\(key.label) is the same key as another one of the set",
                    expected: "each key once",
                    found: "thumbprint \(print ?? "")",
                    fix: "Remove one of the two entries; for two uses, leave use out of one."
                )
            }
    }

    static let all: [Check] = [
        isPresent, hasSigningKey, hasKeyPerAlgorithm, kidIsPresent, onlyKeyHasKid, kidIsUnique, publishedOnce,
    ]

    /// The advertised algorithms whose keys are published; `none`, HMAC and unknown ones need no key here.
    private static func advertised(_ metadata: Metadata) -> [JWSAlgorithm] {
        (metadata.strings("id_token_signing_alg_values_supported") ?? [])
            .compactMap(JWSAlgorithm.init(rawValue:))
            .filter { !$0.isSymmetric }
    }

    /// The algorithms that this client's ID Tokens need a published key for: those of the tokens that were seen, otherwise
    /// those that the client is registered for; `nil` where neither is known.
    private static func neededAlgorithms(_ facts: Facts) -> [JWSAlgorithm]? {
        let seen = Conversations.rawIDTokens.samples(facts).compactMap(\.observation.value)
            .compactMap { facts.decoded($0.facts).value?.header["alg"]?.stringValue }
        let clients = facts.target.flows.compactMap(facts.target.client) + [facts.target.client].compactMap(\.self)
        let registered = clients.compactMap(\.idTokenSignedResponseAlg)
        let names = seen.isEmpty ? registered : seen
        guard !names.isEmpty else { return nil }
        return Set(names).sorted().compactMap(JWSAlgorithm.init(rawValue:)).filter { !$0.isSymmetric }
    }

    /// Which keys would fit but for what they say of themselves.
    private static func inTheWay(_ algorithms: [JWSAlgorithm], _ set: KeySet) -> String {
        let bound = set.signingKeys.filter { key in
            guard let material = key.leniently, key.jwk.alg != nil else { return false }
            return algorithms.contains { $0.accepts(material.type, material.curve) && !key.verifies($0) }
        }
        guard !bound.isEmpty else { return "" }
        return ": "
            + bound.prefix(8).map { "\($0.label) is set apart for \(($0.jwk.alg ?? "").quoted)" }
            .joined(separator: ", ")
    }

    private static let unlessSignaturesAreAdvertised: @Sendable ((Metadata, KeySet), Facts) -> String? = { pair, _ in
        advertised(pair.0).isEmpty ? "no algorithm with published keys is advertised" : nil
    }
}

extension PublishedKey {
    /// Type, curve and use, for messages.
    fileprivate var description: String {
        let parts = [jwk.kty, jwk.crv, jwk.use, jwk.alg].compactMap { $0?.shown(limit: 40) }
        return parts.isEmpty ? "a key without a type" : parts.joined(separator: " ")
    }
}
