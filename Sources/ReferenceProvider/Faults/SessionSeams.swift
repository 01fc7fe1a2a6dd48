/// The places at which the provider's treatment of people and their sessions can be changed.
package struct SessionSeams: Sendable {
    /// What a person must do before a request is answered; on entry it is what the specifications say.
    package var needs: @Sendable (inout Needs, AuthorizationRequestParameters) -> Void = { _, _ in }
    /// The subject identifier of a person at a client; the first argument is the right one.
    package var subject: @Sendable (String, PersonAtClient) -> String = { subject, _ in subject }

    package init() {}
}

/// What a person must do before an authorization request can be answered.
package struct Needs: Sendable {
    package var signIn: Bool
    package var consent: Bool
    /// Why it cannot be done: the request forbids pages (Core section 3.1.2.6), or its hint is nobody's.
    package var error: OAuthError?
}

/// A person who lets a client know something.
package struct PersonAtClient: Sendable {
    package var username: String
    package var clientID: String
    /// When the person signed in, seconds since 1970.
    package var authenticatedAt: Double
    /// A value of each authorization's own.
    package var authorization: String
}
