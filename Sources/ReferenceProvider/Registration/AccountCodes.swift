package import JOSE

/// The provider's record of a user's authenticator app: it computes the codes and compares them (RFC 6238 section 5.2).
package struct AccountCodes: Sendable {
    package var key: [UInt8]
    package var digits = 6
    /// Seconds.
    package var period = 30.0
    package var hash = HashAlgorithm.sha1

    /// The secret as shown beside a QR code, in groups of four characters.
    package var shown: String {
        var text = ""
        for (place, character) in Base32.encode(key).lowercased().enumerated() {
            if place > 0, place.isMultiple(of: 4) { text += " " }
            text.append(character)
        }
        return text
    }

    /// The time step of a code; the previous step is accepted too, for delayed input.
    func step(of code: String, now: Double) -> Int? {
        let current = Int(now / period)
        return [current, current - 1]
            .first { step in digits(of: step).map { Hashes.areEqual(Array($0.utf8), Array(code.utf8)) } ?? false }
    }

    private func digits(of step: Int) -> String? {
        var counter: [UInt8] = []
        var rest = UInt64(step)
        for _ in 0..<8 {
            counter.insert(UInt8(rest % 256), at: 0)
            rest /= 256
        }
        guard let tag = try? Hashes.hmac(counter, key: key, hash: hash) else { return nil }
        let start = Int(tag[tag.count - 1] % 16)
        let whole =
            UInt64(tag[start] % 128) * 16_777_216 + UInt64(tag[start + 1]) * 65_536 + UInt64(tag[start + 2]) * 256
            + UInt64(tag[start + 3])
        return String(String(whole + 100_000_000_000).suffix(digits))
    }
}
