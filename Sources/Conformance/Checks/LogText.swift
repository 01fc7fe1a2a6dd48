/// Text for a log that others read as well: a terminal, the log of a build server.
///
/// Build servers obey lines of a log: GitHub's runner those that begin with `::`, blanks before it included, and both it and
/// Azure's agent whatever stands between `##` and a bracket, anywhere in a line (`##[group]`, `##vso[task.setvariable …]`);
/// TeamCity has `##teamcity[…]`. A terminal obeys control characters. All of them are escaped.
package enum LogText {
    /// The reader of the text besides the log, which must still parse it.
    package enum Form: Sendable {
        case text
        case json
        case xml
        case markdown
    }

    /// The text, made harmless; its own line breaks stay, as do the colours that a report has on a terminal.
    package static func defused(_ text: String, as form: Form = .text) -> String {
        var bytes = text
        let harmless: String? = bytes.withUTF8 { bytes in
            // Nearly all output is harmless, and is handed on as it is.
            guard isSuspicious(bytes[...]) else { return nil }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 64)
            var start = 0
            while true {
                let end = endOfLine(bytes, from: start)
                let line = bytes[start..<end]
                if isSuspicious(line) {
                    result += Self.line(String(decoding: line, as: UTF8.self), form).utf8
                } else {
                    result += line
                }
                guard end < bytes.count else { break }
                result.append(0x0A)
                start = end + 1
            }
            return String(decoding: result, as: UTF8.self)
        }
        return harmless ?? text
    }

    /// The position of the next line feed that is not the end of a CR LF, which no text of our own has.
    private static func endOfLine(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A || (end > 0 && bytes[end - 1] == 0x0D) { end += 1 }
        return end
    }

    private static func line(_ line: String, _ form: Form) -> String {
        var result = ""
        let scalars = Array(line.unicodeScalars)
        let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.count
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "\u{1B}", let length = colour(scalars, at: index) {
                result.unicodeScalars.append(contentsOf: scalars[index..<(index + length)])
                index += length
                continue
            }
            let beginsCommand =
                index == start && scalar == ":" && index + 1 < scalars.count && scalars[index + 1] == ":"
            let isSecondMark =
                scalar == "#" && index > 0 && scalars[index - 1] == "#" && opensCommand(scalars, behind: index)
            if beginsCommand || isSecondMark || isControl(scalar) {
                result += escape(scalar, form)
            } else {
                result.unicodeScalars.append(scalar)
            }
            index += 1
        }
        return result
    }

    /// Whether a bracket follows, with nothing but letters, digits and dots before it.
    private static func opensCommand(_ scalars: [Unicode.Scalar], behind index: Int) -> Bool {
        let rest = scalars[(index + 1)...].prefix(64)
        let end = rest.first { !($0.isASCII && ($0.properties.isAlphabetic || $0 == "." || ("0"..."9").contains($0))) }
        return end == "["
    }

    /// The length of a sequence that sets a colour or takes it back.
    private static func colour(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
        guard index + 2 < scalars.count, scalars[index + 1] == "[" else { return nil }
        let digits = scalars[(index + 2)...].prefix(3).prefix { ("0"..."9").contains($0) }
        guard digits.endIndex < scalars.count, scalars[digits.endIndex] == "m" else { return nil }
        return digits.endIndex - index + 1
    }

    private static func escape(_ scalar: Unicode.Scalar, _ form: Form) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        switch form {
        case .text: return "\\u{\(digits)}"
        case .json: return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        // Neither form can contain a control character, however it is written.
        case .xml, .markdown: return isControl(scalar) ? "\u{FFFD}" : "&#\(scalar.value);"
        }
    }

    /// Control characters but for the tabulator, and what breaks a line or turns its direction.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether something is in it that ``line(_:_:)`` may change.
    private static func isSuspicious(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var (first, before): (UInt8, UInt8) = (0x0A, 0x0A)
        for byte in bytes {
            if byte < 0x20, byte != 0x0A, byte != 0x09 { return true }
            if byte == 0x7F || (before == 0x23 && byte == 0x23) || (before == 0x3A && byte == 0x3A) { return true }
            // In UTF-8 the C1 controls are C2 80 to C2 9F, U+2028 to U+202E are E2 80 A8 to AE, and U+2066 to U+2069 E2 81 A6 to A9.
            if before == 0xC2 && byte < 0xA0 { return true }
            if first == 0xE2, before == 0x80 ? (0xA8...0xAE ~= byte) : before == 0x81 && 0xA6...0xA9 ~= byte {
                return true
            }
            (first, before) = (before, byte)
        }
        return false
    }
}
