internal import Conformance

/// Text in quotation marks, by the rules of each format.
///
/// The provider chooses names and URLs, so every text is treated as hostile: characters with a special meaning in the format
/// are escaped, and so are invisible ones (control, formatting and private-use characters).
enum QuotedText {
    /// A JSON string (RFC 8259 section 7).
    ///
    /// The dollar sign is escaped as well, so that `envsubst` replaces only the placeholders of a file.
    static func json(_ text: String) -> String {
        quoted(text) { scalar, _ in
            common(scalar) ?? (scalar == "$" || scalar.isInvisible ? utf16(scalar) : nil)
        }
    }

    /// A quoted template of HCL's native syntax without a template sequence in it.
    ///
    /// A `$` or `%` before a brace is written as its code point, because `$${` fails after another dollar sign.
    static func hcl(_ text: String) -> String {
        quoted(text) { scalar, next in
            if let escape = common(scalar) { return escape }
            let opensTemplate = (scalar == "$" || scalar == "%") && next == "{"
            return opensTemplate || scalar.isInvisible ? code(scalar) : nil
        }
    }

    /// A double-quoted scalar (YAML 1.2 section 7.3.1).
    static func yaml(_ text: String) -> String {
        quoted(text) { scalar, _ in common(scalar) ?? (scalar.isInvisible ? code(scalar) : nil) }
    }

    /// A string literal of Python, whose escapes are those of YAML as far as ``yaml(_:)`` uses them.
    static func python(_ text: String) -> String { yaml(text) }

    /// A string literal without interpolation.
    static func swift(_ text: String) -> String {
        quoted(text) { scalar, _ in
            switch scalar {
            case "\"", "\\", "\n", "\r", "\t": common(scalar)
            default: scalar.isInvisible ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : nil
            }
        }
    }

    /// One word of a POSIX shell.
    static func shell(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { "-._/:=+,@".unicodeScalars.contains($0) || $0.isLetterOrDigit }
        return plain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// Text as a value in the query of a URL (RFC 3986 section 2.1).
    static func percentEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.isLetterOrDigit || "-._~".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func quoted(
        _ text: String,
        _ escape: (Unicode.Scalar, Unicode.Scalar?) -> String?
    ) -> String {
        var result = "\""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if let escaped = escape(scalar, next) {
                result += escaped
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The escapes that all four formats share.
    private static func common(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": #"\""#
        case "\\": #"\\"#
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: nil
        }
    }

    /// `\uNNNN`, or two of them for a character beyond the basic plane.
    private static func utf16(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
    }

    /// `\uNNNN`, or `\UNNNNNNNN` for a character beyond the basic plane.
    private static func code(_ scalar: Unicode.Scalar) -> String {
        scalar.value > 0xFFFF
            ? "\\U" + hexadecimal(scalar.value, digits: 8) : "\\u" + hexadecimal(scalar.value, digits: 4)
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Unicode.Scalar {
    /// Files escape the characters that reports make visible: one rule for both.
    fileprivate var isInvisible: Bool { String(self).shown() != String(self) }

    var isLetterOrDigit: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
