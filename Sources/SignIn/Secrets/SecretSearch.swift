/// Finds secrets in texts, in any of several encodings, and replaces them.
///
/// It compares the decoded text: percent escapes, HTML references and the escapes of JSON and JavaScript are decoded, up to
/// three levels. Base64 is found at each alignment, also if the secret is only a part of what was encoded, and hexadecimal as
/// well. Secrets of 12 bytes or more match in either letter case. If a text was cut off within a secret, a beginning of 8 bytes
/// or more matches.
///
/// A provider that obfuscates a secret, reversed or with separators between its letters, defeats this search.
package struct SecretSearch: Sendable {
    private struct Pattern: Sendable {
        var form: SecretForm
        var replacement: [UInt8]
    }

    /// A secret that was found.
    private struct Match {
        var range: Range<Int>
        var pattern: Int
    }

    /// How often a text is decoded.
    private static let depth = 3
    /// A shorter beginning of a secret at the end of a text reveals little.
    private static let leastBeginning = 8
    /// A run of base64 is looked into from this length on.
    private static let leastRun = 16

    private var patterns: [Pattern] = []
    /// The patterns by their first four bytes, in lower case, in byte order.
    ///
    /// Tokens begin alike, and a text may repeat that beginning often: comparing each of them would take minutes.
    private var places: [UInt32: [Int]] = [:]
    /// For each pattern the longest other one that it begins with.
    private var beginnings: [Int?] = []
    /// Which of those beginnings there are, by a hash: most of a text begins nothing.
    private var filter = [Bool](repeating: false, count: 1 << 16)

    package init() {}

    /// Adds a secret of at least four bytes; the replacement is used wherever it is found.
    package mutating func learn(_ value: String, replacement: String) {
        let replacement = Array(replacement.utf8)
        for form in SecretForms.all(of: value) where form.bytes.count >= 4 { learn(form, replacement) }
    }

    private mutating func learn(_ form: SecretForm, _ replacement: [UInt8]) {
        let key = Self.key(form.bytes, at: 0)
        var list = places[key] ?? []
        let place = insertion(of: form.bytes[...], in: list)
        let before = place > 0 ? list[place - 1] : nil
        // Equal patterns are adjacent.
        var same = before
        while let one = same, patterns[one].form.bytes.count == form.bytes.count,
            Self.begins(form.bytes[...], with: patterns[one].form.bytes)
        {
            let known = patterns[one].form
            if known.bytes == form.bytes, known.isFolded == form.isFolded, known.margin == form.margin { return }
            same = beginnings[one]
        }
        let number = patterns.count
        patterns.append(Pattern(form: form, replacement: replacement))
        let parent = longest(from: before, beginning: form.bytes[...])
        beginnings.append(parent)
        list.insert(number, at: place)
        for later in list[(place + 1)...] {
            guard Self.begins(patterns[later].form.bytes[...], with: form.bytes) else { break }
            if beginnings[later] == parent { beginnings[later] = number }
        }
        places[key] = list
        filter[Self.hash(key)] = true
    }

    /// The insertion point of bytes among patterns: after all that are less or equal.
    private func insertion(of bytes: ArraySlice<UInt8>, in list: [Int]) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.isLess(bytes, patterns[list[middle]].form.bytes) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The first of a pattern and its beginnings that the bytes begin with.
    private func longest(from pattern: Int?, beginning bytes: ArraySlice<UInt8>) -> Int? {
        var candidate = pattern
        while let one = candidate, !Self.begins(bytes, with: patterns[one].form.bytes) { candidate = beginnings[one] }
        return candidate
    }

    /// In lower case, a beginning before what goes on.
    private static func isLess(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        for (place, byte) in left.enumerated() {
            guard place < right.count else { return false }
            let (one, other) = (SecretForms.lowercased(byte), SecretForms.lowercased(right[place]))
            if one != other { return one < other }
        }
        return left.count < right.count
    }

    /// Whether bytes begin with others, in either letter case.
    private static func begins(_ bytes: ArraySlice<UInt8>, with beginning: [UInt8]) -> Bool {
        guard bytes.count >= beginning.count else { return false }
        for place in 0..<beginning.count {
            let (one, other) = (bytes[bytes.startIndex + place], beginning[place])
            guard SecretForms.lowercased(one) == SecretForms.lowercased(other) else { return false }
        }
        return true
    }

    /// The text with every secret replaced.
    package func redact(_ text: String) -> String {
        guard !patterns.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let redacted = redact(bytes)
        return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
    }

    /// The bytes with every secret replaced.
    ///
    /// - Parameters:
    ///   - onlyCertain: Leaves out values that are shorter than 12 bytes, for texts that are not only the provider's.
    ///   - keepsEscapes: Replaces the escapes of JSON as a whole that a secret begins or ends in, so that none is left in part.
    ///   - isAllowed: Says where something may be replaced; what is found elsewhere stays.
    package func redact(
        _ bytes: [UInt8],
        onlyCertain: Bool = false,
        keepsEscapes: Bool = false,
        where isAllowed: (Range<Int>) -> Bool = { _ in true }
    ) -> [UInt8] {
        let matches = matches(in: bytes, onlyCertain: onlyCertain)
            .map { match in
                keepsEscapes
                    ? Match(range: Self.withWholeEscapes(match.range, bytes), pattern: match.pattern) : match
            }
            .filter { isAllowed($0.range) }
            .sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
        guard !matches.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        for match in matches {
            // Overlapping matches are two readings of one secret, or two adjacent secrets: nothing of either may remain.
            if match.range.lowerBound >= end {
                result += bytes[end..<match.range.lowerBound]
                result += patterns[match.pattern].replacement
            }
            end = max(end, match.range.upperBound)
        }
        return result + bytes[end...]
    }

    private static func withWholeEscapes(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        /// The range of the escape that contains a position.
        func escape(around place: Int) -> Range<Int>? {
            for start in max(0, place - 5)..<place where bytes[start] == UInt8(ascii: "\\") {
                // Two of them are an escape by themselves.
                let run = bytes[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                guard run.isMultiple(of: 2), start + 1 < bytes.count else { continue }
                let end = start + (bytes[start + 1] == UInt8(ascii: "u") ? 6 : 2)
                if end > place { return start..<min(end, bytes.count) }
            }
            return nil
        }
        let start = escape(around: range.lowerBound)?.lowerBound ?? range.lowerBound
        let end = escape(around: range.upperBound)?.upperBound ?? range.upperBound
        return start..<end
    }

    /// - Parameter isInside: Whether the bytes were base64, which is not searched for in them again.
    private func matches(in bytes: [UInt8], onlyCertain: Bool, isInside: Bool = false) -> [Match] {
        guard !patterns.isEmpty else { return [] }
        var found: [Match] = []
        var text = DecodedText(bytes)
        for level in 0...Self.depth {
            for match in plainMatches(in: text.bytes, onlyCertain) {
                found.append(Match(range: text.source(of: match.range), pattern: match.pattern))
            }
            if level < 2, !isInside {
                for match in matches(inRunsOf: text.bytes, onlyCertain) {
                    found.append(Match(range: text.source(of: match.range), pattern: match.pattern))
                }
            }
            guard level < Self.depth, let next = text.decoded() else { break }
            text = next
        }
        return found
    }

    private func plainMatches(in bytes: [UInt8], _ onlyCertain: Bool) -> [Match] {
        guard bytes.count >= 4 else { return [] }
        var found: [Match] = []
        let end = Self.endOfText(bytes)
        for (index, key) in candidates(in: bytes) {
            guard let candidates = places[key],
                let match = match(bytes, at: index, end: end, candidates, onlyCertain)
            else { continue }
            found.append(match)
        }
        return found
    }

    /// Where a pattern may begin, by the hash of four bytes: this skips most of a text.
    private func candidates(in bytes: [UInt8]) -> [(Int, UInt32)] {
        var found: [(Int, UInt32)] = []
        bytes.withUnsafeBufferPointer { bytes in
            filter.withUnsafeBufferPointer { filter in
                var window: UInt32 = 0
                for index in 0..<bytes.count {
                    window = window << 8 | UInt32(SecretForms.lowercased(bytes[index]))
                    if index >= 3, filter[Self.hash(window)] { found.append((index - 3, window)) }
                }
            }
        }
        return found
    }

    /// The longest pattern at a position; the text may end within it.
    private func match(
        _ bytes: [UInt8],
        at index: Int,
        end: Int,
        _ list: [Int],
        _ onlyCertain: Bool
    ) -> Match? {
        let rest = bytes[index...]
        let place = insertion(of: rest, in: list)
        var candidate = longest(from: place > 0 ? list[place - 1] : nil, beginning: rest)
        while let one = candidate {
            if let range = range(of: one, bytes, index, onlyCertain) { return Match(range: range, pattern: one) }
            candidate = beginnings[one]
        }
        // What looks like a truncated escape may be the separator of two parameters, followed by a secret.
        let end = index < end ? end : Self.endBeforeSign(bytes)
        guard index < end else { return nil }
        // A text that ends stands right before what goes on from there.
        let beginning = bytes[index..<end]
        guard beginning.count >= Self.leastBeginning else { return nil }
        let first = end == bytes.count ? place : insertion(of: beginning, in: list)
        for one in list[first...].prefix(8) {
            let form = patterns[one].form
            guard form.bytes.count >= SecretForms.certainLength, form.bytes.count > beginning.count else { continue }
            guard Self.begins(form.bytes[...], with: Array(beginning)) else { break }
            if form.isFolded || form.bytes.starts(with: beginning) {
                return Match(range: index..<Self.endBeforeSign(bytes), pattern: one)
            }
        }
        return nil
    }

    /// The range of a pattern that the bytes begin with in either letter case, unless it is not a secret there.
    private func range(of pattern: Int, _ bytes: [UInt8], _ index: Int, _ onlyCertain: Bool) -> Range<Int>? {
        let form = patterns[pattern].form
        if onlyCertain, form.bytes.count < SecretForms.certainLength { return nil }
        let range = index..<(index + form.bytes.count)
        guard form.isFolded || bytes[range].elementsEqual(form.bytes) else { return nil }
        let widened = Self.widened(range, form, in: bytes)
        return Self.isAt(form.place, bytes, widened) ? widened : nil
    }

    /// The range with the characters that contain a part of the secret, and the rest of a very long one.
    private static func widened(_ range: Range<Int>, _ form: SecretForm, in bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        if form.margin.before > 0, start > 0, SecretForms.sextet(bytes[start - 1]) != nil { start -= 1 }
        if form.margin.after > 0, end < bytes.count, SecretForms.sextet(bytes[end]) != nil { end += 1 }
        if form.continues {
            while end < bytes.count, SecretForms.sextet(bytes[end]) != nil { end += 1 }
        }
        return start..<end
    }

    /// The end of the text, without the sign that it was truncated.
    private static func endBeforeSign(_ bytes: [UInt8]) -> Int {
        let hasSign = bytes.suffix(3).elementsEqual("…".utf8) || bytes.suffix(3).elementsEqual("...".utf8)
        return hasSign ? bytes.count - 3 : bytes.count
    }

    /// The end of the text for a truncated secret: before the truncation sign, and before an escape that was truncated as well.
    private static func endOfText(_ bytes: [UInt8]) -> Int {
        let end = endBeforeSign(bytes)
        // No escape is longer than `&thetasym;`.
        guard let start = bytes[..<end].suffix(10).lastIndex(where: { "%&\\".utf8.contains($0) }) else { return end }
        let tail = bytes[(start + 1)..<end]
        let isHexadecimal = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
        }
        let isOpen =
            switch (bytes[start], tail.first.map { $0 | 0x20 }) {
            case (UInt8(ascii: "&"), _): tail.allSatisfy { SecretForms.sextet($0) != nil || $0 == UInt8(ascii: "#") }
            case (_, nil): true
            case (_, UInt8(ascii: "u")): tail.count < 5 && tail.dropFirst().allSatisfy(isHexadecimal)
            case (UInt8(ascii: "%"), _): tail.count < 2 && tail.allSatisfy(isHexadecimal)
            case (_, UInt8(ascii: "x")): tail.count < 3 && tail.dropFirst().allSatisfy(isHexadecimal)
            default: false
            }
        return isOpen ? start : end
    }

    // MARK: Base64 of anything

    /// The runs of base64 that contain a secret in some other form: JSON with escapes, as in a token's claims.
    private func matches(inRunsOf bytes: [UInt8], _ onlyCertain: Bool) -> [Match] {
        var found: [Match] = []
        var start = 0
        while start < bytes.count {
            guard SecretForms.sextet(bytes[start]) != nil else {
                start += 1
                continue
            }
            var end = start
            while end < bytes.count, SecretForms.sextet(bytes[end]) != nil { end += 1 }
            if end - start >= Self.leastRun, let text = SecretForms.decodedBase64(bytes[start..<end]),
                // An image or a key contains no texts: a match has escapes, or is found as base64 itself.
                text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }
                ),
                let inside = matches(in: text, onlyCertain: onlyCertain, isInside: true).first
            {
                found.append(Match(range: start..<end, pattern: inside.pattern))
            }
            start = end
        }
        return found
    }

    // MARK: Places

    private static func isAt(_ place: SecretForm.Place, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        switch place {
        case .anywhere: true
        case .alone: isAlone(bytes, range)
        case .asValue: isAlone(bytes, range) && isValue(bytes, range)
        }
    }

    /// Whether no letter or digit touches the range; an escape is checked when it is decoded.
    private static func isAlone(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let isTouched = range.lowerBound > 0 && isWord(bytes[range.lowerBound - 1])
        return !isTouched && (range.upperBound == bytes.count || !isWord(bytes[range.upperBound]))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Whether the range is the whole text, in quotes or tags, or follows a colon or an equals sign.
    private static func isValue(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") { start -= 1 }
        let before = start == 0 ? nil : bytes[start - 1]
        let touches = start == range.lowerBound
        let opens =
            switch before {
            case nil, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "\n"), UInt8(ascii: "\0"): true
            case let byte?: touches && isQuote(bytes, endingAt: start, byte)
            }
        guard opens else { return false }
        guard range.upperBound < bytes.count else { return true }
        let after = bytes[range.upperBound]
        return isQuote(bytes, beginningAt: range.upperBound, after)
            || "&;,.:<%\\)]}\n\r\0".utf8.contains(after)
            || bytes[range.upperBound...].allSatisfy { $0 == UInt8(ascii: " ") }
    }

    private static func isQuote(_ bytes: [UInt8], endingAt end: Int, _ byte: UInt8) -> Bool {
        // Quotation marks beyond ASCII are of General Punctuation, E2 80 xx in UTF-8.
        "\"'`<>([{&?,;/".utf8.contains(byte) || (end >= 3 && bytes[end - 3] == 0xE2 && bytes[end - 2] == 0x80)
    }

    private static func isQuote(_ bytes: [UInt8], beginningAt start: Int, _ byte: UInt8) -> Bool {
        "\"'`>/".utf8.contains(byte)
            || (byte == 0xE2 && start + 1 < bytes.count && bytes[start + 1] == 0x80)
    }

    // MARK: Beginnings

    private static func key(_ bytes: [UInt8], at index: Int) -> UInt32 {
        bytes[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32(SecretForms.lowercased($1)) }
    }

    private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 16) }
}
