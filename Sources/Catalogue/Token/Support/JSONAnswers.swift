import Conformance

/// What every JSON answer of an endpoint keeps, whichever sentence demands it of the one and of the other.
enum JSONAnswers {
    /// That an answer has none of the media types that it may have.
    ///
    /// - Parameters:
    ///   - what: What was answered, as the subject of a sentence: `The token response`.
    ///   - types: The media types, the ordinary one first.
    static func mediaType(
        _ response: Exchange.Response,
        _ what: String,
        types: [String] = ["application/json"],
        fix: String = "Send Content-Type: application/json."
    ) -> [Finding] {
        guard !types.contains(response.mediaType ?? "") else { return [] }
        return [
            Finding(
                "\(what) is not marked as JSON.",
                at: "Content-Type",
                expected: types.first,
                found: response.header("Content-Type")?.shown() ?? "missing",
                fix: fix
            )
        ]
    }

    /// That caches may keep an answer.
    ///
    /// - Parameters:
    ///   - words: What that means, in a sentence.
    ///   - answers: The answers that are to say so: `answer of the token endpoint`.
    static func mayBeStored(_ response: Exchange.Response, _ words: String, every answers: String) -> [Finding] {
        let value = response.joinedHeader("Cache-Control")
        guard !directives(value).contains("no-store") else { return [] }
        return [
            Finding(
                words,
                at: "Cache-Control",
                expected: "no-store",
                found: value?.shown() ?? "missing",
                fix: "Send Cache-Control: no-store with every \(answers)."
            )
        ]
    }

    /// The names of a list of directives, in lower case; one without a name is left out.
    static func directives(_ value: String?) -> [String] {
        (value ?? "").lowercased().split(separator: ",")
            .compactMap { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first }
            .map { String($0).trimmingASCIISpace }.filter { !$0.isEmpty }
    }
}
