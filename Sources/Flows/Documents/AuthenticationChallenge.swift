/// The parameters of a `WWW-Authenticate` header (RFC 9110 section 11.6.1).
enum AuthenticationChallenge {
    /// The value of the first parameter with that name, in any case and of any scheme; `nil` if there is none.
    static func parameter(_ name: String, in header: String?) -> String? {
        guard let header else { return nil }
        var rest = Substring(header)
        while let start = rest.firstIndex(where: isOfToken) {
            rest = rest[start...]
            let word = rest.prefix(while: isOfToken)
            rest = rest[word.endIndex...]
            let next = rest.drop { $0 == " " || $0 == "\t" }
            guard next.first == "=" else {
                if rest.first == "\"" { rest = quoted(rest).rest }
                continue
            }
            let (value, left) = value(next.dropFirst().drop { $0 == " " || $0 == "\t" })
            if word.lowercased() == name { return value }
            rest = left
        }
        return nil
    }

    private static func value(_ text: Substring) -> (String, Substring) {
        if text.first == "\"" { return quoted(text) }
        let word = text.prefix { $0 != "," && $0 != " " && $0 != "\t" }
        return (String(word), text[word.endIndex...])
    }

    /// A quoted string, without its escapes, and the text after it (RFC 9110 section 5.6.4).
    private static func quoted(_ text: Substring) -> (value: String, rest: Substring) {
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                value.append(character)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        return (value, rest)
    }

    private static func isOfToken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~/".contains(character))
    }
}
