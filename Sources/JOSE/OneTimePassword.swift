/// One-time passwords of a shared secret: by a counter (RFC 4226), and by the time (RFC 6238).
///
/// They are in the JOSE module because their HMAC is OpenSSL's, which no other module of the sign-in imports.
package enum OneTimePassword {
    /// The hash functions of RFC 6238 section 1.2.
    package static let hashes: [HashAlgorithm] = [.sha1, .sha256, .sha512]
    /// RFC 4226 section 5.3 requires at least six; no app shows more than eight.
    package static let digits = 6...8

    /// The time step that a moment is in (RFC 6238 section 4.2, with T0 = 0).
    ///
    /// - Parameters:
    ///   - seconds: Since 1970.
    ///   - period: How many seconds a step lasts.
    package static func timeStep(at seconds: Double, period: Double) -> Int {
        Int((max(0, min(seconds, 1e15)) / period).rounded(.down))
    }

    /// The code of a counter, or of a time step (RFC 4226 section 5.3); `nil` where OpenSSL's policy forbids the hash.
    ///
    /// - Parameters:
    ///   - counter: Not negative.
    ///   - key: The bytes of the shared secret.
    ///   - digits: How many of them the code has, with zeros in front; 6 to 8.
    ///   - hash: Of HMAC.
    package static func code(_ counter: Int, key: [UInt8], digits: Int, hash: HashAlgorithm) -> String? {
        let moving = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(max(0, counter)) >> (56 - 8 * UInt64($0))) }
        guard let code = try? Hashes.hmac(moving, key: key, hash: hash), let last = code.last else { return nil }
        // Dynamic truncation: the low bits of the last byte select the 31 bits that count.
        let offset = Int(last & 0x0F)
        let number = code[offset..<(offset + 4)].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(1 as UInt32) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
