extension Cause {
    /// The facts that distinguish a cause from others of its step; its sentence is not one of them.
    package enum Identity: Sendable, Hashable, Codable {
        /// Identified by its step only.
        case signInStep
        case spelling
        /// A server with a temporary error.
        case notNow(status: Int)
        /// A request without an answer; `nil` where no failed request ended the sign-in.
        case unanswered(Exchange.Failure.Kind?)
        /// A limit of the run.
        case limit
        case page(status: Int, title: String?)
        case error(String)
        case refusedPassword
        /// A page at which the sign-in stopped, and the names of its fields.
        case stopped(status: Int, title: String?, fields: [[String]])
        case byHand
        case refusedClient(String, method: String, status: Int, error: String?)
        case noTokens(status: Int, error: String?)
        case refusedToken(status: Int)
        /// Rejected credentials were not sent again.
        case withheld
        /// A user whom the run has signed in before.
        case unstableAccount
    }

    /// Whether a correction of the configuration may let a sign-in continue, which one more sign-in shows.
    package var isOfTheConfiguration: Bool {
        if case .notNow = identity { return false }
        return mayBeConfiguration && !isUnanswered && signInStep > .keys && signInStep < .idToken
    }

    /// Whether a request got no response.
    package var isUnanswered: Bool { if case .unanswered = identity { true } else { false } }

    /// Whether another scenario failed in the same way.
    package func isSame(as other: Cause) -> Bool { signInStep == other.signInStep && identity == other.identity }
}
