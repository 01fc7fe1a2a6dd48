import OtherPrograms
import TestSupport
import Testing
import Transport

/// The parts of TLS that a hostile server could use, against an interactive `openssl s_server`.
@Suite(.timeLimit(.minutes(5)), .oracle(.program("openssl")), .oracle(.program("python3"))) struct HandshakeAttackTests
{
    /// TLS extensions by number (IANA registry).
    private static let statusRequest = 5
    private static let preSharedKey = 41

    @Test(arguments: [(version: "-tls1_2", handshakes: 2), ("-tls1_3", 1)])
    func `no OCSP response is requested, no session is resumed, and a renegotiation shows the same certificate`(
        version: String,
        handshakes: Int
    ) async throws {
        let folder = try await CertificateFolder.shared.value
        let (exchanges, outcome) = try await Self.beside(version, handshakes, folder) { url in
            let client = HTTPClient(
                configuration: TransportConfiguration(
                    certificateAuthorityFile: folder.path + "/authority.pem",
                    addressPolicy: AddressPolicy(allowedHosts: ["localhost", "127.0.0.1"])
                )
            )
            return [await client.get(url), await client.get(url)]
        }
        for exchange in exchanges {
            #expect(exchange.response?.status == 200, "\(String(describing: exchange.failure))")
            #expect(exchange.tls?.chain == [try folder.bytes("good.der")])
            #expect(exchange.tls?.verification == .verified)
        }
        let requested = Self.extensions(outcome)
        #expect(requested.count { $0 == 0 } == 2 * handshakes, "each handshake names the server: \(outcome.words)")
        // Early data needs a resumed session (RFC 8446 section 2.3).
        #expect(Set(requested).isDisjoint(with: [Self.statusRequest, Self.preSharedKey]), "\(requested)")
        #expect(!outcome.text.contains("Reused session-id"), "\(outcome.text)")
    }

    @Test("the server sees a resumed session if there is one", .oracle(.program("curl")))
    func control() async throws {
        let folder = try await CertificateFolder.shared.value
        let (_, outcome) = try await Self.beside("-tls1_3", 1, folder) { url in
            try await OtherProgram.run("curl", ["-sS", "--cacert", folder.path + "/authority.pem", url, url])
        }
        #expect(Self.extensions(outcome).contains(Self.preSharedKey), "\(outcome.words)")
        #expect(outcome.text.contains("Reused session-id"), "\(outcome.words)")
    }

    private static func extensions(_ outcome: OtherProgram.Outcome) -> [Int] {
        outcome.text.matches(of: /extension (\d+)/).compactMap { Int($0.output.1) }
    }

    /// The result of the body, which makes two connections to the server at the URL, and the server's output.
    private static func beside<Value: Sendable>(
        _ version: String,
        _ handshakes: Int,
        _ folder: CertificateFolder,
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> (Value, OtherProgram.Outcome) {
        let (value, outcome) = try await OtherProgram.beside(
            "python3",
            ["-c", script, version, "\(handshakes)"],
            in: folder.path
        ) { server in
            var port: Int?
            for await line in server.lines {
                port = Int(line)
                break
            }
            return try await body("https://localhost:\(try #require(port))/")
        }
        return (value, outcome)
    }

    /// Accepts two connections: prints the port, the extensions of each handshake and whether the session was resumed, and
    /// renegotiates after the request if two handshakes are expected.
    private static let script = #"""
        import re, subprocess, sys
        version, handshakes = sys.argv[1], int(sys.argv[2])
        server = subprocess.Popen(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "good.pem", "-key", "good.key",
             "-tlsextdebug", "-naccept", "2", version],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")
        def say(text):
            server.stdin.write(text)
            server.stdin.flush()
        seen, asked = 0, False
        for line in server.stdout:
            if port := re.match(r"ACCEPT .*:(\d+)$", line.strip()):
                print(port[1], flush=True)
            if extension := re.match(r'TLS client extension ".*" \(id=(\d+)\)', line):
                print("extension", extension[1], flush=True)
                seen += extension[1] == "0"
            if line.startswith("Reused session-id"):
                print("Reused session-id", flush=True)
            if line.startswith("GET / "):
                asked = True
                if handshakes > 1:
                    say("r\n")
            if asked and seen == handshakes:
                seen, asked = 0, False
                say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        server.wait()
        """#
}
