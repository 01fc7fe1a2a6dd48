package import Conformance

/// Hooks for users and their sessions.
package struct SessionHooks: Sendable {
    /// The steps required of the user before a request is answered; on entry, those of the specifications.
    @Hook(joining: HookCombination.edits)
    package var needs: @Sendable (inout Needs, AuthorizationRequestParameters) -> Void = { _, _ in }
    /// The subject identifier of a user at a client; the first argument is the correct one.
    @Hook
    var subject: @Sendable (String, ClientUser) -> String = { subject, _ in subject }
    /// The message that rejects a user name and password; `nil` to accept them.
    ///
    /// Arguments: the user name, and the message for a wrong password.
    @Hook(joining: HookCombination.decisions)
    package var refusal: @Sendable (String, String?) -> String? = { $1 }
    /// The error that ends a consent, also evaluated when its page is shown; `nil` to continue.
    @Hook
    package var consentError: @Sendable (Consent) -> OAuthError? = { _ in nil }
    /// Whether the sign-in page is shown again after the user has signed in for a request.
    @Hook
    package var asksAgainFor: @Sendable (AuthorizationRequestParameters) -> Bool = { _ in false }
    /// Whether a sign-in ends the user's older sessions in all browsers.
    @Hook
    package var endsOlderSessions = false
    /// Whether the time of a sign-in is stored per user, for all browsers, not per session.
    @Hook
    package var keepsTimeWithUser = false
    /// Whether the nonce of a request is stored per session, so that a later request changes the nonce of earlier codes.
    @Hook
    var keepsNonceWithSession = false

    init() {}

    /// A user at the consent page.
    package struct Consent: Sendable {
        package var username: String
        package var clientID: String
        /// A value that differs for each authorization.
        package var authorization: String
        /// The submitted form; `nil` while the page is only shown.
        package var form: [Field]?
    }
}

/// The steps required of a user before an authorization request can be answered.
package struct Needs: Sendable {
    package var signIn: Bool
    package var consent: Bool
    /// Why they are impossible: the request forbids pages (Core section 3.1.2.6), or its hint is invalid.
    package var error: OAuthError?
}

/// A user who has authorized a client.
package struct ClientUser: Sendable {
    var username: String
    var clientID: String
    /// When the user signed in, in seconds since 1970.
    var authenticatedAt: Double
    /// A value that differs for each authorization.
    var authorization: String
}
