import Conformance

/// A browser in which a person has signed in.
struct Session: Sendable {
    var account: Account
    /// When the person signed in, seconds since 1970.
    var authenticatedAt: Double
    /// What the person allowed: a client and its scopes, one entry each.
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

/// An authorization request that waits for a person.
struct PendingAuthorization: Sendable {
    var request: AcceptedRequest
    /// The browser that made the request; no other can go on with it.
    var browser: String
    /// Carried by the forms, so that no other site can send them.
    var formToken: String
    var needsSignIn: Bool
    var needsConsent: Bool
    var expiresAt: Double
    /// Who was named on a page before that of the password.
    var username: String?
    /// Whose password was right, while the page behind it is open.
    var account: Account?
}

/// An authorization request that was found good.
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
    /// The authentication context class to be told of; `nil` when none was asked for.
    var contextClass: String?
    /// Single claims that were asked for.
    var claims = ClaimsRequest()
    /// The temporary credentials of a request of OAuth 1.0; `nil` for one of OAuth 2.0.
    var temporaryToken: String?
    /// Whether the sign-in page comes again after each sign-in.
    var asksForeverAgain = false
    /// Whether nobody remembers the request once the user has signed in.
    var isLostAtSignIn = false
    /// Whether its code is redeemed twice by requests that come at once.
    var isRedeemedTwice = false
}

/// What a person allowed a client to have; codes and tokens stand for one.
struct Grant: Sendable {
    /// Codes and tokens that come from one authorization share it, so that all can be revoked together.
    var family: String
    var client: RegisteredClient
    var account: Account
    var scopes: [String]
    var authenticatedAt: Double
    var nonce: String?
    /// The redirect URI of the authorization request, which the token request must repeat (RFC 6749 section 4.1.3).
    var redirectURI: String?
    var codeChallenge: String?
    /// What the ID Token says as `acr`.
    var contextClass: String?
    /// Single claims that were asked for.
    var claims = ClaimsRequest()
    /// Whether its code is redeemed twice by requests that come at once.
    var isRedeemedTwice = false

    var hasOpenID: Bool { scopes.contains("openid") }
}
