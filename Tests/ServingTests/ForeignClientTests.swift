import Foundation
import OtherPrograms
import Serving
import TestSupport
import Testing

/// The server, tested with independent clients.
@Suite(
    "Independent clients",
    .timeLimit(.minutes(5)),
    .oracle(.program("curl")),
    .oracle(.program("openssl")),
    .oracle(.program("python3"))
)
struct ForeignClientTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var path = "/a"
        /// The beginning of the response, and its body.
        var head: String
        var body: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let plain = "HTTP/1.1 200 OK\r\nX-Local-Address: 127.0.0.1\r\nContent-Length: "

    static let rows: [Row] = [
        Row(arguments: [], head: plain + "11\r\n\r\n", body: "GET /a 0 0\n"),
        Row(arguments: ["--http1.0"], head: plain + "11\r\nConnection: close\r\n\r\n", body: "GET /a 0 0\n"),
        Row(
            arguments: ["--http1.0", "-H", "Connection: keep-alive"],
            head: plain + "11\r\nConnection: keep-alive\r\n\r\n",
            body: "GET /a 0 0\n"
        ),
        Row(arguments: ["--head"], head: plain + "12\r\n\r\n", body: ""),
        Row(
            arguments: ["--head", "-H", "Connection: close"],
            head: plain + "12\r\nConnection: close\r\n\r\n",
            body: ""
        ),
        Row(arguments: ["-d", "abc"], head: plain + "14\r\n\r\n", body: "POST /a 3 294\n"),
        Row(
            arguments: ["-H", "Transfer-Encoding: chunked", "-d", "abc"],
            head: plain + "14\r\n\r\n",
            body: "POST /a 3 294\n"
        ),
        Row(
            arguments: ["-H", "Expect: 100-continue", "-d", "abc"],
            head: "HTTP/1.1 100 Continue\r\n\r\n" + plain + "14\r\n\r\n",
            body: "POST /a 3 294\n"
        ),
        Row(arguments: ["-X", "WHATEVER"], head: plain + "16\r\n\r\n", body: "WHATEVER /a 0 0\n"),
        Row(
            arguments: ["-X", "OPTIONS", "--request-target", "*"],
            head: plain + "14\r\n\r\n",
            body: "OPTIONS * 0 0\n"
        ),
        Row(arguments: ["-T", "megabyte"], head: "HTTP/1.1 100 Continue\r\n\r\n" + plain, body: "PUT /a 1048576 "),
        Row(
            arguments: ["-T", "megabyte", "-H", "Transfer-Encoding: chunked", "-H", "Expect:"],
            head: plain,
            body: "PUT /a 1048576 "
        ),
        Row(
            arguments: ["-T", "more"],
            head: "HTTP/1.1 413 Content Too Large\r\n",
            body: "The body is longer than 1048576"
        ),
        Row(
            arguments: ["-T", "more", "-H", "Transfer-Encoding: chunked", "-H", "Expect:"],
            head: "HTTP/1.1 413 Content Too Large\r\n",
            body: "The body is longer than 1048576"
        ),
    ]

    @Test("curl receives these bytes, over http and over https", arguments: rows)
    func curl(_ row: Row) async throws {
        let certificates = try await Certificates.shared.value
        for (name, count) in [("megabyte", 1 << 20), ("more", 1 << 20 + 1)] {
            // The rows run concurrently, so files are written atomically.
            let file = URL(fileURLWithPath: certificates.path + "/" + name)
            try Data(repeating: 7, count: count).write(to: file, options: .atomic)
        }
        for identity in [nil, try certificates.identity()] {
            try await Echo.beside(tls: identity) { server in
                let origin = "\(identity == nil ? "http" : "https")://127.0.0.1:\(server.port)"
                let outcome = try await OtherProgram.run(
                    "curl",
                    ["-sS", "-q", "-i", "--raw", "--cacert", "authority.pem"] + row.arguments + [origin + row.path],
                    in: certificates.path
                )
                #expect(outcome.errors.isEmpty && outcome.code == 0)
                #expect(outcome.text.hasPrefix(row.head), "\(outcome.text)")
                let body = outcome.text.components(separatedBy: "\r\n\r\n").last ?? ""
                #expect(row.body.isEmpty ? body.isEmpty : body.hasPrefix(row.body), "\(outcome.text)")
            }
        }
    }

    private static let script = """
        import http.client, ssl, sys
        port, authority = int(sys.argv[1]), sys.argv[2]
        if authority:
            context = ssl.create_default_context(cafile=authority)
            connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=60)
        else:
            connection = http.client.HTTPConnection("localhost", port, timeout=60)
        sockets = set()
        def ask(method, target, **more):
            connection.request(method, target, **more)
            sockets.add(id(connection.sock))
            answer = connection.getresponse()
            return answer, answer.read().decode()
        for number in range(100):
            answer, text = ask("GET", f"/{number}")
            assert (answer.status, text) == (200, f"GET /{number} 0 0\\n"), text
            assert [name for name, value in answer.getheaders()] == ["X-Local-Address", "Content-Length"]
        answer, text = ask("HEAD", "/h")
        assert (text, answer.getheader("Content-Length")) == ("", "12")
        answer, text = ask("POST", "/p", body=b"x" * (1 << 20))
        assert text.startswith("POST /p 1048576 "), text
        answer, text = ask("PUT", "/c", body=iter([b"ab", b"c" * 70000, b"d"]), encode_chunked=True,
                           headers={"Transfer-Encoding": "chunked"})
        assert text.startswith("PUT /c 70003 "), text
        connection.sock.sendall(b"".join(b"GET /%04d HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" % n for n in range(5000)))
        received = b""
        while received.count(b" 0 0\\n") < 5000:
            received += connection.sock.recv(65536)
        assert all(b"GET /%04d 0 0\\n" % n in received for n in range(5000))
        answer, text = ask("DELETE", "/d", headers={"Connection": "close"})
        assert text == "DELETE /d 0 0\\n" and answer.getheader("Connection") == "close"
        assert connection.sock is None and len(sockets) == 1, sockets
        print("well")
        """

    @Test("Python's http.client keeps one connection for all kinds of requests", arguments: [false, true])
    func python(_ isSecure: Bool) async throws {
        let certificates = try await Certificates.shared.value
        try await Echo.beside(tls: isSecure ? certificates.identity() : nil) { server in
            let outcome = try await OtherProgram.run(
                "python3",
                ["-c", Self.script, String(server.port), isSecure ? certificates.authorityFile : ""]
            )
            #expect(outcome.text == "well\n", "\(outcome.errors)")
        }
    }
}

/// Counts the responses of two seconds, which are few on a busy machine.
@Suite("Load", .serialized, .phase(.timed), .timeLimit(.minutes(5)), .oracle(.program("openssl")))
struct LoadTests {
    @Test(
        "Two hundred connections are served without a failed request",
        .oracle(.program("wrk")),
        arguments: ["http", "https"]
    )
    func load(_ scheme: String) async throws {
        // In its own process, in which no other test occupies Swift's threads.
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [scheme] () async throws in
            let identity = scheme == "https" ? try await Certificates.shared.value.identity() : nil
            let server = try await HTTPServer.listen(on: "127.0.0.1", tls: identity, answer: Echo.answer)
            let outcome = try await OtherProgram.run(
                "wrk",
                ["-t1", "-c200", "-d2s", "--timeout", "20s", "\(scheme)://127.0.0.1:\(server.port)/load"]
            )
            await server.stop()
            print(outcome.words)
        }
        let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let rate = words.firstMatch(of: #/Requests/sec: *([0-9.]+)/#).flatMap { Double($0.output.1) }
        print("200 connections over \(scheme): \(rate ?? 0) requests per second")
        #expect((rate ?? 0) > 100 && !words.contains("Socket errors") && !words.contains("Non-2xx"), "\(words)")
    }
}
