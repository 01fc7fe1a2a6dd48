package import Conformance

/// The places at which the provider's treatment of people and their sessions can be changed.
package struct SessionSeams: Sendable {
    /// What a person must do before a request is answered; on entry it is what the specifications say.
    @Seam(joining: Joined.edits)
    package var needs: @Sendable (inout Needs, AuthorizationRequestParameters) -> Void = { _, _ in }
    /// The subject identifier of a person at a client; the first argument is the right one.
    @Seam
    package var subject: @Sendable (String, PersonAtClient) -> String = { subject, _ in subject }
    /// What whoever sent a user name and a password is told in the place of being let in; `nil` to be let in.
    ///
    /// Arguments: the user name, and what is said of a wrong password.
    @Seam(joining: Joined.decisions)
    package var refusal: @Sendable (String, String?) -> String? = { $1 }
    /// The error that a consent ends in, and whether it does is asked when its page is shown as well; `nil` to go on.
    @Seam
    package var consentError: @Sendable (Consent) -> OAuthError? = { _ in nil }
    /// Whether a request is answered with the sign-in page again after the user has signed in for it.
    @Seam
    package var asksAgainFor: @Sendable (AuthorizationRequestParameters) -> Bool = { _ in false }
    /// Whether a sign-in ends the older sessions of the same person, in whatever browser.
    @Seam
    package var endsOlderSessions = false
    /// Whether the moment of a sign-in is kept with the person, for all browsers alike, and not with the session.
    @Seam
    package var keepsTimeWithPerson = false

    package init() {}

    /// A person at the page that asks whether a client may know something.
    package struct Consent: Sendable {
        package var username: String
        package var clientID: String
        /// A value of each authorization's own.
        package var authorization: String
        /// What the form was sent with; `nil` while the page is only shown.
        package var form: [Field]?
    }
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
