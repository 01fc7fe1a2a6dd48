/// A limit that a run reached, so that something was not asked for.
package struct ReachedLimit: Sendable, Hashable, Codable {
    /// What happened, in one sentence without a full stop.
    package var message: String
    /// What to do about it.
    package var advice: String

    package init(_ message: String, advice: String) {
        self.message = message
        self.advice = advice
    }
}
