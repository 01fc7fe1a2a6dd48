/// Finds the intended member of a misspelt name.
extension MetadataMembers {
    /// Every name that a specification defines, and those of extensions that resemble one.
    static let known = Set(
        ["issuer", "mtls_endpoint_aliases", "amr_values_supported"] + newerLists + newerBooleans + newerTexts + urls
            + lists + booleans + ["authorization_response_iss_parameter_supported"]
    )

    /// The known name at most two letters away, ignoring case; `nil` if there is none.
    static func meant(by name: String) -> String? {
        let letters = Array(name.lowercased().utf8)
        guard (8...64).contains(letters.count) else { return nil }
        return spellings.first { _, spelling in
            abs(spelling.count - letters.count) <= 2 && distance(letters, spelling) <= 2
        }?
        .name
    }

    private static let spellings = known.sorted().map { (name: $0, letters: Array($0.utf8)) }

    /// The number of insertions, deletions and replacements.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for i in left.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in right.indices {
                let replaced = diagonal + (left[i] == right[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
