package import JSONTree

/// Hooks for client registration, and for responses to clients with special metadata.
package struct RegistrationHooks: Sendable {
    /// The error of a registration request; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    package var error: @Sendable (JSONObject, OAuthError?) -> OAuthError? = { $1 }
    /// The body of a successful registration response.
    @Hook(joining: HookCombination.edits)
    package var response: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of a registration error.
    @Hook(joining: HookCombination.edits)
    var errorResponse: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of the response that reads a registration.
    @Hook(joining: HookCombination.edits)
    var reading: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether reading a registration requires its token.
    @Hook
    var readingNeedsToken = true
    /// The metadata that is actually registered, whatever the response states.
    @Hook(joining: HookCombination.edits)
    var wishes: @Sendable (inout RegisteredMetadata) -> Void = { _ in }
    /// Whether a provider with an initial access token requires it.
    @Hook
    var requestsInitialToken = true
    /// Whether a deleted client is removed.
    @Hook
    var forgetsDeleted = true
    /// The signing key for clients that registered their own algorithm; `nil` for ``Hooks/signing``.
    @Hook
    var signing: Hooks.Signing?
    /// The content, recipient and header of an encrypted response; the second argument is its kind.
    @Hook(joining: HookCombination.edits)
    var encryption: @Sendable (inout EncryptionDraft, EncryptedAnswer) -> Void = { _, _ in }
    /// Whether UserInfo is signed with an unpublished key.
    @Hook
    var signsUserInfoWithOtherKey = false
    /// The header of signed UserInfo.
    @Hook(joining: HookCombination.edits)
    var userInfoHeader: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The claims of signed UserInfo.
    @Hook(joining: HookCombination.edits)
    var signedUserInfo: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The claims of ID Tokens for dynamically registered clients; the second argument is their metadata.
    @Hook(joining: HookCombination.edits)
    var idTokenClaims: @Sendable (inout JSONObject, JSONObject) -> Void = { _, _ in }
    /// The subject for a pairwise client; arguments: pairwise subject, public subject.
    @Hook
    var pairwiseSubject: @Sendable (String, String) -> String = { right, _ in right }
    /// Whether the document at `sector_identifier_uri` must contain every redirect URI.
    @Hook
    var looksIntoSectors = true
    /// Whether `sector_identifier_uri` determines the sector, not the host of the redirect URI.
    @Hook
    var regardsSectorURI = true
    /// Whether the keys at a client's `jwks_uri` are used.
    @Hook
    var usesFetchedKeys = true
    /// Whether keys at `jwks_uri` are fetched again after the first time.
    @Hook
    var fetchesKeysAgain = true

    /// Whether a client is accepted whose identifier is the address of its metadata; the arguments are the metadata and the address.
    @Hook
    var acceptsClientDocument: @Sendable (JSONObject, String) -> Bool = { $0["client_id"]?.stringValue == $1 }
    /// Whether the port of a loopback redirect URI in such metadata may vary (RFC 8252 section 7.3).
    @Hook
    var letsPortsVary = true
    /// Whether a client assertion is accepted.
    @Hook
    var acceptsAssertion: @Sendable (AssertionRules) -> Bool = { $0.areMet }

    init() {}
}

/// The kinds of encrypted responses.
package enum EncryptedAnswer: Sendable {
    case idToken
    /// An ID Token in the front channel.
    case frontChannelIDToken
    case userInfo
}

/// A JWE before encryption.
package struct EncryptionDraft: Sendable {
    var content: [UInt8]
    /// The members beside `alg`, `enc` and `kid`.
    package var header: JSONObject
    var recipient: ResponseEncryption
    /// Whether the content is returned unencrypted.
    var isLeftOut = false
}
