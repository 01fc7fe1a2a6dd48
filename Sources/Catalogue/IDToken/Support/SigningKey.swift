import Conformance
import JOSE
import JSONTree

/// The published keys that verify the signature of a token, compared with the key that its header names.
///
/// Clients do not try every key: they select the one that `kid` names and check whether its use permits verification.
struct SigningKey {
    /// The keys that verify the signature.
    private let verifying: [PublishedKey]
    /// Those of them that the header names, or all if it names none.
    private let meant: [PublishedKey]
    /// The keys that the header names; empty if it names none, or one that is not published.
    private let named: [PublishedKey]
    private let header: JSONObject

    init(_ facts: TokenFacts, header: JSONObject, _ set: KeySet) {
        let indices = Set(facts.trials.filter(\.isVerified).compactMap(\.publishedIndex))
        let verifying = set.keys.filter { indices.contains($0.index) }
        let kid = header["kid"]?.stringValue
        let isNamed = { (key: PublishedKey) in kid.map { key.kid?.hasSameBytes(as: $0) == true } ?? true }
        self.verifying = verifying
        self.header = header
        meant = verifying.filter(isNamed)
        named = kid == nil ? [] : set.keys.filter(isNamed)
    }

    /// The reason why the key cannot be evaluated; `nil` if it can.
    var whyUnknown: String? {
        if verifying.isEmpty { return "no published key made the signature" }
        return header["kid"]?.stringValue != nil && named.isEmpty ? "the header names a key that is not published" : nil
    }

    /// A finding if the header names a published key but another one made the signature.
    ///
    /// - Parameter what: The name of the signed token in a sentence.
    func otherThanNamed(_ what: String) -> [Finding] {
        guard whyUnknown == nil, meant.isEmpty, let named = named.first, let made = verifying.first else { return [] }
        return [
            Finding(
                "The header of the \(what) names \(named.label), but the signature was made with \(made.label).",
                at: "/kid",
                expected: made.kid?.shown() ?? "the kid of \(made.label)",
                found: named.kid?.shown(),
                fix: "Set kid in the header to the kid of the signing key; clients try no other key."
            )
        ]
    }

    /// A finding if no named key that made the signature may be used for signatures.
    func mayNotSign(_ what: String) -> [Finding] {
        guard whyUnknown == nil, let key = meant.first, !meant.contains(where: \.maySign) else { return [] }
        let member = key.isForSigning ? "key_ops" : "use"
        return [
            key.finding(
                "The \(what) is signed with \(key.label), which is not published for signatures.",
                at: member,
                expected: member == "use" ? "sig, or no use" : "verify in key_ops",
                found: key.object[member]?.shown,
                fix: "Publish the signing key with \"use\": \"sig\", and use another key for encryption."
            )
        ]
    }

    /// A finding if every permitted key that made the signature states another algorithm.
    func hasOtherAlgorithm(_ what: String) -> [Finding] {
        let allowed = meant.filter(\.maySign)
        guard whyUnknown == nil, let key = allowed.first,
            let algorithm = header["alg"]?.stringValue.flatMap(JWSAlgorithm.init(rawValue:)),
            !allowed.contains(where: { $0.isFor(algorithm) })
        else { return [] }
        return [
            key.finding(
                "The \(what) is signed with \(algorithm.rawValue), but \(key.label) states another algorithm.",
                at: "alg",
                expected: algorithm.rawValue,
                found: Finding.shown(key.object["alg"], beside: algorithm.rawValue),
                fix: "Set \"alg\": \"\(algorithm.rawValue)\" in the published key, or remove alg from it."
            )
        ]
    }

    /// The findings that make clients reject the token: ``otherThanNamed(_:)`` and ``mayNotSign(_:)``.
    static func blockers(_ what: String, _ token: TokenFacts, _ facts: Facts) -> [Finding] {
        guard let set = facts.keySet.value, let header = token.headerObject else { return [] }
        let key = SigningKey(token, header: header, set)
        return key.otherThanNamed(what) + key.mayNotSign(what)
    }
}

extension PublishedKey {
    /// Whether `use` and `key_ops` permit verifying signatures with it (RFC 7517 sections 4.2 and 4.3).
    fileprivate var maySign: Bool { isForSigning && jwk.keyOps?.contains("verify") ?? true }
}

extension PublishedKey {
    /// Whether it states no algorithm, or this one; `EdDSA` and the names of its curves are equivalent.
    fileprivate func isFor(_ algorithm: JWSAlgorithm) -> Bool {
        guard let stated = jwk.alg, stated != algorithm.rawValue else { return true }
        return jwk.keyType == .okp && (stated == JWSAlgorithm.edDSA.rawValue || stated == jwk.curve?.rawValue)
    }
}

extension SignatureTrial {
    /// The index of the key in the published set; `nil` for the client secret.
    fileprivate var publishedIndex: Int? {
        guard case .published(let index) = key else { return nil }
        return index
    }
}
