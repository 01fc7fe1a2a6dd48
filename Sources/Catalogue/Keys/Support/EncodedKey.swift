/// A complete key where only its modulus is expected.
enum EncodedKey: String {
    case pem = "a key in PEM"
    case base64 = "a key in base64-encoded DER"
    case der = "a key in DER"

    /// - Returns: `nil` if the bytes are a number.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: "-----BEGIN".utf8) {
            self = .pem
        } else if bytes.starts(with: "MI".utf8), bytes.allSatisfy(Self.isBase64) {
            self = .base64
        } else if Self.isSequence(bytes) {
            self = .der
        } else {
            return nil
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x0A, 0x0D:
            true
        default: false
        }
    }

    /// Whether the bytes are exactly one DER SEQUENCE (X.690 section 8.1.3), which no modulus is by chance.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x82 else { return false }
        return Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
    }
}
