import Testing

@testable import Browsing

/// Frames according to RFC 6455, and violations of its rules.
@Suite("WebSocket", .timeLimit(.minutes(5)))
struct WebSocketTests {
    typealias Item = WebSocketReader.Item

    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var items: [Item]
    }

    private static let hello = Array("Hello".utf8)

    /// The bytes are from section 5.7, except for the lengths 200 and 70000.
    static let samples = [
        Sample(testDescription: "a text in one frame", bytes: [0x81, 0x05] + hello, items: [.text(hello)]),
        Sample(
            testDescription: "a text in two frames",
            bytes: [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f],
            items: [.text(hello)]
        ),
        Sample(testDescription: "a ping", bytes: [0x89, 0x05] + hello, items: [.ping(hello)]),
        Sample(
            testDescription: "a ping inside a text",
            bytes: [0x01, 0x03, 0x48, 0x65, 0x6c, 0x89, 0x00, 0x80, 0x02, 0x6c, 0x6f],
            items: [.ping([]), .text(hello)]
        ),
        Sample(
            testDescription: "a text of 256 bytes",
            bytes: [0x81, 0x7E, 0x01, 0x00] + [UInt8](repeating: 0x61, count: 256),
            items: [.text([UInt8](repeating: 0x61, count: 256))]
        ),
        Sample(
            testDescription: "a text of 65536 bytes",
            bytes: [0x81, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 0x61, count: 65_536),
            items: [.text([UInt8](repeating: 0x61, count: 65_536))]
        ),
        Sample(testDescription: "a close", bytes: [0x88, 0x02, 0x03, 0xE8], items: [.close]),
    ]

    @Test("frames are read, whole and byte by byte", arguments: samples)
    func read(sample: Sample) throws {
        for size in [1, 7, sample.bytes.count] {
            var reader = WebSocketReader(limit: 100_000)
            var items: [Item] = []
            for start in stride(from: 0, to: sample.bytes.count, by: size) {
                reader.take(sample.bytes[start..<min(start + size, sample.bytes.count)])
                while let item = try reader.next() { items.append(item) }
            }
            #expect(items == sample.items)
        }
    }

    @Test(
        "a protocol violation closes the connection with a reason",
        arguments: [
            ([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D], "masked"), ([0xC1, 0x00], "extension"), ([0x80, 0x00], "beginning"),
            ([0x01, 0x00, 0x01, 0x00], "within"), ([0x82, 0x00], "kind 2"), ([0x09, 0x00], "control frame"),
            ([0x89, 0x7E, 0x00, 0x7E], "control frame"), ([0x81, 0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0], "more than 1000"),
            ([0x81, 0x7E, 0x03, 0xE9], "more than 1000"),
        ] as [([UInt8], String)]
    )
    func violations(bytes: [UInt8], word: String) {
        var reader = WebSocketReader(limit: 1_000)
        reader.take(bytes)
        let error = #expect(throws: WebSocketReader.Violation.self) {
            while try reader.next() != nil {}
        }
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
    }

    @Test("fragments that exceed the limit together are rejected")
    func manyFragments() {
        var reader = WebSocketReader(limit: 1_000)
        let fragment = [UInt8](repeating: 0x61, count: 600)
        reader.take([0x01, 0x7E, 0x02, 0x58] + fragment + [0x80, 0x7E, 0x02, 0x58] + fragment)
        #expect(throws: WebSocketReader.Violation.self) { try reader.next() }
    }

    @Test("a client's frame is masked")
    func masked() {
        // Section 5.7: a single-frame masked text message.
        let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(WebSocketFrame.bytes(WebSocketFrame.text, Self.hello, mask: [0x37, 0xFA, 0x21, 0x3D]) == bytes)
        for count in [125, 126, 65_535, 65_536] {
            let frame = WebSocketFrame.bytes(
                WebSocketFrame.text,
                [UInt8](repeating: 0, count: count),
                mask: [0, 0, 0, 0]
            )
            #expect(frame.count == count + (count < 126 ? 6 : count < 65_536 ? 8 : 14))
        }
    }

    @Test("a handshake is accepted only with the hash of its key")
    func handshake() {
        // Section 1.3 has the key and its hash.
        let (key, hash) = ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nsec-websocket-accept: "
        #expect(WebSocket.isAcceptance(head + hash, of: key))
        #expect(!WebSocket.isAcceptance(head + "s3pPLMBiTxaQ9kYGzzhZRbK+xOp=", of: key))
        #expect(!WebSocket.isAcceptance("HTTP/1.1 200 OK\r\nsec-websocket-accept: " + hash, of: key))
    }
}
