package import Conformance
package import JOSE
import JSONTree

/// The provider's record of a client.
package struct RegisteredClient: Sendable {
    package var id: String
    /// Its name on the pages.
    package var name: String
    /// `nil` for a public client (RFC 6749 section 2.1).
    package var secret: Secret?
    /// The keys that verify its assertions.
    package var key: PublicKey?
    package var authenticationMethods: [ClientAuthentication]
    package var redirectURIs: [String]
    /// `nil` for all that the provider supports.
    var responseTypes: [ResponseType]?
    /// URLs of its request objects (Core section 6.2).
    var requestURIs: [String] { registration?.metadata["request_uris"]?.strings ?? [] }
    /// The URL that identifies its sector (Registration section 5).
    var sectorURI: String? { registration?.metadata["sector_identifier_uri"]?.stringValue }
    /// The URL of its keys (Registration section 2).
    var keysURI: String? { registration?.metadata["jwks_uri"]?.stringValue }
    /// Permitted redirect URIs after logout (RP-Initiated Logout section 3.1).
    var postLogoutRedirectURIs: [String] = []
    /// The URL for back-channel logout messages (Back-Channel Logout section 2.2).
    package var backChannelLogoutURI: String?
    /// Its special metadata.
    var wishes = RegisteredMetadata()
    /// Whether its identifier is the address of its metadata.
    var isDescribed = false
    /// Its dynamic registration; `nil` for a manually registered client.
    var registration: ClientRegistration?

    /// Whether codes are bound to a verifier: always for a public client (RFC 9700 section 2.1.1).
    var requiresPKCE: Bool { authenticationMethods == [.none] }
}

extension RegisteredClient {
    /// All preregistered clients.
    package static let all: [RegisteredClient] = [confidential, publicClient, second, punctuated, keyed]

    /// The redirect URI of all clients, which is never requested.
    package static let redirectURI = "https://reference-project.firebaseapp.com/__/auth/handler"

    /// The confidential client's redirect URI after logout, which is never requested.
    static let postLogoutRedirectURI = "https://reference-project.firebaseapp.com/signed-out"

    /// The confidential client.
    ///
    /// Its secret is valid only for providers that run briefly on this machine.
    package static let confidential = RegisteredClient(
        id: "preflight-client",
        name: "Preflight",
        secret: Secret("oJ0w3sXnUq5vL8tZc2yHfB7mKd4rPg6eAi9TzEx1WbQ"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost],
        redirectURIs: [redirectURI],
        postLogoutRedirectURIs: [postLogoutRedirectURI]
    )

    /// Another client of the same sector: both have redirect URIs on one host.
    package static let second = RegisteredClient(
        id: "preflight-second",
        name: "Preflight's sister",
        secret: Secret("mWq8fY2uDk6pSx0hRb4vJt7zLc9nGa1eKi3oTy5UQdE"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost, .clientSecretJWT],
        redirectURIs: [redirectURI]
    )

    /// The configuration of the second client for a response type.
    static func second(
        for type: ResponseType,
        by method: ClientAuthentication = .clientSecretBasic
    ) -> ResponseTypeClient {
        let client = Client(id: second.id, authentication: method, hasSecret: true)
        return ResponseTypeClient(responseType: type, client: client)
    }

    /// A confidential client whose identifier and secret change when form-encoded.
    static let punctuated = RegisteredClient(
        id: "preflight client+1",
        name: "Preflight, with punctuation",
        secret: Secret("50%2B 50=100%&Zc2yHfB7mKd4rP/g6eAi9T:zEx1WbQ"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost],
        redirectURIs: [redirectURI],
        postLogoutRedirectURIs: [postLogoutRedirectURI]
    )

    /// A client that signs assertions with its own key.
    package static let keyed: RegisteredClient = {
        var client = RegisteredClient(
            id: "preflight-keyed",
            name: "Preflight with a key",
            secret: nil,
            authenticationMethods: [.privateKeyJWT],
            redirectURIs: [redirectURI]
        )
        client.key = keyPair?.publicKey
        return client
    }()

    /// The key pair of ``keyed``, created once per process.
    static let keyPair: PrivateKey? = try? PrivateKey.generate(.ec(.p256))

    /// Its key pair at providers that require RSA, created on first use.
    private static let rsaKeyPair: PrivateKey? = try? PrivateKey.generate(.rsa(bits: 2_048))

    /// The key pair that signs the assertions which a provider requires.
    static func keyPair(for offer: Offer) -> PrivateKey? {
        offer.assertion?.algorithm?.keyType == .rsa ? rsaKeyPair : keyPair
    }

    package static let publicClient = RegisteredClient(
        id: "preflight-public",
        name: "Preflight in the browser",
        secret: nil,
        authenticationMethods: [.none],
        redirectURIs: [redirectURI],
        responseTypes: ["code"],
        postLogoutRedirectURIs: [postLogoutRedirectURI]
    )
}

/// The stored registration of a client (RFC 7591 section 3.2.1).
struct ClientRegistration: Sendable {
    var metadata: JSONObject
    /// The access token for the client configuration endpoint (RFC 7592 section 1.2).
    var accessToken: String
    /// Seconds since 1970.
    var issuedAt: Double
}
