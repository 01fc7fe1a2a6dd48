import Conformance

/// Text made safe for Markdown as GitHub and GitLab render it.
///
/// Every character with a meaning becomes a numeric entity, which CommonMark takes as plain text wherever it stands
/// (section 2.5: entities cannot be used in place of symbols that indicate structure). Two things are found only after
/// entities are resolved, mentions and references to issues; their sign is set in code, where none is looked for.
enum MarkdownText {
    /// Prose; cut with an ellipsis when its Markdown would be longer than `limit` octets.
    static func prose(_ text: String, limit: Int = 600) -> String {
        escaped(text, limit: limit) { scalar in
            scalar == "@" || scalar == "#" ? "<code>\(entity(scalar))</code>" : entity(scalar)
        }
    }

    /// A value to be read letter by letter.
    static func code(_ text: String, limit: Int = 500) -> String {
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
            // `www.` and `https://` make links by themselves; their dot and their strokes are written as entities.
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
