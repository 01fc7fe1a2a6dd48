import Foundation
import TestSupport
import Testing
import Transport

/// Certificates and TLS against `openssl s_server`, which presents any certificate.
@Suite(.timeLimit(.minutes(5)), .oracle(.program("openssl")), .oracle(.program("python3"))) struct TLSTests {
    private func client(
        _ folder: CertificateFolder,
        trusting authority: String? = "authority.pem",
        longestRest: Int = 2
    ) -> HTTPClient {
        HTTPClient(
            configuration: TransportConfiguration(
                connectTimeout: 5,
                totalTimeout: 10,
                longestRest: longestRest,
                certificateAuthorityFile: authority.map { folder.path + "/" + $0 },
                addressPolicy: AddressPolicy(allowedHosts: ["localhost", "127.0.0.1"])
            )
        )
    }

    @Test func `a private authority is trusted only when it is named`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "good")
        defer { server.stop() }
        let trusted = await client(folder).get(server.url)
        #expect(trusted.failure == nil)
        #expect(trusted.response?.status == 200)
        let facts = try #require(trusted.tls)
        #expect(facts.version == "TLSv1.3")
        #expect(facts.cipher.hasPrefix("TLS_"))
        #expect(facts.verification == .verified)
        #expect(facts.hostMatched == true)
        #expect(facts.chain == [try folder.bytes("good.der")])
        #expect(trusted.timings.tls >= trusted.timings.connect)

        let untrusted = await client(folder, trusting: nil).get(server.url)
        #expect(untrusted.failure?.cause == .certificateRefused(.intermediateMissing))
        #expect(untrusted.failure?.step == .securing)
        #expect(untrusted.failure?.description.contains("--ca-file") == true)
        #expect(untrusted.tls?.chain == [try folder.bytes("good.der")])
        #expect(untrusted.tls?.hostMatched == nil)
        #expect(untrusted.response == nil)
    }

    @Test func `an expired certificate is refused as expired`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "expired")
        defer { server.stop() }
        let exchange = await client(folder).get(server.url)
        #expect(exchange.failure?.cause == .certificateRefused(.expired(depth: 0)))
        guard case .refused(10, _, 0) = exchange.tls?.verification else {
            Issue.record("unexpected: \(String(describing: exchange.tls))")
            return
        }
        #expect(exchange.tls?.chain == [try folder.bytes("expired.der")])
    }

    @Test func `a certificate for another name is reported from an untrusted one`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "wrong")
        defer { server.stop() }
        let exchange = await client(folder).get(server.url)
        guard case .certificateRefused(.wrongHost) = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
        #expect(exchange.tls?.verification == .verified)
        #expect(exchange.tls?.hostMatched == false)
    }

    @Test func `a missing intermediate is reported, and a sent one is recorded`() async throws {
        let folder = try await CertificateFolder.shared.value
        let without = try await ServingProgram(folder, certificate: "leaf")
        defer { without.stop() }
        let refused = await client(folder).get(without.url)
        #expect(refused.failure?.cause == .certificateRefused(.intermediateMissing))
        guard case .refused(20, _, _) = refused.tls?.verification else {
            Issue.record("unexpected: \(String(describing: refused.tls))")
            return
        }
        let with = try await ServingProgram(folder, certificate: "leaf", chain: "intermediate")
        defer { with.stop() }
        let accepted = await client(folder).get(with.url)
        #expect(accepted.failure == nil)
        #expect(accepted.tls?.chain == [try folder.bytes("leaf.der"), try folder.bytes("intermediate.der")])
    }

    @Test func `self-signed certificates and untrusted roots are reported apart`() async throws {
        let folder = try await CertificateFolder.shared.value
        let alone = try await ServingProgram(folder, certificate: "selfsigned")
        defer { alone.stop() }
        #expect(await client(folder).get(alone.url).failure?.cause == .certificateRefused(.selfSigned))
        let withRoot = try await ServingProgram(folder, certificate: "good", chain: "authority")
        defer { withRoot.stop() }
        let exchange = await client(folder, trusting: nil).get(withRoot.url)
        #expect(exchange.failure?.cause == .certificateRefused(.untrustedRoot))
        #expect(exchange.tls?.chain.count == 2)
    }

    @Test func `an old protocol version is a failed handshake`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(
            folder,
            certificate: "good",
            arguments: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
        )
        defer { server.stop() }
        let exchange = await client(folder).get(server.url)
        guard case .tlsHandshake = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
    }

    @Test func `TLS 1.2 is recorded with its cipher`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "good", arguments: ["-tls1_2"])
        defer { server.stop() }
        let facts = try #require(await client(folder).get(server.url).tls)
        #expect(facts.version == "TLSv1.2")
        #expect(facts.cipher.hasPrefix("ECDHE-"))
    }

    @Test func `an authority file without certificates is named`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "good")
        defer { server.stop() }
        for file in ["authority.ext", "missing.pem"] {
            let exchange = await client(folder, trusting: file).get(server.url)
            guard case .trustUnreadable(let path, _) = exchange.failure?.cause else {
                Issue.record("\(file): \(String(describing: exchange.failure))")
                continue
            }
            #expect(path.hasSuffix(file))
        }
    }

    @Test func `plain HTTP on an https port is a failed handshake`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(folder, certificate: "good")
        defer { server.stop() }
        let exchange = await client(folder).get("http://localhost:\(server.port)/")
        #expect(exchange.failure != nil)
        #expect(exchange.tls == nil)
    }

    @Test func `a connection used again still shows its certificates`() async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(Self.staysOpen, in: folder)
        defer { server.stop() }
        let client = client(folder, longestRest: 900)
        let first = await client.get(server.url)
        let second = await client.get(server.url)
        #expect(first.response?.status == 200)
        #expect(second.reusedConnection)
        #expect(second.tls != nil)
        #expect(second.tls == first.tls)
        // A new client makes a full handshake, and so does a new connection of the same client.
        let url = server.url
        let many = await withTaskGroup(of: TLSFacts?.self) { group in
            for _ in 0..<10 { group.addTask { await client.get(url).tls } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(many.allSatisfy { $0?.chain == first.tls?.chain })
    }
    /// Python's server over TLS with connections that stay open.
    private static let staysOpen = """
        import http.server, ssl
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def do_GET(self):
                self.send_response(200); self.send_header('Content-Length', '2'); self.end_headers()
                self.wfile.write(b'ok')
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('good.pem', 'good.key')
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}
