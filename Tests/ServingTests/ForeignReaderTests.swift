import OtherPrograms
import TestSupport
import Testing

@testable import Serving

/// The request reader compared with h11, the HTTP/1.1 parser of many Python servers.
@Suite("Requests, compared with another parser", .timeLimit(.minutes(5)))
struct ForeignReaderTests {
    private static let seeds = [
        "GET /a?b=c HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n",
        "POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n2;x=y\r\n, \r\n0\r\n\r\n",
        "PUT /t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabGET /c HTTP/1.1\r\nHost: b\r\n\r\n",
        "GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nAccept: x,\t y\r\n\r\n",
    ]
    private static let insertions = [
        "\r", "\n", "\r\n", "\r\n ", "\u{0}", " ", "\t", ":", ";", ",", "0", "1", "5", "a", "F", "-", "+", "\u{B}",
        "\u{7F}",
        "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "\r\n\r\n", "HTTP/1.1", "(", "\"",
    ]

    /// A small generator that returns the same numbers in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    private static func mutations(_ count: Int) -> [[UInt8]] {
        var numbers = Numbers(state: 0x9E37_79B9_7F4A_7C15)
        return (0..<count)
            .map { index in
                var bytes = Array(seeds[index % seeds.count].utf8)
                for _ in 0..<Int.random(in: 1...2, using: &numbers) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &numbers)
                    switch Int.random(in: 0..<4, using: &numbers) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes[place] = UInt8.random(in: 0...127, using: &numbers)
                    case 2: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &numbers))
                    default:
                        let insertion = insertions.randomElement(using: &numbers) ?? ""
                        bytes.insert(contentsOf: insertion.utf8, at: place)
                    }
                }
                return bytes
            }
    }

    private static let script = """
        import h11, sys
        for line in sys.stdin:
            connection = h11.Connection(h11.SERVER)
            found, words = [], "taken"
            try:
                connection.receive_data(bytes.fromhex(line.strip()))
                while True:
                    event = connection.next_event()
                    if event is h11.NEED_DATA or event is h11.PAUSED:
                        if connection.trailing_data[0] or connection.their_state is h11.SEND_BODY:
                            words = "waiting"
                        break
                    if isinstance(event, h11.Request):
                        request, body = event, b""
                    elif isinstance(event, h11.Data):
                        body += bytes(event.data)
                    elif isinstance(event, h11.EndOfMessage):
                        found.append(f"{request.method.hex()} {request.target.hex()} {body.hex()}")
                        connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                        connection.send(h11.EndOfMessage())
                        if connection.our_state is not h11.DONE:
                            break
                        connection.start_next_cycle()
            except h11.RemoteProtocolError as error:
                words = "empty line" if "no request line" in str(error) else "refused"
            print(words + "|" + ",".join(found))
        """

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Reasons for which this reader may reject a request that h11 accepts: recipients are known to differ there.
    private static let strictness = [
        "A line does not end with CR and LF", "The header contains a control character",
        "Content-Length is not a single number",
        "Transfer-Encoding is not allowed in", "The name of a header field is not a token",
        "Only HTTP/1.0 and HTTP/1.1",
        "The target is not a path", "The only supported transfer coding", "A chunk size is not a hexadecimal number",
        "The request line is not", "The target has no host", "An HTTP/1.1 request must have one Host",
    ]

    private static let h11 = Oracle.python("h11")

    @Test(
        "Both parsers read 20,000 mutations alike, except for those that this reader rejects on purpose",
        .oracle(h11)
    )
    func mutations() async throws {
        let inputs = Self.mutations(20_000)
        let outcome = try await OtherProgram.run(
            try await Self.h11.path(),
            ["-c", Self.script],
            input: inputs.map { Self.hexadecimal($0) + "\n" }.joined()
        )
        // Takes seconds, so it runs on its own thread and does not block other tests.
        try await RawClient.onThread { try Self.compare(inputs, outcome) }
    }

    private static func compare(_ inputs: [[UInt8]], _ outcome: OtherProgram.Outcome) throws {
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: true)
        try #require(lines.count == inputs.count, "\(outcome.errors)")
        var counts: [String: Int] = [:]
        for (input, line) in zip(inputs, lines) {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            let theirs = parts[1].split(separator: ",").map(String.init)
            let text = String(decoding: input, as: UTF8.self).debugDescription
            switch Reading([input]) {
            case .taken(let requests, _):
                var ours: [String] = []
                for received in requests {
                    let request = received.request
                    let target = hexadecimal(request.target.utf8)
                    ours.append("\(hexadecimal(request.method.utf8)) \(target) \(hexadecimal(request.body))")
                    // h11 reads nothing after a request that closes the connection.
                    if !received.exchange.keepsConnection { break }
                }
                counts[ours.isEmpty ? "incomplete" : "taken", default: 0] += 1
                // RFC 9112 section 2.2 has empty lines before a request ignored, which h11 does not.
                let isSame = ours == theirs || parts[0] == "empty line" && ours.starts(with: theirs)
                #expect(isSame || ours.isEmpty && parts[0] == "refused", "\(text)")
            case .refused(let refusal, let count):
                counts["refused with \(refusal.status)", default: 0] += 1
                let isOnPurpose = strictness.contains { refusal.text.hasPrefix($0) }
                #expect(isOnPurpose || parts[0] != "taken", "\(text): \(refusal.text), h11: \(line)")
                #expect(count <= theirs.count || parts[0] == "empty line", "\(text): \(count) before it")
            }
        }
        print("the reader beside h11: \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        #expect((counts["taken"] ?? 0) > 2_000 && (counts["refused with 400"] ?? 0) > 2_000)
    }
}
