import Conformance
import JOSE
import JSONTree

/// The values of each key.
enum KeyMaterialChecks {
    static let noPrivate = Check(
        "keys.material.has-no-private-members",
        "The key set contains no private keys",
        .must,
        .safety,
        Citation(.discovery, "3", "The JWK Set MUST NOT contain private or symmetric key values"),
        why: "An attacker can sign ID Tokens for any user with the published key, which must be replaced immediately.",
        reads: Documents.eachKey,
        exempt: unlessAsymmetric,
        finding: { key, _ in
            let members = key.jwk.privateMembers
            if members.isEmpty { return nil }
            return key.finding(
                "\(key.label.sentenceStart) contains private members.",
                at: members.first,
                expected: "public members only",
                found: "the members \(members.listed)",
                fix: "Withdraw this key immediately, sign with a new one, and publish only its public members."
            )
        }
    )

    /// Thumbprints (RFC 7638) of keys whose private half is published, with the place.
    private static let published = [
        "r1LkbBo3925Rb2ZFFrKyU3MVex9T2817Kx0vbi6i_Kc": "the default key of oidc-provider for Node.js",
        "dJZnjGLXZiG0QUUuovRWdfYZ7rCmbGEnxQL9os7mGdQ": "the default key of MITREid Connect",
        "2ieGkwdRC2QD2INnIzjiB30RPkIwOnw8eK2IoobVUaA": "the default key of MITREid Connect with Spring Boot",
        "IsUn6_e04MaShXFIISMp4kG62LWzMIPy_MvSA5pJgX8": "the example of RFC 7515 appendix A.2",
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs": "the example of RFC 7517 appendix A.2",
        "zFHVsM9dc4OlHIwvEnVqfKzRj1ujqYGsZnXAcgn_CqI": "the example of jwt.io for RS256",
    ]

    static let isNotAnExample = Check(
        "keys.material.is-no-published-example",
        "The key set contains no key whose private key is publicly known",
        .must,
        .safety,
        Citation(.discovery, "3", "The JWK Set MUST NOT contain private or symmetric key values"),
        why:
            "An attacker can sign ID Tokens for any user with the private key, which a product or a document contains.",
        reads: Documents.eachKey,
        supersededBy: ["keys.material.has-no-private-members"],
        finding: { key, _ in
            guard let place = key.leniently.flatMap({ published[$0.thumbprint] }) else { return nil }
            return key.finding(
                "\(key.label.sentenceStart) is \(place), with a private half that anyone can download.",
                expected: "a key that was generated for this provider",
                found: place,
                fix: "Generate a key, sign with it, and remove this one from the key set."
            )
        }
    )

    static let noSymmetric = Check(
        "keys.material.has-no-symmetric-key",
        "The key set contains no symmetric keys",
        .must,
        .safety,
        Citation(.discovery, "3", "The JWK Set MUST NOT contain private or symmetric key values"),
        why: "An attacker can sign with the key, because the shared secret is public.",
        reads: Documents.eachKey,
        finding: { key, _ in
            guard key.jwk.keyType == .oct else { return nil }
            return key.finding(
                "\(key.label.sentenceStart) is a symmetric key.",
                at: "kty",
                expected: "RSA, EC or OKP",
                found: "oct",
                fix: "Remove the key from the set, and replace this secret wherever it is used."
            )
        }
    )

    static let membersArePresent = Check(
        "keys.members.are-present",
        "Each key has all members that its type requires",
        .must,
        .signIn,
        Citation(.rfc7518, "6.3.1", "The following members MUST be present for RSA public keys"),
        why: "Clients cannot use a key without a required member.",
        reads: Documents.eachKey
    ) { key, _ in
        let names: [String] =
            switch key.jwk.keyType {
            case .rsa: ["n", "e"]
            case .ec: ["crv", "x", "y"]
            case .okp: ["crv", "x"]
            case .oct, nil: []
            }
        return names.filter { !key.object.has($0) }
            .map { member in
                key.finding(
                    "\(key.label.sentenceStart) has no \(member).",
                    at: member,
                    expected: names.written,
                    found: "no such member",
                    fix: "Publish the complete public key, or remove the entry."
                )
            }
    }

    static let isBase64URL = Check(
        "keys.values.are-base64url",
        "The values of each key are base64url without padding",
        .must,
        .signIn,
        Citation(.rfc7515, "2", "with all trailing '=' characters omitted"),
        why:
            "Strict client libraries reject the key. Lenient ones hide the error until the application changes its library.",
        reads: Documents.eachKey
    ) { key, _ in
        values(of: key)
            .compactMap { member, text in
                do {
                    _ = try Base64URL.decode(text)
                    return nil
                } catch {
                    return key.finding(
                        "\(member) of \(key.label) is not base64url: \(error)",
                        at: member,
                        expected: "A-Z a-z 0-9 - _ without padding",
                        found: text.shown(limit: 60),
                        fix: Base64URL.decodeLeniently(text) == nil
                            ? "Encode \(member) again, as base64url."
                            : "Replace + with - and / with _, and remove = in \(member)."
                    )
                }
            }
    }

    static let noLeadingZero = Check(
        "keys.rsa.values-have-no-leading-zero",
        "The numbers of RSA keys have no leading zero byte",
        .must,
        .conformance,
        Citation(.rfc7518, "2", "MUST utilize the minimum number of octets needed to represent the value"),
        why: "Some platforms reject the key, and others compute a different thumbprint from it.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.rsa)
    ) { key, _ in
        ["n", "e"]
            .filter { member in
                let bytes = key.jwk.lenientBytes(of: member) ?? []
                return bytes.count > 1 && bytes.first == 0
            }
            .map { member in
                key.finding(
                    "\(member) of \(key.label) begins with a zero byte",
                    at: member,
                    expected: "the number in as few bytes as possible",
                    found: key.object[member]?.stringValue?.shown(limit: 40),
                    fix: "Remove the leading zero bytes before encoding \(member)."
                )
            }
    }

    static let isLongEnough = Check(
        "keys.rsa.modulus-has-2048-bits",
        "RSA keys have at least 2048 bits",
        .must,
        .safety,
        Citation(.rfc7518, "3.3", "A key of size 2048 bits or larger MUST be used with these algorithms"),
        why:
            "An attacker who factors a shorter key can sign in as any user, and many client libraries reject such keys.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.rsa),
        finding: { key, _ in
            guard let bytes = key.jwk.n else { return nil }
            let bits = bitCount(bytes)
            guard bits < 2_048 else { return nil }
            return key.finding(
                "\(key.label.sentenceStart) has \(bits) bits.",
                at: "n",
                expected: "2048 bits or more",
                found: "\(bits) bits",
                fix: "Sign with a new RSA key of 2048 bits or more, and withdraw this one."
            )
        }
    )

    static let modulusIsOdd = Check(
        "keys.rsa.modulus-is-odd",
        "The modulus of RSA keys is odd",
        .must,
        .safety,
        // The members of RFC 7518 section 6.3.1 contain the integers that this definition is about.
        Citation(.rfc8017, "3.1", "the RSA modulus n is a product of u distinct odd primes"),
        why:
            "An even modulus has the factor 2. An attacker who finds the other factor can sign ID Tokens for any user.",
        reads: Documents.eachKey,
        exempt: unlessModulusIsANumber,
        finding: { key, _ in
            guard let last = key.jwk.n?.last, last.isMultiple(of: 2) else { return nil }
            return key.finding(
                "The modulus of \(key.label) is even.",
                at: "n",
                expected: "an odd number, the product of two primes",
                found: "a number whose last byte is \(last)",
                fix: "Encode the modulus of the real key again. If the real modulus is even, replace the key."
            )
        }
    )

    static let modulusIsANumber = Check(
        "keys.rsa.modulus-is-no-encoded-key",
        "The modulus of RSA keys is a number, not a key in PEM or DER",
        .must,
        .signIn,
        Citation(.rfc7518, "6.3.1.1", "contains the modulus value for the RSA public key"),
        why: "Clients treat the encoded key as the modulus, and cannot verify any signature.",
        reads: Documents.eachKey,
        exempt: unlessModulusIsANumber,
        finding: { key, _ in
            guard let bytes = key.jwk.lenientBytes(of: "n"), let form = EncodedKey(bytes) else { return nil }
            return key.finding(
                "n of \(key.label) is \(form.rawValue)",
                at: "n",
                expected: "the modulus alone, its bytes in base64url",
                found: key.object["n"]?.stringValue?.shown(limit: 40),
                fix: "Extract the modulus from the key, and encode its bytes in base64url."
            )
        }
    )

    static let cannotBeFactored = Check(
        "keys.rsa.modulus-has-no-known-weakness",
        "RSA keys do not have the weakness CVE-2017-15361 (ROCA)",
        .risk,
        .safety,
        Citation(.experience, "", "keys of a library of smart cards that can be factored (CVE-2017-15361)"),
        why: "An attacker can compute the private key from the published key, and sign in as any user.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.rsa),
        finding: { key, _ in
            guard key.leniently?.hasROCAFingerprint == true else { return nil }
            return key.finding(
                "The modulus of \(key.label) has the fingerprint of CVE-2017-15361.",
                at: "n",
                expected: "the product of two random primes",
                found: key.object["n"]?.stringValue?.shown(limit: 40),
                fix: "Generate a new key in software or with newer firmware, sign with it, and withdraw this key."
            )
        }
    )

    static let exponentIsOdd = Check(
        "keys.rsa.exponent-is-odd",
        "The exponent of RSA keys is odd and greater than one",
        .must,
        .signIn,
        Citation(.rfc8017, "3.1", "the RSA public exponent e is an integer between 3 and n - 1"),
        why: "With any other exponent, RSA signatures do not work, or an attacker can forge them.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.rsa),
        finding: { key, _ in
            guard let bytes = key.jwk.e else { return nil }
            let significant = bytes.drop { $0 == 0 }
            if let last = significant.last, !last.isMultiple(of: 2), Array(significant) != [1] { return nil }
            return key.finding(
                "The exponent of \(key.label) is \(significant.isEmpty ? "zero" : "even or one").",
                at: "e",
                expected: "AQAB (65537)",
                found: key.object["e"]?.stringValue?.shown(limit: 40),
                fix: "Publish the exponent of the real key, usually AQAB."
            )
        }
    )

    static let coordinatesAreFull = Check(
        "keys.ec.coordinates-have-full-length",
        "The coordinates of EC keys have the full length of the curve",
        .must,
        .signIn,
        Citation(.rfc7518, "6.2.1.2", "MUST be the full size of a coordinate for the curve"),
        why:
            "Clients reject a coordinate without its leading zeros, which affects about one in a hundred generated keys.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.ec)
    ) { key, _ in wrongLengths(key, members: ["x", "y"]) }

    static let pointIsOnCurve = Check(
        "keys.ec.point-is-on-the-curve",
        "The point of each EC key is on its curve",
        .must,
        .signIn,
        Citation(.rfc7518, "6.2.1", "which together define a point on an Elliptic Curve"),
        why: "Client libraries reject the key, and often the whole set.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.ec),
        finding: { key, _ in
            guard case .failure(let error) = key.built, error.code == .notOnCurve else { return nil }
            return key.finding(
                "The point of \(key.label) is not on \((key.jwk.crv ?? "").quoted).",
                at: "x",
                expected: "a point of the curve",
                found: "x and y that do not satisfy its equation",
                fix: "Encode x and y of the real key again. They may be swapped, or crv may be wrong."
            )
        }
    )

    static let bytesAreFull = Check(
        "keys.okp.value-has-full-length",
        "The value of OKP keys has the length that the curve requires",
        .must,
        .signIn,
        Citation(.rfc8037, "2", "MUST be present and contain the public key"),
        why: "Clients cannot use a key of the wrong length.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.okp)
    ) { key, _ in wrongLengths(key, members: ["x"]) }

    static let orderIsLarge = Check(
        "keys.okp.point-is-not-of-small-order",
        "The point of each OKP key is not of small order",
        // RFC 8725 binds the verifier; no specification prohibits publishing such a key.
        .risk,
        .safety,
        Citation(.rfc8725, "3.4", "points not on the specified elliptic curve or other invalid points"),
        why: "An attacker can forge a signature that such a key verifies, without any secret, and sign in as any user.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessType(.okp),
        finding: { key, _ in
            guard key.jwk.isOfSmallOrder else { return nil }
            return key.finding(
                "The point of \(key.label) is of small order.",
                at: "x",
                expected: "the public value of a generated key pair",
                found: key.object["x"]?.stringValue?.shown(limit: 80),
                fix: "Generate a key pair with a library, publish its public value, and withdraw this key."
            )
        }
    )

    static let all: [Check] = [
        noPrivate, isNotAnExample, noSymmetric, membersArePresent, isBase64URL, noLeadingZero, isLongEnough,
        modulusIsOdd, modulusIsANumber, cannotBeFactored, exponentIsOdd, coordinatesAreFull, pointIsOnCurve,
        bytesAreFull, orderIsLarge,
    ]

    private static let unlessModulusIsANumber: KeyExemption.Reason = { key, facts in
        if let why = KeyExemption.unlessType(.rsa)(key, facts) { return why }
        return bitCount(key.jwk.n ?? []) == 0
            ? "the key has no modulus, or the modulus is zero, which another check reports" : nil
    }

    private static let unlessAsymmetric: KeyExemption.Reason = { key, _ in
        key.jwk.keyType == .oct ? "the key is symmetric, which another check reports" : nil
    }

    /// The public values of the key that are strings.
    private static func values(of key: PublishedKey) -> [(member: String, text: String)] {
        let members: [String] =
            switch key.jwk.keyType {
            case .rsa: ["n", "e"]
            case .ec: ["x", "y"]
            case .okp: ["x"]
            case .oct, nil: []
            }
        return members.compactMap { member in key.object[member]?.stringValue.map { (member, $0) } }
    }

    private static func wrongLengths(_ key: PublishedKey, members: [String]) -> [Finding] {
        guard let curve = key.jwk.curve, curve.keyType == key.jwk.keyType else { return [] }
        return members.compactMap { member in
            guard let bytes = key.jwk.lenientBytes(of: member), bytes.count != curve.length else { return nil }
            return key.finding(
                "\(member) of \(key.label) has \(bytes.count) bytes",
                at: member,
                expected: "\(curve.length) bytes for \(curve.rawValue)",
                found: "\(bytes.count) bytes",
                fix: "Encode \(member) with its leading zeros, in exactly \(curve.length) bytes."
            )
        }
    }

    /// The number of significant bits; 0 for zero and for no bytes.
    private static func bitCount(_ bytes: [UInt8]) -> Int {
        let significant = bytes.drop { $0 == 0 }
        return significant.first.map { significant.count * 8 - $0.leadingZeroBitCount } ?? 0
    }
}
