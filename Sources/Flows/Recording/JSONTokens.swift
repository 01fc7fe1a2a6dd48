import JSONTree

/// The tokens of a text that should be JSON, found without parsing it: a syntax error must not hide a secret.
struct JSONTokens: Sendable {
    /// A string or number that is a value.
    struct Value: Sendable {
        var range: Range<Int>
        /// The name of the member that it is the value of, decoded; of the innermost object that has one for an element.
        var name: String?
        /// Whether its object, or one around it, has a member `kty`: then it is a key (RFC 7517).
        var isInKey = false
    }

    /// All strings, names included, with their quotation marks.
    private(set) var strings: [Range<Int>] = []
    private(set) var values: [Value] = []

    private struct Level {
        var isObject: Bool
        var name: String?
        /// The values before this one that stand outside it.
        var first: Int
        var isKey = false
    }

    /// Deeper nesting is not used; each level is visited once for every key around it.
    private static let deepest = 100

    init(_ bytes: [UInt8]) {
        var levels: [Level] = []
        var tooDeep = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = Self.endOfString(bytes, index)
                let isTerminated = end - index >= 2 && bytes[end - 1] == UInt8(ascii: "\"")
                if isTerminated { strings.append(index..<end) }
                if Self.isFollowedByColon(bytes, end) {
                    let name = Self.decoded(bytes[index..<end])
                    if levels.isEmpty { levels.append(Level(isObject: true, first: values.count)) }
                    levels[levels.count - 1].name = name
                    if name == "kty" { levels[levels.count - 1].isKey = true }
                } else {
                    values.append(Value(range: index..<end, name: Self.name(levels)))
                    Self.forgetName(&levels)
                }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if levels.count < Self.deepest {
                    levels.append(Level(isObject: bytes[index] == UInt8(ascii: "{"), name: nil, first: values.count))
                } else {
                    tooDeep += 1
                }
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if tooDeep > 0 {
                    tooDeep -= 1
                } else if let level = levels.popLast(), level.isKey {
                    for place in level.first..<values.count { values[place].isInKey = true }
                }
                Self.forgetName(&levels)
                index += 1
            case UInt8(ascii: ","):
                Self.forgetName(&levels)
                index += 1
            case UInt8(ascii: "-"), 0x30...0x39:
                let start = index
                while index < bytes.count, "+-.0123456789eE".utf8.contains(bytes[index]) { index += 1 }
                values.append(Value(range: start..<index, name: Self.name(levels)))
            default: index += 1
            }
        }
        // A text that was cut off has open objects.
        for level in levels where level.isKey {
            for place in level.first..<values.count { values[place].isInKey = true }
        }
    }

    /// The name that a value has here; an element of an array is known by the array's.
    private static func name(_ levels: [Level]) -> String? {
        levels.last { $0.name != nil || $0.isObject }?.name
    }

    private static func forgetName(_ levels: inout [Level]) {
        if let last = levels.indices.last, levels[last].isObject { levels[last].name = nil }
    }

    private static func endOfString(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private static func isFollowedByColon(_ bytes: [UInt8], _ end: Int) -> Bool {
        bytes[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
    }

    /// The decoded text of a string; unchanged if its escapes are invalid.
    static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        guard text.contains(UInt8(ascii: "\\")) else {
            return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONDocument.parse(text))?.root.stringValue
            ?? String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    }
}
