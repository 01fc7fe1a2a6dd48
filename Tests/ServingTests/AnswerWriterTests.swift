import Testing

@testable import Serving

/// The pure function that serialises responses.
@Suite("Serialised responses", .timeLimit(.minutes(5)))
struct AnswerWriterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: ServedAnswer
        var exchange = AnswerWriter.Exchange()
        var bytes: String
        var closes = false
        var testDescription: String { name }

        init(
            _ name: String,
            _ status: Int,
            _ fields: [(String, String)] = [],
            _ body: String = "",
            _ exchange: AnswerWriter.Exchange = .init(),
            bytes: String,
            closes: Bool = false
        ) {
            self.name = name
            answer = ServedAnswer(status: status, fields: fields.map { HeaderField($0, $1) }, body: Array(body.utf8))
            self.exchange = exchange
            self.bytes = bytes
            self.closes = closes
        }
    }

    private typealias Exchange = AnswerWriter.Exchange

    static let rows: [Row] = [
        Row("nothing is added but the length", 200, [], "hi", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        Row("an empty body has a length too", 404, bytes: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "the order, spelling and repetition of fields are preserved",
            200,
            [("x-B", "2"), ("X-a", " 1 "), ("x-B", "3"), ("Empty", "")],
            bytes: "HTTP/1.1 200 OK\r\nx-B: 2\r\nX-a:  1 \r\nx-B: 3\r\nEmpty: \r\nContent-Length: 0\r\n\r\n"
        ),
        Row(
            "bytes beyond ASCII and control bytes other than line breaks are sent unchanged",
            200,
            [("X", "ä\u{1}\t")],
            bytes: "HTTP/1.1 200 OK\r\nX: ä\u{1}\t\r\nContent-Length: 0\r\n\r\n"
        ),
        Row("a status without a phrase", 299, bytes: "HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n"),
        Row(
            "a response to HEAD has the length and no body",
            200,
            [],
            "hello",
            Exchange(isHead: true),
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        ),
        Row("204 has neither length nor body", 204, [], "no", bytes: "HTTP/1.1 204 No Content\r\n\r\n"),
        Row("304 has neither length nor body", 304, [], "no", bytes: "HTTP/1.1 304 Not Modified\r\n\r\n"),
        Row(
            "a status below 200 does not end the exchange, so the connection is closed",
            103,
            [("Link", "</a>")],
            "no",
            bytes: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: close\r\n\r\n",
            closes: true
        ),
        Row(
            "the last response announces the close",
            200,
            [],
            "",
            Exchange(keepsConnection: false),
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            closes: true
        ),
        Row(
            "an HTTP/1.0 client with keep-alive receives keep-alive",
            200,
            [],
            "",
            Exchange(isHTTP10: true),
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"
        ),
        Row(
            "an explicit Content-Length is kept in its place",
            200,
            [("content-length", "2"), ("X", "y")],
            "hi",
            bytes: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nX: y\r\n\r\nhi"
        ),
        Row(
            "a wrong Content-Length is sent, and the connection is closed",
            200,
            [("Content-Length", "7")],
            "hi",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nhi",
            closes: true
        ),
        Row(
            "an explicit Transfer-Encoding is sent, and the connection is closed",
            200,
            [("Transfer-Encoding", "chunked")],
            "2\r\nhi\r\n0\r\n\r\n",
            bytes:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            closes: true
        ),
        Row(
            "a response may close the connection",
            200,
            [("Connection", "x, Close")],
            bytes: "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n",
            closes: true
        ),
        Row(
            "an explicit Connection field is not repeated",
            200,
            [("Connection", "keep-alive")],
            "",
            Exchange(isHTTP10: true, keepsConnection: false),
            bytes: "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
            closes: true
        ),
    ]

    @Test("A response is serialised to these bytes", arguments: rows)
    func bytes(_ row: Row) {
        let (bytes, closes) = AnswerWriter.bytes(of: row.answer, row.exchange)
        #expect(String(decoding: bytes, as: UTF8.self) == row.bytes)
        #expect(closes == row.closes)
    }

    @Test(
        "A response with an invalid field is an error that names the field, and no byte of it is sent",
        arguments: [
            (200, "X-Secret", "a\r\nSet-Cookie: b=c", "its header field X-Secret contains a line break or NUL"),
            (200, "X-Secret", "a\rSet-Cookie: b=c", "its header field X-Secret contains a line break or NUL"),
            (200, "X-Secret", "a\nSet-Cookie: b=c", "its header field X-Secret contains a line break or NUL"),
            (200, "X-Secret", "a\u{0}Set-Cookie: b=c", "its header field X-Secret contains a line break or NUL"),
            (200, "X: a\r\nSet-Cookie", "b=c", "the name of its header field 2 is no token"),
            (200, "Set-Cookie ", "b=c", "the name of its header field 2 is no token"),
            (200, "", "Set-Cookie", "the name of its header field 2 is no token"),
            (200, "Set-Cookieä", "a", "the name of its header field 2 is no token"),
            (99, "Set-Cookie", "a", "its status 99 has not three digits"),
            (1_000, "Set-Cookie", "a", "its status 1000 has not three digits"),
        ]
    )
    func injection(_ status: Int, _ name: String, _ value: String, _ fault: String) {
        let fields = [HeaderField("X-First", "first"), HeaderField(name, value)]
        let answer = ServedAnswer(status: status, fields: fields, body: Array("the body".utf8))
        let (bytes, closes) = AnswerWriter.bytes(of: answer, .init())
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        #expect(text.contains("\r\n\r\nThe answer cannot be sent: \(fault)"))
        #expect(!text.contains("Set-Cookie: b=c") && !text.contains("first") && !text.contains("the body"))
        #expect(!closes)
    }
}
