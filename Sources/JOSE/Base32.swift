/// Why a text is not base32.
package enum Base32Error: Error, Sendable, Hashable {
    case empty
    /// A byte outside the alphabet A to Z and 2 to 7, at this place, the first being 1.
    case character(place: Int)
    /// An invalid number of characters.
    case length(Int)
}

/// Base32 (RFC 4648 section 6), as authenticator apps show their secrets.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The bytes of a text that may have lower-case letters, groups separated by spaces or hyphens, and no padding.
    ///
    /// Bits after the last whole byte are dropped, whatever they are: secrets are often made of random letters.
    package static func decodeLeniently(_ text: some StringProtocol) throws(Base32Error) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var count = 0
        let characters = Array(String(text.filter { !$0.isWhitespace && $0 != "-" }).utf8)
        let end = characters.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        guard end > 0 else { throw .empty }
        for (place, byte) in characters[..<end].enumerated() {
            guard let value = value(byte) else { throw .character(place: place + 1) }
            bits = (bits << 5 | value) & 0xFFF
            bitCount += 5
            count += 1
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        guard ![1, 3, 6].contains(count % 8) else { throw .length(count) }
        return bytes
    }

    /// The text without padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(bits >> bitCount & 0x1F)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (5 - bitCount) & 0x1F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(byte - UInt8(ascii: "2") + 26)
        default: nil
        }
    }
}
