import Catalogue
import Conformance
import ReferenceProvider
import Testing

@Suite("Handshakes")
struct HandshakeTests {
    private func failures(_ host: HostObservation, requested url: String?) -> Set<CheckID> {
        var evidence = DocumentProvider().evidence
        evidence.endedAt = DocumentProvider.now
        evidence.hosts = [host]
        evidence.exchanges = []
        if let url {
            let request = Exchange.Request(method: "GET", url: url)
            let response = Exchange.Response(status: 200, headers: [], body: .text(""))
            evidence.exchanges = [
                Exchange(id: 0, step: "test", request: request, response: response, startedAt: DocumentProvider.now)
            ]
        }
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
        #expect(failures(host("op.example", .observed(tls)), requested: nil) == [CheckID(check)])
    }

    @Test("a host that could not be reached fails nothing and passes nothing")
    func unreachable() {
        var evidence = DocumentProvider().evidence
        evidence.hosts = [host("op.example", .absent("refused"), hsts: nil)]
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        for check in TransportChecks.all {
            #expect(["inconclusive", "notApplicable"].contains(check.judge(facts).word), "\(check.id)")
        }
    }

    @Test("a private authority is noted for a public host, and is nobody's business on loopback")
    func privateAuthority() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified, usedPrivateAuthority: true)
        let noted = failures(host("op.example", .observed(tls)), requested: "https://op.example/")
        #expect(noted == ["transport.authority.is-public"])
        #expect(failures(host("localhost", .observed(tls)), requested: "https://localhost/").isEmpty)
    }

    @Test("HSTS is missed only where something was received over https")
    func strictTransportSecurity() {
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified)
        let silent = host("op.example", .observed(tls), hsts: nil)
        let check: CheckID = "transport.strict-transport-security.is-sent"
        #expect(failures(silent, requested: "https://OP.example:443/a") == [check])
        #expect(failures(silent, requested: "http://op.example/").isEmpty)
        #expect(failures(silent, requested: "https://op.example:8443/").isEmpty)
        #expect(failures(silent, requested: nil).isEmpty)
    }

    @Test("old versions of TLS are named", arguments: ["TLSv1", "TLSv1.1", "SSLv3"])
    func versions(version: String) {
        let tls = TLSFacts(version: version, chain: [], verification: .verified)
        let check: CheckID = "transport.protocol.is-tls-1-2-or-newer"
        #expect(failures(host("op.example", .observed(tls)), requested: nil) == [check])
    }
}
