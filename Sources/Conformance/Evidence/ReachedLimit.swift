/// A limit that a run reached, so that some requests were not sent.
package struct ReachedLimit: Sendable, Hashable, Codable {
    /// The event, in one sentence without a full stop.
    package var message: String
    /// The advice.
    var advice: String

    package init(_ message: String, advice: String) {
        self.message = message
        self.advice = advice
    }
}
