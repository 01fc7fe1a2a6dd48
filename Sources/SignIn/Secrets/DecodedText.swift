import CLibxml2

/// A text without its escapes, and the source position of each byte.
///
/// The encoding of a searched text is not known, and encodings nest: JSON in a query in an HTML page. So percent escapes, HTML
/// references and the escapes of JSON and JavaScript are all decoded in one pass, and a decoded text can be decoded again. `+`
/// is a space, as in forms.
struct DecodedText: Sendable {
    let bytes: [UInt8]
    /// The start of each byte in the original text, followed by the end of the last one; `nil` for the original itself.
    private let starts: [Int32]?

    /// The original text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = nil
    }

    private init(_ bytes: [UInt8], _ starts: [Int32]) {
        self.bytes = bytes
        self.starts = starts
    }

    /// The range of the original text that a range of bytes was read from.
    func source(of range: Range<Int>) -> Range<Int> {
        guard let starts else { return range }
        return Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// The text decoded once more; `nil` when nothing is left to decode, or the text is too long to be looked at again.
    func decoded() -> DecodedText? {
        guard bytes.count < Int(Int32.max), bytes.contains(where: Self.introducesEscape) else { return nil }
        var result: [UInt8] = []
        var places: [Int32] = []
        result.reserveCapacity(bytes.count)
        places.reserveCapacity(bytes.count + 1)
        var index = 0
        var isChanged = false
        while index < bytes.count {
            let byte = bytes[index]
            guard Self.introducesEscape(byte), let escape = Escape(bytes, at: index) else {
                result.append(byte)
                places.append(start(index))
                index += 1
                continue
            }
            isChanged = true
            // All bytes of one character come from the whole escape.
            switch escape.meaning {
            case .byte(let byte): result.append(byte)
            case .character(let value):
                result += UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
            }
            while places.count < result.count { places.append(start(index)) }
            index += escape.length
        }
        places.append(start(bytes.count))
        return isChanged ? DecodedText(result, places) : nil
    }

    private func start(_ index: Int) -> Int32 { starts?[index] ?? Int32(index) }

    private static func introducesEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "+")
    }

    /// The bytes without escapes, however often they were escaped.
    static func plain(_ bytes: [UInt8], times: Int) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var text = DecodedText(bytes)
        for _ in 0..<times {
            guard let next = text.decoded() else { break }
            texts.append(next.bytes)
            text = next
        }
        return texts
    }
}

/// One escape: its meaning, and its length in bytes.
private struct Escape {
    enum Meaning {
        case byte(UInt8)
        case character(UInt32)
    }

    let meaning: Meaning
    let length: Int

    init?(_ text: [UInt8], at index: Int) {
        let read =
            switch text[index] {
            case UInt8(ascii: "%"): Self.percent(text, index)
            case UInt8(ascii: "&"): Self.reference(text, index)
            case UInt8(ascii: "\\"): Self.backslash(text, index)
            default: (.byte(UInt8(ascii: " ")), 1) as (Meaning, Int)?
            }
        guard let read else { return nil }
        (meaning, length) = read
    }

    /// `%2D`, and `%u002D` as `escape()` of JavaScript writes it.
    private static func percent(_ text: [UInt8], _ index: Int) -> (Meaning, Int)? {
        if let value = number(text, index + 1, digits: 2) { return (.byte(UInt8(value)), 3) }
        guard index + 1 < text.count, text[index + 1] | 0x20 == UInt8(ascii: "u"),
            let value = number(text, index + 2, digits: 4)
        else { return nil }
        return (.character(value), 6)
    }

    /// `\u002d`, two of them for a character beyond U+FFFF, `\x2d`, `\/` and similar.
    private static func backslash(_ text: [UInt8], _ index: Int) -> (Meaning, Int)? {
        guard index + 1 < text.count else { return nil }
        switch text[index + 1] {
        case UInt8(ascii: "u"):
            guard let high = number(text, index + 2, digits: 4) else { return nil }
            if (0xD800...0xDBFF).contains(high), index + 7 < text.count, text[index + 6] == UInt8(ascii: "\\"),
                text[index + 7] == UInt8(ascii: "u"), let low = number(text, index + 8, digits: 4),
                (0xDC00...0xDFFF).contains(low)
            {
                return (.character(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)), 12)
            }
            return (.character(high), 6)
        case UInt8(ascii: "x"): return number(text, index + 2, digits: 2).map { (.character($0), 4) }
        case UInt8(ascii: "n"): return (.byte(0x0A), 2)
        case UInt8(ascii: "r"): return (.byte(0x0D), 2)
        case UInt8(ascii: "t"): return (.byte(0x09), 2)
        case UInt8(ascii: "b"): return (.byte(0x08), 2)
        case UInt8(ascii: "f"): return (.byte(0x0C), 2)
        case let byte where !isAlphanumeric(byte): return (.byte(byte), 2)
        default: return nil
        }
    }

    /// `&amp;`, `&#45;` and `&#x2d;`, the number also without its semicolon, as browsers read it.
    private static func reference(_ text: [UInt8], _ index: Int) -> (Meaning, Int)? {
        guard index + 2 < text.count else { return nil }
        guard text[index + 1] == UInt8(ascii: "#") else { return named(text, index) }
        let isHexadecimal = text[index + 2] | 0x20 == UInt8(ascii: "x")
        let start = index + (isHexadecimal ? 3 : 2)
        let digits = text[start...].prefix(8).prefix { isHexadecimal ? hexadecimal($0) != nil : isDigit($0) }
        guard !digits.isEmpty,
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        let end = digits.endIndex
        return (.character(value), end - index + (end < text.count && text[end] == UInt8(ascii: ";") ? 1 : 0))
    }

    private static func named(_ text: [UInt8], _ index: Int) -> (Meaning, Int)? {
        let name = text[(index + 1)...].prefix(10).prefix(while: isAlphanumeric)
        guard !name.isEmpty, name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: ";") else { return nil }
        let word = String(decoding: name, as: UTF8.self)
        let value = punctuation[word] ?? htmlEntityLookup(word).map { UInt32($0.pointee.value) }
        return value.map { (.character($0), name.count + 2) }
    }

    /// Names of HTML 5 for printable ASCII, which HTML 4 has no names for.
    private static let punctuation: [String: UInt32] = [
        "apos": 0x27, "excl": 0x21, "num": 0x23, "dollar": 0x24, "percnt": 0x25, "lpar": 0x28, "rpar": 0x29,
        "ast": 0x2A, "plus": 0x2B, "comma": 0x2C, "period": 0x2E, "sol": 0x2F, "colon": 0x3A, "semi": 0x3B,
        "equals": 0x3D, "quest": 0x3F, "commat": 0x40, "lsqb": 0x5B, "lbrack": 0x5B, "bsol": 0x5C, "rsqb": 0x5D,
        "rbrack": 0x5D, "Hat": 0x5E, "lowbar": 0x5F, "grave": 0x60, "lcub": 0x7B, "lbrace": 0x7B, "verbar": 0x7C,
        "vert": 0x7C, "rcub": 0x7D, "rbrace": 0x7D,
    ]

    private static func number(_ text: [UInt8], _ start: Int, digits: Int) -> UInt32? {
        guard start + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[start..<(start + digits)] {
            guard let digit = hexadecimal(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
