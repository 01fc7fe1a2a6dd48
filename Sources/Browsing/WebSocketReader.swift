/// Reads the frames of a server into messages (RFC 6455 section 5): a pure value that is fed bytes as they arrive.
///
/// A server's frames are not masked (section 5.1), a control frame is whole and short (section 5.5), a message is of
/// bounded size however many fragments it has (section 5.4).
struct WebSocketReader: Sendable {
    enum Item: Sendable, Hashable {
        /// A text, whole.
        case text([UInt8])
        case ping([UInt8])
        case pong
        case close
    }

    /// The protocol violation, in words.
    struct Violation: Error, Sendable, Hashable {
        let reason: String
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    /// The start of the next frame.
    private var start = 0
    private var message: [UInt8]?

    /// - Parameter limit: The maximum bytes of a message.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ more: some Collection<UInt8>) {
        if start > 0, start == bytes.count || start > 1 << 20 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// The next message or control frame; `nil` until more bytes arrive.
    mutating func next() throws(Violation) -> Item? {
        while let frame = try frame() {
            switch frame.opcode {
            case 0:
                guard var whole = message else { throw Violation(reason: "a fragment without a beginning") }
                message = nil
                guard whole.count + frame.payload.count <= limit else { throw tooLong }
                whole += frame.payload
                if frame.isLast { return .text(whole) }
                message = whole
            case 1:
                guard message == nil else { throw Violation(reason: "a message within another") }
                if frame.isLast { return .text(Array(frame.payload)) }
                message = Array(frame.payload)
            case 8: return .close
            case 9: return .ping(Array(frame.payload))
            case 10: return .pong
            default: throw Violation(reason: "a frame of the kind \(frame.opcode)")
            }
        }
        return nil
    }

    private var tooLong: Violation { Violation(reason: "a message of more than \(limit) bytes") }

    private struct Frame {
        var isLast: Bool
        var opcode: UInt8
        var payload: ArraySlice<UInt8>
    }

    /// One frame (section 5.2).
    private mutating func frame() throws(Violation) -> Frame? {
        guard bytes.count - start >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x70 == 0 else { throw Violation(reason: "a bit of an extension that was not negotiated") }
        guard second & 0x80 == 0 else { throw Violation(reason: "a masked frame from a server") }
        let (isLast, opcode) = (first & 0x80 != 0, first & 0x0F)
        var length = Int(second)
        var position = start + 2
        if length >= 126 {
            let count = length == 126 ? 2 : 8
            guard bytes.count - position >= count else { return nil }
            var long: UInt64 = 0
            for byte in bytes[position..<position + count] { long = long << 8 | UInt64(byte) }
            guard long <= UInt64(limit) else { throw tooLong }
            length = Int(long)
            position += count
        }
        if opcode >= 8, !isLast || length > 125 { throw Violation(reason: "a control frame that is long or in parts") }
        guard length <= limit else { throw tooLong }
        guard bytes.count - position >= length else { return nil }
        start = position + length
        return Frame(isLast: isLast, opcode: opcode, payload: bytes[position..<start])
    }
}

/// Writes the frames of a client.
enum WebSocketFrame {
    static let text: UInt8 = 1
    static let close: UInt8 = 8
    static let pong: UInt8 = 10

    /// A whole message in one frame, masked as a client's must be (section 5.3).
    static func bytes(_ opcode: UInt8, _ payload: [UInt8], mask: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [0x80 | opcode]
        frame.reserveCapacity(payload.count + 14)
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            frame.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) { frame.append(UInt8(payload.count >> shift & 0xFF)) }
        }
        frame += mask
        for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index & 3]) }
        return frame
    }
}
