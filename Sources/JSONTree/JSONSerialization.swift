extension JSON {
    /// The value as JSON text, members in their order.
    ///
    /// Big integers are written as their digits; `"`, `\` and control characters are escaped, everything else is left
    /// as it is. An infinite real is written as a number that overflows again when it is read; a real that is not a
    /// number, which no text can yield, is written as `null`.
    ///
    /// - Parameter pretty: Writes lines for readers, with escapes for characters that they do not see: controls, line separators,
    ///   and format characters such as those of bidirectional text and tags.
    ///
    /// - Parameter depth: The level of the value in the text around it.
    package func serialized(pretty: Bool = false, depth: Int = 0) -> String {
        var writer = Writer(pretty: pretty, depth: depth)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONObject {
    /// The object as JSON text, members in their order.
    package func serialized(pretty: Bool = false) -> String { JSON.object(self).serialized(pretty: pretty) }
}

private struct Writer {
    var bytes: [UInt8] = []
    let pretty: Bool
    private var depth: Int

    init(pretty: Bool, depth: Int) {
        self.pretty = pretty
        self.depth = depth
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .bigInteger(let digits): bytes += digits.utf8
        case .real(let number): bytes += Self.text(of: number).utf8
        case .string(let text): write(text)
        case .array(let elements):
            enclose("[", "]", elements) { writer, element in writer.write(element) }
        case .object(let object):
            enclose("{", "}", object.members) { writer, member in
                writer.write(member.name)
                writer.bytes += (writer.pretty ? ": " : ":").utf8
                writer.write(member.value)
            }
        }
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "null" }
        if number.isInfinite { return number < 0 ? "-1e999" : "1e999" }
        return number.description
    }

    private mutating func enclose<Item>(
        _ opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        _ items: [Item],
        _ body: (inout Writer, Item) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        depth += 1
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            body(&self, item)
        }
        depth -= 1
        if !items.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func breakLine() {
        guard pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && (!pretty || $0 < 0x7F)
        }
        if isPlain {
            bytes += text.utf8
        } else if pretty {
            for scalar in text.unicodeScalars {
                if Self.isUnseen(scalar) { escape(scalar) } else { write(String(scalar).utf8) }
            }
        } else {
            write(text.utf8)
        }
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    /// The escapes of a character, two for one beyond U+FFFF (RFC 8259 section 7).
    private mutating func escape(_ scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar) ?? .init() {
            let digits = String(unit, radix: 16)
            bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
        }
    }

    private mutating func write(_ text: some Sequence<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += #"\b"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0C: bytes += #"\f"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0..<0x10: bytes += (#"\u000"# + String(byte, radix: 16)).utf8
            case 0x10..<0x20: bytes += (#"\u00"# + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
    }
}
