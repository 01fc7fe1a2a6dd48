import Conformance
import JOSE
import JSONTree

extension PublishedKey {
    var jwk: JWK { JWK(object) }

    /// Not set aside for encryption (RFC 7517 section 4.2); without `use` it may be for both.
    var isForSigning: Bool { jwk.use == nil || jwk.use == "sig" }

    /// The key, with flaws of encoding forgiven that other checks tell; or why its values make none.
    var built: Result<PublicKey, JOSEError> {
        kept.value { Result { () throws(JOSEError) in try jwk.publicKey(leniently: true) } }
    }

    /// The key, with flaws of encoding forgiven that other checks tell; `nil` when its values make no key.
    var leniently: PublicKey? { try? built.get() }

    /// What each text of `x5c` is, in its order.
    var certificateTexts: [Result<Certificate, JOSEError>] {
        kept.value {
            (jwk.x5c ?? [])
                .map { text in
                    Result { () throws(JOSEError) in try Certificate.parse(x5c: text) }
                }
        }
    }

    /// Whether an ID Token signed with the algorithm could be verified with this key.
    ///
    /// `alg` and `key_ops`, where they are stated, must allow it.
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
    var signingKeys: [PublishedKey] {
        keys.filter { $0.isForSigning && $0.leniently != nil }
    }
}

/// Reasons why a rule about keys does not concern one.
enum KeyExemption {
    typealias Reason = @Sendable (PublishedKey, Facts) -> String?

    static func unlessType(_ type: KeyType) -> Reason {
        { key, _ in key.jwk.keyType == type ? nil : "it is not of type \(type.rawValue)" }
    }

    static func unlessMember(_ member: String) -> Reason {
        { key, _ in key.object.has(member) ? nil : "it has no \(member)" }
    }
}

/// What checks of the stage read besides the key set itself.
enum KeySlots {
    /// The last answer on the way to the key set, whatever its status.
    static let answer = Slot<Exchange>("last answer to the key set request", needs: [.discovery, .keys]) { facts in
        [DiscoverySlots.lastAnswer(facts.evidence.keys, hops: facts.evidence.keysHops, facts)]
    }

    /// The octets of the key set, from an answer with a success status or from a file.
    static let text = Slot<[UInt8]>("text of the key set", needs: [.discovery, .keys]) { facts in
        [DiscoverySlots.octets(of: facts.evidence.keys, facts)]
    }
}
