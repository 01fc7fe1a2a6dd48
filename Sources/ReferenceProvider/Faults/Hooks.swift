package import Conformance
package import JOSE
package import JSONTree

/// Hooks with which the provider's behaviour can be changed; the defaults follow the specifications.
package struct Hooks: Sendable {
    /// The discovery document before it is written; the second argument is the issuer.
    @Hook(joining: HookCombination.edits)
    package var discovery: @Sendable (inout JSONObject, String) -> Void = { _, _ in }
    /// The key set before it is written.
    @Hook(joining: HookCombination.edits)
    package var keySet: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The final change to every HTTP response, of any endpoint.
    @Hook(joining: HookCombination.edits)
    package var answer: @Sendable (Endpoint, inout HTTPAnswer) -> Void = { _, _ in }

    /// Likewise, by sender and address, for bot protection and load balancers.
    @Hook(joining: HookCombination.edits)
    package var answerTo: @Sendable (Visitor, Endpoint, inout HTTPAnswer) -> Void = { _, _, _ in }
    /// Whether a rejected client's code becomes invalid.
    @Hook
    var spendsCodesOfRefusedClients = false
    /// The end of the path of an endpoint that redirects requests to itself with another query.
    @Hook
    var movedPath: String? = nil
    /// The response with the authorization server metadata, by default that for the discovery document.
    @Hook(joining: HookCombination.edits)
    package var serverMetadata: @Sendable (inout HTTPAnswer) -> Void = { _ in }
    /// Whether the discovery document is published beside the authorization server metadata.
    @Hook
    package var publishesDiscovery = true
    /// The response of the protected resource; the first argument is whether it is that with the metadata.
    @Hook(joining: HookCombination.edits)
    package var protectedResource: @Sendable (Bool, inout HTTPAnswer) -> Void = { _, _ in }
    /// The response to WebFinger.
    @Hook(joining: HookCombination.edits)
    package var webFinger: @Sendable (inout HTTPAnswer) -> Void = { _ in }
    /// Whether the provider listens on one of its addresses.
    @Hook
    package var listens: @Sendable (String) -> Bool = { _ in true }

    // MARK: Authorization endpoint

    /// Whether a redirect URI is accepted as the registered one.
    ///
    /// Arguments: requested, registered.
    @Hook
    package var acceptsRedirectURI: @Sendable (String, [String]) -> Bool = { asked, registered in
        registered.contains(asked)
    }
    /// Reading of the parameters that select the client and its redirect URI.
    package var parameters = ParameterHooks()
    /// The error that rejects a request, decided before any page is shown; `nil` to continue.
    ///
    /// The last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    package var authorizationError: @Sendable (AuthorizationRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The response to the client, success and error alike, before it is sent.
    @Hook(joining: HookCombination.edits)
    package var authorizationResponse: @Sendable (inout AuthorizationResponse) -> Void = { _ in }

    package var session = SessionHooks()

    // MARK: Token endpoint

    /// Whether a client secret is correct.
    ///
    /// Arguments: given, registered, method.
    @Hook
    package var acceptsSecret: @Sendable (String, String, ClientAuthentication) -> Bool = { given, registered, _ in
        given == registered
    }
    /// Whether an unknown client gets the same error as one with a wrong secret (RFC 6749 section 5.2).
    @Hook
    var challengesUnknownClients = true
    /// The error of a token request; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    package var tokenError: @Sendable (TokenRequestParameters, OAuthError?) -> OAuthError? = { $1 }
    /// The methods that token requests may have.
    @Hook
    var tokenRequestMethods = ["POST"]
    /// Whether a token request without grant_type is rejected; otherwise authorization_code is assumed.
    @Hook
    var looksAtMissingGrantType = true
    /// Undoes the form encoding of an identifier or a secret in the Authorization field (RFC 6749 section 2.3.1).
    @Hook
    var decodesBasicHalf: @Sendable (String) -> String = { FormEncoding.decodeComponent($0) }
    /// Whether the reuse of a code revokes its tokens (RFC 6749 section 4.1.2).
    @Hook
    var revokesTokensOnReuse = true
    /// Seconds for which used codes are remembered.
    @Hook
    var codeMemory = Double.infinity
    /// The body of a successful token response.
    @Hook(joining: HookCombination.edits)
    package var tokenResponse: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The body of a token error response.
    @Hook(joining: HookCombination.edits)
    var tokenErrorResponse: @Sendable (inout JSONObject) -> Void = { _ in }

    // MARK: Logout

    /// The redirect URI after logout; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    var postLogoutRedirectURI: @Sendable (LogoutRequestParameters, String?) -> String? = { $1 }
    /// The parameters of the redirect after logout.
    @Hook(joining: HookCombination.edits)
    var postLogoutResponse: @Sendable (inout [Field]) -> Void = { _ in }
    /// The logout message to a client before it is sent; `nil` to send none.
    @Hook
    var backChannelMessage: @Sendable (BackChannelRequest) -> BackChannelRequest? = { $0 }
    @Hook(joining: HookCombination.edits)
    var logoutTokenHeader: @Sendable (inout JSONObject) -> Void = { _ in }
    @Hook(joining: HookCombination.edits)
    var logoutTokenClaims: @Sendable (inout JSONObject) -> Void = { _ in }
    /// Whether the user is asked before a logout that is in doubt.
    @Hook
    var asksAtLogout: @Sendable (LogoutConfirmationReason) -> Bool = { _ in true }
    /// Whether a logout request ends the session.
    @Hook
    var endsSession = true

    // MARK: ID Token and UserInfo

    @Hook(joining: HookCombination.edits)
    package var idTokenHeader: @Sendable (inout JSONObject, IDTokenPlace) -> Void = { _, _ in }
    @Hook(joining: HookCombination.edits)
    package var idTokenClaims: @Sendable (inout JSONObject, IDTokenPlace) -> Void = { _, _ in }
    /// The key that signs the ID Token.
    @Hook
    package var signing = Signing.publishedKey
    /// The finished ID Token in compact form.
    @Hook
    package var idToken: @Sendable (String, IDTokenPlace) -> String = { token, _ in token }
    /// The scopes whose claims UserInfo returns, of those that were granted.
    @Hook
    var userInfoScopes: @Sendable ([String]) -> [String] = { $0 }
    @Hook(joining: HookCombination.edits)
    package var userInfo: @Sendable (inout JSONObject) -> Void = { _ in }

    /// The algorithm that signs UserInfo for clients that registered none; `nil` for plain JSON.
    @Hook
    package var userInfoAlgorithm: JWSAlgorithm?

    // MARK: Claims parameter, request objects, pushed requests

    package var requests = RequestHooks()

    // MARK: Life of tokens

    package var life = TokenLifecycleHooks()

    // MARK: Deviations

    var dialect = DialectHooks()

    // MARK: Registration

    package var registration = RegistrationHooks()

    // MARK: OAuth 1.0

    package var oauth1 = OAuth1Hooks()

    // MARK: TLS

    @Hook
    package var certificate = ServerCertificate.good
    @Hook
    package var tlsVersions = TLSVersions.current

    package init() {}

    package enum Signing: Sendable, Hashable {
        /// The key of the persona's algorithm, which is in the key set.
        case publishedKey
        /// A key of the same kind that is in no key set; the header is unchanged.
        case unpublishedKey
        /// HS256 with the client secret; the header says so.
        case clientSecret
        /// `alg` none and an empty signature.
        case none
    }

    package enum ServerCertificate: Sendable, Hashable {
        /// Issued through an intermediate by the trusted authority; the intermediate is sent.
        case good
        case expired
        /// Valid, but only for a few more days.
        case expiresSoon
        case wrongName
        /// Names the host only in the common name of its subject.
        case commonNameOnly
        /// Issued by an untrusted authority.
        case untrusted
        case intermediateMissing
        case notYetValid
    }

    package enum TLSVersions: Sendable, Hashable {
        /// TLS 1.2 and 1.3.
        case current
        /// Nothing newer than TLS 1.1, which RFC 8996 forbids.
        case obsolete
    }
}

/// The sender of a request, and the address that received it.
package struct Visitor: Sendable {
    var userAgent: String?
    package var origin: String?
    package var method: String
    /// The address of the provider that was connected to.
    package var address: String
    /// The fields in which proxies name the host of a request, in lower case.
    package var forwardedHosts: [String: String] = [:]

    package init(userAgent: String? = nil, origin: String? = nil, method: String = "GET", address: String = "127.0.0.1")
    {
        self.userAgent = userAgent
        self.origin = origin
        self.method = method
        self.address = address
    }
}

/// The endpoints of the provider, for hooks that change an HTTP response.
package enum Endpoint: String, Sendable, CaseIterable {
    case discovery
    case keys
    case authorization
    case signInPage
    case consentPage
    case token
    case userInfo
    case endSession
    case revocation
    case introspection
    case pushedRequests
    case registration
    case clientConfiguration
    case userAPI
    case other
}

/// An HTTP response that can still be changed.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var headers: [Field]
    package var body: [UInt8]
    /// Messages sent to clients before the response.
    var messages: [BackChannelRequest] = []
    /// Seconds before it is sent.
    package var delay = 0.0

    package init(status: Int, headers: [Field], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Replaces all header fields of that name by one, or removes them.
    package mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.isNamed(name) }
        if let value { headers.append(Field(name, value)) }
    }

    /// The body as text.
    package var text: String {
        get { String(decoding: body, as: UTF8.self) }
        set { body = Array(newValue.utf8) }
    }
}

/// An error of RFC 6749 sections 4.1.2.1 and 5.2, or of OpenID Connect Core section 3.1.2.6.
package struct OAuthError: Sendable, Hashable, ExpressibleByStringLiteral {
    package var code: String
    package var text: String?
    /// `nil` for an error that no fault overrides.
    var rejection: RejectionReason?
    /// HTTP status at the token endpoint; 401 for `invalid_client`, else 400.
    package var status: Int

    package init(_ code: String, _ text: String? = nil) {
        self.code = code
        self.text = text
        self.status = code == "invalid_client" ? 401 : 400
    }

    init(_ code: String, _ rejection: RejectionReason) {
        self.init(code, rejection.text)
        self.rejection = rejection
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }
}

/// The parameters of an authorization request as received.
package struct AuthorizationRequestParameters: Sendable {
    package var all: [Field]
    /// The browser's session; `nil` if it has none.
    var sessionID: String?

    /// Whether the browser has a session.
    package var isSignedIn: Bool { sessionID != nil }

    package subscript(name: String) -> String? { all.first { $0.name == name }?.value }
    package var responseType: ResponseType? { self["response_type"].map { ResponseType($0) } }
}

/// The parameters of a token request as received.
package struct TokenRequestParameters: Sendable {
    package var all: [Field]
    package var method: ClientAuthentication?
    /// The header fields.
    package var headers: [Field] = []
    /// The parameters without a value, which are treated as omitted (RFC 6749 section 3.2).
    package var emptyNames: [String] = []

    /// The value of a header field; empty if there is none.
    package func header(_ name: String) -> String { headers.first { $0.isNamed(name) }?.value ?? "" }

    package subscript(name: String) -> String? { all.first { $0.name == name }?.value }
}

/// A redirect to the client that can still be changed.
package struct AuthorizationResponse: Sendable {
    package enum Mode: Sendable {
        case query
        case fragment
        /// A page with a form (OAuth 2.0 Form Post Response Mode).
        case formPost
    }

    var redirectURI: String
    package var mode: Mode
    package var parameters: [Field]
    package var isError: Bool

    package subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
            } else if let newValue {
                parameters.append(Field(name, newValue))
            }
        }
    }
}
