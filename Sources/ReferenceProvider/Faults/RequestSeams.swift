package import JSONTree

/// The places at which claims parameter, request objects and pushed requests can be changed from outside; untouched, they
/// are as the specifications say.
package struct RequestSeams: Sendable {
    // MARK: Claims parameter

    /// The ID Token of a request for single claims: the claims of every ID Token, and those that were asked for.
    @Seam(joining: Joined.edits)
    package var claimsInIDToken: @Sendable (inout JSONObject, inout JSONObject) -> Void = { _, _ in }
    @Seam
    package var answersClaimsAtUserInfo = true
    /// Whether a person named by the value of `sub` is regarded (Core section 3.1.2.2).
    @Seam
    package var regardsSubject = true

    // MARK: Request objects

    /// Whether `request` and `request_uri` are passed over as if they were not there.
    @Seam
    package var ignoresRequestObjects = false
    @Seam
    package var ignoresRequestURIs = false
    /// Whether signatures of request objects are looked at.
    @Seam
    package var verifiesRequestObjects = true
    /// Whether the redirect URI of a request object supersedes the one beside it.
    @Seam
    package var readsObjectRedirectURI = true

    /// Whether what was fetched from a `request_uri` is read, and not what stands beside it.
    @Seam
    package var readsFetchedObject = true
    /// Whether a fetched request object may be unsigned, as the list of algorithms says.
    @Seam
    package var takesUnsignedFetched = true
    /// Whether a `request_uri` has to be registered.
    @Seam
    package var asksForRegisteredURI = true

    // MARK: Pushed requests

    /// The error that a pushed request is refused with; the last argument is what the specifications say.
    @Seam(joining: Joined.decisions)
    package var pushError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The body of the answer to a pushed request.
    @Seam(joining: Joined.edits)
    package var pushed: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether pushed requests are found again.
    @Seam
    package var findsPushed = true
    /// Whether a request URI is good for one request only (RFC 9126 section 4).
    @Seam
    package var forgetsPushed = true
    /// Whether a request URI that was never issued opens an ordinary request of the client.
    @Seam
    package var takesUnknownURI = false

    package init() {}
}
