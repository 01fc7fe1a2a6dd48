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
    private static let earlyData = 42

    @Test(arguments: [(version: "-tls1_2", handshakes: 2), ("-tls1_3", 1)])
    func `no early data, resumption or OCSP response is offered, and a renegotiation shows the same certificate`(
        version: String,
        handshakes: Int
    ) async throws {
        let folder = try await CertificateFolder.shared.value
        let (exchange, outcome) = try await OtherProgram.beside(
            "python3",
            ["-c", Self.script, version, "\(handshakes)"],
            in: folder.path
        ) { server in
            var port: Int?
            for await line in server.lines {
                port = Int(line)
                break
            }
            let client = HTTPClient(
                configuration: TransportConfiguration(
                    certificateAuthorityFile: folder.path + "/authority.pem",
                    addressPolicy: AddressPolicy(allowedHosts: ["localhost", "127.0.0.1"])
                )
            )
            return await client.get("https://localhost:\(try #require(port))/")
        }
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.failure))")
        #expect(exchange.tls?.chain == [try folder.bytes("good.der")])
        #expect(exchange.tls?.verification == .verified)
        let offered = outcome.text.matches(of: #/extension (\d+)/#).compactMap { Int($0.output.1) }
        #expect(offered.count { $0 == 0 } == handshakes, "each handshake names the server: \(outcome.words)")
        #expect(Set(offered).isDisjoint(with: [Self.statusRequest, Self.preSharedKey, Self.earlyData]), "\(offered)")
    }

    /// Prints the port, and the extensions of each handshake; renegotiates after the request if two are expected.
    private static let script = #"""
        import re, subprocess, sys
        version, handshakes = sys.argv[1], int(sys.argv[2])
        server = subprocess.Popen(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "good.pem", "-key", "good.key",
             "-tlsextdebug", "-naccept", "1", version],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")
        def say(text):
            server.stdin.write(text)
            server.stdin.flush()
        seen, asked = 0, False
        for line in server.stdout:
            if line.startswith("ACCEPT "):
                print(line.strip().rpartition(":")[2], flush=True)
            if extension := re.match(r'TLS client extension ".*" \(id=(\d+)\)', line):
                print("extension", extension[1], flush=True)
                seen += extension[1] == "0"
            if line.startswith("GET / "):
                asked = True
                if handshakes > 1:
                    say("r\n")
            if asked and seen == handshakes:
                asked = False
                say("HTTP/1.1 200 OK\r\nAlt-Svc: h3=\":1\"\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        server.wait()
        """#
}
