import Conformance

/// A browser session of a user.
struct Session: Sendable {
    var account: Account
    /// The `sid` of its ID Tokens, which is not the cookie.
    let id = Store.random()
    /// When the user signed in, in seconds since 1970.
    var authenticatedAt: Double
    /// The user's consents: one entry per client and scope.
    var consents: Set<String> = []

    func allows(_ scopes: [String], to client: RegisteredClient) -> Bool {
        scopes.allSatisfy { consents.contains(Self.consent($0, client)) }
    }

    func knows(_ client: RegisteredClient) -> Bool { consents.contains { $0.hasPrefix(client.id + " ") } }

    mutating func allow(_ scopes: [String], to client: RegisteredClient) {
        for scope in scopes { consents.insert(Self.consent(scope, client)) }
    }

    private static func consent(_ scope: String, _ client: RegisteredClient) -> String { client.id + " " + scope }
}

/// An authorization request that waits for the user.
struct PendingAuthorization: Sendable {
    var request: AcceptedRequest
    /// The browser that sent the request; no other can continue it.
    var browser: String
    /// A token in the forms against cross-site request forgery.
    var formToken: String
    var needsSignIn: Bool
    var needsConsent: Bool
    var expiresAt: Double
    /// The user name entered before the password page.
    var username: String?
    /// The account whose password was correct, while the next page is open.
    var account: Account?
}

/// A valid authorization request.
struct AcceptedRequest: Sendable {
    var client: RegisteredClient
    var redirectURI: String
    var responseType: ResponseType
    var mode: AuthorizationResponse.Mode
    var scopes: [String]
    var state: String?
    var nonce: String?
    var codeChallenge: String?
    var loginHint: String?
    /// The account that an `id_token_hint` or a value of the claim `sub` names.
    var hintedSubject: String?
    /// The authentication context class to return; `nil` if none was requested.
    var contextClass: String?
    /// Individually requested claims.
    var claims = ClaimsRequest()
    /// The temporary credentials of a request of OAuth 1.0; `nil` for one of OAuth 2.0.
    var temporaryToken: String?
    /// Whether the sign-in page is shown again after each sign-in.
    var signInPageRepeats = false
    /// Whether the request is lost once the user has signed in.
    var isLostAtSignIn = false
    /// Whether two concurrent requests can redeem its code.
    var isRedeemedTwice = false
}

/// A user's grant to a client; codes and tokens refer to one.
struct Grant: Sendable {
    /// Codes and tokens of one authorization share it, so that all can be revoked together.
    var family: String
    var client: RegisteredClient
    var account: Account
    var scopes: [String]
    var authenticatedAt: Double
    /// The session that it was given in; `nil` without one.
    var sessionID: String?
    var nonce: String?
    /// The redirect URI of the authorization request, which the token request must repeat (RFC 6749 section 4.1.3).
    var redirectURI: String?
    var codeChallenge: String?
    /// The thumbprint of the key to which its access tokens are bound (RFC 9449); `nil` for Bearer tokens.
    var proofKey: String?
    /// The value of `acr` in the ID Token.
    var contextClass: String?
    /// Individually requested claims.
    var claims = ClaimsRequest()
    /// Whether two concurrent requests can redeem its code.
    var isRedeemedTwice = false

    var hasOpenID: Bool { scopes.contains("openid") }
}
