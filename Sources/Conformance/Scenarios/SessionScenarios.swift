/// What the provider makes of a person who has signed in before: prompts, ages, hints.
extension Scenario {
    static let sessions: [Scenario] = []
}
