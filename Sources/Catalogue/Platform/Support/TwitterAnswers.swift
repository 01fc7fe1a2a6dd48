import Conformance

/// Helpers that several checks of responses with credentials share.
enum TwitterAnswers {
    static let unlessIssued: @Sendable (OAuth1Response, Facts) -> String? = { answer, _ in
        answer.isIssued ? nil : "the provider issued no credentials"
    }

    /// The finding for a required parameter that is missing in a response.
    static func missing(_ name: String, in answer: OAuth1Response) -> [Finding] {
        if answer[name] != nil { return [] }
        let isEmpty = answer.answer.parameters.contains { $0.name == name }
        return [
            Finding(
                "The response with the credentials has \(isEmpty ? "an empty" : "no") \(name).",
                at: name,
                expected: "a value",
                found: isEmpty ? "empty" : "missing",
                fix: "Return \(name) together with oauth_token."
            )
        ]
    }
}
