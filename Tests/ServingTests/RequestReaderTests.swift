import Testing

@testable import Serving

/// Results of the request reader, for other tests too.
enum Reading: Hashable {
    /// The requests, and whether bytes of another one remain.
    case taken([RequestReader.Received], rest: Bool)
    case refused(RequestReader.Refusal, after: Int)

    /// Passes bytes in pieces.
    init(_ pieces: [[UInt8]], limits: ServerLimits = ServerLimits()) {
        var reader = RequestReader(limits: limits)
        var requests: [RequestReader.Received] = []
        do {
            for piece in pieces {
                reader.take(piece)
                reading: while true {
                    switch try reader.next() {
                    case .request(let request): requests.append(request)
                    case .incomplete: break reading
                    case .expectation: continue
                    }
                }
            }
            self = .taken(requests, rest: reader.hasBegun)
        } catch {
            self = .refused(error, after: requests.count)
        }
    }

    init(_ text: String, limits: ServerLimits = ServerLimits()) {
        self.init([Array(text.utf8)], limits: limits)
    }

    var requests: [RequestReader.Received] {
        if case .taken(let requests, _) = self { return requests }
        return []
    }

    var refusal: RequestReader.Refusal? {
        if case .refused(let refusal, _) = self { return refusal }
        return nil
    }
}

@Suite("Parsed requests", .timeLimit(.minutes(5)))
struct RequestReaderTests {
    @Test("The parts of a request are read unchanged")
    func parts() throws {
        let reading = Reading(
            "\r\nPOST /a/%C3%A4?b=c&d HTTP/1.1\r\nHost: a\r\nx-Y:\t z \t\r\nEmpty:\r\nX-y: ä: b\r\nContent-Length: 3\r\n\r\nab\n"
        )
        let received = try #require(reading.requests.first)
        #expect(received.request.method == "POST")
        #expect(received.request.target == "/a/%C3%A4?b=c&d")
        let fields = received.request.fields.map { "\($0.name)=\($0.value)" }
        #expect(fields == ["Host=a", "x-Y=z", "Empty=", "X-y=ä: b", "Content-Length=3"])
        #expect(received.request.value(of: "X-Y") == "z")
        #expect(received.request.body == Array("ab\n".utf8))
        #expect(received.exchange == AnswerWriter.Exchange())
    }

    @Test(
        "The HTTP version and Connection decide whether the connection is kept open",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "x, CLOSE", false),
            ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true), ("HTTP/1.0", "keep-alive, close", false),
            ("HTTP/1.7", "", true),
        ]
    )
    func keeping(_ version: String, _ connection: String, _ isKept: Bool) throws {
        let reading = Reading("GET / \(version)\r\nHost: a\r\nConnection: \(connection)\r\n\r\n")
        #expect(try #require(reading.requests.first).exchange.keepsConnection == isKept)
    }

    @Test(
        "A target is converted to origin form, and an absolute target decides the host",
        arguments: [
            ("GET", "/a?b", "/a?b", "a"), ("GET", "http://b:80/c?d", "/c?d", "b:80"), ("GET", "HTTPS://b", "/", "b"),
            ("GET", "http://b?c", "/?c", "b"), ("OPTIONS", "*", "*", "a"), ("CONNECT", "b:443", "b:443", "a"),
            ("GET", "//b/c", "//b/c", "a"),
        ]
    )
    func targets(_ method: String, _ sent: String, _ target: String, _ host: String) throws {
        let request = try #require(Reading("\(method) \(sent) HTTP/1.1\r\nHost: a\r\n\r\n").requests.first).request
        #expect(request.target == target)
        #expect(request.fields == [HeaderField("Host", host)])
        let scheme = ["https", "http"].first { sent.lowercased().hasPrefix($0 + "://") }
        #expect(request.scheme == scheme)
    }

    @Test(
        "A chunked body is assembled, and its extensions and trailers are dropped",
        arguments: [
            "5\r\nhello\r\n0\r\n\r\n", "2\r\nhe\r\n03\r\nllo\r\n000\r\n\r\n", "5;a=b;c\r\nhello\r\n0;d\r\n\r\n",
            "5 ; a\r\nhello\r\n0 \r\n\r\n", "5\r\nhello\r\n0\r\nX-Trailer: y\r\nContent-Length: 9\r\n\r\n",
        ]
    )
    func chunks(_ body: String) throws {
        let head = "POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: Chunked\r\n\r\n"
        let reading = Reading(head + body + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(reading.requests.map(\.request.target) == ["/", "/next"])
        let request = try #require(reading.requests.first).request
        #expect(String(decoding: request.body, as: UTF8.self) == "hello")
        #expect(request.fields.count == 2)
    }

    static let refusals: [(bytes: String, status: Int)] = [
        // Lines.
        ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400), ("GET / HTTP/1.1\rHost: a\r\r", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", 400), ("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\u{0}c\r\n\r\n", 400), ("\u{0}", 400), ("\u{16}\u{3}\u{1}", 400),
        ("GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // The request line.
        ("GARBAGE\r\n\r\n", 400), ("GET /\r\n", 400), (" GET / HTTP/1.1\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        ("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1,1\r\nHost: a\r\n\r\n", 400),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET ftp://b/a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        // Fields.
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX y: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ]

    @Test("Invalid HTTP/1 requests are rejected", arguments: refusals)
    func refused(_ bytes: String, _ status: Int) {
        #expect(Reading(bytes).refusal?.status == status)
    }

    static let lengths: [(fields: String, body: String, status: Int)] = [
        ("Content-Length: 5\r\nContent-Length: 6", "hello!", 400), ("Content-Length: 5, 5", "hello", 400),
        ("Content-Length: 5\r\nContent-Length: 5", "hello", 400), ("Content-Length: +5", "hello", 400),
        ("Content-Length: -5", "hello", 400), ("Content-Length: 0x5", "hello", 400), ("Content-Length:", "", 400),
        ("Content-Length: 5 5", "hello", 400), ("Content-Length: \u{0664}", "hell", 400),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", "5\r\nhello\r\n0\r\n\r\n", 400),
        ("Transfer-Encoding: gzip, chunked", "", 501), ("Transfer-Encoding: chunked, chunked", "", 501),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "", 501), ("Transfer-Encoding:", "", 501),
        ("Transfer-Encoding: identity", "", 501), ("Transfer-Encoding: xchunked", "", 501),
        ("Transfer-Encoding: \u{B}chunked", "", 400), ("Transfer-Encoding: chunked;a=b", "", 501),
        ("Content-Length: 99999999999999999999", "", 413), ("Content-Length: 1048577", "", 413),
        // Chunks.
        ("Transfer-Encoding: chunked", "5\nhello\r\n0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked", "5\rXhello\r\n0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked", "5;a\nb\r\nhello\r\n0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked", "5\r\nhelloYZ0\r\n\r\n", 400),
        ("Transfer-Encoding: chunked", "5\r\nhello\n0\r\n\r\n", 400), ("Transfer-Encoding: chunked", "\r\n", 400),
        ("Transfer-Encoding: chunked", " 5\r\nhello\r\n", 400), ("Transfer-Encoding: chunked", "0x5\r\nhello\r\n", 400),
        ("Transfer-Encoding: chunked", "-5\r\nhello\r\n", 400), ("Transfer-Encoding: chunked", "5 5\r\nhello\r\n", 400),
        ("Transfer-Encoding: chunked", "0000000000000005\r\nhello\r\n", 400),
        ("Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n", 400),
        ("Transfer-Encoding: chunked", "FFFFFFFFFFFFFFF\r\n", 413),
        ("Transfer-Encoding: chunked", "0\r\nbad trailer\r\n\r\n", 400),
    ]

    @Test("A body with an ambiguous end is rejected", arguments: lengths)
    func smuggling(_ fields: String, _ body: String, _ status: Int) {
        let reading = Reading("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
        #expect(reading.refusal?.status == status)
        #expect(reading.requests.isEmpty)
    }

    @Test("A transfer coding with HTTP/1.0 is rejected")
    func oldChunks() {
        let bytes = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(Reading(bytes).refusal?.status == 400)
    }

    @Test("Requests at the limits are accepted, and one byte more is rejected")
    func limits() {
        var limits = ServerLimits()
        limits.header = 100
        limits.body = 10
        func head(_ count: Int) -> String {
            let rest = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"
            return rest.replacing("X: ", with: "X: " + String(repeating: "x", count: count - rest.utf8.count))
        }
        #expect(Reading(head(100), limits: limits).requests.count == 1)
        #expect(Reading(head(101), limits: limits).refusal?.status == 431)
        #expect(Reading("GET /" + String(repeating: "a", count: 200), limits: limits).refusal?.status == 414)
        #expect(Reading(String(repeating: "\r\n", count: 100), limits: limits).refusal?.status == 414)
        let post = "POST / HTTP/1.1\r\nHost: a\r\n"
        for (count, status) in [(10, nil), (11, 413)] as [(Int, Int?)] {
            let body = String(repeating: "b", count: count)
            let lengthy = Reading(post + "Content-Length: \(count)\r\n\r\n" + body, limits: limits)
            #expect(lengthy.refusal?.status == status && lengthy.requests.count == (status == nil ? 1 : 0))
            let size = String(count - 4, radix: 16)
            let chunks = "4\r\nbbbb\r\n\(size)\r\n\(body.dropFirst(4))\r\n0\r\n"
            let chunked = Reading(post + "Transfer-Encoding: chunked\r\n\r\n\(chunks)\r\n", limits: limits)
            #expect(chunked.refusal?.status == status && chunked.requests.count == (status == nil ? 1 : 0))
        }
        let trailers = String(repeating: "X: y\r\n", count: 20)
        let tail = Reading(post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n", limits: limits)
        #expect(tail.refusal?.status == 431)
    }

    @Test("The requests are the same however the bytes are split")
    func cuts() {
        let bytes = Array(
            """
            GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345\
            PUT /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n\
            HEAD /4 HTTP/1.0\r\n\r\n
            """
            .utf8
        )
        let whole = Reading([bytes])
        #expect(whole.requests.map(\.request.target) == ["/1", "/2", "/3", "/4"])
        #expect(whole.requests.map { String(decoding: $0.request.body, as: UTF8.self) } == ["", "12345", "abcde", ""])
        #expect(Reading(bytes.map { [$0] }) == whole)
        for first in bytes.indices {
            #expect(Reading([Array(bytes[..<first]), Array(bytes[first...])]) == whole)
        }
        for size in 2...7 {
            let pieces = stride(from: 0, to: bytes.count, by: size)
                .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            #expect(Reading(pieces) == whole)
        }
    }

    @Test("A client that expects 100 receives it once, and only while it waits")
    func expectation() throws {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
        var reader = RequestReader(limits: ServerLimits())
        reader.take(Array(head.utf8))
        #expect(try reader.next() == .expectation)
        #expect(try reader.next() == .incomplete)
        reader.take(Array("hi".utf8))
        guard case .request = try reader.next() else { throw Failed() }
        for other in [head + "h", head.replacing("1.1", with: "1.0"), head.replacing("Length: 2", with: "Length: 0")] {
            var reader = RequestReader(limits: ServerLimits())
            reader.take(Array(other.utf8))
            #expect(try reader.next() != .expectation)
        }
    }

    private struct Failed: Error {}
}
