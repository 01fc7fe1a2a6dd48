import COpenSSL

/// Unsigned integers as big-endian bytes, the form of JOSE.
enum BigNumber {
    /// The integer without leading zero bytes; zero has no bytes.
    static func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.drop { $0 == 0 }) }

    /// The integer with leading zero bytes up to `length`; nil if it is longer.
    static func padded(_ bytes: [UInt8], to length: Int) -> [UInt8]? {
        let digits = trimmed(bytes)
        guard digits.count <= length else { return nil }
        return [UInt8](repeating: 0, count: length - digits.count) + digits
    }

    static func bitCount(_ bytes: [UInt8]) -> Int {
        let digits = trimmed(bytes)
        guard let first = digits.first else { return 0 }
        return digits.count * 8 - first.leadingZeroBitCount
    }

    /// The remainder of a division by a small integer.
    static func remainder(_ bytes: [UInt8], by divisor: UInt32) -> UInt32 {
        var rest: UInt64 = 0
        for byte in bytes { rest = (rest << 8 | UInt64(byte)) % UInt64(divisor) }
        return UInt32(rest)
    }

    static func make(_ bytes: [UInt8]) throws(JOSEError) -> OpaquePointer {
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else {
            throw OpenSSLError.take("a number could not be made")
        }
        return number
    }

    /// The bytes of an OpenSSL number, padded to `length` if it is given.
    static func bytes(_ number: OpaquePointer, length: Int? = nil) -> [UInt8] {
        let natural = (Int(BN_num_bits(number)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: max(length ?? natural, natural))
        BN_bn2binpad(number, &bytes, Int32(bytes.count))
        return bytes
    }
}
