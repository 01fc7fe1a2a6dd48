extension String {
    /// The text with a capital first letter, for the beginning of a sentence.
    var sentenceStart: String { prefix(1).uppercased() + dropFirst() }
}
