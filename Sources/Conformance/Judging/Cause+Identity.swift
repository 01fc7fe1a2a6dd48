extension Cause {
    /// The facts that tell a cause from others of its rung; its sentence is none of them.
    package enum Identity: Sendable, Hashable, Codable {
        /// Known by its rung alone.
        case rung
        case spelling
        /// A server that asks the client to come back later.
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
        /// What was refused before was not sent again.
        case keptBack
        /// A user whom the run has signed in before.
        case lostPerson
    }

    /// Whether another conversation broke in the same way.
    package func isSame(as other: Cause) -> Bool { rung == other.rung && identity == other.identity }
}
