internal import Conformance

/// Sentences as comment lines.
enum CommentLines {
    /// Each sentence, wrapped, after the mark; characters that could end a comment line are escaped.
    static func lines(_ sentences: [String], mark: String, width: Int = 100) -> String {
        let head = mark.isEmpty ? "" : mark + " "
        return sentences.flatMap { wrapped($0.shown(limit: 2_000), width: width - head.count) }
            .map { head + $0 + "\n" }
            .joined()
    }

    private static func wrapped(_ sentence: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in sentence.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
