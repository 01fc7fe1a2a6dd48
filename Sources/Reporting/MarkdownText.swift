import Conformance

/// Text made safe for Markdown as GitHub and GitLab render it.
///
/// Every special character becomes a numeric entity, which CommonMark always treats as plain text (section 2.5: entities cannot
/// be used in place of symbols that indicate structure). Mentions and references to issues are found after entities are
/// resolved, so their sign is put in a code element. Values are in code spans, where nothing is resolved.
enum MarkdownText {
    /// Prose; cut with an ellipsis if its Markdown would be longer than `limit` bytes.
    static func prose(_ text: String, limit: Int = 600) -> String {
        escaped(text, limit: limit) { scalar in
            scalar == "@" || scalar == "#" ? "<code>\(entity(scalar))</code>" : entity(scalar)
        }
    }

    /// An exact value outside of tables: a code span, in which only the fence is special.
    ///
    /// The fence is longer than any run of backticks inside (CommonMark section 6.1); a value that needs a very long fence is
    /// written as for a table.
    static func code(_ text: String, limit: Int = 500) -> String {
        let shown = text.isEmpty ? " " : text.shown(limit: limit)
        let cut = shown.prefix(bytes: limit)
        let value = cut.utf8.count < shown.utf8.count ? cut + "…" : cut
        let longest = value.split { $0 != "`" }.map(\.count).max() ?? 0
        guard longest < 10 else { return cell(text, limit: limit) }
        let fence = String(repeating: "`", count: longest + 1)
        let margin = value.hasPrefix("`") || value.hasSuffix("`") ? " " : ""
        return fence + margin + value + margin + fence
    }

    /// An exact value in a table, where a vertical bar ends the cell even inside a code span.
    static func cell(_ text: String, limit: Int = 500) -> String {
        "<code>" + escaped(text.isEmpty ? " " : text, limit: limit, entity) + "</code>"
    }

    private static func escaped(_ text: String, limit: Int, _ write: (Unicode.Scalar) -> String) -> String {
        var result = ""
        var length = 0
        var wWords = 0
        var previousWasColon = false
        var previousIsWord = false
        let scalars = Array(text.shown(limit: limit).unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            // `www.` and `https://` become links automatically, so their dot and slashes are written as entities.
            let makesLink = (scalar == "." && wWords >= 3) || (scalar == "/" && previousWasColon)
            wWords = scalar == "w" || scalar == "W" ? wWords + 1 : 0
            previousWasColon = scalar == ":" || (scalar == "/" && previousWasColon)
            // An underscore inside a word is no emphasis (CommonMark section 6.2), and names are full of them.
            let next = place + 1 < scalars.count ? scalars[place + 1] : " "
            let isInWord = scalar == "_" && previousIsWord && isWord(next)
            previousIsWord = isWord(scalar)
            let piece = (special.contains(scalar) && !isInWord) || makesLink ? write(scalar) : String(scalar)
            length += piece.utf8.count
            if length > limit { return result + "…" }
            result += piece
        }
        return result
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
    }

    private static let special = Set("\\`*_{}[]<>()#+!|~&@$^\"=-:".unicodeScalars).subtracting("()-=:".unicodeScalars)

    private static func entity(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }
}
