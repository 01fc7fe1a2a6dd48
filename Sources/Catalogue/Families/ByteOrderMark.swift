import Conformance

/// The mark that some editors and encoders put before a text, and that strict parsers stop at.
enum ByteOrderMark {
    static let citation = Citation(.rfc8259, "8.1", "Implementations MUST NOT add a byte order mark")
    static let why = "A strict parser stops at the mark, which no editor shows."

    /// - Parameters:
    ///   - body: The text; `nil` where there is none.
    ///   - name: With its article: `The token response`.
    ///   - place: Where the finding points; `nil` for the whole text.
    static func finding(in body: Body?, _ name: String, at place: String? = nil) -> Finding? {
        guard body?.octets?.starts(with: [0xEF, 0xBB, 0xBF]) == true else { return nil }
        return Finding(
            "\(name) begins with the byte order mark U+FEFF.",
            at: place,
            expected: "{ as the first character",
            found: "EF BB BF",
            fix: "Encode the text as UTF-8 without a byte order mark."
        )
    }
}
