import Foundation

/// An encoding of a value that a server may use, implemented independently of the code under test.
enum Spelling: String, CaseIterable, Sendable {
    case plain, percent, percentLower, percentAll, percentTwice, form, jsonEscapes, jsonEscapesLower, jsonSlashes
    case htmlNamed, htmlDecimal, htmlHexadecimal, htmlWithoutSemicolon
    case base64, base64URL, base64Behind1, base64Behind2, base64URLInJSON, base64OfEscapedJSON
    case hexadecimal, hexadecimalUpper, upperCase, lowerCase
    case jsonInPercent, percentInHTML, percentInBase64, htmlInJSON, javaScript

    func write(_ value: String) -> String {
        let bytes = Array(value.utf8)
        return switch self {
        case .plain: value
        case .percent: Self.percent(value) { $0.isLetterOrDigit || "-._~".utf8.contains($0) }
        case .percentLower: Self.percent(value, upper: false) { $0.isLetterOrDigit }
        case .percentAll: Self.percent(value) { _ in false }
        case .percentTwice: Self.percent(Spelling.percent.write(value)) { $0.isLetterOrDigit }
        case .form: Self.percent(value) { $0.isLetterOrDigit || $0 == 0x20 }.replacing(" ", with: "+")
        case .jsonEscapes: Self.units(value) { String(format: "\\u%04X", $0) }
        case .jsonEscapesLower:
            Self.units(value) { unit in
                unit < 128 && UInt8(unit).isLetterOrDigit
                    ? String(decoding: [unit], as: UTF16.self) : String(format: "\\u%04x", unit)
            }
        case .jsonSlashes:
            value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
        case .htmlNamed:
            value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                .replacing("\"", with: "&quot;").replacing("/", with: "&sol;").replacing("+", with: "&plus;")
                .replacing("é", with: "&eacute;")
        case .htmlDecimal: value.unicodeScalars.map { "&#\($0.value);" }.joined()
        case .htmlHexadecimal: value.unicodeScalars.map { String(format: "&#x%X;", $0.value) }.joined()
        case .htmlWithoutSemicolon: value.unicodeScalars.map { String(format: "&#%05u", $0.value) }.joined()
        case .base64: Data(bytes).base64EncodedString()
        case .base64URL: Self.url(Data(bytes))
        case .base64Behind1: Data(Array("u".utf8) + bytes).base64EncodedString()
        case .base64Behind2: Self.url(Data(Array("u:".utf8) + bytes + Array(":tail".utf8)))
        case .base64URLInJSON: Self.url(Data("{\"a\":\"\(Spelling.jsonSlashes.write(value))\"}".utf8))
        case .base64OfEscapedJSON: Self.url(Data("{\"a\":\"\(Spelling.jsonEscapes.write(value))\"}".utf8))
        case .hexadecimal: bytes.map { String(format: "%02x", $0) }.joined()
        case .hexadecimalUpper: bytes.map { String(format: "%02X", $0) }.joined()
        case .upperCase: Self.ascii(value) { $0.uppercased() }
        case .lowerCase: Self.ascii(value) { $0.lowercased() }
        case .jsonInPercent: Self.percent(Spelling.jsonEscapes.write(value)) { $0.isLetterOrDigit }
        case .percentInHTML: Spelling.percent.write(value).replacing("%", with: "&#37;")
        case .percentInBase64: Self.url(Data("u:\(Spelling.percent.write(value))".utf8))
        case .htmlInJSON: Spelling.jsonSlashes.write(Spelling.htmlDecimal.write(value))
        case .javaScript: Self.units(value) { $0 < 256 ? String(format: "\\x%02x", $0) : String(format: "\\u%04x", $0) }
        }
    }

    private static func percent(_ text: String, upper: Bool = true, _ keeps: (UInt8) -> Bool) -> String {
        text.utf8
            .map { keeps($0) ? String(decoding: [$0], as: UTF8.self) : String(format: upper ? "%%%02X" : "%%%02x", $0) }
            .joined()
    }

    private static func units(_ text: String, _ write: (UInt16) -> String) -> String { text.utf16.map(write).joined() }

    private static func url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func ascii(_ text: String, _ change: (Character) -> String) -> String {
        text.map { $0.isASCII ? change($0) : String($0) }.joined()
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
