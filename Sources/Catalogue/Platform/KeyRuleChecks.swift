package import Conformance
import JSONTree

/// What relying platforms demand of the key set beyond the specifications.
package enum KeyRuleChecks {
    package static let haveKid = RuledChecks.check(
        .keyIdentifiers,
        "Every signing key has a kid",
        .signIn,
        why: "The platform looks keys up by kid, and finds none for the ID Token.",
        reads: Documents.keySet,
        excusedBy: [
            "keys.kid.is-present", "keys.members.have-the-right-type", "idtoken.kid.is-published",
            "idtoken.kid.is-stated-in-the-key-set",
        ],
        rule: { set, _, _ in
            set.keys.filter { $0.isForSigning && ($0.kid ?? "").isEmpty }
                .map { key in
                    key.finding(
                        "\(key.label) has no kid.",
                        at: "kid",
                        expected: "a string",
                        found: key.object["kid"]?.shown ?? "missing",
                        fix: "Give the key a kid, and write it in the header of ID Tokens."
                    )
                }
        }
    )

    package static let usableKeyIsPresent = RuledChecks.check(
        .keyTypes,
        "There is a signing key of a type that the platform reads",
        .signIn,
        why: "The platform can verify no ID Token of this provider.",
        reads: Documents.keySet,
        excusedBy: ["keys.signing-key.is-present"],
        rule: { set, types, _ in
            let found = set.keys.filter(\.isForSigning).compactMap { $0.object["kty"]?.stringValue }
            guard Set(types).isDisjoint(with: found) else { return [] }
            return [
                Finding(
                    "No signing key is of a type that the platform reads.",
                    at: "/keys",
                    expected: types.joined(separator: " or "),
                    found: found.isEmpty ? "no signing key" : found.written,
                    fix: "Publish a signing key of type \(types.first ?? "RSA"), and sign ID Tokens with it."
                )
            ]
        }
    )

    package static let typesAreAccepted = RuledChecks.check(
        .keyTypesOnly,
        "No key is of a type that the platform refuses",
        .signIn,
        why: "The platform refuses the whole set for one key that it does not know.",
        reads: Documents.eachKey,
        rule: { key, types, _ in
            guard let type = key.object["kty"]?.stringValue, !types.contains(type) else { return [] }
            return [
                key.finding(
                    "\(key.label) is of type \(type.quoted).",
                    at: "kty",
                    expected: types.joined(separator: " or "),
                    found: type.shown(),
                    fix: "Leave the key out of what the platform is given."
                )
            ]
        }
    )

    package static let curvesAreAccepted = RuledChecks.check(
        .keyCurves,
        "No key is on a curve that the platform refuses",
        .signIn,
        why: "The platform drops the whole set for one key on a curve that it does not know, and verifies no ID Token.",
        reads: Documents.eachKey,
        excusedBy: ["keys.kty.is-known"],
        rule: { key, curves, _ in
            guard let curve = key.object["crv"]?.stringValue, !curves.contains(curve) else { return [] }
            return [
                key.finding(
                    "\(key.label) is on the curve \(curve.quoted).",
                    at: "crv",
                    expected: curves.joined(separator: " or "),
                    found: curve.shown(),
                    fix: "Leave the key out of the set that the platform reads, or sign with a key on another curve."
                )
            ]
        }
    )

    package static let membersAreAccepted = RuledChecks.check(
        .keyMembers,
        "No key has members that the platform refuses",
        .signIn,
        why: "The platform refuses the whole set for one member that it does not know.",
        reads: Documents.eachKey,
        rule: { key, members, _ in
            let strangers = key.object.names.filter { !members.contains($0) }
            guard !strangers.isEmpty else { return [] }
            return [
                key.finding(
                    "\(key.label) has members that the platform does not take: \(strangers.listed).",
                    expected: members.joined(separator: ", "),
                    found: strangers.written,
                    fix: "Leave \(strangers.listed) out of the key that the platform is given."
                )
            ]
        }
    )

    package static let areFewEnough = count(
        .keyCount,
        "There are no more keys than the platform takes",
        what: "keys",
        { _ in true }
    )

    package static let rsaKeysAreFewEnough = count(
        .rsaKeyCount,
        "There are no more RSA keys than the platform takes",
        what: "RSA keys",
        { $0.object["kty"]?.stringValue == "RSA" }
    )

    package static let ecKeysAreFewEnough = count(
        .ecKeyCount,
        "There are no more elliptic curve keys than the platform takes",
        what: "elliptic curve keys",
        { $0.object["kty"]?.stringValue == "EC" }
    )

    package static let all: [Check] = [
        haveKid, usableKeyIsPresent, typesAreAccepted, curvesAreAccepted, membersAreAccepted, areFewEnough,
        rsaKeysAreFewEnough, ecKeysAreFewEnough,
    ]

    /// A platform that refuses the set verifies no ID Token.
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
            why: "The platform refuses the set, or overlooks the key that it needs.",
            reads: Documents.keySet,
            rule: { set, limit, _ in
                let count = set.keys.count(where: isMeant)
                guard count > limit else { return [] }
                return [
                    Finding(
                        "The key set holds \(count) \(what).",
                        at: "/keys",
                        expected: "at most \(limit)",
                        found: String(count),
                        fix: "Remove keys with which no valid token is signed any more."
                    )
                ]
            }
        )
    }
}
