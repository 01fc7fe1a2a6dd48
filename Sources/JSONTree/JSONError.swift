/// Why a text is not a JSON document that this tool reads.
///
/// Offsets count bytes from the start of the text, lines and columns count from one, columns in characters.
package enum JSONError: Error, Sendable, Equatable {
    /// The text breaks the grammar of RFC 8259; the place is just behind the offending token.
    case syntax(message: String, line: Int, column: Int, offset: Int)
    /// The bytes are not UTF-8 (RFC 8259 section 8.1) from this offset on.
    case invalidUTF8(offset: Int)
    /// Arrays and objects are nested deeper than the limit (RFC 8259 section 9 allows one).
    case tooDeep(limit: Int)
    /// There are more values than the limit.
    case tooManyValues(limit: Int)
    /// There is no text, or only white space.
    case empty
    /// More duplicate members and oversized numbers than are worth recording.
    case tooManyAnomalies(limit: Int)
    case outOfMemory
}

extension JSONError {
    /// The beginning of a sentence about the text, before the reason: a text beyond a limit may well be JSON.
    package var verdict: String {
        switch self {
        case .tooDeep, .tooManyValues, .tooManyAnomalies, .outOfMemory: "exceeds a limit"
        case .syntax, .invalidUTF8, .empty: "is not JSON"
        }
    }

    /// The reason without words of the text, for a file that may be no JSON at all and contain a secret.
    package var reasonAlone: String {
        guard case .syntax(_, let line, let column, _) = self else { return description }
        return "a syntax error at line \(line) column \(column)"
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .syntax(let message, let line, let column, _): "\(message), at line \(line) column \(column)"
        case .invalidUTF8(let offset): "the text is not UTF-8 at byte \(offset)"
        case .tooDeep(let limit): "the text is nested deeper than \(limit) levels"
        case .tooManyValues(let limit): "the text has more than \(limit) values"
        case .empty: "the text is empty"
        case .tooManyAnomalies(let limit):
            "the text has more than \(limit) duplicate members or numbers out of range"
        case .outOfMemory: "there is not enough memory to read the text"
        }
    }
}
