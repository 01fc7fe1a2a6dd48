import Conformance

/// The media type `application/x-www-form-urlencoded` in UTF-8, as OAuth uses it (RFC 6749 appendix B).
enum FormEncoding {
    static let mediaType = "application/x-www-form-urlencoded"

    /// The parameters in order, including repeated ones.
    static func decode(_ text: some StringProtocol) -> [Field] {
        Array(text.utf8).split(separator: UInt8(ascii: "&"))
            .map { pair in
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                return Field(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
            }
    }

    static func encode(_ fields: [Field]) -> String {
        fields.map { encodeComponent($0.name) + "=" + encodeComponent($0.value) }.joined(separator: "&")
    }

    /// A name or a value; a percent sign that starts no escape is kept, as in the URL Standard.
    static func decodeComponent(_ text: some StringProtocol) -> String { decoded(Array(text.utf8)[...]) }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = hexadecimal(bytes[index + 1]),
                    let low = hexadecimal(bytes[index + 2])
                else {
                    decoded.append(bytes[index])
                    break
                }
                decoded.append(high << 4 | low)
                index += 2
            default: decoded.append(bytes[index])
            }
            index += 1
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    static func encodeComponent(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            // A plus sign works in a form, but not every client decodes it in the fragment.
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [Field] {
    /// The first value of that name, which is case-sensitive.
    func first(_ name: String) -> String? { first { $0.name == name }?.value }

    /// Drops parameters without a value, which count as omitted (RFC 6749 sections 3.1 and 3.2).
    var withoutEmpty: [Field] { filter { !$0.value.isEmpty } }

    /// The first name that occurs more than once.
    var repeatedName: String? {
        var seen: Set<String> = []
        return first { !seen.insert($0.name).inserted }?.name
    }
}
