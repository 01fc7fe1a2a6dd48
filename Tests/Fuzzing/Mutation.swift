/// A generator of Marsaglia's xorshift family, period 2⁶⁴ − 1: the same seed generates the same texts on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// Mutates valid texts.
package struct Mutator {
    private let texts: [[UInt8]]
    private let pieces: [[UInt8]]
    private var random: SeededGenerator

    /// - Parameters:
    ///   - texts: Valid texts, and inputs that once broke a parser.
    ///   - pieces: Tokens of their language.
    ///   - seed: Determines all mutations.
    package init(texts: [[UInt8]], pieces: [String], seed: UInt64) {
        self.texts = texts
        self.pieces = pieces.map { Array($0.utf8) } + Self.bytes
        random = SeededGenerator(seed: seed)
    }

    /// Pieces that break texts of any kind: invalid UTF-8, line ends, byte order marks, boundary numbers.
    private static let bytes: [[UInt8]] =
        [
            [0], [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xEF, 0xBB, 0xBF], [0x0D, 0x0A], [0x1B],
            [0x7F],
        ]
        + ["-1", "0", "2147483648", "18446744073709551616", "1e999", "\u{301}", "\u{202E}", "😀", "\u{2028}"]
        .map { Array($0.utf8) }

    package mutating func next() -> [UInt8] {
        var text = texts.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &random) { change(&text) }
        return text.count > 60_000 ? Array(text.prefix(60_000)) : text
    }

    private mutating func change(_ text: inout [UInt8]) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 0...24, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: text.removeSubrange(place..<end)
        case 1: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
        case 2: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 4: text = Array(text[..<place])
        case 5:
            let other = texts.randomElement(using: &random) ?? []
            let from = Int.random(in: 0...other.count, using: &random)
            text.insert(contentsOf: other[from..<min(other.count, from + 200)], at: place)
        case 6:
            // Deep nesting or long repetition.
            let piece = pieces.randomElement(using: &random) ?? []
            let times = Int.random(in: 1...2_000, using: &random)
            text.insert(contentsOf: (0..<times).flatMap { _ in piece }, at: place)
        default: text.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        }
    }
}
