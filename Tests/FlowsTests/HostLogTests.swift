import Conformance
import JOSE
import Testing
import Transport

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct HostLogTests {
    private let failed = { (cause: TransportFailure.Cause) in
        TransportFailure(step: .securing, host: "op.example", cause: cause)
    }

    private func exchange(
        _ url: String = "https://op.example/x",
        version: String? = nil,
        chain: [[UInt8]] = [],
        failure: TransportFailure? = nil,
        headers: [HTTPField] = []
    ) -> HTTPExchange {
        HTTPExchange(
            request: HTTPRequest(url: url),
            response: failure == nil ? HTTPResponse(status: 200, headers: headers) : nil,
            failure: failure,
            tls: version.map { version in
                Transport.TLSFacts(
                    version: version,
                    cipher: "",
                    verification: .verified,
                    chain: chain,
                    hostMatched: true
                )
            }
        )
    }

    private func entry(_ exchanges: HTTPExchange...) throws -> HostLog.Entry {
        var log = HostLog()
        for exchange in exchanges { log.note(exchange) }
        let place = try #require(HostPlace("https://op.example"))
        return try #require(log[place])
    }

    @Test(arguments: [
        (CertificateProblem.expired(depth: 0), Conformance.TLSFacts.Refusal.expired),
        (.notYetValid(depth: 0), .notYetValid), (.selfSigned, .untrusted), (.untrustedRoot, .untrusted),
        (.unknownAuthority, .untrusted), (.intermediateMissing, .intermediateMissing),
        (.wrongHost(reason: "x"), .hostNameMismatch), (.other(code: 1, reason: "x", depth: 0), .other),
    ])
    func `a refused certificate is reported by its kind`(
        problem: CertificateProblem,
        refusal: Conformance.TLSFacts.Refusal
    ) throws {
        let facts = try entry(exchange(version: "TLSv1.3", failure: failed(.certificateRefused(problem))))
            .facts { CertificateReadings.read($0, []) }
        #expect(facts.value?.verification == .refused(reason: refusal, detail: problem.summary))
        #expect(facts.value?.version == "TLSv1.3")
    }

    @Test(arguments: [
        (nil, "error:0A000102:SSL routines::unsupported protocol", Conformance.TLSFacts.Refusal.protocolTooOld),
        (nil, "error:0A00042E:SSL routines::tlsv1 alert protocol version", .protocolTooOld),
        ("TLSv1.1", "error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported", .protocolTooOld),
    ])
    func `a server with old versions only is reported from other handshake failures`(
        version: String?,
        reason: String,
        refusal: Conformance.TLSFacts.Refusal
    ) throws {
        let facts = try entry(exchange(version: version, failure: failed(.tlsHandshake(reason: reason))))
            .facts { CertificateReadings.read($0, []) }
        #expect(facts.value?.verification == .refused(reason: refusal, detail: reason))
    }

    /// No certificate was seen, and “install a certificate” would be wrong advice.
    @Test(arguments: [
        (nil, "error:0A00010B:SSL routines::wrong version number", "plain HTTP"),
        ("TLSv1.2", "error:0A000410:SSL routines::sslv3 alert handshake failure", "shares no parameters"),
        (nil, "error:0A000458:SSL routines::tlsv1 unrecognized name", "does not know this host name"),
        (nil, "error:0A000126:SSL routines::unexpected eof while reading", "closed during the TLS handshake"),
        (
            nil, "OpenSSL SSL_connect: Connection reset by peer in connection to op.example:443",
            "closed during the TLS handshake"
        ),
        (nil, "error:0A00045C:SSL routines::tlsv13 alert certificate required", "client certificate"),
        (nil, "error:0A000438:SSL routines::tlsv1 alert internal error", "internal error"),
    ])
    func `a handshake that came to no certificate is no refused certificate`(
        version: String?,
        reason: String,
        meaning: String
    ) throws {
        let facts = try entry(exchange(version: version, failure: failed(.tlsHandshake(reason: reason))))
            .facts { CertificateReadings.read($0, []) }
        guard case .absent(let why) = facts else {
            Issue.record("unexpected: \(facts)")
            return
        }
        #expect(why.text.contains(meaning) && why.text.contains(reason))
    }

    @Test func `a host that was not reached is absent`() throws {
        let facts = try entry(exchange(failure: failed(.refused))).facts { CertificateReadings.read($0, []) }
        guard case .absent(let why) = facts else {
            Issue.record("unexpected: \(facts)")
            return
        }
        #expect(why.text.contains("refused"))
    }

    @Test func `a completed handshake outweighs an earlier failure, and the policy is kept`() throws {
        let entry = try entry(
            exchange(failure: failed(.timedOut(seconds: 1))),
            exchange(version: "TLSv1.3", headers: [HTTPField(name: "strict-transport-security", value: "max-age=1")]),
            exchange(version: "TLSv1.2"),
            exchange(failure: failed(.timedOut(seconds: 1)))
        )
        #expect(entry.facts { CertificateReadings.read($0, []) }.value?.version == "TLSv1.3")
        #expect(entry.facts { CertificateReadings.read($0, []) }.value?.verification == .verified)
        #expect(entry.strictTransportSecurity == "max-age=1")
    }

    @Test func `certificates are read, and trust from the private file is reported`() throws {
        let authority = try CertificateAuthority.make(commonName: "Root", validity: 1000...9_000_000_000)
        let below = try authority.intermediate(commonName: "Below", validity: 1000...9_000_000_000)
        let issued = try below.issue(dnsNames: ["op.example"], ipAddresses: ["127.0.0.1"], validity: 2000...3000)
        let entry = try entry(exchange(version: "TLSv1.3", chain: issued.chain.map(\.der)))
        let facts = try #require(entry.facts { CertificateReadings.read($0, [authority.certificate]) }.value)
        #expect(facts.usedPrivateAuthority)
        #expect(facts.chain.map(\.names) == [["op.example", "127.0.0.1"], []])
        #expect(facts.chain.map(\.isSelfSigned) == [false, false])
        #expect(facts.chain.first?.notBefore == 2000)
        #expect(facts.chain.first?.notAfter == 3000)
        #expect(facts.chain.first?.sha256.count == 64)
        let other = try CertificateAuthority.make(commonName: "Root", validity: 1000...9_000_000_000)
        #expect(entry.facts { CertificateReadings.read($0, [other.certificate]) }.value?.usedPrivateAuthority == false)
        #expect(CertificateFacts(der: [1, 2, 3]).subject == "unreadable certificate")
    }
}
