import TestSupport
import Testing
import Transport

/// Requests that a server loses by closing an HTTP/2 connection, which libcurl does not retry.
@Suite(.timeLimit(.minutes(5)), .oracle(.program("openssl")), .oracle(.program("python3"))) struct LostRequestTests {
    /// The results of three consecutive requests: the number that the server assigned, or the failure.
    struct Case: CustomTestStringConvertible, Sendable {
        var method = "GET"
        let lost: [Int]
        let seen: [String]
        var testDescription: String { "\(method), lost: \(lost)" }
    }

    private static let closed = "closedWithoutAnswer"

    static func client(_ folder: CertificateFolder, longestRest: Int) -> HTTPClient {
        HTTPClient(
            configuration: TransportConfiguration(
                longestRest: longestRest,
                certificateAuthorityFile: folder.path + "/authority.pem",
                addressPolicy: AddressPolicy(allowedHosts: ["localhost", "127.0.0.1"])
            )
        )
    }

    @Test(arguments: [
        Case(lost: [], seen: ["1", "2", "3"]),
        // Lost on a connection that has served another request: sent again over a new one.
        Case(lost: [2], seen: ["1", "3", "4"]),
        // Lost on a new connection: the failure counts.
        Case(lost: [1], seen: [closed, "2", "3"]),
        // Lost on the new one too: there is only one retry.
        Case(lost: [2, 3], seen: ["1", closed, "4"]),
        // A request that may change something is never sent twice.
        Case(method: "POST", lost: [2], seen: ["1", "unanswered(reason: nil)", "3"]),
    ])
    func `a request that was lost with a used connection is sent once more if it changes nothing`(
        sample: Case
    ) async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(Self.losing, sample.lost.map(String.init), in: folder)
        defer { server.stop() }
        let client = Self.client(folder, longestRest: 900)
        var seen: [String] = []
        for _ in 0..<3 {
            let exchange = await client.send(HTTPRequest(method: sample.method, url: server.url))
            if let failure = exchange.failure {
                #expect(exchange.response == nil)
                seen.append("\(failure.cause)")
            } else {
                #expect(exchange.response?.httpVersion == "2")
                seen.append(exchange.response?.text ?? "")
            }
        }
        #expect(seen == sample.seen)
    }

    /// Speaks just enough HTTP/2 (RFC 9113): numbers all requests, closes the connection at those whose numbers are its
    /// arguments, and answers the others with their number.
    static let losing =
        HTTP2Script.beginning + """
            lost = [int(number) for number in sys.argv[1:]]
            count = 0
            def exactly(connection, length):
                received = b''
                while len(received) < length:
                    more = connection.recv(length - len(received))
                    if not more: raise EOFError
                    received += more
                return received
            def serve(connection):
                global count
                try:
                    connection = context.wrap_socket(connection, server_side=True)
                    exactly(connection, 24)
                    connection.sendall(frame(4, 0, 0))
                    while True:
                        head = exactly(connection, 9)
                        exactly(connection, int.from_bytes(head[:3], 'big'))
                        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], 'big')
                        if kind == 4 and not flags & 1: connection.sendall(frame(4, 1, 0))
                        if kind == 1:
                            count += 1
                            if count in lost: break
                            # 0x88 is ":status: 200" of the static table (RFC 7541 appendix A).
                            connection.sendall(frame(1, 4, stream, b'\\x88') + frame(0, 1, stream, str(count).encode()))
                except (EOFError, OSError): pass
                try:
                    # Unread bytes would turn the end of the connection into a reset.
                    connection.shutdown(socket.SHUT_WR)
                    connection.settimeout(2)
                    while connection.recv(4096): pass
                except OSError: pass
                connection.close()
            """ + HTTP2Script.end
}
