/// A JSON text that was read: its value, and what reading it lost.
package struct JSONDocument: Sendable, Hashable {
    package var root: JSON
    /// The place of each member that was defined again; one entry for each repetition, in document order.
    package var duplicates: [JSONPointer]
    /// Whether a byte order mark preceded the text; RFC 8259 section 8.1 forbids adding and allows ignoring it.
    package var hadByteOrderMark: Bool

    /// Whether a string has half of a surrogate pair, which is no character (RFC 8259 section 8.2); it is read as U+FFFD.
    package var hadLoneSurrogates: Bool

    package init(
        root: JSON,
        duplicates: [JSONPointer] = [],
        hadByteOrderMark: Bool = false,
        hadLoneSurrogates: Bool = false
    ) {
        self.root = root
        self.duplicates = duplicates
        self.hadByteOrderMark = hadByteOrderMark
        self.hadLoneSurrogates = hadLoneSurrogates
    }

    /// Reads one JSON text by the letter of RFC 8259, any kind of value at its root.
    ///
    /// A member defined twice is recorded and its last value kept; integers beyond 64 bits keep their digits.
    /// - Parameters:
    ///   - depthLimit: The levels that arrays and objects may nest, at most 1,024.
    ///   - valueLimit: The number of values. The default is far above any document of a provider, and keeps the memory
    ///     of a hostile one below 200 MB.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        depthLimit: Int = 64,
        valueLimit: Int = 200_000
    ) throws(JSONError) -> JSONDocument {
        var parser = Parser(Array(bytes), depthLimit: min(depthLimit, 1_024), valueLimit: valueLimit)
        return try parser.parse()
    }

    /// Reads one JSON text, as `parse` of its UTF-8 bytes does.
    package static func parse(
        _ text: String,
        depthLimit: Int = 64,
        valueLimit: Int = 200_000
    ) throws(JSONError) -> JSONDocument {
        try parse(text.utf8, depthLimit: depthLimit, valueLimit: valueLimit)
    }

    /// The value limit for texts of other programs on this machine, such as a browser and earlier reports.
    package static let ownValueLimit = 16_000_000
}
