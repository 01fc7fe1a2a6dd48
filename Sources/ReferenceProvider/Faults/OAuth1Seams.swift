package import Conformance
package import JSONTree

/// Hooks for the OAuth 1.0 endpoints (RFC 5849).
package struct OAuth1Seams: Sendable {
    /// Whether a signature is accepted; the last argument is whether it is correct.
    @Seam(joining: Joined.decisions)
    package var acceptsSignature: @Sendable (OAuth1Place, Bool) -> Bool = { $1 }
    /// Whether replayed requests are rejected.
    @Seam
    package var remembersRequests = true
    /// Whether a callback is accepted.
    ///
    /// Arguments: requested, registered.
    @Seam
    package var acceptsCallback: @Sendable (String, [String]) -> Bool = { asked, registered in
        registered.contains(asked)
    }
    /// The parameters of temporary credentials.
    @Seam(joining: Joined.edits)
    package var temporaryCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// The error shown for the parameters of the authorization page; `nil` to continue.
    @Seam
    package var authorizationProblem: @Sendable ([Field]) -> String? = { _ in nil }
    @Seam
    package var makeVerifier: @Sendable () -> String = { Store.random() }
    /// The parameters of the callback.
    @Seam(joining: Joined.edits)
    package var callback: @Sendable (inout [Field]) -> Void = { _ in }
    /// Whether a verification code is accepted; the argument is whether it is correct.
    @Seam
    package var acceptsVerifier: @Sendable (Bool) -> Bool = { $0 }
    /// Whether temporary credentials can be used only once.
    @Seam
    package var usesUpTemporaryCredentials = true
    /// The parameters of token credentials.
    @Seam(joining: Joined.edits)
    package var tokenCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// The user object of the API.
    @Seam(joining: Joined.edits)
    package var user: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The final status of a rejection.
    @Seam
    package var refusalStatus: @Sendable (Int) -> Int = { $0 }
    /// The media type of credentials.
    @Seam
    package var mediaType = FormEncoding.mediaType

    package init() {}
}

/// The endpoint of a signed request.
package enum OAuth1Place: Sendable {
    case requestToken
    case accessToken
    case user
}
