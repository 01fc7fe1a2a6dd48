/// Why a text is not base64url or base64 by the letter.
package enum Base64Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// Trailing `=`: any in base64url, which omits it (RFC 7515 section 2), more than needed in base64.
    case padding
    /// `+` or `/`, which belong to the alphabet of RFC 4648 section 4, at this offset.
    case standardAlphabet(offset: Int)
    /// `-` or `_`, which belong to the alphabet of RFC 4648 section 5, at this offset.
    case urlAlphabet(offset: Int)
    /// Any other byte outside the alphabet, white space included, at this offset.
    case character(offset: Int)
    /// An invalid number of characters.
    case length
    /// The last character carries bits that are not zero (RFC 4648 section 3.5).
    case trailingBits

    package var description: String {
        switch self {
        case .padding: "it is padded with ="
        case .standardAlphabet(let offset): "it uses + or / of the standard alphabet, at offset \(offset)"
        case .urlAlphabet(let offset): "it uses - or _ of the URL-safe alphabet, at offset \(offset)"
        case .character(let offset): "it has a character outside the alphabet, at offset \(offset)"
        case .length: "no base64 text has this length"
        case .trailingBits: "its last character has unused bits that are not zero"
        }
    }
}

/// Base64url without padding, as JOSE uses it (RFC 7515 section 2, RFC 4648 section 5).
package enum Base64URL {
    /// The bytes of a text that is strict base64url.
    package static func decode(_ text: some StringProtocol) throws(Base64Error) -> [UInt8] {
        try Base64Alphabet.url.decode(text)
    }

    /// The bytes of a text that may be padded or use the standard alphabet; for checks, never for verifying.
    package static func decodeLeniently(_ text: some StringProtocol) -> [UInt8]? {
        try? Base64Alphabet.lenient.decode(text, isLenient: true)
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.url.encode(Array(bytes), padded: false)
    }
}

/// Base64 with padding, as certificates in a JWK use it (RFC 7517 section 4.7, RFC 4648 section 4).
package enum Base64 {
    /// The bytes of a text that is strict padded base64; white space is rejected.
    package static func decode(_ text: some StringProtocol) throws(Base64Error) -> [UInt8] {
        guard text.utf8.count.isMultiple(of: 4) else { throw .length }
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return try Base64Alphabet.standard.decode(text.dropLast(padding))
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.standard.encode(Array(bytes), padded: true)
    }
}

private struct Base64Alphabet: Sendable {
    static let url = Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    static let standard = Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    /// Reads both.
    static let lenient = Base64Alphabet(reading: [url, standard])

    private static let invalid: UInt8 = 0xFF
    private let characters: [UInt8]
    private let values: [UInt8]

    init(_ text: String) {
        characters = Array(text.utf8)
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    private init(reading alphabets: [Base64Alphabet]) {
        characters = alphabets[0].characters
        var values = alphabets[0].values
        for alphabet in alphabets.dropFirst() {
            for (value, character) in alphabet.characters.enumerated() { values[Int(character)] = UInt8(value) }
        }
        self.values = values
    }

    /// - Parameter isLenient: Takes padding, however much of it, and stray bits.
    func decode(_ text: some StringProtocol, isLenient: Bool = false) throws(Base64Error) -> [UInt8] {
        let result =
            text.utf8.withContiguousStorageIfAvailable { decode($0, isLenient: isLenient) }
            ?? Array(text.utf8).withUnsafeBufferPointer { decode($0, isLenient: isLenient) }
        return try result.get()
    }

    private func decode(_ text: UnsafeBufferPointer<UInt8>, isLenient: Bool) -> Result<[UInt8], Base64Error> {
        guard isLenient else { return decode(text, strayBits: false) }
        let end = text.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        return decode(UnsafeBufferPointer(rebasing: text[..<end]), strayBits: true)
    }

    private func decode(_ text: UnsafeBufferPointer<UInt8>, strayBits: Bool) -> Result<[UInt8], Base64Error> {
        var offender: Int?
        var remainder: UInt32 = 0
        let bytes = values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { output, count in
                var bits: UInt32 = 0
                var bitCount = 0
                for offset in 0..<text.count {
                    let value = values[Int(text[offset])]
                    guard value != Self.invalid else {
                        offender = offset
                        return
                    }
                    bits = (bits << 6) | UInt32(value)
                    bitCount += 6
                    if bitCount >= 8, count < output.count {
                        bitCount -= 8
                        output[count] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                        count += 1
                    }
                }
                remainder = bits & ((1 << UInt32(bitCount)) - 1)
            }
        }
        if let offender { return .failure(reason(text, offender)) }
        guard text.count % 4 != 1 else { return .failure(.length) }
        guard strayBits || remainder == 0 else { return .failure(.trailingBits) }
        return .success(bytes)
    }

    private func reason(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Base64Error {
        switch text[offset] {
        case UInt8(ascii: "=") where text[offset...].allSatisfy({ $0 == UInt8(ascii: "=") }): .padding
        case UInt8(ascii: "+"), UInt8(ascii: "/"): .standardAlphabet(offset: offset)
        case UInt8(ascii: "-"), UInt8(ascii: "_"): .urlAlphabet(offset: offset)
        default: .character(offset: offset)
        }
    }

    func encode(_ bytes: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = (bits << 8) | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(characters[Int((bits >> bitCount) & 0x3F)])
            }
        }
        if bitCount > 0 { text.append(characters[Int((bits << (6 - bitCount)) & 0x3F)]) }
        while padded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }
}
