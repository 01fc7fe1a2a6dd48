import Catalogue
import Conformance
import ReferenceProvider
import Testing

@Suite("Handshakes")
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
        "each reason of refusal fails one check",
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

    @Test("a host that could not be reached fails nothing and passes nothing")
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

    @Test("a private authority is noted for a public host, and is nobody's business on loopback")
    func privateAuthority() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified, usedPrivateAuthority: true)
        let noted = failures(host("op.example", .observed(tls)))
        #expect(noted == ["transport.authority.is-public"])
        #expect(failures(host("localhost", .observed(tls))).isEmpty)
    }

    @Test("HSTS is missed only where something was received over https")
    func strictTransportSecurity() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified)
        var silent = host("op.example", .observed(tls), hsts: nil)
        #expect(failures(silent) == ["transport.strict-transport-security.is-sent"])
        silent.hasAnswered = false
        #expect(failures(silent).isEmpty)
    }

    @Test("old versions of TLS are named", arguments: ["TLSv1", "TLSv1.1", "SSLv3"])
    func versions(version: String) {
        let tls = TLSFacts(version: version, chain: [], verification: .verified)
        let check: CheckID = "transport.protocol.is-tls-1-2-or-newer"
        #expect(failures(host("op.example", .observed(tls))) == [check])
    }
}
