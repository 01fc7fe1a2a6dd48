import CJansson

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reads one text with jansson, and keeps the data that jansson alone would merge or reject.
///
/// jansson merges duplicate members or rejects the document, and rejects numbers out of range and names with U+0000.
/// It says where such a token ends. So the token is replaced by a *sentinel* in a working copy, the copy is read again,
/// and the sentinels are undone while jansson's tree is converted. A sentinel begins with a run of U+0001, which valid
/// JSON can only spell as `\u0001`; the run is made longer than any in the text, so no string of the text resembles it.
struct Parser {
    /// Each substitution costs another reading, so a long text gets fewer of them: at most 256, at least 16, and
    /// between these no more than 32 MiB read in all.
    private var anomalyLimit: Int { min(256, max(16, 32 * 1_024 * 1_024 / max(original.count, 1))) }
    /// Runs of U+0001 beyond this are hostile; the working copy would grow without bound.
    private static let runLimit = 64

    private let original: [UInt8]
    private let depthLimit: Int
    private let valueLimit: Int
    private let hadByteOrderMark: Bool
    private var hadLoneSurrogates = false
    private var working: [UInt8]
    private var run = 0
    private var originals: [Original] = []

    /// The token that a sentinel replaces.
    enum Original {
        case name(String)
        case value(JSON)
    }

    init(_ bytes: [UInt8], depthLimit: Int, valueLimit: Int) {
        original = bytes
        self.depthLimit = depthLimit
        self.valueLimit = valueLimit
        hadByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        working = hadByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
    }

    mutating func parse() throws(JSONError) -> JSONDocument {
        guard working.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .empty }
        try checkSize()
        while true {
            var error = json_error_t()
            let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES)
            let tree = working.withUnsafeBytes { buffer in
                json_loadb(buffer.baseAddress, buffer.count, flags, &error)
            }
            if let tree {
                defer { json_decref(tree) }
                var conversion = Conversion(sentinel: sentinelPrefix, originals: originals)
                let root = conversion.value(tree)
                return JSONDocument(
                    root: root,
                    duplicates: conversion.duplicates,
                    hadByteOrderMark: hadByteOrderMark,
                    hadLoneSurrogates: hadLoneSurrogates
                )
            }
            try repair(error)
        }
    }

    /// Replaces the token that jansson rejected, or throws if the text is at fault.
    private mutating func repair(_ error: json_error_t) throws(JSONError) {
        let code = withUnsafeBytes(of: error.text) { UInt32($0[Int(JSON_ERROR_TEXT_LENGTH) - 1]) }
        let end = Int(error.position)
        switch code {
        case json_error_duplicate_key.rawValue, json_error_null_byte_in_key.rawValue:
            let start = startOfString(endingAt: end)
            guard let name = Self.decodedString(Array(working[start..<end])) else { throw syntaxError(error) }
            try substitute(start..<end, .name(name))
        case json_error_numeric_overflow.rawValue:
            let start = startOfNumber(endingAt: end)
            try substitute(start..<end, .value(Self.number(String(decoding: working[start..<end], as: UTF8.self))))
        case json_error_invalid_utf8.rawValue: throw .invalidUTF8(offset: originalOffset(end))
        case json_error_out_of_memory.rawValue: throw .outOfMemory
        case json_error_stack_overflow.rawValue: throw .tooDeep(limit: depthLimit)
        default:
            // jansson rejects half of a surrogate pair, which most parsers replace.
            guard !hadLoneSurrogates, replaceLoneSurrogates() else { throw syntaxError(error) }
            hadLoneSurrogates = true
        }
    }

    /// Writes `\uFFFD` for every escaped half of a surrogate pair, which keeps all places; false if there is none.
    private mutating func replaceLoneSurrogates() -> Bool {
        func unit(_ place: Int) -> UInt16? {
            guard place + 6 <= working.count, working[place] == UInt8(ascii: "\\"),
                working[place + 1] == UInt8(ascii: "u")
            else { return nil }
            return UInt16(String(decoding: working[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
        }
        var found = false
        var place = 0
        while place < working.count {
            guard working[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            guard let first = unit(place), UTF16.isSurrogate(first) else {
                place += 2
                continue
            }
            if UTF16.isLeadSurrogate(first), let second = unit(place + 6), UTF16.isTrailSurrogate(second) {
                place += 12
                continue
            }
            working.replaceSubrange(place..<(place + 6), with: #"\uFFFD"#.utf8)
            found = true
            place += 6
        }
        return found
    }

    private mutating func substitute(_ range: Range<Int>, _ what: Original) throws(JSONError) {
        if originals.isEmpty { run = 1 + longestRun() }
        guard originals.count < anomalyLimit, run <= Self.runLimit else {
            throw .tooManyAnomalies(limit: anomalyLimit)
        }
        let escapes = String(repeating: #"\u0001"#, count: run)
        working.replaceSubrange(range, with: "\"\(escapes)\(originals.count)\"".utf8)
        originals.append(what)
    }

    private var sentinelPrefix: [UInt8] { Array(repeating: 1, count: run) }

    /// How often the escape of U+0001 follows itself at most.
    private func longestRun() -> Int {
        let escape = Array(#"\u0001"#.utf8)
        var longest = 0
        var current = 0
        var index = 0
        while index + escape.count <= working.count {
            if working[index] == escape[0], working[index..<(index + escape.count)].elementsEqual(escape) {
                current += 1
                longest = max(longest, current)
                index += escape.count
            } else {
                current = 0
                index += 1
            }
        }
        return longest
    }

    /// Counts brackets and values before jansson recurses and allocates; a broken text may be miscounted upwards.
    ///
    /// Each value but the first of a list or an object follows a comma; an empty one counts as if it had a first.
    private func checkSize() throws(JSONError) {
        let error: JSONError? = working.withUnsafeBufferPointer { text in
            var depth = 0
            var values = 1
            var index = 0
            while index < text.count {
                switch text[index] {
                case UInt8(ascii: "\""): index = Self.endOfString(startingAt: index, in: text)
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    values += 1
                    if depth > depthLimit { return .tooDeep(limit: depthLimit) }
                    if values > valueLimit { return .tooManyValues(limit: valueLimit) }
                case UInt8(ascii: ","):
                    values += 1
                    if values > valueLimit { return .tooManyValues(limit: valueLimit) }
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
                index += 1
            }
            return nil
        }
        if let error { throw error }
    }

    /// The end of the string whose quote is at `start`; the end of the text if the string does not end.
    ///
    /// From quote to quote, since most of a key set is one long string behind another.
    private static func endOfString(startingAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = text.baseAddress else { return text.count }
        var index = start + 1
        while index < text.count, let found = memchr(base + index, 0x22, text.count - index) {
            let quote = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
            var backslashes = 0
            while text[quote - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
            if backslashes.isMultiple(of: 2) { return quote }
            index = quote + 1
        }
        return text.count
    }
}

// MARK: - Tokens and places

extension Parser {
    /// The start of the string token whose closing quote precedes `end`: at the nearest quote that is not escaped.
    private func startOfString(endingAt end: Int) -> Int {
        var index = end - 2
        while index > 0 {
            if working[index] == UInt8(ascii: "\"") {
                var backslashes = 0
                while index - backslashes > 0, working[index - backslashes - 1] == UInt8(ascii: "\\") {
                    backslashes += 1
                }
                if backslashes.isMultiple(of: 2) { return index }
            }
            index -= 1
        }
        return 0
    }

    private func startOfNumber(endingAt end: Int) -> Int {
        let characters = Array("0123456789+-.eE".utf8)
        var start = end
        while start > 0, characters.contains(working[start - 1]) { start -= 1 }
        return start
    }

    /// The text of a string token; nil never happens for a token that jansson has accepted.
    private static func decodedString(_ token: [UInt8]) -> String? {
        let value = token.withUnsafeBytes { buffer in
            json_loadb(buffer.baseAddress, buffer.count, Int(JSON_DECODE_ANY | JSON_ALLOW_NUL), nil)
        }
        guard let value else { return nil }
        defer { json_decref(value) }
        return Conversion.text(of: value)
    }

    /// A number that jansson found out of range: an integer keeps its digits, a real becomes infinite.
    private static func number(_ text: String) -> JSON {
        if text.utf8.contains(where: { Array(".eE".utf8).contains($0) }) {
            return .real(text.hasPrefix("-") ? -Double.infinity : Double.infinity)
        }
        return .bigInteger(text)
    }

    /// The place in the text as it was given: substitutions lie before any place where reading stopped.
    private func originalOffset(_ offset: Int) -> Int {
        offset + original.count - working.count
    }

    private func syntaxError(_ error: json_error_t) -> JSONError {
        let message = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let offset = min(max(originalOffset(Int(error.position)), 0), original.count)
        let before = original[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 }
        return .syntax(message: message, line: line, column: max(column, 1), offset: offset)
    }
}
