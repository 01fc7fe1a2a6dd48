package import JOSE
package import JSONTree

/// The seams of registering clients, and of what clients of their own kind are answered with.
package struct RegistrationSeams: Sendable {
    /// The error that a registration is refused with; the last argument is what the specifications say.
    @Seam(joining: Joined.decisions)
    package var error: @Sendable (JSONObject, OAuthError?) -> OAuthError? = { $1 }
    /// The body of a successful registration response.
    @Seam(joining: Joined.edits)
    package var response: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of a registration error.
    @Seam(joining: Joined.edits)
    package var errorResponse: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body with which a registration is read.
    @Seam(joining: Joined.edits)
    package var reading: @Sendable (inout JSONObject) -> Void = { _ in }
    /// What the client is really registered with, whatever the answer says.
    @Seam(joining: Joined.edits)
    package var wishes: @Sendable (inout ClientWishes) -> Void = { _ in }
    /// Whether a provider with an initial access token asks for it.
    @Seam
    package var asksForInitialToken = true
    /// Whether a deleted client is gone.
    @Seam
    package var forgetsDeleted = true
    /// What tokens are signed with for clients that registered an algorithm of their own; `nil` for ``Seams/signing``.
    @Seam
    package var signing: Seams.Signing?
    /// What is encrypted, to whom and how; the second argument tells for what.
    @Seam(joining: Joined.edits)
    package var encryption: @Sendable (inout EncryptionDraft, EncryptedAnswer) -> Void = { _, _ in }
    /// Whether UserInfo is signed with a key that is in no key set.
    @Seam
    package var signsUserInfoWithOtherKey = false
    /// The header of signed UserInfo.
    @Seam(joining: Joined.edits)
    package var userInfoHeader: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The claims of signed UserInfo.
    @Seam(joining: Joined.edits)
    package var signedUserInfo: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The claims of ID Tokens for clients that registered themselves; the second argument is what they registered.
    @Seam(joining: Joined.edits)
    package var idTokenClaims: @Sendable (inout JSONObject, JSONObject) -> Void = { _, _ in }
    /// The subject of a pairwise client: right one, public one.
    @Seam
    package var pairwiseSubject: @Sendable (String, String) -> String = { right, _ in right }
    /// Whether the document at `sector_identifier_uri` has to hold every redirect URI.
    @Seam
    package var looksIntoSectors = true
    /// Whether a sector is what `sector_identifier_uri` says, and not the host of the redirect URI.
    @Seam
    package var regardsSectorURI = true
    /// Whether the keys at a client's `jwks_uri` are used.
    @Seam
    package var usesFetchedKeys = true
    /// Whether they are fetched again after the first time.
    @Seam
    package var fetchesKeysAgain = true

    /// Whether a client assertion is taken.
    @Seam
    package var acceptsAssertion: @Sendable (AssertionRules) -> Bool = { $0.allHold }

    package init() {}
}

/// What can be encrypted to a client.
package enum EncryptedAnswer: Sendable {
    case idToken
    /// One that the browser carries.
    case frontChannelIDToken
    case userInfo
}

/// A JWE before it is made.
package struct EncryptionDraft: Sendable {
    package var content: [UInt8]
    /// The members beside `alg`, `enc` and `kid`.
    package var header: JSONObject
    package var recipient: ResponseEncryption
    /// The content is returned as it is.
    package var isLeftOut = false

    package init(content: [UInt8], header: JSONObject, recipient: ResponseEncryption) {
        self.content = content
        self.header = header
        self.recipient = recipient
    }
}
