/// One name and its value in a query, a form or a fragment.
package struct FormParameter: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Ordered parameters in `application/x-www-form-urlencoded` form (URL Standard, section 5); repeated names are kept.
package struct FormParameters: Sendable, Hashable, ExpressibleByArrayLiteral {
    package var items: [FormParameter]

    package init(_ items: [FormParameter] = []) {
        self.items = items
    }

    package init(arrayLiteral elements: (String, String)...) {
        items = elements.map { FormParameter(name: $0.0, value: $0.1) }
    }

    /// Reads the text of a query, fragment or body; `+` is a space, a broken escape is kept as it stands.
    package init(parsing text: some StringProtocol) {
        items = FormPiece.pieces(of: text).filter { !$0.bytes.isEmpty }
            .map { piece in
                FormParameter(
                    name: PercentEncoding.decode(piece.nameBytes, plusIsSpace: true),
                    value: piece.valueBytes.map { PercentEncoding.decode($0, plusIsSpace: true) } ?? ""
                )
            }
    }

    /// The value of the first parameter of that name.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The values of all parameters of that name, in order.
    package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// Adds a parameter at the end.
    package mutating func append(_ name: String, _ value: String) {
        items.append(FormParameter(name: name, value: value))
    }

    /// The parameters as `name=value&…`, everything but letters, digits and `*-._` escaped, a space as `+`.
    package var serialized: String {
        items
            .map { PercentEncoding.encodeForForm($0.name) + "=" + PercentEncoding.encodeForForm($0.value) }
            .joined(separator: "&")
    }
}

/// The text between two `&` of a query or form, not decoded.
///
/// The text is split at bytes, not characters, so that a combining mark after a delimiter does not hide the delimiter.
package struct FormPiece: Sendable {
    package let bytes: ArraySlice<UInt8>
    private let equals: Int?

    /// All pieces in order, empty ones too.
    package static func pieces(of text: some StringProtocol) -> [FormPiece] {
        Array(text.utf8).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { FormPiece(bytes: $0, equals: $0.firstIndex(of: UInt8(ascii: "="))) }
    }

    var nameBytes: ArraySlice<UInt8> { bytes[..<(equals ?? bytes.endIndex)] }
    var valueBytes: ArraySlice<UInt8>? { equals.map { bytes[($0 + 1)...] } }

    /// The piece as it stands.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The text before the first `=`; the whole piece if it has none.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }
    /// The text after the first `=`; nil if the piece has none.
    package var value: String? { valueBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// Percent-encoding of single values (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Undoes the escapes; bytes that are not UTF-8 become replacement characters, a broken escape stays as it is.
    package static func decode(_ text: some StringProtocol) -> String {
        decode(Array(text.utf8)[...], plusIsSpace: false)
    }

    /// Escapes everything but the unreserved characters: letters, digits and `-._~`.
    package static func encode(_ text: String) -> String {
        escape(text) { isAlphanumeric($0) || "-._~".utf8.contains($0) }
    }

    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
                continue
            }
            decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    static func encodeForForm(_ text: String) -> String {
        escape(text, space: [UInt8(ascii: "+")]) { isAlphanumeric($0) || "*-._".utf8.contains($0) }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func escape(
        _ text: String,
        space: [UInt8] = Array("%20".utf8),
        keeping isKept: (UInt8) -> Bool
    ) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                escaped.append(byte)
            } else if byte == UInt8(ascii: " ") {
                escaped += space
            } else {
                escaped.append(UInt8(ascii: "%"))
                escaped.append(digits[Int(byte >> 4)])
                escaped.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// These split at bytes, not characters, so that a combining mark after a delimiter does not hide the delimiter.
extension Substring {
    /// The text before and after the first occurrence of an ASCII character; all of it and nil if there is none.
    package func cut(at mark: Unicode.Scalar) -> (before: Substring, after: Substring?) {
        guard let place = utf8.firstIndex(of: UInt8(ascii: mark)) else { return (self, nil) }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The nonempty parts between the occurrences of an ASCII character.
    package func parts(at mark: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: mark)).map { Substring($0) }
    }
}
