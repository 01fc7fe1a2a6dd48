import Foundation
import OtherPrograms
import Serving
import TestSupport
import Testing

/// TLS with OpenSSL's client and with clients that disconnect early.
@Suite("TLS", .timeLimit(.minutes(5)), .oracle(.program("curl")), .oracle(.program("openssl")))
struct TLSTests {
    private static let request = "GET /tls HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// Runs `openssl s_client`; with a request, it runs until the server closes the connection.
    private func connect(_ port: Int, _ arguments: [String], asking request: String? = nil) async throws -> String {
        let certificates = try await Certificates.shared.value
        let outcome = try await OtherProgram.run(
            "openssl",
            ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", "authority.pem", "-no-CApath", "-no-CAstore"]
                + (request == nil ? [] : ["-ign_eof"]) + arguments,
            input: request ?? "",
            in: certificates.path
        )
        return outcome.words
    }

    @Test(
        "The server supports the configured TLS versions and no others",
        arguments: [
            (ServerIdentity.Version.tls12 ... .tls13, ["-tls1_2", "-tls1_3"]), (.tls12 ... .tls12, ["-tls1_2"]),
            (.tls13 ... .tls13, ["-tls1_3"]), (.tls10 ... .tls11, ["-tls1", "-tls1_1"]),
        ]
    )
    func versions(_ versions: ClosedRange<ServerIdentity.Version>, _ modelledRun: [String]) async throws {
        let identity = try await Certificates.shared.value.identity(versions: versions)
        try await Echo.beside(tls: identity) { server in
            for version in ["-tls1", "-tls1_1", "-tls1_2", "-tls1_3"] {
                let weak =
                    version.hasPrefix("-tls1_2") || version.hasPrefix("-tls1_3") ? [] : ["-cipher", "ALL:@SECLEVEL=0"]
                let text = try await connect(server.port, [version] + weak, asking: Self.request)
                #expect(text.contains("GET /tls 0 0\n") == modelledRun.contains(version), "\(version): \(text)")
                let isRefused = text.contains("protocol version") || text.contains("unsupported protocol")
                #expect(isRefused != modelledRun.contains(version), "\(version): \(text)")
            }
        }
    }

    @Test(
        "The server sends the certificate chain as configured",
        arguments: [(["leaf", "intermediate"], 0, 2), (["leaf"], 21, 1)] as [([String], Int, Int)]
    )
    func chain(_ names: [String], _ code: Int, _ count: Int) async throws {
        try await Echo.beside(tls: Certificates.shared.value.identity(chain: names)) { server in
            let text = try await connect(server.port, ["-showcerts", "-servername", "any.example"])
            #expect(text.contains("Verify return code: \(code) "), "\(text)")
            #expect(text.matches(of: /BEGIN CERTIFICATE/).count >= count)
            #expect(text.matches(of: /s:CN = (leaf|intermediate)/).count == count)
        }
    }

    @Test(
        "The server selects http/1.1 by ALPN, and serves clients that do not offer it",
        arguments: [
            ("http/1.1", "ALPN protocol: http/1.1"), ("h2,http/1.1", "ALPN protocol: http/1.1"),
            ("h2", "No ALPN negotiated"),
        ]
    )
    func protocols(_ offered: String, _ chosen: String) async throws {
        try await Echo.beside(tls: Certificates.shared.value.identity()) { server in
            let text = try await connect(server.port, ["-alpn", offered], asking: Self.request)
            #expect(text.contains(chosen) && text.contains("GET /tls 0 0\n"), "\(text)")
        }
    }

    @Test("A session is resumed, also at another server with the same identity", arguments: ["-tls1_2", "-tls1_3"])
    func tickets(_ version: String) async throws {
        let certificates = try await Certificates.shared.value
        let identity = try certificates.identity()
        let session = "session-\(UUID().uuidString).pem"
        try await Echo.beside(tls: identity) { first in
            try await Echo.beside(tls: identity) { second in
                let fresh = try await connect(first.port, [version, "-sess_out", session], asking: Self.request)
                #expect(fresh.contains("New, TLSv1") && fresh.contains("GET /tls 0 0\n"))
                for server in [first, second] {
                    let again = try await connect(server.port, [version, "-sess_in", session], asking: Self.request)
                    #expect(again.contains("Reused, TLSv1") && again.contains("GET /tls 0 0\n"), "\(again)")
                }
            }
        }
    }

    @Test("The server ends a connection with close_notify")
    func closeNotify() async throws {
        try await Echo.beside(tls: Certificates.shared.value.identity()) { server in
            let text = try await connect(server.port, ["-msg"], asking: Self.request)
            #expect(text.contains("<<< TLS 1.3, Alert [length 0002], warning close_notify"), "\(text)")
        }
    }

    @Test("Plain requests, partial handshakes and invalid data on a TLS port end, and other clients are served")
    func nonsense() async throws {
        var limits = ServerLimits()
        limits.idleness = .seconds(2)
        try await Echo.beside(tls: Certificates.shared.value.identity(), limits: limits) { server in
            let plain = try await RawClient.talk(server.port, Self.request)
            #expect(plain.end == .closed && !plain.text.contains("200 OK"))
            // The start of a record that never arrives, and a record with invalid content.
            let half = try await RawClient.talk(server.port, [[0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]])
            #expect(half.end != .silence)
            let wrong = try await RawClient.talk(server.port, [[0x16, 3, 1, 0, 4, 9, 9, 9, 9]])
            #expect(wrong.end != .silence)
            let silent = try await RawClient.talk(server.port, "")
            #expect(silent.end == .closed && silent.bytes.isEmpty)
            let text = try await connect(server.port, [], asking: Self.request)
            #expect(text.contains("GET /tls 0 0\n"))
        }
    }

    private static let breakingOff = """
        import socket, ssl, struct, sys
        port, authority = int(sys.argv[1]), sys.argv[2]
        context = ssl.create_default_context(cafile=authority)
        request = b"GET /tls HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
        def connect(version):
            context.maximum_version = version
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
            return socket.create_connection(("127.0.0.1", port)), client, incoming, outgoing
        def abort(connection):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            # Sends a prefix of the handshake or of a request; then the client disconnects, by a close or a reset.
            for count in list(range(0, 700, 23)) + [100_000]:
                for leave in (abort, socket.socket.close):
                    connection, client, incoming, outgoing = connect(version)
                    left = count
                    done = False
                    while left > 0 and not done:
                        try:
                            client.do_handshake()
                            client.write(request)
                            done = True
                        except ssl.SSLWantReadError:
                            pass
                        octets = outgoing.read()[:left]
                        left -= len(octets)
                        connection.sendall(octets)
                        if left > 0 and not done:
                            incoming.write(connection.recv(65536))
                    leave(connection)
        with socket.create_connection(("127.0.0.1", port)) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as connection:
                connection.sendall(request)
                assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
        print("well")
        """

    @Test("Handshakes and requests may be aborted at any byte")
    func brokenOff() async throws {
        let certificates = try await Certificates.shared.value
        try await Echo.beside(tls: certificates.identity()) { server in
            let outcome = try await OtherProgram.run(
                "python3",
                ["-c", Self.breakingOff, String(server.port), certificates.authorityFile]
            )
            #expect(outcome.text == "well\n", "\(outcome.errors)")
        }
    }

    @Test("A key of another certificate, or an invalid certificate, is reported as an error")
    func errors() async throws {
        let certificates = try await Certificates.shared.value
        #expect(throws: ServingError.self) { try certificates.identity(key: "other") }
        let key = try certificates.bytes("leaf.key.der")
        let leaf = try certificates.bytes("leaf.der")
        for (chain, key, words) in [
            ([], key, "the key does not match the first certificate"),
            ([key], key, "a certificate is not X.509 in DER"),
            ([leaf, [1, 2]], key, "a certificate is not X.509 in DER"),
            ([leaf], leaf, "the key does not match the first certificate"),
        ] as [([[UInt8]], [UInt8], String)] {
            let error = #expect(throws: ServingError.self) { try ServerIdentity(chain: chain, privateKey: key) }
            #expect(
                error?.description.hasPrefix("cannot serve TLS: \(words)") == true,
                "\(String(describing: error))"
            )
        }
    }
}
