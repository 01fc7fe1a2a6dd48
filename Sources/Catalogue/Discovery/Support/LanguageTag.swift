/// Language tags of RFC 5646.
enum LanguageTag {
    /// The tag in the case of section 2.1.1: regions in upper case, scripts in title case, everything else in lower case,
    /// and all subtags after a subtag of one character in lower case.
    static func inUsualCase(_ tag: String) -> String {
        var isBehindSingleton = false
        let subtags = tag.split(separator: "-", omittingEmptySubsequences: false).enumerated()
            .map { index, subtag in
                defer { if subtag.count == 1 { isBehindSingleton = true } }
                let small = subtag.lowercased()
                if index == 0 || isBehindSingleton { return small }
                switch subtag.count {
                case 2: return subtag.uppercased()
                case 4: return small.prefix(1).uppercased() + small.dropFirst()
                default: return small
                }
            }
        return subtags.joined(separator: "-")
    }
}
