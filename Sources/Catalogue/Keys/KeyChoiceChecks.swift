import Conformance
import JOSE
import JSONTree

/// Whether a client finds the key that it needs.
enum KeyChoiceChecks {
    static let isPresent = Check(
        "keys.list.is-present",
        "The key set has an array of keys",
        .must,
        .signIn,
        Citation(.rfc7517, "5", "The JSON object MUST have a \"keys\" member"),
        why: "Clients find no key, and reject every ID Token.",
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
        "The key set contains a key that verifies ID Tokens",
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why: "Clients cannot verify any ID Token, or none with the algorithm that this client expects.",
        reads: Documents.keysAndDiscovery,
        supersededBy: ["keys.list.is-present"],
        exempt: { pair, facts in pair.0.flatMap { unlessSignaturesAreAdvertised(($0, pair.1), facts) } },
        finding: { pair, facts in
            let (metadata, set) = pair
            let needed = neededAlgorithms(facts)
            guard let all = metadata.map(advertised) else { return noSignature(set, needed) }
            let without = (needed ?? all).filter { algorithm in !set.keys.contains { $0.verifies(algorithm) } }
            guard !without.isEmpty else { return nil }
            let isMissing = needed == nil ? without.count == all.count || without.contains(.rs256) : !without.isEmpty
            guard isMissing else { return nil }
            return Finding(
                "No published key can verify signatures with \(without.map(\.rawValue).listed).",
                at: "/keys",
                expected: needed == nil
                    ? "a public signing key for each advertised algorithm"
                    : "a public signing key for the algorithm of this client's ID Tokens",
                found: set.keys.map { $0.description }.written,
                fix: "Publish the key that signs ID Tokens, with \"use\": \"sig\" or without use."
            )
        }
    )

    static let hasKeyPerAlgorithm = Check(
        "keys.signing-key.fits-every-algorithm",
        "The key set contains a key for every advertised signature algorithm",
        .risk,
        .conformance,
        Citation(.discovery, "3", "a list of the JWS signing algorithms (alg values) supported by the OP"),
        why: "A client that registers an algorithm without a key receives tokens that it cannot verify, or no tokens.",
        reads: Documents.discoveryAndKeys,
        supersededBy: ["keys.list.is-present", "keys.signing-key.is-present"],
        exempt: unlessSignaturesAreAdvertised,
        finding: { pair, _ in
            let (metadata, set) = pair
            let without = advertised(metadata).filter { algorithm in !set.keys.contains { $0.verifies(algorithm) } }
            guard !without.isEmpty else { return nil }
            let names = without.map(\.rawValue)
            return Finding(
                "\(names.listed) \(names.count == 1 ? "is" : "are") advertised, but no published key fits"
                    + keysExcludedByMembers(without, set) + ".",
                at: "/keys",
                expected: without.map { "\(($0.curve?.rawValue ?? $0.keyType.rawValue)) for \($0.rawValue)" }.listed,
                found: set.keys.map { $0.description }.written,
                fix:
                    "Publish \(names.count == 1 ? "a key" : "keys") for \(names.listed), or remove \(names.listed) from "
                    + "id_token_signing_alg_values_supported. "
                    + "No change is needed if the provider creates such keys on demand."
            )
        }
    )

    static let kidIsPresent = Check(
        "keys.kid.is-present",
        "Every signing key has a kid if the key set contains several",
        // The cited sentence requires kid in the token, which another check covers; in keys it is optional (RFC 7517, 4.5).
        .risk,
        .signIn,
        Citation(.core, "10.1", "a kid value MUST be provided in the JOSE Header"),
        why: "A client cannot determine which key signed a token, and many clients do not try all keys.",
        reads: Documents.keySet
    ) { set, _ in
        let candidates = set.signingKeys
        guard candidates.count > 1 else { return [] }
        return candidates.filter { !$0.object.has("kid") }
            .map { key in
                key.finding(
                    "\(key.label.sentenceStart) has no kid, although the set has \(candidates.count) signing keys.",
                    at: "kid",
                    expected: "a kid",
                    found: "no such member",
                    fix: "Add a kid to every key, such as its thumbprint, and state it in the header of ID Tokens."
                )
            }
    }

    static let onlyKeyHasKid = Check(
        "keys.kid.is-stated",
        "The only signing key has a kid",
        .may,
        .signIn,
        Citation(.rfc7517, "4.5", "Use of this member is OPTIONAL."),
        why: "Some clients find keys only by kid: PyJWT's PyJWKClient, json-jwt (GitLab, Mastodon), Nextcloud.",
        reads: Documents.keySet,
        supersededBy: ["platform.keys.have-kid", "idtoken.kid.is-stated-in-the-key-set"],
        finding: { set, _ in
            let candidates = set.signingKeys
            guard candidates.count == 1, let key = candidates.first, !key.object.has("kid") else { return nil }
            return key.finding(
                "\(key.label.sentenceStart) has no kid.",
                at: "kid",
                expected: "a kid",
                found: "no such member",
                fix: "Add a kid to the key, such as its thumbprint, and state it in the header of ID Tokens."
            )
        }
    )

    static let kidIsUnique = Check(
        "keys.kid.is-unique",
        "No two keys of the same type have the same kid",
        .should,
        .conformance,
        Citation(.rfc7517, "4.5", "different keys within the JWK Set SHOULD use distinct \"kid\" values"),
        why: "A client takes the first key with the kid, which may be the wrong key.",
        reads: Documents.keySet
    ) { set, _ in
        var seen: Set<[String?]> = []
        return set.keys.filter { key in key.kid != nil && !seen.insert([key.kid, key.jwk.kty]).inserted }
            .map { key in
                key.finding(
                    "\(key.label.sentenceStart) has the kid of another key.",
                    at: "kid",
                    expected: "a unique kid",
                    found: key.kid?.shown(),
                    fix: "Set a unique kid for each key, such as its thumbprint (RFC 7638)."
                )
            }
    }

    static let publishedOnce = Check(
        "keys.key.is-published-once",
        "The key set contains no key twice",
        .risk,
        .conformance,
        Citation(.experience, "", "the same key under two identifiers"),
        why: "Clients that try all keys, or index them by thumbprint, may fail on the duplicate.",
        reads: Documents.keySet
    ) { set, _ in
        let prints = set.keys.map { ($0, $0.leniently?.thumbprint) }
        var seen: Set<String> = []
        return prints.filter { _, print in print.map { !seen.insert($0).inserted } ?? false }
            .map { key, print in
                key.finding(
                    "\(key.label.sentenceStart) is the same key as another one in the set.",
                    expected: "each key once",
                    found: "thumbprint \(print ?? "")",
                    fix: "Publish the key once. If it both signs and encrypts, omit its use."
                )
            }
    }

    static let all: [Check] = [
        isPresent, hasSigningKey, hasKeyPerAlgorithm, kidIsPresent, onlyKeyHasKid, kidIsUnique, publishedOnce,
    ]

    /// The advertised asymmetric algorithms; `none`, HMAC and unknown algorithms need no published key.
    private static func advertised(_ metadata: Metadata) -> [JWSAlgorithm] {
        (metadata.strings("id_token_signing_alg_values_supported") ?? []).compactMap(JWSAlgorithm.init(rawValue:))
            .filter { !$0.isSymmetric }
    }

    /// The algorithms of this client's ID Tokens that need a published key: those of the tokens in the run, otherwise the
    /// registered ones; `nil` if neither is known.
    ///
    /// For a token that a published key verifies, the key is there. Whether clients may use it for this token, the checks of the
    /// signature decide.
    private static func neededAlgorithms(_ facts: Facts) -> [JWSAlgorithm]? {
        let tokens = StepResults.rawIDTokens.samples(facts).compactMap(\.observation.value)
        let seen = tokens.compactMap { token -> (name: String, isVerified: Bool)? in
            guard let name = facts.decoded(token.facts).value?.header["alg"]?.stringValue else { return nil }
            return (name, token.facts.trials.contains { $0.isVerified && $0.key != .clientSecret })
        }
        let clients = facts.target.flows.compactMap(facts.target.client) + [facts.target.client].compactMap(\.self)
        let registered = clients.compactMap(\.idTokenSignedResponseAlg)
        let names = seen.isEmpty ? registered : seen.filter { !$0.isVerified }.map(\.name)
        guard !seen.isEmpty || !names.isEmpty else { return nil }
        return Set(names).sorted().compactMap(JWSAlgorithm.init(rawValue:)).filter { !$0.isSymmetric }
    }

    /// The keys whose type and curve fit, but whose alg or key_ops excludes the algorithm.
    private static func keysExcludedByMembers(_ algorithms: [JWSAlgorithm], _ set: KeySet) -> String {
        let bound = set.signingKeys.filter { key in
            guard let material = key.leniently, key.jwk.alg != nil else { return false }
            return algorithms.contains { $0.accepts(material.type, material.curve) && !key.verifies($0) }
        }
        guard !bound.isEmpty else { return "" }
        return ": " + bound.prefix(8).map { "\($0.label) has alg \(($0.jwk.alg ?? "").quoted)" }.joined(separator: ", ")
    }

    /// A key set without a discovery document: nothing is known of the algorithms that it must serve but those of the tokens.
    private static func noSignature(_ set: KeySet, _ needed: [JWSAlgorithm]?) -> Finding? {
        let algorithms = needed ?? JWSAlgorithm.allCases.filter { !$0.isSymmetric }
        guard !algorithms.isEmpty, !set.keys.contains(where: { key in algorithms.contains { key.verifies($0) } }) else {
            return nil
        }
        return Finding(
            "No key of the set can verify "
                + (needed.map { "signatures with \($0.map(\.rawValue).listed)." } ?? "signatures."),
            at: "/keys",
            expected: "a public signing key",
            found: set.keys.map { $0.description }.written,
            fix: "Publish the public key that signs ID Tokens, with use sig or without use."
        )
    }

    private static let unlessSignaturesAreAdvertised: @Sendable ((Metadata, KeySet), Facts) -> String? = { pair, _ in
        advertised(pair.0).isEmpty ? "the discovery document lists no algorithm that needs a published key" : nil
    }
}

extension PublishedKey {
    /// Type, curve and use, for messages.
    fileprivate var description: String {
        let parts = [jwk.kty, jwk.crv, jwk.use, jwk.alg].compactMap { $0?.shown(limit: 40) }
        return parts.isEmpty ? "a key without a type" : parts.joined(separator: " ")
    }
}
