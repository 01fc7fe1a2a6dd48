import Conformance

/// The byte order mark that some editors and encoders add, and that strict parsers reject.
enum ByteOrderMark {
    static let citation = Citation(.rfc8259, "8.1", "Implementations MUST NOT add a byte order mark")
    static let why = "Strict parsers fail at the byte order mark, which editors do not show."

    /// - Parameters:
    ///   - body: The text; `nil` if there is none.
    ///   - name: With its article: `The token response`.
    ///   - place: The location of the finding; `nil` for the whole text.
    static func finding(in body: Body?, _ name: String, at place: String? = nil) -> Finding? {
        guard body?.bytes?.starts(with: [0xEF, 0xBB, 0xBF]) == true else { return nil }
        return Finding(
            "\(name) begins with the byte order mark U+FEFF.",
            at: place,
            expected: "{ as the first character",
            found: "EF BB BF",
            fix: "Encode the text as UTF-8 without a byte order mark."
        )
    }
}
