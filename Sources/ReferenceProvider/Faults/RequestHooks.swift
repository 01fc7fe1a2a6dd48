import JSONTree

/// Hooks for the claims parameter, request objects and pushed requests; the defaults follow the specifications.
package struct RequestHooks: Sendable {
    // MARK: Claims parameter

    /// The ID Token of a request with the claims parameter: its usual claims, and the requested ones.
    @Hook(joining: HookCombination.edits)
    var claimsInIDToken: @Sendable (inout JSONObject, inout JSONObject) -> Void = { _, _ in }
    @Hook
    var answersClaimsAtUserInfo = true
    /// Whether a requested value of `sub` is enforced (Core section 3.1.2.2).
    @Hook
    var regardsSubject = true

    // MARK: Request objects

    /// Whether `request` is ignored.
    @Hook
    var ignoresRequestObjects = false
    /// Whether a request object that is not a JWT is ignored.
    @Hook
    var ignoresUnreadableObjects = false
    /// Whether a request object is obeyed that the document does not announce, and its `redirect_uri` is not compared.
    @Hook
    var obeysUnannouncedObjects = false
    /// Whether `request_uri` is ignored.
    @Hook
    var ignoresRequestURIs = false
    /// Whether signatures of request objects are verified.
    @Hook
    var verifiesRequestObjects = true
    /// Whether the redirect URI of a request object supersedes the one beside it.
    @Hook
    var readsObjectRedirectURI = true

    /// Whether the object fetched from a `request_uri` is used, not the parameters beside it.
    @Hook
    var readsFetchedObject = true
    /// Whether a fetched request object may be unsigned, as the advertised algorithms state.
    @Hook
    var takesUnsignedFetched = true
    /// Whether a `request_uri` has to be registered.
    @Hook
    var requestsRegisteredURI = true

    // MARK: Pushed requests

    /// Whether requests must be pushed.
    @Hook
    package var requiresPush = false
    /// The error of a pushed request; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    package var pushError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The body of the response to a pushed request.
    @Hook(joining: HookCombination.edits)
    var pushed: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether pushed requests are found by their `request_uri`.
    @Hook
    var findsPushed = true
    /// Whether a `request_uri` can be used only once (RFC 9126 section 4).
    @Hook
    var forgetsPushed = true
    /// Whether a `request_uri` that was never issued is accepted as a default request of the client.
    @Hook
    var takesUnknownURI = false

    init() {}
}
