/// The result of registering a client for one scenario, and of deleting it again.
package struct RegistrationRun: Sendable, Codable {
    /// The metadata as sent: a JSON object.
    var sent: Body
    package var answer: Observation<EndpointAnswer>
    /// The client's registration as it was read afterwards (RFC 7592 section 2.1).
    package var reading: Observation<EndpointAnswer>
    /// The response to the same request without the registration access token.
    package var readingWithoutToken: Observation<EndpointAnswer> {
        get { storedReadingWithoutToken ?? .notAttempted("this scenario does not read it") }
        set { storedReadingWithoutToken = newValue }
    }

    /// `nil` in evidence of a version that did not send the request.
    private var storedReadingWithoutToken: Observation<EndpointAnswer>?
    /// The response to the request to delete it (RFC 7592 section 2.3).
    package var deletion: Observation<EndpointAnswer>

    package init(sent: Body, answer: Observation<EndpointAnswer>, because reason: String) {
        self.sent = sent
        self.answer = answer
        self.reading = .notAttempted(reason)
        self.deletion = .notAttempted(reason)
    }
}

/// A client that a run registered, or may have registered, and could not delete.
package struct UndeletedClient: Sendable, Hashable, Codable {
    /// The `client_name` that it was registered with, unlike any other.
    package var name: String
    package var clientID: String?
    /// Its `registration_client_uri`.
    package var address: String?
    /// Why it is still there.
    package var reason: String

    package init(name: String, clientID: String? = nil, address: String? = nil, reason: String) {
        self.name = name
        self.clientID = clientID
        self.address = address
        self.reason = reason
    }
}

/// Facts about a JWE, whether it was decrypted or not (RFC 7516).
package struct EncryptionFacts: Sendable, Hashable, Codable {
    /// The number of parts between dots; 5 for a JWE.
    var partCount: Int
    /// The JWE's own header, if it could be decoded.
    package var header: Body?
    /// Why it could not be decrypted with any key of the client; `nil` when it could.
    package var failure: String?

    package init(partCount: Int, header: Body?, failure: String?) {
        self.partCount = partCount
        self.header = header
        self.failure = failure
    }
}
