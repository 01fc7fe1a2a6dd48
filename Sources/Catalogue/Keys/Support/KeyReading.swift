import Conformance
import JOSE
import JSONTree

extension PublishedKey {
    var jwk: JWK { JWK(object) }

    /// Whether the key may verify signatures (RFC 7517 section 4.2); a key without `use` may serve any use.
    var isForSigning: Bool { jwk.use == nil || jwk.use == "sig" }

    /// The key, decoded leniently because other checks report encoding errors; or the reason why it is invalid.
    var built: Result<PublicKey, JOSEError> {
        cache.value { Result { () throws(JOSEError) in try jwk.publicKey(leniently: true) } }
    }

    /// The key, decoded leniently because other checks report encoding errors; `nil` if it is invalid.
    var leniently: PublicKey? { try? built.get() }

    /// The certificate or the error of each `x5c` element, in order.
    var certificateTexts: [Result<Certificate, JOSEError>] {
        cache.value {
            (jwk.x5c ?? []).map { text in Result { () throws(JOSEError) in try Certificate.parse(x5c: text) } }
        }
    }

    /// Whether an ID Token signed with the algorithm could be verified with this key.
    ///
    /// `alg` and `key_ops` must allow the algorithm, if they are present.
    func verifies(_ algorithm: JWSAlgorithm) -> Bool {
        guard isForSigning, let key = leniently, algorithm.accepts(key.type, key.curve) else { return false }
        if let operations = jwk.keyOps, !operations.contains("verify") { return false }
        guard let stated = jwk.alg, stated != algorithm.rawValue else { return true }
        return key.type == .okp && (stated == JWSAlgorithm.edDSA.rawValue || stated == key.curve?.rawValue)
    }

    /// A finding at one of the key's members.
    func finding(
        _ message: String,
        at member: String? = nil,
        expected: String? = nil,
        found: String? = nil,
        fix: String
    ) -> Finding {
        let place = member.map { "\(pointer)/\($0)" } ?? pointer
        return Finding(message, at: place, expected: expected, found: found, fix: fix)
    }
}

extension KeySet {
    /// The keys that a client may try on the signature of an ID Token.
    var signingKeys: [PublishedKey] { keys.filter { $0.isForSigning && $0.leniently != nil } }
}

/// Reasons why a rule does not apply to a key.
enum KeyExemption {
    typealias Reason = @Sendable (PublishedKey, Facts) -> String?

    static func unlessType(_ type: KeyType) -> Reason {
        { key, _ in key.jwk.keyType == type ? nil : "the key is not of type \(type.rawValue)" }
    }

    static func unlessMember(_ member: String) -> Reason {
        { key, _ in key.object.has(member) ? nil : "the key has no \(member)" }
    }
}

/// The inputs of the key set checks besides the key set itself.
enum KeyQueries {
    /// The last response to the key set request after any redirects, with any status.
    static let answer = Query<Exchange>("last response to the key set request", needs: [.discovery, .keys]) { facts in
        [DiscoveryQueries.lastAnswer(facts.evidence.keys, hops: facts.evidence.keysHops, facts)]
    }

    /// The bytes of the key set, from a response with a success status or from a file.
    static let text = Query<[UInt8]>("text of the key set", needs: [.discovery, .keys]) { facts in
        [DiscoveryQueries.bytes(of: facts.evidence.keys, facts)]
    }
}
