import Conformance
import FoundationEssentials
import OtherPrograms
import ReferenceProvider
import TestSupport
import Testing

/// The TLS hooks, tested with OpenSSL's client.
@Suite("Certificates", .timeLimit(.minutes(5)), .oracle(.program("curl")), .oracle(.program("openssl")))
struct CertificateTests {
    struct Row: Sendable, CustomStringConvertible {
        var certificate: Hooks.ServerCertificate
        /// OpenSSL's verification results, any of which is expected (`man openssl-verification-options`).
        var codes: [Int]
        var count: Int
        var description: String { "\(certificate)" }
    }

    static let rows: [Row] = [
        Row(certificate: .good, codes: [0], count: 2), Row(certificate: .expired, codes: [10], count: 2),
        Row(certificate: .expiresSoon, codes: [0], count: 2), Row(certificate: .notYetValid, codes: [9], count: 2),
        Row(certificate: .wrongName, codes: [64], count: 2),
        Row(certificate: .commonNameOnly, codes: [64], count: 2),
        Row(certificate: .untrusted, codes: [19, 20], count: 2),
        Row(certificate: .intermediateMissing, codes: [20, 21], count: 1),
    ]

    private func connect(_ change: @escaping @Sendable (inout Hooks) -> Void) async throws -> String {
        let fault = Fault("transport.example", "a change of TLS", change: change)
        let provider = try await ReferenceProvider.start(ReferenceProviderConfiguration(.standard, faults: [fault]))
        let text = try await Programs.inDirectory { directory in
            let file = directory.appending(path: "ca.pem").path
            try provider.certificateAuthorityPEM.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await OtherProgram.run(
                "openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(provider.port)", "-CAfile", file, "-no-CApath",
                    "-no-CAstore", "-verify_ip", "127.0.0.1", "-showcerts",
                ]
            )
            return outcome.text + outcome.errors
        }
        await provider.stop()
        return text
    }

    @Test("Each certificate fails as its name states", arguments: rows)
    func certificates(_ row: Row) async throws {
        let text = try await connect { $0.certificate = row.certificate }
        let code = text.firstMatch(of: /Verify return code: ([0-9]+)/).flatMap { Int($0.output.1) }
        #expect(code.map(row.codes.contains) == true, "\(text)")
        #expect(text.matches(of: /BEGIN CERTIFICATE/).count >= row.count)
    }

    @Test("The server with obsolete TLS versions rejects TLS 1.2 and accepts TLS 1.1")
    func versions() async throws {
        let current = try await connect { _ in }
        #expect(current.contains("TLSv1.3"))
        let fault = Fault("transport.example", "TLS 1.1", change: { $0.tlsVersions = .obsolete })
        let provider = try await ReferenceProvider.start(ReferenceProviderConfiguration(.standard, faults: [fault]))
        let address = "127.0.0.1:\(provider.port)"
        let today = try await OtherProgram.run(
            "openssl",
            ["s_client", "-connect", address, "-min_protocol", "TLSv1.2"]
        )
        #expect(today.code != 0)
        #expect(today.errors.contains("protocol version"))
        let yesterday = try await OtherProgram.run(
            "openssl",
            ["s_client", "-connect", address, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]
        )
        #expect(yesterday.text.contains("TLSv1.1"))
        await provider.stop()
    }

    @Test("A response can be delayed")
    func delay() async throws {
        var configuration = ReferenceProviderConfiguration(.minimal, scheme: .http)
        configuration.answerDelay = 0.2
        let provider = try await ReferenceProvider.start(configuration)
        let outcome = try await OtherProgram.run(
            "curl",
            ["-sS", "-o", "/dev/null", "-w", "%{time_starttransfer}", provider.issuer + "/keys"]
        )
        await provider.stop()
        #expect(try #require(Double(outcome.text)) >= 0.2)
    }
}
