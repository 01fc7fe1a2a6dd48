import Foundation

// fuzz FILE…: reads 20,000 mutations of the files and of the odd texts; to be compiled together with the room, under the
// address sanitizer. The same mutations in every run: a failure can be seen again.

/// A generator of the family of Marsaglia's xorshift, period 2⁶⁴ − 1.
struct Random: RandomNumberGenerator {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// What breaks YAML most likely.
let pieces: [[UInt8]] =
    [
        "\n", "\r\n", "\t", " ", "  ", "- ", "? ", ": ", ",", "[", "]", "{", "}", "#", " #", "&a ", "*a", "!", "!!str ",
        "|",
        "|2-\n", ">", ">+\n", "'", "\"", "\\", "\\u00e9", "\\x0", "%", "%YAML 1.2\n---\n", "---\n", "...\n", "<<: ",
        "~", "@",
        "`", "\u{FEFF}", "\u{85}", "\u{2028}", "é", "😀", "\0", "\u{1}", "&a [*a]", "[[[[[[[[[[[[[[[[",
        "{{{{{{{{{{{{{{{{",
    ]
    .map { Array($0.utf8) } + [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xFF, 0xFE]]

func mutation(of texts: [[UInt8]], _ random: inout Random) -> [UInt8] {
    var text = texts.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 0...24, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: text.removeSubrange(place..<end)
        case 1: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
        case 2: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 4: text = Array(text[..<place])
        case 5:
            let other = texts.randomElement(using: &random) ?? []
            let from = Int.random(in: 0...other.count, using: &random)
            text.insert(contentsOf: other[from..<min(other.count, from + 200)], at: place)
        default: text.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        }
    }
    return text
}

/// Why a result cannot be; `nil` when it can.
func contradiction(_ text: [UInt8], _ limits: YAML.Limits) -> String? {
    do throws(YAMLError) {
        var count = 0
        try check(YAML.parse(text, limits: limits), &count, depth: 0)
        return count <= limits.nodes ? nil : "\(count) values"
    } catch {
        // An end of file within a line counts as a line of its own.
        let lines = YAML.Place.end(of: text).line + 1
        return (1...lines).contains(error.place.line) && error.place.column >= 1 ? nil : "no such place: \(error)"
    }

    func check(_ node: YAML, _ count: inout Int, depth: Int) {
        count += 1
        precondition(node.place.line >= 1 && node.place.column >= 1 && depth <= limits.depth)
        for element in node.sequence ?? [] { check(element, &count, depth: depth + 1) }
        for entry in node.mapping ?? [] {
            check(entry.key, &count, depth: depth + 1)
            check(entry.value, &count, depth: depth + 1)
        }
    }
}

var random = Random()
let files = CommandLine.arguments.dropFirst().compactMap { FileManager.default.contents(atPath: $0).map { Array($0) } }
// Long texts are read in the tests; here they would only take time.
let texts = (files + Sample.all.map(\.octets)).filter { $0.count < 20_000 }
var outcomes = (read: 0, refused: 0)
for number in 1...20_000 {
    let text = mutation(of: texts, &random)
    let limits = number.isMultiple(of: 4) ? YAML.Limits(size: 4_000, depth: 4, nodes: 60) : YAML.Limits()
    if let contradiction = contradiction(text, limits) {
        print("mutation \(number): \(contradiction)\n\(String(decoding: text, as: UTF8.self))")
        exit(1)
    }
    if (try? YAML.parse(text, limits: limits)) == nil { outcomes.refused += 1 } else { outcomes.read += 1 }
}
print("20,000 mutations of \(texts.count) texts: \(outcomes.read) read, \(outcomes.refused) refused, none by a crash")
