/// The provider, the platform and the client: the configuration without its secrets.
package struct Target: Sendable, Hashable, Codable {
    /// The configured issuer, byte for byte.
    package var issuer: String
    package var client: Client?
    /// Another registration for one response type.
    package var clients: [ResponseTypeClient] = []
    /// A second client, whose only use is to try what belongs to the first.
    package var otherClient: Client?
    package var redirectURI: String?
    /// The client's other registered redirect URIs; `nil` if unknown.
    package var otherRedirectURIs: [String]?
    package var scopes: [String] = ["openid"]
    /// Parameters that the relying platform adds to the authorization request.
    package var customParameters: [Field] = []
    /// Parameters that the client adds to the requests for tokens; `nil` for none.
    package var tokenParameters: [Field]?
    /// The protected resource for which tokens are requested (RFC 8707 section 2); `nil` for none.
    package var resource: String?
    /// The protected resource, if it has an address to ask.
    package var webResource: String? {
        resource.flatMap { resource in
            ["https://", "http://"].contains { resource.lowercased().hasPrefix($0) } ? resource : nil
        }
    }
    /// The user's address, `alice@example.com`, for which a platform looks up the issuer by WebFinger (Discovery section 2).
    package var webFinger: String?
    /// The response types that are tried, with a sign-in each.
    package var flows: [ResponseType] = []
    /// The values entered at the relying platform.
    package var registration = PlatformRegistration()
    package var logout = LogoutRegistration()
    /// Addresses of endpoints that no discovery document states, by the name of their metadata member.
    package var endpoints: [String: String]?
    /// Whether a second user can sign in (`sign_in.other`).
    package var hasOtherPerson: Bool?
    /// The state of the second user's e-mail address (`sign_in.other.email_is_verified`); `nil` if unknown.
    package var otherEmailIsVerified: Bool?
    /// Whether clients may be registered at the provider; `nil` when the configuration does not say.
    package var dynamicRegistration: DynamicRegistration?

    package init(issuer: String) {
        self.issuer = issuer
    }

    /// Whether the configuration names a parameter of authorization requests.
    func hasCustomParameter(_ name: String) -> Bool { customParameters.contains { $0.name == name } }

    /// The client registered for a response type.
    package func client(for responseType: ResponseType) -> Client? {
        clients.first { $0.responseType == responseType }?.client ?? client
    }

    /// Whether a client sends no PKCE challenge; one that the run registers itself does as the configured one.
    package func avoidsPKCE(_ clientID: String) -> Bool {
        (allClients.first { $0.id == clientID } ?? client)?.sendsPKCE == false
    }

    /// The host and port of an issuer; empty without any.
    package static func authority(of issuer: String) -> String {
        guard let scheme = issuer.firstRange(of: "://") else { return "" }
        return String(issuer[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    /// A name for the provider at a platform, derived from the issuer: `login-example-com`.
    package static func providerName(from issuer: String) -> String {
        authority(of: issuer).lowercased().replacing(".", with: "-").replacing(":", with: "-")
    }

    /// Changes every configured client.
    package mutating func changeClients(_ change: (inout Client) -> Void) {
        if var changed = client {
            change(&changed)
            client = changed
        }
        for index in clients.indices { change(&clients[index].client) }
        if var changed = otherClient {
            change(&changed)
            otherClient = changed
        }
    }

    /// Every client that requests are made for.
    package var allClients: [Client] {
        [client].compactMap { $0 } + clients.map(\.client) + [otherClient].compactMap { $0 }
    }
}

/// A client registration at the provider.
package struct Client: Sendable, Hashable, Codable {
    package var id: String
    package var authentication: ClientAuthentication
    package var hasSecret: Bool
    /// The algorithm registered for ID Tokens; `nil` for the default, RS256 (Registration section 2).
    package var idTokenSignedResponseAlg: String?
    /// The algorithm registered for encrypting ID Tokens; `nil` for the default, no encryption (Registration section 2).
    package var idTokenEncryptedResponseAlg: String?
    /// The algorithm registered for UserInfo; `nil` for the default, plain JSON (Registration section 2).
    package var userInfoSignedResponseAlg: String?

    /// The thumbprint of the client's public key (RFC 7638), when it has one to sign with.
    package var keyThumbprint: String?
    /// The algorithm that this key is made for, with which the client signs unless another is registered.
    package var keyAlgorithm: String?
    /// The client's signing algorithm, as registered; `nil` for that of its key (Registration section 2).
    package var tokenEndpointAuthSigningAlg: String?
    /// Whom its assertions are meant for; `nil` for the token endpoint (Core section 9).
    package var assertionAudience: AssertionAudience?
    /// The algorithm of its request objects, as registered (Registration section 2); `nil` for a client that sends none.
    package var requestObjectSigningAlg: String?
    /// The thumbprint of the key that decrypts what is encrypted to the client; `nil` for none.
    package var decryptionKeyThumbprint: String?
    /// Whether its requests must be pushed, as registered (RFC 9126 section 6); `nil` for what the discovery document states.
    package var requiresPushedRequests: Bool?
    /// Whether it is registered for access tokens that are bound to a key by DPoP (RFC 9449 section 5.2).
    package var usesDPoP: Bool?
    /// Whether it sends a code challenge (RFC 7636), whatever the platform does; `nil` for the platform's way.
    package var sendsPKCE: Bool?

    package init(id: String, authentication: ClientAuthentication, hasSecret: Bool) {
        self.id = id
        self.authentication = authentication
        self.hasSecret = hasSecret
    }

    /// The algorithm of its assertions; `nil` if it signs none, or if it is unknown.
    package var assertionAlgorithm: String? {
        switch authentication {
        case .privateKeyJWT: tokenEndpointAuthSigningAlg ?? keyAlgorithm
        case .clientSecretJWT: tokenEndpointAuthSigningAlg ?? "HS256"
        default: nil
        }
    }

    /// Whether it authenticates at all (RFC 6749 section 2.1).
    package var isConfidential: Bool { authentication != .none && (hasSecret || keyThumbprint != nil) }
}

/// The audience of a client assertion: providers differ in the values that they accept (RFC 7523 section 3, Core section 9).
package enum AssertionAudience: String, Sendable, Codable, CaseIterable {
    case tokenEndpoint = "token_endpoint"
    case issuer
}

package struct ResponseTypeClient: Sendable, Hashable, Codable {
    package var responseType: ResponseType
    package var client: Client

    package init(responseType: ResponseType, client: Client) {
        self.responseType = responseType
        self.client = client
    }
}

/// The client's registration for the end of sessions.
package struct LogoutRegistration: Sendable, Hashable, Codable {
    /// One of its `post_logout_redirect_uris` (RP-Initiated Logout section 3.1).
    package var postLogoutRedirectURI: String?
    /// The address on this machine for the provider's requests to the client's `backchannel_logout_uri`: `127.0.0.1:8765`.
    package var backChannelListener: String?

    init() {}
}

/// Whether and how a run registers clients of its own at the provider.
package struct DynamicRegistration: Sendable, Hashable, Codable {
    /// Registering changes the provider's state, so it is off unless it is requested.
    package var isEnabled: Bool
    /// Whether there is a token that registering takes (RFC 7591 section 1.2).
    package var hasInitialAccessToken: Bool
    /// The address on this machine that serves documents of the registered clients: `127.0.0.1:8766`; `nil` for a port of its
    /// own choice, and only for a provider on this machine.
    package var documentListener: String?
    /// Under which address the provider reaches that: `https://tunnel.example.com`; `nil` for the very place, over http.
    package var documentsAt: String?

    package init(isEnabled: Bool, hasInitialAccessToken: Bool = false) {
        self.isEnabled = isEnabled
        self.hasInitialAccessToken = hasInitialAccessToken
    }
}

/// The provider's data as entered at the relying platform.
package struct PlatformRegistration: Sendable, Hashable, Codable {
    /// The platform's name for the provider: `oidc.acme`.
    package var providerID: String?
    /// The response types switched on at the platform; empty when the configuration does not say.
    package var responseTypes: [ResponseType] = []

    package init() {}
}

/// A set of response type values; their order does not matter (RFC 6749 section 3.1.1).
package struct ResponseType: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// As written in requests: `id_token token`.
    package let text: String
    package let values: Set<String>
    package let hasCode: Bool
    package let hasIDToken: Bool
    package let hasToken: Bool

    package init(_ text: String) {
        let values = text.split(separator: " ").map(String.init)
        self.text = values.joined(separator: " ")
        self.values = Set(values)
        hasCode = values.contains("code")
        hasIDToken = values.contains("id_token")
        hasToken = values.contains("token")
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The response type of a request that names none: that of the first configured flow, one with a code before others.
    static func ordinary(in target: Target) -> ResponseType {
        target.flows.first(where: \.hasCode) ?? target.flows.first ?? "code"
    }

    package var description: String { text }
    /// Anything but a code is returned in the fragment by default
    /// (OAuth 2.0 Multiple Response Type Encoding Practices section 5).
    package var isFrontChannel: Bool { hasIDToken || hasToken }

    package static func == (left: ResponseType, right: ResponseType) -> Bool {
        left.text == right.text || left.values == right.values
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

/// How a client authenticates at the token endpoint (OpenID Connect Core section 9).
package enum ClientAuthentication: String, Sendable, Codable, CaseIterable {
    case clientSecretBasic = "client_secret_basic"
    case clientSecretPost = "client_secret_post"
    case none
    case clientSecretJWT = "client_secret_jwt"
    case privateKeyJWT = "private_key_jwt"

    /// Whether the client signs a statement of who it is (RFC 7523 section 2.2).
    package var usesAssertion: Bool { self == .clientSecretJWT || self == .privateKeyJWT }
}
