import Conformance

/// What a connection to each host of the provider shows.
enum CertificateChecks {
    static let isTrusted = refusal(
        "transport.certificate.is-trusted",
        "The certificate comes from a trusted authority",
        Citation(.discovery, "7.2", "TLS certificate checking MUST be performed by the RP"),
        why: "No client connects, and nobody can sign in.",
        fix: "Install a certificate of a public authority, or give --ca-file the private one that issued it. "
            + "Where its authority is public, the chain that is sent may end too early.",
        isRefused: { reason, chain in
            switch reason {
            case .untrusted, .other: true
            // What was sent is linked up to somebody who is not known: a private authority, as a rule.
            case .intermediateMissing: isLinked(chain)
            default: false
            }
        }
    )

    static let intermediatesAreSent = refusal(
        "transport.intermediates.are-sent",
        "The server sends the intermediate certificates",
        Citation(.rfc5280, "6.1", "the subject of certificate x is the issuer of certificate x+1"),
        why: "Browsers hide the fault because they fetch what is missing; servers of a platform do not, and refuse.",
        fix:
            "Configure the web server with the full chain (fullchain.pem), its own certificate first. If its issuer is a "
            + "private authority and nothing is missing, give --ca-file that authority.",
        isRefused: { reason, chain in reason == .intermediateMissing && !isLinked(chain) }
    )

    static let namesHost = refusal(
        "transport.certificate.names-the-host",
        "The certificate is for the host",
        Citation(.rfc9110, "4.3.4", "MUST verify that the service's identity is an acceptable match"),
        why: "No client connects, and nobody can sign in.",
        fix: "Issue a certificate that has this host among its subject alternative names.",
        isRefused: { reason, _ in reason == .hostNameMismatch }
    )

    static let isNotExpired = refusal(
        "transport.certificate.is-not-expired",
        "The certificate is not expired",
        Citation(.rfc5280, "6.1.3", "The certificate validity period includes the current time"),
        why: "No client connects, and nobody can sign in.",
        fix: "Renew the certificate, and let it be renewed by a timer from now on.",
        isRefused: { reason, _ in reason == .expired }
    )

    static let isAlreadyValid = refusal(
        "transport.certificate.is-already-valid",
        "The certificate is valid already",
        Citation(.rfc5280, "6.1.3", "The certificate validity period includes the current time"),
        why: "No client with a right clock connects.",
        fix: "Wait until the certificate is valid, or correct the clock of the machine that issued it.",
        isRefused: { reason, _ in reason == .notYetValid }
    )

    static let protocolIsNew = Check(
        "transport.protocol.is-tls-1-2-or-newer",
        "TLS 1.2 or newer is spoken",
        .must,
        .signIn,
        Citation(.rfc9325, "3.1.1", "Implementations MUST support TLS 1.2"),
        why: "Platforms have turned older versions off, and cannot connect.",
        reads: Documents.handshakes,
        finding: { facts, _ in
            let old = ["SSLv2", "SSLv3", "TLSv1", "TLSv1.0", "TLSv1.1"]
            var isRefused = false
            if case .refused(.protocolTooOld, _) = facts.verification { isRefused = true }
            guard isRefused || facts.version.map(old.contains) ?? false else { return nil }
            return Finding(
                "the server offers nothing newer than \(facts.version?.shown() ?? "TLS 1.1")",
                expected: "TLSv1.2 or TLSv1.3",
                found: facts.version?.shown() ?? "the handshake was refused",
                fix: "Turn on TLS 1.2 and TLS 1.3 at the web server."
            )
        }
    )

    static let hasAlternativeNames = Check(
        "transport.certificate.has-alternative-names",
        "The certificate names its hosts in the subject alternative name",
        .must,
        .signIn,
        Citation(.rfc9110, "4.3.4", "A reference identity of type CN-ID MUST NOT be used by clients."),
        why: "Go, Chromium, Node.js and Python do not look at the common name, and refuse the certificate.",
        reads: Documents.handshakes,
        exempt: unlessVerified,
        finding: { facts, _ in
            guard let own = facts.chain.first, own.names.isEmpty else { return nil }
            return Finding(
                "the certificate has no subject alternative name",
                expected: "the host in the subject alternative name",
                found: own.subject.shown(),
                fix: "Issue the certificate anew with the host as subjectAltName."
            )
        }
    )

    static let lastsTwoWeeks = Check(
        "transport.certificate.lasts-two-weeks",
        "The certificate is valid for two weeks more",
        .risk,
        .signIn,
        Citation(.experience, "", "certificates that were not renewed in time"),
        why: "When its renewal has failed unseen, sign-in stops for everybody on one day.",
        reads: Documents.handshakes,
        exempt: unlessVerified
    ) { facts, all in
        expiry(facts, all).map { $0 < 14 } == true ? [soon(facts, all, "at least 14 days")] : []
    }

    static let all: [Check] = [
        isTrusted, intermediatesAreSent, namesHost, isNotExpired, isAlreadyValid, protocolIsNew, hasAlternativeNames,
        lastsTwoWeeks,
    ]

    /// Whether certificates beside the server's own were sent, each the issuer of the one before it.
    private static func isLinked(_ chain: [CertificateFacts]) -> Bool {
        chain.count > 1 && zip(chain, chain.dropFirst()).allSatisfy { $0.issuer == $1.subject }
    }

    /// A rule that the verification of the certificate was not refused for such a reason.
    private static func refusal(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        why: String,
        fix: String,
        isRefused: @escaping @Sendable (TLSFacts.Refusal, [CertificateFacts]) -> Bool
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .signIn,
            citation,
            why: why,
            reads: Documents.handshakes,
            finding: { facts, _ in
                guard case .refused(let reason, let detail) = facts.verification, isRefused(reason, facts.chain) else {
                    return nil
                }
                let own = facts.chain.first
                return Finding(
                    "the certificate was refused: \(detail.shown())",
                    expected: title,
                    found: own.map { describe($0).shown() } ?? "no certificate",
                    fix: fix
                )
            }
        )
    }

    private static func describe(_ certificate: CertificateFacts) -> String {
        "\(certificate.subject), for \(certificate.names.joined(separator: ", ")), issued by \(certificate.issuer), "
            + "valid from \(HTTPDate.text(certificate.notBefore)) to \(HTTPDate.text(certificate.notAfter))"
    }

    /// Days that are left, by the clock of the collection.
    private static func expiry(_ tls: TLSFacts, _ facts: Facts) -> Double? {
        tls.chain.first.map { ($0.notAfter - facts.observedAt) / 86_400 }
    }

    private static func soon(_ tls: TLSFacts, _ facts: Facts, _ expected: String) -> Finding {
        let days = Int(expiry(tls, facts) ?? 0)
        return Finding(
            "the certificate expires in \(days) \(days == 1 ? "day" : "days")",
            expected: expected,
            found: tls.chain.first.map { HTTPDate.text($0.notAfter) },
            fix: "Renew the certificate, and see why its renewal did not run by itself."
        )
    }

    private static let unlessVerified: @Sendable (TLSFacts, Facts) -> String? = { tls, _ in
        if case .refused = tls.verification { return "the certificate was refused, which another check tells" }
        return tls.chain.isEmpty ? "the certificates were not kept" : nil
    }
}
