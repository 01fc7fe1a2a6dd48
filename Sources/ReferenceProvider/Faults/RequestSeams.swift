package import JSONTree

/// Hooks for the claims parameter, request objects and pushed requests; the defaults follow the specifications.
package struct RequestSeams: Sendable {
    // MARK: Claims parameter

    /// The ID Token of a request with the claims parameter: its usual claims, and the requested ones.
    @Seam(joining: Joined.edits)
    package var claimsInIDToken: @Sendable (inout JSONObject, inout JSONObject) -> Void = { _, _ in }
    @Seam
    package var answersClaimsAtUserInfo = true
    /// Whether a requested value of `sub` is enforced (Core section 3.1.2.2).
    @Seam
    package var regardsSubject = true

    // MARK: Request objects

    /// Whether `request` is ignored.
    @Seam
    package var ignoresRequestObjects = false
    /// Whether `request_uri` is ignored.
    @Seam
    package var ignoresRequestURIs = false
    /// Whether signatures of request objects are verified.
    @Seam
    package var verifiesRequestObjects = true
    /// Whether the redirect URI of a request object supersedes the one beside it.
    @Seam
    package var readsObjectRedirectURI = true

    /// Whether the object fetched from a `request_uri` is used, not the parameters beside it.
    @Seam
    package var readsFetchedObject = true
    /// Whether a fetched request object may be unsigned, as the advertised algorithms state.
    @Seam
    package var takesUnsignedFetched = true
    /// Whether a `request_uri` has to be registered.
    @Seam
    package var asksForRegisteredURI = true

    // MARK: Pushed requests

    /// The error of a pushed request; the last argument is the decision of the specifications.
    @Seam(joining: Joined.decisions)
    package var pushError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The body of the response to a pushed request.
    @Seam(joining: Joined.edits)
    package var pushed: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether pushed requests are found by their `request_uri`.
    @Seam
    package var findsPushed = true
    /// Whether a `request_uri` can be used only once (RFC 9126 section 4).
    @Seam
    package var forgetsPushed = true
    /// Whether a `request_uri` that was never issued is accepted as a default request of the client.
    @Seam
    package var takesUnknownURI = false

    package init() {}
}
