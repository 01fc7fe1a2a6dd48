import Conformance

/// Checks of the TLS connection to each host of the provider.
enum CertificateChecks {
    static let isTrusted = refusal(
        "transport.certificate.is-trusted",
        "A trusted authority issued the certificate",
        Citation(.discovery, "7.2", "TLS certificate checking MUST be performed by the RP"),
        why: "No client can connect, so users cannot sign in.",
        fix: TLSFacts.Refusal.untrusted.fix,
        isRefused: { reason, chain in
            switch reason {
            case .untrusted, .other: true
            // The chain is complete up to an unknown issuer: usually a private authority.
            case .intermediateMissing: isLinked(chain)
            default: false
            }
        }
    )

    static let intermediatesAreSent = refusal(
        "transport.intermediates.are-sent",
        "The server sends the intermediate certificates",
        Citation(.rfc5280, "6.1", "the subject of certificate x is the issuer of certificate x+1"),
        why:
            "Browsers fetch missing certificates and hide the fault; a platform's servers do not, and reject the connection.",
        fix: TLSFacts.Refusal.intermediateMissing.fix,
        isRefused: { reason, chain in reason == .intermediateMissing && !isLinked(chain) }
    )

    static let namesHost = refusal(
        "transport.certificate.names-the-host",
        "The certificate names the host",
        Citation(.rfc9110, "4.3.4", "MUST verify that the service's identity is an acceptable match"),
        why: "No client can connect, so users cannot sign in.",
        fix: TLSFacts.Refusal.hostNameMismatch.fix,
        isRefused: { reason, _ in reason == .hostNameMismatch }
    )

    static let isNotExpired = refusal(
        "transport.certificate.is-not-expired",
        "The certificate has not expired",
        Citation(.rfc5280, "6.1.3", "The certificate validity period includes the current time"),
        why: "No client can connect, so users cannot sign in.",
        fix: TLSFacts.Refusal.expired.fix,
        isRefused: { reason, _ in reason == .expired }
    )

    static let isAlreadyValid = refusal(
        "transport.certificate.is-already-valid",
        "The certificate's validity period has begun",
        Citation(.rfc5280, "6.1.3", "The certificate validity period includes the current time"),
        why: "No client with a correct clock can connect.",
        fix: TLSFacts.Refusal.notYetValid.fix,
        isRefused: { reason, _ in reason == .notYetValid }
    )

    static let protocolIsNew = Check(
        "transport.protocol.is-tls-1-2-or-newer",
        "The server supports TLS 1.2 or newer",
        .must,
        .signIn,
        Citation(.rfc9325, "3.1.1", "Implementations MUST support TLS 1.2"),
        why: "Platforms have disabled older versions and cannot connect.",
        reads: Documents.handshakes,
        finding: { facts, _ in
            let old = ["SSLv2", "SSLv3", "TLSv1", "TLSv1.0", "TLSv1.1"]
            var isRefused = false
            if case .refused(.protocolTooOld, _) = facts.verification { isRefused = true }
            guard isRefused || facts.version.map(old.contains) ?? false else { return nil }
            return Finding(
                "The server offers nothing newer than \(facts.version?.shown() ?? "TLS 1.1").",
                expected: "TLSv1.2 or TLSv1.3",
                found: facts.version?.shown() ?? "the handshake failed",
                fix: TLSFacts.Refusal.protocolTooOld.fix
            )
        }
    )

    static let hasAlternativeNames = Check(
        "transport.certificate.has-alternative-names",
        "The certificate has a subject alternative name",
        .must,
        .signIn,
        Citation(.rfc9110, "4.3.4", "A reference identity of type CN-ID MUST NOT be used by clients."),
        why: "Go, Chromium, Node.js and Python ignore the common name and reject the certificate.",
        reads: Documents.handshakes,
        exempt: unlessVerified,
        finding: { facts, _ in
            guard let own = facts.chain.first, own.names.isEmpty else { return nil }
            return Finding(
                "The certificate has no subject alternative name.",
                expected: "the host in the subject alternative name",
                found: own.subject.shown(),
                fix: "Reissue the certificate with the host as subjectAltName."
            )
        }
    )

    static let lastsTwoWeeks = Check(
        "transport.certificate.lasts-two-weeks",
        "The certificate is valid for at least two more weeks",
        .risk,
        .signIn,
        Citation(.experience, "", "certificates that were not renewed in time"),
        why: "If automatic renewal has failed unnoticed, sign-in stops for all users when the certificate expires.",
        reads: Documents.handshakes,
        exempt: unlessVerified
    ) { facts, all in expiry(facts, all).map { $0 < 14 } == true ? [soon(facts, all, "at least 14 days")] : [] }

    static let all: [Check] = [
        isTrusted, intermediatesAreSent, namesHost, isNotExpired, isAlreadyValid, protocolIsNew, hasAlternativeNames,
        lastsTwoWeeks,
    ]

    /// Whether the server sent more certificates than its own, each the issuer of the one before it.
    private static func isLinked(_ chain: [CertificateFacts]) -> Bool {
        chain.count > 1 && zip(chain, chain.dropFirst()).allSatisfy { $0.issuer == $1.subject }
    }

    /// A check that fails if certificate verification failed for such a reason.
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
                    "Certificate verification fails: \(detail.shown()).",
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

    /// The days until expiry, by the clock of the run.
    private static func expiry(_ tls: TLSFacts, _ facts: Facts) -> Double? {
        tls.chain.first.map { ($0.notAfter - facts.observedAt) / 86_400 }
    }

    private static func soon(_ tls: TLSFacts, _ facts: Facts, _ expected: String) -> Finding {
        let days = Int(expiry(tls, facts) ?? 0)
        return Finding(
            "The certificate expires in \(counted(days, "day")).",
            expected: expected,
            found: tls.chain.first.map { HTTPDate.text($0.notAfter) },
            fix: "Renew the certificate, and find out why it was not renewed automatically."
        )
    }

    private static let unlessVerified: @Sendable (TLSFacts, Facts) -> String? = { tls, _ in
        if case .refused = tls.verification { return "certificate verification failed (reported by another check)" }
        return tls.chain.isEmpty ? "the certificates were not recorded" : nil
    }
}
