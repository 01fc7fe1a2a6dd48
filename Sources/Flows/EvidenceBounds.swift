/// Limits for an evidence file from an untrusted source: on its nesting, its lists, its texts and its numbers.
///
/// The bytes are checked before they are decoded. A file that this tool writes is far below the limits.
enum EvidenceBounds {
    /// Levels of objects and arrays.
    static let depth = 64
    /// Elements of an array of numbers: the bytes of a body.
    static let numbers = 4 << 20
    /// Elements of any other array, and members of an object.
    static let elements = 1 << 18
    /// Bytes of a string: a body of 2 MiB, each byte of it escaped with six characters.
    static let string = 16 << 20
    /// Values of the whole file.
    static let values = 16 << 20
    /// Larger numbers are not exact, and none of them counts, dates or measures anything.
    static let number = 9_007_199_254_740_992.0

    /// What the bytes exceed first; `nil` if nothing, also for bytes that are not JSON.
    static func excess(of bytes: [UInt8]) -> String? {
        bytes.withUnsafeBufferPointer { excess(of: $0) }
    }

    /// An array or an object whose end has not been read yet.
    private struct Level {
        /// Commas, one less than its elements.
        var separators = 0
        var hasOnlyNumbers = true
    }

    private static func excess(of text: UnsafeBufferPointer<UInt8>) -> String? {
        var levels: [Level] = []
        var values = 0
        var place = 0
        while place < text.count {
            let byte = text[place]
            var end = place + 1
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !levels.isEmpty { levels[levels.count - 1].hasOnlyNumbers = false }
                levels.append(Level())
                values += 1
                if levels.count > depth { return "it is nested deeper than \(depth) levels" }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = levels.popLast()
            case UInt8(ascii: ","):
                guard let last = levels.indices.last else { break }
                levels[last].separators += 1
                let most = levels[last].hasOnlyNumbers ? numbers : elements
                if levels[last].separators >= most { return "a list has more than \(most) elements" }
            case UInt8(ascii: "\""):
                while end < text.count, text[end] != byte { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
                if end - place > string { return "a text is longer than \(string >> 20) MiB" }
                end += 1
                values += 1
                if !levels.isEmpty { levels[levels.count - 1].hasOnlyNumbers = false }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while end < text.count, isPartOfNumber(text[end]) { end += 1 }
                values += 1
                if end - place > 40 { return "a number has more than 40 characters" }
                let number = Double(String(decoding: text[place..<end], as: UTF8.self)) ?? 0
                if abs(number) > Self.number { return "a number is beyond 2^53" }
            default: break
            }
            if values > Self.values { return "it has more than \(Self.values) values" }
            place = end
        }
        return nil
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
            UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
