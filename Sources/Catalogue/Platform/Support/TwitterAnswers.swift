import Conformance

/// What several checks ask of an answer with credentials.
enum TwitterAnswers {
    static let unlessIssued: @Sendable (OAuth1Response, Facts) -> String? = { answer, _ in
        answer.isIssued ? nil : "no credentials were issued"
    }

    /// A required parameter that an answer lacks.
    static func missing(_ name: String, in answer: OAuth1Response) -> [Finding] {
        if answer[name] != nil { return [] }
        let isEmpty = answer.answer.parameters.contains { $0.name == name }
        return [
            Finding(
                "The answer has \(isEmpty ? "an empty" : "no") \(name).",
                at: name,
                expected: "a value",
                found: isEmpty ? "empty" : "missing",
                fix: "Answer with oauth_token and \(name)."
            )
        ]
    }
}
