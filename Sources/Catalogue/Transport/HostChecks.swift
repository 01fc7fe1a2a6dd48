import Conformance

/// The certificate authority and the HSTS header of each host of the provider.
enum HostChecks {
    static let authorityIsPublic = Check(
        "transport.authority.is-public",
        "The certificate is trusted without a private authority",
        .risk,
        .signIn,
        Citation(.experience, "", "providers that only machines with a private authority installed can reach"),
        why: "A platform in the cloud does not trust the private authority and cannot connect.",
        reads: Documents.hosts,
        exempt: unlessPublicHost,
        finding: { host, _ in
            guard host.tls.value?.usedPrivateAuthority == true else { return nil }
            return Finding(
                "\(host.host.quoted) is trusted only because of the additional authorities "
                    + "(--ca-file or network.ca_file).",
                expected: "an authority that the system trusts",
                found: host.tls.value?.chain.last?.issuer.shown(),
                fix: "Install a certificate of a public authority, or configure the platform to trust the private one."
            )
        }
    )

    static let sendsHSTS = Check(
        "transport.strict-transport-security.is-sent",
        "The provider sends Strict-Transport-Security",
        .may,
        .safety,
        Citation(.rfc6797, "7.1", "HSTS Host SHOULD include in its response message"),
        why: "If a user types the address without https, an attacker can show a copy of the sign-in page.",
        reads: Documents.hosts,
        exempt: { host, facts in
            if !host.hasAnswered { return "the host returned no response over https" }
            // A response that reports an unavailable server seldom comes from that server.
            let answers = facts.evidence.exchanges.compactMap(\.response)
            return answers.allSatisfy { $0.whyNotNow != nil } ? "every response was a temporary failure" : nil
        },
        finding: { host, _ in
            guard host.strictTransportSecurity == nil else { return nil }
            return Finding(
                "\(host.host.quoted) sends no Strict-Transport-Security.",
                at: "Strict-Transport-Security",
                expected: "max-age=31536000",
                found: "no such header",
                fix: "Send the header Strict-Transport-Security: max-age=31536000 over https."
            )
        }
    )

    static let all: [Check] = [authorityIsPublic, sendsHSTS]

    private static let unlessPublicHost: @Sendable (HostObservation, Facts) -> String? = { host, _ in
        if host.tls.value == nil { return "no handshake was observed" }
        return HostKind(host.host) == .public ? nil : "the host is not public, so it does not need a public authority"
    }
}
