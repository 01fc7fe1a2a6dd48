import Conformance
import Foundation
import Testing

@testable import Catalogue

@Suite("Handshakes", .timeLimit(.minutes(5)))
struct HandshakeTests {
    private func failures(_ host: HostObservation) -> Set<CheckID> {
        var evidence = DocumentProvider().evidence
        evidence.hosts = [host]
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        return Set(TransportChecks.all.filter { !$0.judge(facts).findings.isEmpty }.map(\.id))
    }

    private func host(_ name: String, _ tls: Observation<TLSFacts>, hsts: String? = "max-age=1") -> HostObservation {
        HostObservation(host: name, port: 443, members: ["issuer"], tls: tls, strictTransportSecurity: hsts)
    }

    @Test(
        "each reason for a failed handshake fails one check",
        arguments: [
            (TLSFacts.Refusal.untrusted, "transport.certificate.is-trusted"),
            (.other, "transport.certificate.is-trusted"),
            (.intermediateMissing, "transport.intermediates.are-sent"),
            (.expired, "transport.certificate.is-not-expired"),
            (.notYetValid, "transport.certificate.is-already-valid"),
            (.hostNameMismatch, "transport.certificate.names-the-host"),
            (.protocolTooOld, "transport.protocol.is-tls-1-2-or-newer"),
        ]
    )
    func refusals(reason: TLSFacts.Refusal, check: String) {
        let tls = TLSFacts(version: nil, chain: [], verification: .refused(reason: reason, detail: "refused"))
        #expect(failures(host("op.example", .observed(tls))) == [CheckID(check)])
    }

    @Test(
        "a linked chain to an unknown authority is untrusted; a chain with a gap lacks intermediates",
        arguments: [
            (["CN=op issued by CN=Inner", "CN=Inner issued by CN=Outer"], "transport.certificate.is-trusted"),
            (["CN=op issued by CN=Inner"], "transport.intermediates.are-sent"),
            (["CN=op issued by CN=Inner", "CN=Other issued by CN=Outer"], "transport.intermediates.are-sent"),
        ]
    )
    func chains(chain: [String], check: String) throws {
        let certificates = chain.map { text in
            let names = text.components(separatedBy: " issued by ")
            return CertificateFacts(
                subject: names[0],
                issuer: names[1],
                names: [],
                notBefore: 0,
                notAfter: DocumentProvider.now * 2,
                sha256: "00",
                isSelfSigned: false
            )
        }
        let refusal = TLSFacts.Verification.refused(reason: .intermediateMissing, detail: "no issuer")
        let tls = TLSFacts(version: "TLSv1.3", chain: certificates, verification: refusal)
        let host = host("op.example", .observed(tls))
        #expect(failures(host) == [CheckID(check)])
        var evidence = DocumentProvider().evidence
        evidence.hosts = [host]
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        let finding = TransportChecks.all.lazy.compactMap { $0.judge(facts).findings.first }.first
        #expect(try #require(finding).fix.contains("--ca-file"))
    }

    @Test(
        "an unreachable host that no ordinary sign-in needs makes no check inconclusive",
        arguments: [
            (["x_vendor_endpoint"], false), (["introspection_endpoint"], false),
            (["x_vendor_endpoint", "token_endpoint"], true), (["issuer"], true),
        ]
    )
    func unneeded(members: [String], isNeeded: Bool) {
        var evidence = DocumentProvider().evidence
        evidence.hosts.append(
            HostObservation(host: "no.example", port: 443, members: members, tls: .absent("unknown host"))
        )
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        let unclear = CertificateChecks.all.filter { $0.judge(facts).word == "inconclusive" }
        #expect(unclear.isEmpty != isNeeded)
    }

    @Test("a host that only an extension member names fails no check")
    func extensions() {
        var refused = host(
            "op.example",
            .observed(TLSFacts(version: nil, chain: [], verification: .refused(reason: .expired, detail: "expired")))
        )
        refused.members = ["x_vendor_endpoint"]
        #expect(failures(refused).isEmpty)
        refused.members = ["revocation_endpoint"]
        #expect(failures(refused) == ["transport.certificate.is-not-expired"])
    }

    @Test("an unreachable host neither fails nor passes a check")
    func unreachable() {
        var evidence = DocumentProvider().evidence
        var silent = host("op.example", .absent("refused"), hsts: nil)
        silent.hasAnswered = false
        evidence.hosts = [silent]
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        for check in TransportChecks.all where check.needs.contains(.hosts) {
            #expect(["inconclusive", "notApplicable"].contains(check.judge(facts).word), "\(check.id)")
        }
    }

    @Test("a private authority is reported for a public host, but not for loopback")
    func privateAuthority() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified, usedPrivateAuthority: true)
        let noted = failures(host("op.example", .observed(tls)))
        #expect(noted == ["transport.authority.is-public"])
        #expect(failures(host("localhost", .observed(tls))).isEmpty)
    }

    @Test("missing HSTS is reported only if the host responded over https")
    func strictTransportSecurity() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified)
        var silent = host("op.example", .observed(tls), hsts: nil)
        #expect(failures(silent) == ["transport.strict-transport-security.is-sent"])
        silent.hasAnswered = false
        #expect(failures(silent).isEmpty)
    }

    @Test("old TLS versions fail the check", arguments: ["TLSv1", "TLSv1.1", "SSLv3"])
    func versions(version: String) {
        let tls = TLSFacts(version: version, chain: [], verification: .verified)
        let check: CheckID = "transport.protocol.is-tls-1-2-or-newer"
        #expect(failures(host("op.example", .observed(tls))) == [check])
    }
}
