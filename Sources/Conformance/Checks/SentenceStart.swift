extension String {
    /// The text with a capital first letter, for the beginning of a sentence; a name such as `response_type` stays as it is.
    package var sentenceStart: String {
        prefix { $0 != " " }.contains("_") ? self : prefix(1).uppercased() + dropFirst()
    }
}
