package import Conformance
package import JSONTree

/// The places at which the life of tokens can be changed from outside; untouched, it is as the specifications say.
package struct LifeSeams: Sendable {
    // MARK: Refreshing

    /// The body of the answer to a refresh token, after all other changes.
    @Seam(joining: Joined.edits)
    package var refreshed: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The whole answer to a refresh token.
    @Seam(joining: Joined.edits)
    package var refreshAnswer: @Sendable (inout HTTPAnswer) -> Void = { _ in }
    /// The claims of an ID Token that a refresh token led to.
    @Seam(joining: Joined.edits)
    package var refreshedClaims: @Sendable (inout JSONObject) -> Void = { _ in }
    /// An ID Token that a refresh token led to, in compact form.
    @Seam
    package var refreshedIDToken: @Sendable (String) -> String = { $0 }
    /// Whether an ID Token that a refresh token led to has the nonce of the request (Core section 12.2).
    @Seam
    package var repeatsNonce = false
    /// The value of a new access token.
    @Seam
    package var makeAccessToken: @Sendable () -> String = { Store.random() }
    /// The value of a new refresh token.
    @Seam
    package var makeRefreshToken: @Sendable () -> String = { Store.random() }
    /// Whether a refresh token is used up and replaced (RFC 9700 section 4.14.2).
    @Seam
    package var rotates = true
    /// Whether scopes beyond the granted ones are given when they are asked for with a refresh token.
    @Seam
    package var widensScope = false
    /// Whether the access token that a refresh token led to opens anything.
    @Seam
    package var remembersRefreshed = true
    /// Whether a refresh token leads to the access token that was there before.
    @Seam
    package var repeatsAccessToken = false

    // MARK: Revocation

    /// The error that a revocation request is refused with; the last argument is what the specifications say.
    @Seam(joining: Joined.decisions)
    package var revocationError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    @Seam
    package var revokesAccessTokens = true
    @Seam
    package var revokesRefreshTokens = true
    /// Whether the access tokens of a grant go with its refresh token (RFC 7009 section 2.1).
    @Seam
    package var revokesFamilies = true

    // MARK: Introspection

    /// The error that an introspection request is refused with; the last argument is what the specifications say.
    @Seam(joining: Joined.decisions)
    package var introspectionError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The body of the answer about a token that is good.
    @Seam(joining: Joined.edits)
    package var introspected: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of the answer about any other token.
    @Seam(joining: Joined.edits)
    package var inactive: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether a token that was revoked is told of as if it were good.
    @Seam
    package var forgetsRevocation = false

    // MARK: UserInfo

    /// Whether the scheme Bearer is recognised in lower case (RFC 9110 section 11.1).
    @Seam
    package var takesBearerInLowerCase = true
    /// Whether a token in the query of the address opens UserInfo, which RFC 6750 section 2.3 advises against.
    @Seam
    package var takesTokenInQuery = false
    /// Whether a token in a form opens UserInfo (RFC 6750 section 2.2).
    @Seam
    package var takesTokenInBody = true
    /// What a request to UserInfo without a good token is refused with: status and challenge.
    ///
    /// The first argument is whether there was a token; `nil` to let it pass as the first person.
    @Seam
    package var userInfoRefusal: @Sendable (Bool, BearerRefusal) -> BearerRefusal? = { $1 }
    /// Methods that UserInfo takes.
    @Seam
    package var userInfoMethods = ["GET", "POST"]
    /// The claims that a POST to UserInfo gets.
    @Seam(joining: Joined.edits)
    package var userInfoByPOST: @Sendable (inout JSONObject) -> Void = { _ in }

    package init() {}

    /// How a request without a good token is refused (RFC 6750 section 3).
    package struct BearerRefusal: Sendable {
        package var status: Int
        /// The `error` attribute of the challenge.
        package var error: String?
        /// Whether there is a challenge at all.
        package var hasChallenge = true
    }
}
