/// The statements of the protected resource that the configuration names (`resource`).
package struct ProtectedResource: Sendable, Codable {
    /// The exchange of a request without a token.
    package var answer: Observation<Int>
    /// Its metadata (RFC 9728 section 3): at the address in the response, or else at the first well-known one with a response
    /// of success.
    package var metadata: Observation<Document>
    /// The exchange in which the address in the response refused the connection, for the second time.
    ///
    /// The network leads to the resource, and the refusal comes from the host itself. `nil` in older evidence.
    package var refused: Int?

    package init(answer: Observation<Int>, metadata: Observation<Document>, refused: Int? = nil) {
        self.answer = answer
        self.metadata = metadata
        self.refused = refused
    }
}
