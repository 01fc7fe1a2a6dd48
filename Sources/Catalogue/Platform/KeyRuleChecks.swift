package import Conformance
import JOSE
import JSONTree

/// Platform rules about the key set beyond the specifications.
package enum KeyRuleChecks {
    static let haveKid = RuledChecks.check(
        .keyIdentifiers,
        "Every signing key has a kid",
        .signIn,
        why: "The platform looks up keys by kid, and finds none for the ID Token.",
        reads: Documents.keySet,
        supersededBy: [
            "keys.kid.is-present", "keys.members.have-the-right-type", "idtoken.kid.is-published",
            "idtoken.kid.is-stated-in-the-key-set",
        ],
        rule: { set, _, _ in
            set.keys.filter { $0.isForSigning && ($0.kid ?? "").isEmpty }
                .map { key in
                    key.finding(
                        "\(key.label.sentenceStart) has no kid.",
                        at: "kid",
                        expected: "a string",
                        found: key.object["kid"]?.shown ?? "missing",
                        fix: "Add a kid to the key, and set it in the header of ID Tokens."
                    )
                }
        }
    )

    static let haveCertificates = RuledChecks.check(
        .keyCertificates,
        "Every RSA and EC signing key has x5c",
        .signIn,
        why: "The platform reads keys from their certificates, and rejects a key set with a key that has none.",
        reads: Documents.keySet,
        rule: { set, _, _ in
            set.keys.filter { $0.isForSigning && ["RSA", "EC"].contains($0.jwk.kty) && ($0.jwk.x5c ?? []).isEmpty }
                .map { key in
                    key.finding(
                        "\(key.label.sentenceStart) has no x5c.",
                        at: "x5c",
                        expected: "the certificate of the key",
                        found: key.object["x5c"]?.shown ?? "missing",
                        fix: "Add x5c with a certificate of this key (RFC 7517 section 4.7)."
                    )
                }
        }
    )

    static let usableKeyIsPresent = RuledChecks.check(
        .keyTypes,
        "The key set contains a signing key of a type that the platform supports",
        .signIn,
        why: "The platform cannot verify any ID Token of this provider.",
        reads: Documents.keySet,
        supersededBy: ["keys.signing-key.is-present"],
        rule: { set, types, _ in
            let found = set.keys.filter(\.isForSigning).compactMap { $0.object["kty"]?.stringValue }
            guard Set(types).isDisjoint(with: found) else { return [] }
            return [
                Finding(
                    "The key set contains no signing key of a type that the platform supports.",
                    at: "/keys",
                    expected: types.joined(separator: " or "),
                    found: found.isEmpty ? "no signing key" : found.written,
                    fix: "Publish a signing key of type \(types.first ?? "RSA"), and sign ID Tokens with it."
                )
            ]
        }
    )

    static let typesAreAccepted = value(
        .keyTypesOnly,
        "The platform accepts the type of every key",
        why: "The platform rejects the whole key set because of one key of an unknown type.",
        of: "kty",
        phrase: "is of type",
        fix: { "Remove \($0) from the key set for this platform." }
    )

    static let curvesAreAccepted = value(
        .keyCurves,
        "The platform accepts the curve of every key",
        why:
            "The platform drops the whole key set because of one key on an unknown curve, and cannot verify any ID Token.",
        of: "crv",
        phrase: "is on the curve",
        fix: {
            "Remove \($0) from the key set for this platform, or replace it with a key on a curve that the platform accepts."
        },
        supersededBy: ["keys.kty.is-known"]
    )

    static let algorithmsAreAccepted = value(
        .keyAlgorithms,
        "The platform accepts the algorithm of every key",
        why: "The platform rejects the whole key set because of one key with an unknown algorithm.",
        of: "alg",
        phrase: "has the algorithm",
        fix: { "Remove \($0) from the key set for this platform, or remove alg from it." }
    )

    static let membersAreAccepted = RuledChecks.check(
        .keyMembers,
        "The platform accepts the members of every key",
        .signIn,
        why: "The platform rejects the whole key set because of one unknown member.",
        reads: Documents.eachKey,
        rule: { key, members, _ in
            let strangers = key.object.names.filter { !members.contains($0) }
            guard !strangers.isEmpty else { return [] }
            return [
                key.finding(
                    "\(key.label.sentenceStart) has members that the platform does not accept: \(strangers.listed).",
                    expected: members.joined(separator: ", "),
                    found: strangers.written,
                    fix: "Remove \(strangers.listed) from \(key.label) in the key set for this platform."
                )
            ]
        }
    )

    static let areFewEnough = count(
        .keyCount,
        "The key set contains no more keys than the platform accepts",
        what: "keys",
        { _ in true }
    )

    static let rsaKeysAreFewEnough = count(
        .rsaKeyCount,
        "The key set contains no more RSA keys than the platform accepts",
        what: "RSA keys",
        { $0.object["kty"]?.stringValue == "RSA" }
    )

    static let ecKeysAreFewEnough = count(
        .ecKeyCount,
        "The key set contains no more elliptic curve keys than the platform accepts",
        what: "elliptic curve keys",
        { $0.object["kty"]?.stringValue == "EC" }
    )

    package static let all: [Check] = [
        haveKid, haveCertificates, usableKeyIsPresent, typesAreAccepted, curvesAreAccepted, algorithmsAreAccepted,
        membersAreAccepted, areFewEnough, rsaKeysAreFewEnough, ecKeysAreFewEnough,
    ]

    /// A check of one member of each key: its value, if it is stated, is one of the rule's.
    private static func value(
        _ rule: Rule<[String]>,
        _ title: String,
        why: String,
        of member: String,
        phrase: String,
        fix: @escaping @Sendable (_ key: String) -> String,
        supersededBy: [CheckID] = []
    ) -> Check {
        RuledChecks.check(
            rule,
            title,
            .signIn,
            why: why,
            reads: Documents.eachKey,
            supersededBy: supersededBy,
            rule: { key, accepted, _ in
                guard let value = key.object[member]?.stringValue, !accepted.contains(value) else { return [] }
                return [
                    key.finding(
                        "\(key.label.sentenceStart) \(phrase) \(value.quoted).",
                        at: member,
                        expected: accepted.joined(separator: " or "),
                        found: value.shown(),
                        fix: fix(key.label)
                    )
                ]
            }
        )
    }

    /// A check of a limit; a platform that rejects the key set cannot verify any ID Token.
    private static func count(
        _ rule: Rule<Int>,
        _ title: String,
        what: String,
        _ isMeant: @escaping @Sendable (PublishedKey) -> Bool
    ) -> Check {
        RuledChecks.check(
            rule,
            title,
            .signIn,
            why: "The platform rejects the key set, or does not find the key that it needs.",
            reads: Documents.keySet,
            rule: { set, limit, _ in
                let count = set.keys.count(where: isMeant)
                guard count > limit else { return [] }
                let phrase = { (number: Int) in number == 1 ? "1 \(what.dropLast())" : "\(number) \(what)" }
                return [
                    Finding(
                        "The key set contains \(phrase(count)).",
                        at: "/keys",
                        expected: "at most \(phrase(limit))",
                        found: phrase(count),
                        fix: "Remove keys that no longer verify any valid token."
                    )
                ]
            }
        )
    }
}
