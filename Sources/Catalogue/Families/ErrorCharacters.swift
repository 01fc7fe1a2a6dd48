import Conformance

/// The characters that error responses may have, in a redirect and in JSON alike (RFC 6749 sections 4.1.2.1 and 5.2).
enum ErrorCharacters {
    /// Values of `error`, `error_description` and `error_uri` that hold others.
    ///
    /// - Parameters:
    ///   - prefix: What stands before a name where a finding points at it.
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
                        "\(name) holds characters that are not allowed there.",
                        at: prefix + name,
                        expected: "printable ASCII without quotation mark and backslash",
                        found: value.shown(limit: 120),
                        fix: "Write \(name) in printable ASCII on one line, without \" and \\."
                    )
                }
        }
    }
}
