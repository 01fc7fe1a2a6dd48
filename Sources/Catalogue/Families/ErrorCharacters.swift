import Conformance

/// The characters that error responses may contain, in redirects and in JSON (RFC 6749 sections 4.1.2.1 and 5.2).
enum ErrorCharacters {
    /// Values of `error`, `error_description` and `error_uri` that contain other characters.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of a name in the location of a finding.
    ///   - values: The values of a name.
    static func illegal(at prefix: String = "", _ values: (_ name: String) -> [String]) -> [Finding] {
        let rules: [(String, (String) -> Bool)] = [
            ("error", { $0.isErrorText }), ("error_description", { $0.isErrorText }),
            ("error_uri", { $0.isErrorURIText }),
        ]
        return rules.flatMap { name, isLegal in
            values(name).filter { !isLegal($0) }
                .map { value in
                    Finding(
                        "\(name) contains characters that are not allowed there.",
                        at: prefix + name,
                        expected: "printable ASCII without quotation mark and backslash",
                        found: value.shown(limit: 120),
                        fix: "Write \(name) in printable ASCII on one line, without \" and \\."
                    )
                }
        }
    }
}
