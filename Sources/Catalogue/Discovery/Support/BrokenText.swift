import Conformance
import JSONTree

/// Text that should be a JSON object but is not: the position of the error, and its fix.
enum BrokenText {
    /// - Parameters:
    ///   - document: The name of the document within a sentence.
    ///   - serve: The content to serve instead.
    static func findings(_ bytes: [UInt8], _ document: String, expected: String, serve: String) -> [Finding] {
        do {
            let root = try JSONDocument.parse(bytes).root
            guard root.objectValue == nil else { return [] }
            let message = "\(document.sentenceStart) is \(root.kind.phrase)."
            return [
                Finding(message, expected: expected, found: root.kind.phrase, fix: "Serve \(serve), and nothing else.")
            ]
        } catch {
            return [
                Finding(
                    "\(document.sentenceStart) \(error.verdict): \(error).",
                    expected: expected,
                    found: place(bytes, error),
                    fix: advice(bytes, error, serve)
                )
            ]
        }
    }

    /// The text around the position of the error.
    private static func place(_ bytes: [UInt8], _ error: JSONError) -> String {
        let offset: Int
        switch error {
        case .syntax(_, _, _, let at), .invalidUTF8(let at): offset = min(max(0, at), bytes.count)
        case .tooDeep, .tooManyValues, .empty, .tooManyAnomalies, .outOfMemory: offset = 0
        }
        let start = max(0, offset - 60)
        let text = String(decoding: bytes[start..<min(bytes.count, offset + 20)], as: UTF8.self).shown(limit: 120)
        return text.isEmpty ? "nothing" : (start > 0 ? "…" : "") + text
    }

    /// The most common errors have their own fixes.
    private static func advice(_ bytes: [UInt8], _ error: JSONError, _ serve: String) -> String {
        let first = bytes.first { $0 > 0x20 }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(4).contains(0) {
            return "Encode the text as UTF-8: it is UTF-16 or UTF-32 (RFC 8259 section 8.1)."
        }
        if first == 0x3C { return "Serve \(serve): the response is an HTML or XML page." }
        switch error {
        case .invalidUTF8: return "Encode the text as UTF-8 (RFC 8259 section 8.1)."
        case .empty: return "Serve \(serve): the response contains no text."
        case .syntax(_, _, _, let offset):
            let before = bytes.prefix(min(max(0, offset), bytes.count)).filter { $0 > 0x20 }.suffix(3)
            if before.contains(0x2F) || before.contains(0x23) {
                return "Remove the comments: JSON does not allow them."
            }
            if before.suffix(2) == [0x2C, 0x7D] || before.suffix(2) == [0x2C, 0x5D] {
                return "Remove the comma before the bracket: JSON does not allow it."
            }
            if before.contains(0x27) {
                return "Write names and strings in double quotation marks: JSON allows no others."
            }
            if offset >= bytes.count {
                return "Complete the text: it ends too early, for example because of a length limit."
            }
            return "Correct the text at the position shown, or generate it with a JSON library."
        case .tooDeep, .tooManyValues, .tooManyAnomalies, .outOfMemory: return "Serve \(serve), and nothing else."
        }
    }
}
