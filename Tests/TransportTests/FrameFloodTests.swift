import TestSupport
import Testing
import Transport

/// HTTP/2 frames without end that carry no response (RFC 9113 section 10.5).
///
/// libcurl reads them as long as there are any, and looks at no time limit meanwhile.
@Suite(
    .serialized,
    .phase(.hostile),
    .timeLimit(.minutes(20)),
    .oracle(.program("openssl")),
    .oracle(.program("python3"))
)
struct FrameFloodTests {
    @Test(arguments: ["priority", "reset", "window", "unknown", "data", "alternative"])
    func `a flood of frames ends the connection`(frame: String) async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(Self.flooding, [frame], in: folder)
        defer { server.stop() }
        let client = HTTPClient(
            configuration: TransportConfiguration(
                totalTimeout: 30,
                certificateAuthorityFile: folder.path + "/authority.pem",
                addressPolicy: AddressPolicy(allowedHosts: ["localhost", "127.0.0.1"])
            )
        )
        let exchange = await client.get(server.url)
        let cause = String(describing: exchange.failure?.cause)
        // A reset of a stream that the client has not opened is an error of the connection (RFC 9113 section 6.4). Where the
        // client is faster than the server, it pauses between frames, and the time limit ends the request.
        let causes = frame == "reset" ? ["closedWithoutAnswer"] : ["frames without end", "timedOut"]
        #expect(causes.contains { cause.contains($0) }, "\(cause)")
        #expect(exchange.response?.text.isEmpty ?? true)
    }

    /// Speaks just enough HTTP/2 (RFC 9113) to send frames of one kind as long as the client reads them.
    private static let flooding =
        HTTP2Script.beginning + """
            # 0x88 is ":status: 200" of the static table (RFC 7541 appendix A).
            first, endless = {
                'priority': (b'', frame(2, 0, 1, struct.pack('>IB', 0, 16))),
                'reset': (b'', frame(3, 0, 3, struct.pack('>I', 8))),
                'window': (b'', frame(8, 0, 0, struct.pack('>I', 1))),
                'unknown': (b'', frame(0xEE, 0, 0, b'unknown')),
                'data': (frame(1, 4, 1, b'\\x88'), frame(0, 0, 1)),
                'alternative': (b'', frame(10, 0, 0, b'\\x00\\x00h2')),
            }[sys.argv[1]]
            def serve(connection):
                try:
                    connection = context.wrap_socket(connection, server_side=True)
                    connection.recv(4096)
                    connection.sendall(frame(4, 0, 0) + frame(4, 1, 0) + first)
                    while True: connection.sendall(endless * 500)
                except OSError: pass
            """ + HTTP2Script.end
}
