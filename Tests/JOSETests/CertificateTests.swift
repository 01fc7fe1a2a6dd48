import Foundation
import JOSE
import OtherPrograms
import TestSupport
import Testing

/// Certificates, read by our code and by the command line of OpenSSL.
@Suite(.oracle(.program("openssl")), .timeLimit(.minutes(5))) struct CertificateTests {
    private static let start = 1_700_000_000.0
    private static let year = start...(start + 365 * 86_400)

    private func openssl(_ arguments: [String]) async throws -> OtherProgram.Outcome {
        try await OtherProgram.run("openssl", arguments)
    }

    @Test func `openssl accepts what the authority issues`() async throws {
        let root = try CertificateAuthority.make(commonName: "Test Root", validity: Self.year)
        let below = try root.intermediate(commonName: "Test Intermediate", validity: Self.year)
        let leaf = try below.issue(
            dnsNames: ["op.example", "*.op.example"],
            ipAddresses: ["127.0.0.1", "::1"],
            validity: Self.year
        )
        #expect(leaf.chain.count == 2)
        #expect(leaf.certificate.isSigned(by: below.certificate) && !leaf.certificate.isSigned(by: root.certificate))
        #expect(below.certificate.isSigned(by: root.certificate))
        try await Folder.temporary { folder in
            let rootFile = try folder.write(root.certificate.pem, as: "root.pem")
            let belowFile = try folder.write(below.certificate.pem, as: "below.pem")
            let leafFile = try folder.write(leaf.certificate.pem, as: "leaf.pem")
            func verify(at time: Double, _ host: [String]) async throws -> OtherProgram.Outcome {
                try await openssl(
                    ["verify", "-x509_strict", "-purpose", "sslserver", "-attime", String(Int(time))]
                        + host + ["-CAfile", rootFile, "-untrusted", belowFile, leafFile]
                )
            }
            for host in [["-verify_hostname", "op.example"], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"]] {
                let output = try await verify(at: Self.start + 1, host)
                #expect(output.code == 0, "\(output.words)")
            }
            #expect(try await verify(at: Self.start + 1, ["-verify_hostname", "other.example"]).code != 0)
            #expect(try await verify(at: Self.start - 1, []).words.contains("not yet valid"))
            #expect(try await verify(at: Self.year.upperBound + 1, []).words.contains("expired"))
        }
    }

    @Test func `our reading is that of openssl`() async throws {
        let root = try CertificateAuthority.make(commonName: "Röot, Inc", validity: Self.year)
        let leaf = try root.issue(dnsNames: ["op.example"], ipAddresses: ["2001:db8::1:0:0:1"], validity: Self.year)
        let certificate = leaf.certificate
        #expect(certificate.dnsNames == ["op.example"])
        #expect(certificate.ipAddresses == ["2001:db8::1:0:0:1"])
        #expect(certificate.subject == "CN=op.example")
        #expect(certificate.notBefore == Self.start && certificate.notAfter == Self.year.upperBound)
        #expect(!certificate.isSelfSigned && !certificate.isCertificateAuthority)
        #expect(root.certificate.isSelfSigned && root.certificate.isCertificateAuthority)
        #expect(certificate.certifies(leaf.key.publicKey) && !root.certificate.certifies(leaf.key.publicKey))
        #expect(try Certificate.parse(x5c: certificate.x5c) == certificate)
        try await Folder.temporary { folder in
            let file = try folder.write(certificate.pem, as: "leaf.pem")
            let asked = ["-issuer", "-serial", "-fingerprint", "-sha256", "-dateopt", "iso_8601", "-dates"]
            let text = try await openssl(["x509", "-in", file, "-noout", "-nameopt", "RFC2253,-esc_msb"] + asked).text
            let fingerprint = certificate.sha256Fingerprint.map { String(format: "%02X", $0) }.joined(separator: ":")
            #expect(text.contains("issuer=\(certificate.issuer)\n"))
            #expect(text.contains("serial=\(certificate.serial.uppercased())\n"))
            #expect(text.contains(fingerprint))
            #expect(text.contains("notBefore=2023-11-14 22:13:20Z"))
            let keyFile = try folder.write(try leaf.key.pem(), as: "key.pem")
            let derived = try await openssl(["pkey", "-in", keyFile, "-pubout"])
            let expected = try leaf.key.publicKey.pem()
            #expect(derived.text == expected)
        }
    }

    @Test(arguments: [PrivateKey.Kind.rsa(bits: 2_048), .ec(.p384), .ec(.p521), .ed25519, .ed448])
    func `a certificate gives its key as a JWK`(_ kind: PrivateKey.Kind) throws {
        let key = try PrivateKey.generate(kind)
        let issued = try CertificateAuthority.selfSigned(dnsNames: ["a.example"], validity: Self.year, key: key)
        let read = try #require(try Certificate.parse(der: issued.certificate.der).publicKey)
        #expect(read.jwk().object == key.publicKey.jwk().object)
        #expect(issued.certificate.isSelfSigned && issued.certificate.isValid(at: Self.start))
    }

    @Test func `bytes that are not one certificate are refused`() throws {
        let der = try CertificateAuthority.make(commonName: "R", validity: Self.year).certificate.der
        for bytes in [[], [1, 2, 3], Array(der.dropLast()), der + [0]] {
            let error = #expect(throws: JOSEError.self) { try Certificate.parse(der: bytes) }
            #expect(error?.code == .certificate)
        }
        let error = #expect(throws: JOSEError.self) { try Certificate.parse(x5c: "MI-I") }
        #expect(error?.code == .encoding)
    }

    @Test func `a name that would begin another one is refused`() throws {
        let root = try CertificateAuthority.make(commonName: "R", validity: Self.year)
        #expect(throws: JOSEError.self) { try root.issue(dnsNames: ["a,DNS:b"], validity: Self.year) }
    }
}
