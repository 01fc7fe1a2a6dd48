package import Conformance
package import JSONTree

/// The places at which the behaviour of the OAuth 1.0 endpoints can be changed (RFC 5849).
package struct OAuth1Seams: Sendable {
    /// Whether a signature is taken; the last argument is whether it is right.
    @Seam(joining: Joined.decisions)
    package var acceptsSignature: @Sendable (OAuth1Place, Bool) -> Bool = { $1 }
    /// Whether a request that was seen before is refused.
    @Seam
    package var remembersRequests = true
    /// Whether a callback is taken.
    ///
    /// Arguments: asked for, registered.
    @Seam
    package var acceptsCallback: @Sendable (String, [String]) -> Bool = { asked, registered in
        registered.contains(asked)
    }
    /// The parameters of temporary credentials.
    @Seam(joining: Joined.edits)
    package var temporaryCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// What the pages say no to, by the parameters of their address; `nil` to go on.
    @Seam
    package var authorizationProblem: @Sendable ([Field]) -> String? = { _ in nil }
    @Seam
    package var makeVerifier: @Sendable () -> String = { Store.random() }
    /// The parameters that the callback is called with.
    @Seam(joining: Joined.edits)
    package var callback: @Sendable (inout [Field]) -> Void = { _ in }
    /// Whether a verification code is taken; the last argument is whether it is right.
    @Seam
    package var acceptsVerifier: @Sendable (Bool) -> Bool = { $0 }
    /// Whether temporary credentials are used up.
    @Seam
    package var usesUpTemporaryCredentials = true
    /// The parameters of token credentials.
    @Seam(joining: Joined.edits)
    package var tokenCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// The person, as the API tells of them.
    @Seam(joining: Joined.edits)
    package var user: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The last word on a refusal's status.
    @Seam
    package var refusalStatus: @Sendable (Int) -> Int = { $0 }
    /// The media type of credentials.
    @Seam
    package var mediaType = FormEncoding.mediaType

    package init() {}
}

/// Where a signed request arrives.
package enum OAuth1Place: Sendable {
    case requestToken
    case accessToken
    case user
}
