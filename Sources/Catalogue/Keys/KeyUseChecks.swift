import Conformance
import JOSE
import JSONTree

/// The type, use and algorithm that each key states.
enum KeyUseChecks {
    static let typeIsPresent = Check(
        "keys.kty.is-present",
        "Each key states its type",
        .must,
        .signIn,
        Citation(.rfc7517, "4.1", "This member MUST be present in a JWK"),
        why: "Some clients drop the whole set if they cannot read one entry.",
        reads: Documents.keySet
    ) { set, _ in
        set.elements.enumerated().filter { $0.element.objectValue != nil && $0.element["kty"]?.stringValue == nil }
            .map { index, element in
                Finding(
                    "Entry \(index) has no kty, or one that is not a string.",
                    at: "/keys/\(index)/kty",
                    expected: "a string",
                    found: element["kty"]?.serialized().shown(limit: 60) ?? "no such member",
                    fix: "Add kty (RSA, EC or OKP), or remove the entry."
                )
            }
    }

    static let entriesAreObjects = Check(
        "keys.entries.are-objects",
        "Each entry of the key set is a JSON object",
        .must,
        .signIn,
        Citation(.rfc7517, "5.1", "The value of the \"keys\" parameter is an array of JWK values."),
        why: "Most clients drop the whole set because of one such entry.",
        reads: Documents.keySet
    ) { set, _ in
        set.elements.enumerated().filter { $0.element.objectValue == nil }
            .map { index, element in
                Finding(
                    "Entry \(index) is \(element.kind.phrase), not a key.",
                    at: "/keys/\(index)",
                    expected: "an object",
                    found: element.serialized().shown(limit: 60),
                    fix: "Remove entry \(index) of keys, which is not a JSON object."
                )
            }
    }

    static let typesAreRight = Check(
        "keys.members.have-the-right-type",
        "The members of each key have the right JSON type",
        .must,
        .signIn,
        Citation(.rfc7517, "4.5", "value is a case-sensitive string"),
        why: "A typed client cannot parse the set if one member has another type.",
        reads: Documents.eachKey
    ) { key, _ in
        let strings = ["use", "alg", "kid", "x5u", "x5t", "x5t#S256", "crv", "n", "e", "x", "y"]
        let lists = ["key_ops", "x5c"]
        let wrong =
            strings.filter { key.object[$0].map { !$0.isNull && $0.stringValue == nil } ?? false }
            .map { ($0, "a string") }
            + lists.filter { key.object[$0].map { !$0.isNull && $0.strings == nil } ?? false }
            .map { ($0, "an array of strings") }
        return wrong.map { member, expected in
            key.finding(
                "\(member) of \(key.label) is not \(expected)",
                at: member,
                expected: expected,
                found: key.object[member]?.kind.phrase,
                fix: "Write \(member) as \(expected)."
            )
        }
    }

    static let membersHaveValues = Check(
        "keys.members.are-not-null",
        "No member of a key is null",
        .must,
        .signIn,
        Citation(.rfc7517, "4.4", "The \"alg\" value is a case-sensitive ASCII string."),
        why: "Up to 11 of 26 measured clients reject such a key set; the others treat null as a missing member.",
        reads: Documents.eachKey
    ) { key, _ in
        key.object.members.filter(\.value.isNull)
            .map { member in
                key.finding(
                    "\(member.name.shown()) of \(key.label) is null",
                    at: member.name,
                    expected: "a value, or no such member",
                    found: "null",
                    fix: "Remove \(member.name.shown()) from the key, or give it a value."
                )
            }
    }

    static let typeIsKnown = Check(
        "keys.kty.is-known",
        "Every key has a type and curve that this program knows",
        .risk,
        .signIn,
        Citation(.rfc7517, "5", "Implementations SHOULD ignore JWKs within a JWK Set that use \"kty\""),
        why: "An unknown key is allowed, but some client libraries drop the whole set because of it.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("kty"),
        finding: { key, _ in
            guard let kty = key.jwk.kty else { return nil }
            let curve = key.jwk.crv.map { ["EC", "OKP"].contains(kty) && Curve(rawValue: $0) == nil } ?? false
            guard key.jwk.keyType == nil || curve else { return nil }
            let found = curve ? "crv \((key.jwk.crv ?? "").quoted)" : "kty \(kty.quoted)"
            return key.finding(
                "\(key.label.sentenceStart) has \(found), which this program does not check.",
                at: curve ? "crv" : "kty",
                expected: "RSA, EC or OKP, with a curve of RFC 7518 or RFC 8037",
                found: found,
                fix: "If a client cannot read this key, publish it in a separate key set."
            )
        }
    )

    static let curveIsWidelyRead = Check(
        "keys.okp.curve-is-widely-read",
        "No key is on the curve Ed448, X448 or X25519",
        .risk,
        .signIn,
        Citation(.rfc7517, "5", "Implementations SHOULD ignore JWKs within a JWK Set that use \"kty\""),
        why:
            "Such a key is allowed, but go-jose 3 and 4, on which Kubernetes and Vault build, and python-jose drop the whole set.",
        reads: Documents.eachKey,
        supersededBy: ["platform.keys.curves-are-accepted"],
        exempt: KeyExemption.unlessMember("crv"),
        finding: { key, _ in
            guard let curve = key.jwk.crv, key.jwk.kty == "OKP", ["Ed448", "X448", "X25519"].contains(curve) else {
                return nil
            }
            return key.finding(
                "\(key.label.sentenceStart) is on the curve \(curve), for which some libraries drop the whole key set.",
                at: "crv",
                expected: "Ed25519, or a key of another type",
                found: curve,
                fix: "If a client cannot read this key, publish it in a separate key set."
            )
        }
    )

    static let useIsKnown = Check(
        "keys.use.is-known",
        "The use of each key is sig or enc",
        .may,
        .signIn,
        Citation(.rfc7517, "4.2", "Values defined by this specification are"),
        why: "A client that looks for sig ignores a key with another use.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("use"),
        finding: { key, _ in
            guard let use = key.jwk.use, !JOSERegistry.keyUses.contains(use) else { return nil }
            return key.finding(
                "use of \(key.label) is \(use.quoted)",
                at: "use",
                expected: "sig or enc",
                found: use.shown(),
                fix: "Set use to sig in a key that signs ID Tokens."
            )
        }
    )

    static let useIsStated = Check(
        "keys.use.is-stated-beside-encryption-keys",
        "Each key states its use if the key set contains encryption keys",
        .must,
        .conformance,
        Citation(.discovery, "3", "a use (public key use) parameter value is REQUIRED for all keys"),
        why: "A client may verify an ID Token with an encryption key, and reject the token.",
        reads: Documents.keySet,
        finding: { set, _ in
            let encrypts = { (key: PublishedKey) in
                key.jwk.use == "enc" || key.jwk.alg.map { KeyManagementAlgorithm(rawValue: $0) != nil } ?? false
                    || key.jwk.curve.map { !$0.signs } ?? false
            }
            guard set.keys.contains(where: encrypts), !set.keys.allSatisfy(encrypts) else { return nil }
            let silent = set.keys.filter { !$0.object.has("use") }
            guard !silent.isEmpty else { return nil }
            let more = silent.count > 8 ? " and \(silent.count - 8) more" : ""
            return Finding(
                "The set contains signing and encryption keys, but these keys do not state their use: "
                    + silent.prefix(8).map(\.label).joined(separator: ", ") + more + ".",
                at: silent.count == 1 ? "\(silent[0].pointer)/use" : "/keys",
                expected: "sig or enc, in every key",
                found: "no such member",
                fix: "Set use to sig in signing keys, and to enc in encryption keys."
            )
        }
    )

    static let addressUsesTLS = Check(
        "keys.x5u.uses-https",
        "The x5u of each key uses https",
        .must,
        .safety,
        Citation(.rfc7517, "4.6", "an HTTP GET request to retrieve the certificate MUST use TLS"),
        why: "Over http, an attacker on the network can replace the certificate, and sign in as any user at clients "
            + "that take the key from it.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("x5u"),
        finding: { key, _ in
            guard let text = key.jwk.x5u, !URIReference(text).isHTTPS else { return nil }
            return key.finding(
                "x5u of \(key.label) is not an https URL",
                at: "x5u",
                expected: "a URL that begins with https://",
                found: text.shown(limit: 120),
                fix: "Serve the certificate over https and set x5u to that URL, or leave x5u out."
            )
        }
    )

    static let notBoth = Check(
        "keys.use-and-key-ops.are-not-both-stated",
        "No key states both use and key_ops",
        .should,
        .signIn,
        Citation(.rfc7517, "4.3", "SHOULD NOT be used together"),
        why: "Two statements of the same fact may contradict each other after a change.",
        reads: Documents.eachKey,
        exempt: unlessConsistent,
        finding: { key, _ in
            guard key.object.has("use"), key.object.has("key_ops") else { return nil }
            return key.finding(
                "\(key.label.sentenceStart) has both use and key_ops.",
                at: "key_ops",
                expected: "one of the two",
                found: key.object["key_ops"]?.serialized().shown(),
                fix: "Remove key_ops, which fewer clients read."
            )
        }
    )

    static let consistent = Check(
        "keys.use-and-key-ops.are-consistent",
        "The use and key_ops of a key do not contradict each other",
        .must,
        .signIn,
        Citation(.rfc7517, "4.3", "the information they convey MUST be consistent"),
        why: "Some clients use the key and others reject it, so sign-in works only with some clients.",
        reads: Documents.eachKey,
        finding: { key, _ in
            guard !areConsistent(key) else { return nil }
            return key.finding(
                "use of \(key.label) is \((key.jwk.use ?? "").quoted), which its key_ops does not allow",
                at: "key_ops",
                expected: "operations for \((key.jwk.use ?? "").quoted)",
                found: key.jwk.keyOps?.written,
                fix:
                    "Remove key_ops, or set it to [\"verify\"] for use sig, or to [\"wrapKey\"], for example, for use enc."
            )
        }
    )

    static let operationsAreDistinct = Check(
        "keys.key-ops.are-distinct",
        "key_ops lists each operation once",
        .must,
        .conformance,
        Citation(.rfc7517, "4.3", "Duplicate key operation values MUST NOT be present in the array"),
        why: "Strict client libraries reject the key.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("key_ops"),
        finding: { key, _ in
            let operations = key.jwk.keyOps ?? []
            guard Set(operations).count < operations.count else { return nil }
            return key.finding(
                "key_ops of \(key.label) lists an operation more than once",
                at: "key_ops",
                expected: "each operation once",
                found: operations.written,
                fix: "Remove the repeated operation from key_ops."
            )
        }
    )

    static let algorithmFits = Check(
        "keys.alg.fits-the-key",
        "The algorithm of each key fits its type, curve and use",
        .risk,
        .conformance,
        Citation(.rfc7517, "4.4", "identifies the algorithm intended for use with the key"),
        why: "Clients cannot use the key, because its members contradict each other.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("alg")
    ) { key, _ in
        let jwk = key.jwk
        guard let alg = jwk.alg, let type = jwk.keyType else { return [] }
        let signature = JWSAlgorithm(rawValue: alg)
        let encrypts = KeyManagementAlgorithm(rawValue: alg) != nil
        var reasons: [String] = []
        if let signature, !signature.accepts(type, jwk.curve) { reasons.append("is for keys of another type or curve") }
        if signature != nil, jwk.use == "enc" { reasons.append("is a signature algorithm, although use is enc") }
        if encrypts, jwk.use == "sig" { reasons.append("is an encryption algorithm, although use is sig") }
        return reasons.map { reason in
            key.finding(
                "alg of \(key.label) is \(alg.quoted), which \(reason)",
                at: "alg",
                expected: "an algorithm for \([jwk.kty, jwk.crv, jwk.use].compactMap { $0?.shown() }.listed)",
                found: alg.shown(),
                fix:
                    "Set alg to an algorithm that fits kty, crv and use, or omit alg. If only use is wrong, set it to sig "
                    + "for a signature algorithm, or to enc for an encryption algorithm."
            )
        }
    }

    static let all: [Check] = [
        entriesAreObjects, typeIsPresent, typesAreRight, membersHaveValues, typeIsKnown, curveIsWidelyRead, useIsKnown,
        useIsStated, addressUsesTLS, notBoth, consistent, operationsAreDistinct, algorithmFits,
    ]

    /// Whether use allows the operations in key_ops; a key without both members is consistent.
    private static func areConsistent(_ key: PublishedKey) -> Bool {
        guard let use = key.jwk.use, let operations = key.jwk.keyOps, !operations.isEmpty else { return true }
        let signing = ["sign", "verify"]
        return switch use {
        case "sig": operations.allSatisfy { signing.contains($0) || !JOSERegistry.keyOperations.contains($0) }
        case "enc": !operations.contains(where: signing.contains)
        default: true
        }
    }

    private static let unlessConsistent: KeyExemption.Reason = { key, _ in
        areConsistent(key) ? nil : "use and key_ops contradict each other, which another check reports"
    }
}
