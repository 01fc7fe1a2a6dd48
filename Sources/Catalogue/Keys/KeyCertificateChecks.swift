import Conformance
import JOSE
import JSONTree

/// The certificates that keys contain.
enum KeyCertificateChecks {
    static let parses = Check(
        "keys.x5c.holds-certificates",
        "x5c contains certificates in padded base64",
        .must,
        .signIn,
        Citation(.rfc7517, "4.7", "a base64-encoded (Section 4 of [RFC4648] -- not base64url-encoded) DER"),
        why: "Client libraries that read x5c reject the key, and some reject the whole set.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("x5c")
    ) { key, _ in
        let texts = key.jwk.x5c ?? []
        let broken: [(Int, String)] = key.certificateTexts.enumerated()
            .compactMap { index, read in
                guard case .failure(let error) = read, !isWrapped(texts[index]) else { return nil }
                return (index, "\(error)")
            }
        return broken.map { index, reason in
            key.finding(
                "Certificate \(index) of \(key.label) cannot be read: \(reason).",
                at: "x5c/\(index)",
                expected: "a DER certificate in base64 with padding",
                found: texts.indices.contains(index) ? texts[index].shown(limit: 40) : "[]",
                fix: "Encode the DER certificate as base64 on one line, or leave x5c out."
            )
        }
    }

    static let isOnOneLine = Check(
        "keys.x5c.is-on-one-line",
        "x5c is not empty and contains no line breaks",
        .must,
        .conformance,
        Citation(.rfc7517, "4.7", "a base64-encoded (Section 4 of [RFC4648] -- not base64url-encoded) DER"),
        why: "The specification allows neither, although the measured clients accept both.",
        reads: Documents.eachKey,
        exempt: KeyExemption.unlessMember("x5c")
    ) { key, _ in
        let texts = key.jwk.x5c ?? []
        let places = texts.indices.filter { isWrapped(texts[$0]) }
        return (key.jwk.x5c?.isEmpty == true ? [0] : places)
            .map { index in
                key.finding(
                    texts.isEmpty
                        ? "x5c of \(key.label) is empty." : "Certificate \(index) of \(key.label) has line breaks.",
                    at: "x5c/\(index)",
                    expected: "a DER certificate in base64 on one line",
                    found: texts.isEmpty ? "[]" : texts[index].shown(limit: 40),
                    fix: "Encode the DER certificate as base64 on one line, or leave x5c out."
                )
            }
    }

    /// Whether a text is base64 but for its line breaks.
    private static func isWrapped(_ text: String) -> Bool {
        text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
            && text.utf8.allSatisfy { byte in
                byte == 0x0A || byte == 0x0D || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || "+/=".utf8.contains(byte)
            }
    }

    static let certifiesKey = Check(
        "keys.x5c.certifies-the-key",
        "The first certificate in x5c certifies the key",
        .must,
        .signIn,
        Citation(.rfc7517, "4.7", "The key in the first certificate MUST match the public key"),
        why: "A client that takes the key from the certificate verifies signatures with the wrong key.",
        reads: Documents.eachKey,
        exempt: unlessComparable,
        finding: { key, _ in
            guard let certificate = key.certificates.first, let own = key.leniently, !certificate.certifies(own) else {
                return nil
            }
            return key.finding(
                "The first certificate of \(key.label) is for another key.",
                at: "x5c/0",
                expected: "the key of this entry",
                found: certificate.subject.shown(),
                fix: "Put the certificate of this key first in x5c, or leave x5c out."
            )
        }
    )

    static let isChain = Check(
        "keys.x5c.is-a-chain",
        "Each further certificate in x5c certifies the previous one",
        .risk,
        .conformance,
        Citation(.rfc7517, "4.7", "each subsequent certificate being the one used to certify the previous one"),
        why: "A client that verifies the chain rejects the key.",
        reads: Documents.eachKey,
        exempt: unlessCertified
    ) { key, _ in
        let chain = key.certificates
        return zip(chain, chain.dropFirst()).enumerated()
            .filter { $0.element.1.publicKey != nil && !$0.element.0.isSigned(by: $0.element.1) }
            .map { index, pair in
                key.finding(
                    "Certificate \(index + 1) of \(key.label) does not certify certificate \(index).",
                    at: "x5c/\(index + 1)",
                    expected: pair.0.issuer.shown(),
                    found: pair.1.subject.shown(),
                    fix: "Order x5c from the key's own certificate up to the root, or keep only the first certificate."
                )
            }
    }

    static let isValid = Check(
        "keys.x5c.is-valid-now",
        "The key's certificate is within its validity period",
        .may,
        .conformance,
        Citation(.rfc5280, "4.1.2.5", "the time interval during which the CA warrants"),
        why: "Few OpenID Connect clients check the validity period, but one that does rejects the key.",
        reads: Documents.eachKey,
        exempt: unlessCertified,
        finding: { key, facts in
            guard let certificate = key.certificates.first, !certificate.isValid(at: facts.observedAt) else {
                return nil
            }
            let isExpired = certificate.notAfter < facts.observedAt
            let moment = HTTPDate.text(isExpired ? certificate.notAfter : certificate.notBefore)
            return key.finding(
                "The certificate of \(key.label) is \(isExpired ? "expired" : "not valid yet").",
                at: "x5c/0",
                expected: "a certificate that is valid now",
                found: isExpired ? "valid until \(moment)" : "valid from \(moment)",
                fix: "Renew the certificate with the same key, or leave x5c out."
            )
        }
    )

    static let sha1Matches = thumbprint(
        "keys.x5t.matches-the-certificate",
        "x5t",
        Citation(.rfc7517, "4.8", "base64url-encoded SHA-1 thumbprint (a.k.a. digest) of the DER encoding")
    ) { $0.x5t }

    static let sha256Matches = thumbprint(
        "keys.x5t-s256.matches-the-certificate",
        "x5t#S256",
        Citation(.rfc7517, "4.9", "base64url-encoded SHA-256 thumbprint (a.k.a. digest) of the DER encoding")
    ) { $0.x5tS256 }

    static let thumbprintsAreUsable = Check(
        "keys.thumbprints.are-usable",
        "The certificate thumbprints of each key are valid and match its certificate",
        // The cited sentence is a definition without a MUST.
        .risk,
        .signIn,
        Citation(.rfc7517, "4.8", "base64url-encoded SHA-1 thumbprint (a.k.a. digest) of the DER encoding"),
        why:
            "Clients that use go-jose reject the whole key set because of one wrong thumbprint, even of a key that signs nothing.",
        reads: Documents.eachKey,
        exempt: unlessThumbprint
    ) { key, _ in
        let certificate = key.certificates.first
        return [("x5t", 20, certificate?.x5t), ("x5t#S256", 32, certificate?.x5tS256)]
            .compactMap { member, length, expected -> Finding? in
                guard let text = key.object[member]?.stringValue,
                    let problem = problem(with: text, bytes: length, expected)
                else { return nil }
                return key.finding(
                    "\(member) of \(key.label) \(problem)",
                    at: member,
                    expected: expected ?? "\(length) bytes in base64url, without padding",
                    found: text.shown(limit: 120),
                    fix: "Set \(member) to the digest of the certificate's DER encoding in base64url, or omit it."
                )
            }
    }

    private static func problem(with thumbprint: String, bytes length: Int, _ expected: String?) -> String? {
        // All measured clients accept an empty thumbprint.
        if thumbprint.isEmpty { return nil }
        guard let bytes = try? Base64URL.decode(thumbprint) else { return "is not base64url" }
        let digits = String(decoding: bytes, as: UTF8.self)
        let isHex = bytes.count == 2 * length && digits.allSatisfy(\.isHexDigit)
        guard isHex || bytes.count == length else { return "has \(bytes.count) bytes" }
        guard let expected = expected.flatMap({ try? Base64URL.decode($0) }) else { return nil }
        // go-jose accepts the hexadecimal digits of the digest instead of the digest.
        let hex = expected.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let isSame = isHex ? digits.lowercased() == hex : bytes == expected
        return isSame ? nil : "is not the thumbprint of its certificate"
    }

    static let all: [Check] = [
        parses, isOnOneLine, certifiesKey, isChain, isValid, sha1Matches, sha256Matches, thumbprintsAreUsable,
    ]

    private static let unlessThumbprint: KeyExemption.Reason = { key, _ in
        key.object.has("x5t") || key.object.has("x5t#S256") ? nil : "the key has neither x5t nor x5t#S256"
    }

    private static let unlessCertified: KeyExemption.Reason = { key, _ in
        key.certificates.isEmpty ? "the key has no readable certificate" : nil
    }

    /// A certificate may contain a key of a type that JOSE does not define, such as RSA restricted to PSS.
    private static let unlessComparable: KeyExemption.Reason = { key, facts in
        if let why = unlessCertified(key, facts) { return why }
        return key.certificates.first?.publicKey == nil ? "the certificate contains a key of an unsupported type" : nil
    }

    /// `keys.thumbprints.are-usable` covers the thumbprints over which client libraries drop the whole key set.
    private static func thumbprint(
        _ id: CheckID,
        _ member: String,
        _ citation: Citation,
        _ expected: @escaping @Sendable (Certificate) -> String
    ) -> Check {
        Check(
            id,
            "\(member) is the thumbprint of the key's certificate",
            // The cited sentence is a definition without a MUST, and clients find keys by kid, so they accept a wrong one.
            .risk,
            .conformance,
            citation,
            why: "A client finds no key for a token that names its key by thumbprint.",
            reads: Documents.eachKey,
            supersededBy: ["keys.thumbprints.are-usable"],
            exempt: unlessBoth(member),
            finding: { key, _ in
                guard let certificate = key.certificates.first, let text = key.object[member]?.stringValue,
                    !text.isSameBytes(as: expected(certificate))
                else { return nil }
                let stated = Base64URL.decodeLeniently(text).map { String(decoding: $0, as: UTF8.self) } ?? ""
                let isHex = !stated.isEmpty && stated.allSatisfy(\.isHexDigit)
                return key.finding(
                    "\(member) of \(key.label) is not the thumbprint of its certificate"
                        + (isHex ? ": it encodes the hexadecimal digits of the thumbprint" : ""),
                    at: member,
                    expected: expected(certificate),
                    found: text.shown(limit: 120),
                    fix: "Set \(member) to \(expected(certificate)), or leave it out."
                )
            }
        )
    }

    private static func unlessBoth(_ member: String) -> KeyExemption.Reason {
        { key, facts in key.object.has(member) ? unlessCertified(key, facts) : "the key has no \(member)" }
    }
}

extension PublishedKey {
    /// The readable certificates up to the first unreadable one, beginning with the key's own.
    fileprivate var certificates: [Certificate] {
        certificateTexts.prefix { (try? $0.get()) != nil }.compactMap { try? $0.get() }
    }
}
