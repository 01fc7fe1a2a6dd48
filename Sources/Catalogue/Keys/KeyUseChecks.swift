import Conformance
import JOSE
import JSONTree

/// What each key says it is for.
enum KeyUseChecks {
    static let typeIsPresent = Check(
        "keys.kty.is-present",
        "Each key is an object that states its type",
        .must,
        .signIn,
        Citation(.rfc7517, "4.1", "This member MUST be present in a JWK"),
        why: "Some clients drop the whole set when one entry cannot be read.",
        reads: Documents.keySet
    ) { set, _ in
        set.elements.enumerated()
            .filter { $0.element["kty"]?.stringValue == nil }
            .map { index, element in
                Finding(
                    element.objectValue == nil
                        ? "entry \(index) is \(element.kind.phrase), not a key" : "entry \(index) states no type",
                    at: "/keys/\(index)/kty",
                    expected: "an object with kty, a string",
                    found: element["kty"]?.serialized().shown(limit: 60) ?? "no such member",
                    fix: "Add kty (RSA, EC or OKP), or remove the entry."
                )
            }
    }

    static let typesAreRight = Check(
        "keys.members.have-the-right-type",
        "The members of each key have the right JSON type",
        .must,
        .signIn,
        Citation(.rfc7517, "4.5", "value is a case-sensitive string"),
        why: "A typed client cannot read the set at all when one member has another type.",
        reads: Documents.eachKey
    ) { key, _ in
        let strings = ["use", "alg", "kid", "x5u", "x5t", "x5t#S256", "crv", "n", "e", "x", "y"]
        let lists = ["key_ops", "x5c"]
        let wrong =
            strings.filter { key.object[$0].map { $0.stringValue == nil } ?? false }.map { ($0, "a string") }
            + lists.filter { key.object[$0].map { $0.strings == nil } ?? false }.map { ($0, "an array of strings") }
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

    static let typeIsKnown = Check(
        "keys.kty.is-known",
        "Every key is of a type and on a curve that this tool knows",
        .may,
        .signIn,
        Citation(.rfc7517, "5", "Implementations SHOULD ignore JWKs within a JWK Set that use \"kty\""),
        why: "Nothing is wrong with it, but some client libraries drop the whole set over one unknown key.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("kty"),
        finding: { key, _ in
            guard let kty = key.jwk.kty else { return nil }
            let curve = key.jwk.crv.map { ["EC", "OKP"].contains(kty) && Curve(rawValue: $0) == nil } ?? false
            guard key.jwk.keyType == nil || curve else { return nil }
            let found = curve ? "crv \((key.jwk.crv ?? "").quoted)" : "kty \(kty.quoted)"
            return key.finding(
                "\(key.label) has \(found), which is not judged",
                at: curve ? "crv" : "kty",
                expected: "RSA, EC or OKP, on a curve of RFC 7518 or RFC 8037",
                found: found,
                fix: "Nothing, unless a client cannot read the set; then publish that key elsewhere."
            )
        }
    )

    static let useIsKnown = Check(
        "keys.use.is-known",
        "The use of each key is sig or enc",
        .may,
        .signIn,
        Citation(.rfc7517, "4.2", "Values defined by this specification are"),
        why: "A client that looks for sig does not take a key with any other use.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("use"),
        finding: { key, _ in
            guard let use = key.jwk.use, !JOSERegistry.keyUses.contains(use) else { return nil }
            return key.finding(
                "use of \(key.label) is \(use.quoted)",
                at: "use",
                expected: "sig or enc",
                found: use.shown(),
                fix: "Write \"use\": \"sig\" for a key that signs ID Tokens."
            )
        }
    )

    static let useIsStated = Check(
        "keys.use.is-stated-beside-encryption-keys",
        "Where keys to encrypt with are published, each key says what it is for",
        .must,
        .conformance,
        Citation(.discovery, "3", "a use (public key use) parameter value is REQUIRED for all keys"),
        why: "A client tries the signature of an ID Token with a key that is for encryption, and refuses the token.",
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
                "the set holds keys to sign and to encrypt with, and no use is stated of "
                    + silent.prefix(8).map(\.label).joined(separator: ", ") + more,
                at: silent.count == 1 ? "\(silent[0].pointer)/use" : "/keys",
                expected: "sig or enc, in every key",
                found: "no such member",
                fix: "Write \"use\": \"sig\" for keys that sign, and \"use\": \"enc\" for keys to encrypt with."
            )
        }
    )

    static let addressUsesTLS = Check(
        "keys.x5u.uses-https",
        "The certificate that a key refers to is fetched over https",
        .must,
        .safety,
        Citation(.rfc7517, "4.6", "an HTTP GET request to retrieve the certificate MUST use TLS"),
        why:
            "Over http an attacker on the way puts a certificate of their own there, and signs in as anybody at clients "
            + "that take the key from it.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("x5u"),
        finding: { key, _ in
            guard let text = key.jwk.x5u, !URIReference(text).isHTTPS else { return nil }
            return key.finding(
                "x5u of \(key.label) is no https address",
                at: "x5u",
                expected: "an address that begins with https://",
                found: text.shown(limit: 120),
                fix: "Serve the certificate over https and write that address, or leave x5u out."
            )
        }
    )

    static let notBoth = Check(
        "keys.use-and-key-ops.are-not-both-stated",
        "A key states use or key_ops, not both",
        .should,
        .signIn,
        Citation(.rfc7517, "4.3", "SHOULD NOT be used together"),
        why: "Two statements of one thing come apart sooner or later.",
        reads: Documents.eachKey,
        exempt: unlessConsistent,
        finding: { key, _ in
            guard key.object.has("use"), key.object.has("key_ops") else { return nil }
            return key.finding(
                "\(key.label) has both use and key_ops",
                at: "key_ops",
                expected: "one of the two",
                found: key.object["key_ops"]?.serialized().shown(),
                fix: "Remove key_ops, which fewer clients read."
            )
        }
    )

    static let consistent = Check(
        "keys.use-and-key-ops.are-consistent",
        "use and key_ops of a key do not contradict each other",
        .must,
        .signIn,
        Citation(.rfc7517, "4.3", "the information they convey MUST be consistent"),
        why: "One client may use the key and another may not, so sign-in works in one place only.",
        reads: Documents.eachKey,
        finding: { key, _ in
            guard !areConsistent(key) else { return nil }
            return key.finding(
                "use of \(key.label) is \((key.jwk.use ?? "").quoted), which its key_ops do not allow",
                at: "key_ops",
                expected: "operations for \((key.jwk.use ?? "").quoted)",
                found: key.jwk.keyOps?.written,
                fix: "Remove key_ops, or make it [\"verify\"] for use sig and [\"wrapKey\"] or its like for use enc."
            )
        }
    )

    static let operationsAreDistinct = Check(
        "keys.key-ops.are-distinct",
        "key_ops names each operation once",
        .must,
        .conformance,
        Citation(.rfc7517, "4.3", "Duplicate key operation values MUST NOT be present in the array"),
        why: "Strict client libraries refuse such a key.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("key_ops"),
        finding: { key, _ in
            let operations = key.jwk.keyOps ?? []
            guard Set(operations).count < operations.count else { return nil }
            return key.finding(
                "key_ops of \(key.label) names an operation twice",
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
        why: "No client can use the key: what it says of itself cannot be.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("alg")
    ) { key, _ in
        let jwk = key.jwk
        guard let alg = jwk.alg, let type = jwk.keyType else { return [] }
        let signature = JWSAlgorithm(rawValue: alg)
        let encrypts = KeyManagementAlgorithm(rawValue: alg) != nil
        var reasons: [String] = []
        if let signature, !signature.accepts(type, jwk.curve) { reasons.append("is for keys of another type or curve") }
        if signature != nil, jwk.use == "enc" { reasons.append("signs, and use is enc") }
        if encrypts, jwk.use == "sig" { reasons.append("encrypts, and use is sig") }
        return reasons.map { reason in
            key.finding(
                "alg of \(key.label) is \(alg.quoted), which \(reason)",
                at: "alg",
                expected: "an algorithm for \([jwk.kty, jwk.crv, jwk.use].compactMap { $0?.shown() }.listed)",
                found: alg.shown(),
                fix: "Correct alg or use, or leave alg out."
            )
        }
    }

    static let all: [Check] = [
        typeIsPresent, typesAreRight, typeIsKnown, useIsKnown, useIsStated, addressUsesTLS, notBoth, consistent,
        operationsAreDistinct, algorithmFits,
    ]

    /// Whether an operation is left that the use allows; a key without both members is consistent.
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
        areConsistent(key) ? nil : "they contradict each other, which another check tells"
    }
}
