/// The result of a sign-in by OAuth 1.0 (RFC 5849 section 2).
///
/// Tokens, secrets, verification codes and signatures are in none of its values: what is known of them is their length.
package struct OAuth1Run: Sendable, Hashable, Codable {
    /// The request for temporary credentials (section 2.1).
    package var temporary: Observation<OAuth1Answer>
    /// The very same request once more, nonce, timestamp and signature included.
    package var replayed: Observation<OAuth1Answer>
    /// A request whose signature is another request's.
    package var badlySigned: Observation<OAuth1Answer>
    /// A request with a callback that is not registered.
    package var foreignCallback: Observation<OAuth1Answer>
    /// The sign-in and all that is tried after it.
    package var first: OAuth1Session
    /// The same user in another browser.
    package var second: OAuth1Session
    /// The same browser again, with the parameters that the application adds, and ended by a wrong verification code.
    package var custom: OAuth1Session

    package init(because reason: String) {
        temporary = .notAttempted(reason)
        replayed = .notAttempted(reason)
        badlySigned = .notAttempted(reason)
        foreignCallback = .notAttempted(reason)
        first = OAuth1Session(because: reason)
        second = OAuth1Session(because: reason)
        custom = OAuth1Session(because: reason)
    }

    /// The two sign-ins that end with token credentials.
    package var sessions: [(name: String, session: OAuth1Session)] {
        [("first session", first), ("second session", second)]
    }
}

/// One way from temporary credentials to token credentials, and what was tried with them.
package struct OAuth1Session: Sendable, Hashable, Codable {
    package var temporary: Observation<OAuth1Answer>
    /// The parameters that the authorization page added to the temporary credentials, as sent.
    package var sent: [Field] = []
    /// How the way through the provider's pages ended (section 2.2).
    package var authorization: Observation<AuthorizationAnswer>
    /// Whether the redirect named the temporary credentials that the way began with; `nil` when it named none.
    package var returnsToken: Bool?
    /// The token credentials (section 2.3).
    package var token: Observation<OAuth1Answer>
    /// The request for token credentials with another verification code.
    package var wrongVerifier: Observation<OAuth1Answer>
    /// The temporary credentials and their verification code a second time.
    package var reused: Observation<OAuth1Answer>
    /// The user, according to the provider's API.
    package var user: Observation<OAuth1Answer>
    /// The same question, signed without the token's secret.
    package var userWithoutSecret: Observation<OAuth1Answer>
    /// The pages of the sign-in, for users.
    package var visits: [PageVisit] = []

    package init(because reason: String) {
        temporary = .notAttempted(reason)
        authorization = .notAttempted(reason)
        token = .notAttempted(reason)
        wrongVerifier = .notAttempted(reason)
        reused = .notAttempted(reason)
        user = .notAttempted(reason)
        userWithoutSecret = .notAttempted(reason)
    }
}

/// A response to a signed request; its exchange contains status, headers and the redacted body.
package struct OAuth1Answer: Sendable, Hashable, Codable {
    package var exchange: Int
    /// The body as a form has it, empty for JSON.
    ///
    /// The value of a secret parameter is its length only.
    package var parameters: [ResponseParameter]

    package init(exchange: Int, parameters: [ResponseParameter] = []) {
        self.exchange = exchange
        self.parameters = parameters
    }

    /// The first value of that name; `nil` when it is missing or empty.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}

/// The parts of an OAuth 1.0 sign-in that a run can have.
package enum OAuth1Part: String, Sendable, Hashable, Codable, Comparable {
    /// Requests for temporary credentials, valid and invalid: no sign-in.
    case temporaryCredentials
    /// The whole way, in two browsers.
    case signIns

    package static func < (left: OAuth1Part, right: OAuth1Part) -> Bool { left.tier < right.tier }

    var tier: Tier { self == .signIns ? .full : .unauthenticated }
}

/// The endpoints of OAuth 1.0 (RFC 5849 section 2), by the names that configuration and profiles give them.
package enum OAuth1Endpoint: String, Sendable, CaseIterable {
    /// Temporary Credential Request.
    case requestToken = "request_token_endpoint"
    /// Resource Owner Authorization.
    case authenticate = "authenticate_endpoint"
    /// Token Request.
    case accessToken = "access_token_endpoint"
    /// The user's identity: not part of the specification.
    case user = "user_api_endpoint"
}

extension ProfileParameters {
    /// Whether the platform signs users in by OAuth 1.0.
    package var usesOAuth1: Bool { endpoints[OAuth1Endpoint.requestToken.rawValue] != nil }
}
