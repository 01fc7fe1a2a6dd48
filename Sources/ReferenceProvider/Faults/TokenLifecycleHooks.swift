import JSONTree

/// Hooks for the life cycle of tokens; the defaults follow the specifications.
package struct TokenLifecycleHooks: Sendable {
    // MARK: Refreshing

    /// The body of a refresh response, after all other changes.
    @Hook(joining: HookCombination.edits)
    var refreshed: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The whole refresh response.
    @Hook(joining: HookCombination.edits)
    package var refreshAnswer: @Sendable (inout HTTPAnswer) -> Void = { _ in }
    /// The claims of a refreshed ID Token.
    @Hook(joining: HookCombination.edits)
    var refreshedClaims: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The key of refreshed ID Tokens; `nil` for that of all others.
    @Hook
    var refreshedSigning: Hooks.Signing?
    /// A refreshed ID Token in compact form.
    @Hook
    var refreshedIDToken: @Sendable (String) -> String = { $0 }
    /// Whether a refreshed ID Token has the nonce of the request (Core section 12.2).
    @Hook
    var repeatsNonce = false
    /// Whether a proof of the client's key must contain a nonce (RFC 9449 section 8).
    @Hook
    package var proofsNeedNonce = false
    /// The value of a new access token.
    @Hook
    var makeAccessToken: @Sendable () -> String = { Store.random() }
    /// The value of a new refresh token.
    @Hook
    var makeRefreshToken: @Sendable () -> String = { Store.random() }
    /// Whether refresh tokens are rotated (RFC 9700 section 4.14.2).
    @Hook
    package var rotates = true
    /// Whether the refresh token of a refresh response works.
    @Hook
    var remembersRotated = true
    /// Whether a refresh request can obtain scopes that were not granted.
    @Hook
    var widensScope = false
    /// Whether a refreshed access token works.
    @Hook
    var remembersRefreshed = true
    /// The user of a refreshed access token; `nil` for the user who signed in.
    @Hook
    var refreshedAccount: Account? = nil
    /// Whether a refresh returns the same access token again.
    @Hook
    var repeatsAccessToken = false

    // MARK: Revocation

    /// The error of a revocation request; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    var revocationError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// Whether a client can revoke the access tokens of others.
    @Hook
    var revokesForAnyClient = false
    @Hook
    var revokesAccessTokens = true
    @Hook
    var revokesRefreshTokens = true
    /// Whether revoking a refresh token revokes the grant's access tokens (RFC 7009 section 2.1).
    @Hook
    var revokesFamilies = true

    // MARK: Introspection

    /// The error of an introspection request; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    var introspectionError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The body of the response for a valid token.
    @Hook(joining: HookCombination.edits)
    var introspected: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of the response for any other token.
    @Hook(joining: HookCombination.edits)
    var inactive: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether a revoked token is reported as active.
    @Hook
    var forgetsRevocation = false

    // MARK: UserInfo

    /// Whether the scheme `bearer` in lower case is accepted (RFC 9110 section 11.1).
    @Hook
    var takesBearerInLowerCase = true
    /// Whether UserInfo accepts a token in the query, which RFC 6750 section 2.3 advises against.
    @Hook
    var takesTokenInQuery = false
    /// Whether UserInfo accepts an ID Token that was issued here.
    @Hook
    var takesIDTokens = false
    /// The part of an access token that UserInfo compares.
    @Hook
    var comparedPart: @Sendable (String) -> Substring = { $0[...] }
    /// Whether UserInfo accepts a token in the form body (RFC 6750 section 2.2).
    @Hook
    var takesTokenInBody = true
    /// The rejection of a UserInfo request without a valid token: status and challenge.
    ///
    /// The first argument is whether there was a token; `nil` to accept it as the first user.
    @Hook
    package var userInfoRefusal: @Sendable (Bool, BearerRefusal) -> BearerRefusal? = { $1 }
    /// Whether UserInfo accepts every token in a POST request.
    @Hook
    var takesAnyTokenByPOST = false
    /// Methods that UserInfo accepts.
    @Hook
    var userInfoMethods = ["GET", "POST"]
    /// Whether a POST at UserInfo must have a form.
    @Hook
    var userInfoNeedsForm = false
    /// The claims that UserInfo returns for POST.
    @Hook(joining: HookCombination.edits)
    var userInfoByPOST: @Sendable (inout JSONObject) -> Void = { _ in }

    init() {}

    /// The rejection of a request without a valid token (RFC 6750 section 3).
    package struct BearerRefusal: Sendable {
        package var status: Int
        /// The `error` attribute of the challenge.
        var error: String?
        /// Whether there is a challenge at all.
        var hasChallenge = true
    }
}
