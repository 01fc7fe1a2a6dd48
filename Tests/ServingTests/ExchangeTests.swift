import Foundation
import OtherPrograms
import Serving
import Synchronization
import TestSupport
import Testing

/// The server, tested byte by byte.
@Suite("Exchanges, byte by byte", .timeLimit(.minutes(5)))
struct ExchangeTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test("A response is exactly these bytes")
    func bytes() async throws {
        try await Echo.beside { server in
            let reply = try await RawClient.talk(server.port, Self.get + Self.last)
            #expect(
                reply.text == """
                    HTTP/1.1 200 OK\r\nX-Local-Address: 127.0.0.1\r\nContent-Length: 11\r\n\r\nGET /a 0 0\n\
                    HTTP/1.1 200 OK\r\nX-Local-Address: 127.0.0.1\r\nContent-Length: 14\r\nConnection: close\r\n\r\n\
                    GET /last 0 0\n
                    """
            )
            #expect(reply.end == .closed)
        }
    }

    @Test("Pipelined requests are handled one at a time, and their responses are in order")
    func pipelining() async throws {
        let underWay = Mutex(0)
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            let isAlone = underWay.withLock { count in
                count += 1
                return count == 1
            }
            // A concurrent request would overtake the first one now.
            if request.target == "/0" { for _ in 0..<1_000 { await Task.yield() } }
            underWay.withLock { $0 -= 1 }
            return isAlone ? await Echo.answer(request) : ServedAnswer(status: 500)
        }
        try await Echo.beside(answer: answer) { server in
            let requests = (0..<3_000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            // The client closes its side at once, and still receives the response.
            let reply = try await RawClient.talk(server.port, requests, endsSending: true)
            let targets = reply.text.matches(of: #/GET /([0-9]+) 0 0/#).compactMap { Int($0.output.1) }
            #expect(targets == Array(0..<3_000))
            #expect(reply.end == .closed)
        }
    }

    @Test("A request may arrive byte by byte")
    func slowly() async throws {
        try await Echo.beside { server in
            let text =
                "POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
            let reply = try await RawClient.talk(server.port, text.utf8.map { [$0] }, pause: 0.001)
            #expect(reply.text.hasSuffix("\r\n\r\nPOST /a 2 209\n"))
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: String
        var statuses: [Int]
        var testDescription: String { name }
    }

    static let refused: [Refused] = [
        Refused(name: "a bare line feed", bytes: "GET / HTTP/1.1\nHost: a\n\n", statuses: [400]),
        Refused(name: "NUL", bytes: "GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", statuses: [400]),
        Refused(name: "a TLS hello", bytes: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", statuses: [400]),
        Refused(name: "no Host", bytes: "GET / HTTP/1.1\r\n\r\n" + get, statuses: [400]),
        Refused(name: "another HTTP", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: [505]),
        Refused(
            name: "two lengths, the second hiding a request",
            bytes: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: \(get.utf8.count)\r\n\r\n"
                + get,
            statuses: [400]
        ),
        Refused(
            name: "a length and chunks, the shorter hiding a request",
            bytes: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + get,
            statuses: [400]
        ),
        Refused(
            name: "an unknown coding",
            bytes: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            statuses: [501]
        ),
        Refused(name: "nonsense behind a good request", bytes: get + "nonsense\r\n\r\n" + get, statuses: [200, 400]),
        Refused(
            name: "a header that is too long",
            bytes: get + "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 300_000) + "\r\n\r\n",
            statuses: [200, 431]
        ),
        Refused(
            name: "a target that is too long",
            bytes: "GET /" + String(repeating: "x", count: 300_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
            statuses: [414]
        ),
        Refused(
            name: "a body that is too long, all of which is sent",
            bytes: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n"
                + String(repeating: "x", count: 3_000_000),
            statuses: [413]
        ),
        Refused(
            name: "chunks that are too long",
            bytes: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n", count: 40),
            statuses: [413]
        ),
    ]

    @Test(
        "A rejected request gets a response and is read to its end, and no request after it is accepted",
        arguments: refused
    )
    func refusals(_ row: Refused) async throws {
        try await Echo.beside { server in
            let reply = try await RawClient.talk(server.port, row.bytes)
            #expect(reply.statuses == row.statuses)
            // The response arrives although bytes were still in transit: the connection was not reset.
            #expect(reply.end == .closed)
            #expect(reply.text.contains("\r\nConnection: close\r\n\r\n"))
            #expect(reply.text.hasSuffix(".\n"))
        }
    }

    @Test("A response with a line break in a field is reported as a server error")
    func injection() async throws {
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            let location = request.target.removingPercentEncoding ?? ""
            return ServedAnswer(status: 303, fields: [HeaderField("Location", location)], body: [1, 2, 3])
        }
        try await Echo.beside(answer: answer) { server in
            let text = "GET /%0D%0ASet-Cookie:%20a=b HTTP/1.1\r\nHost: a\r\n\r\n"
            let reply = try await RawClient.talk(server.port, text + Self.last)
            #expect(reply.statuses == [500, 303])
            #expect(reply.text.contains("The answer cannot be sent: its header field Location contains a line break"))
            #expect(!reply.text.contains("Set-Cookie: a=b"))
        }
    }

    @Test(
        "100 (Continue) is sent to a client that waits for it, and an oversized body is rejected before it is sent"
    )
    func expectation() async throws {
        try await Echo.beside { server in
            let port = server.port
            let texts = try await RawClient.onThread {
                let client = try RawClient(port: port)
                defer { client.close() }
                client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                let word = client.receive { $0.suffix(4) == Array("\r\n\r\n".utf8)[...] }.text
                client.send("hiPOST /b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
                return [word, client.receive().text]
            }
            #expect(texts[0] == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(
                texts[1].hasPrefix("HTTP/1.1 200 OK\r\n") && texts[1].contains("\nHTTP/1.1 413 Content Too Large\r\n")
            )
            #expect(!texts[1].contains("100 Continue"))
        }
    }

    @Test("A slow response does not block other connections")
    func slowAnswers() async throws {
        let (othersAreDone, report) = AsyncStream<Void>.makeStream()
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            // Returns only after all others have their responses.
            if request.target == "/slow" { for await _ in othersAreDone {} }
            return await Echo.answer(request)
        }
        try await Echo.beside(answer: answer) { server in
            let port = server.port
            async let slow = RawClient.talk(port, Self.last.replacing("/last", with: "/slow"), timeLimit: 300)
            for _ in 0..<20 {
                let reply = try await RawClient.talk(port, Self.last)
                #expect(reply.statuses == [200])
            }
            report.finish()
            let reply = try await slow
            #expect(reply.statuses == [200])
        }
    }

    @Test("Clients that disconnect at any point do not harm the server")
    func abandoned() async throws {
        let big: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            if request.target == "/big" {
                return ServedAnswer(status: 200, body: Array(repeating: 65, count: 8_000_000))
            }
            for _ in 0..<100 { await Task.yield() }
            return await Echo.answer(request)
        }
        try await Echo.beside(answer: big) { server in
            let port = server.port
            let openings = [
                "", "GET /a HT", Self.get, "GET /big HTTP/1.1\r\nHost: a\r\n\r\n", Self.last + Self.last,
                "\u{16}\u{3}\u{1}",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe", "nonsense\r\n\r\n",
            ]
            for opening in openings {
                // At once, and after the server has had time for another client.
                for isLate in [false, true] {
                    let client = try RawClient(port: port)
                    client.send(opening)
                    if isLate { _ = try await RawClient.talk(port, Self.last) }
                    client.abort()
                }
            }
            #expect(try await RawClient.talk(port, Self.last).statuses == [200])
        }
    }

    @Test("The server listens on IPv6, and on a name of this machine", .oracle(.program("curl")))
    func places() async throws {
        do {
            try await Echo.beside("::1") { server in
                let reply = try await RawClient.talk(server.port, [Array(Self.last.utf8)], overIPv6: true)
                #expect(reply.text.contains("\r\nX-Local-Address: ::1\r\n"))
            }
        } catch let error as ServingError where error.reason.contains("Cannot assign") {
            print("** NOT RUN: serving on IPv6, because this machine has no ::1 **")
        }
        try await Echo.beside("localhost") { server in
            let outcome = try await OtherProgram.run(
                "curl",
                ["-sS", "http://localhost:\(server.port)/name"]
            )
            #expect(outcome.text == "GET /name 0 0\n")
        }
    }

    @Test("An address that cannot be bound is an error with the address and the reason")
    func errors() async throws {
        try await Echo.beside { server in
            for (host, port, place, reason) in [
                ("127.0.0.1", server.port, "127.0.0.1:\(server.port)", "Address already in use"),
                ("192.0.2.1", 0, "192.0.2.1:0", "Cannot assign requested address"),
                ("2001:db8::1", 80, "[2001:db8::1]:80", "Cannot assign requested address"),
                ("no-such-name.invalid", 80, "no-such-name.invalid:80", "ame"),
                ("127.0.0.1", 65_536, "127.0.0.1:65536", "a port must be a number from 0 to 65535"),
            ] {
                do {
                    let other = try await HTTPServer.listen(on: host, port: port, answer: Echo.answer)
                    await other.stop()
                    Issue.record("\(place) was listened on")
                } catch ServingError.address(let reportedPlace, let reportedReason) {
                    #expect(reportedPlace == place)
                    #expect(reportedReason.contains(reason), "\(reportedReason)")
                }
            }
        }
    }
}
