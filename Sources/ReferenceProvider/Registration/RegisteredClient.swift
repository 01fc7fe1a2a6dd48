package import Conformance
package import JOSE
import JSONTree

/// A client as the provider knows it.
package struct RegisteredClient: Sendable {
    package var id: String
    /// What the pages call it.
    package var name: String
    /// `nil` for a public client (RFC 6749 section 2.1).
    package var secret: Secret?
    /// What its assertions are verified with.
    package var key: PublicKey?
    package var authenticationMethods: [ClientAuthentication]
    package var redirectURIs: [String]
    /// `nil` for all that the provider offers.
    package var responseTypes: [ResponseType]?
    /// Where its request objects are fetched (Core section 6.2).
    var requestURIs: [String] { registration?.metadata["request_uris"]?.strings ?? [] }
    /// What names its sector (Registration section 5).
    var sectorURI: String? { registration?.metadata["sector_identifier_uri"]?.stringValue }
    /// Where its keys are (Registration section 2).
    var keysURI: String? { registration?.metadata["jwks_uri"]?.stringValue }
    /// Where a browser may be sent after logout (RP-Initiated Logout section 3.1).
    package var postLogoutRedirectURIs: [String] = []
    /// Where the client is told of logouts (Back-Channel Logout section 2.2).
    package var backChannelLogoutURI: String?
    /// What it registered for beside the ordinary.
    var wishes = ClientWishes()
    /// How it registered itself; `nil` for a client that was set up by hand.
    var registration: ClientRegistration?

    package init(
        id: String,
        name: String,
        secret: Secret?,
        authenticationMethods: [ClientAuthentication],
        redirectURIs: [String],
        responseTypes: [ResponseType]? = nil,
        postLogoutRedirectURIs: [String] = []
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.authenticationMethods = authenticationMethods
        self.redirectURIs = redirectURIs
        self.responseTypes = responseTypes
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
    }

    /// Whether codes are bound to a verifier: always for a public client (RFC 9700 section 2.1.1).
    var requiresPKCE: Bool { authenticationMethods == [.none] }
}

extension RegisteredClient {
    /// Every client that providers here know.
    package static let all: [RegisteredClient] = [confidential, publicClient, second, punctuated, keyed]

    /// The redirect URI of all clients; nothing is ever sent there.
    package static let redirectURI = "https://reference-project.firebaseapp.com/__/auth/handler"

    /// Where the confidential client's users come back to after logout; nothing is ever sent there.
    package static let postLogoutRedirectURI = "https://reference-project.firebaseapp.com/signed-out"

    /// The confidential client.
    ///
    /// Its secret opens nothing but providers that run on this machine for a moment.
    package static let confidential = RegisteredClient(
        id: "preflight-client",
        name: "Preflight",
        secret: Secret("oJ0w3sXnUq5vL8tZc2yHfB7mKd4rPg6eAi9TzEx1WbQ"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost],
        redirectURIs: [redirectURI],
        postLogoutRedirectURIs: [postLogoutRedirectURI]
    )

    /// Another client of the same company: both have redirect URIs at one host.
    package static let second = RegisteredClient(
        id: "preflight-second",
        name: "Preflight's sister",
        secret: Secret("mWq8fY2uDk6pSx0hRb4vJt7zLc9nGa1eKi3oTy5UQdE"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost, .clientSecretJWT],
        redirectURIs: [redirectURI]
    )

    /// What is configured when the second client is registered for a response type.
    static func second(
        for type: ResponseType,
        by method: ClientAuthentication = .clientSecretBasic
    ) -> ResponseTypeClient {
        let client = Client(id: second.id, authentication: method, hasSecret: true)
        return ResponseTypeClient(responseType: type, client: client)
    }

    /// A confidential client whose identifier and secret read otherwise when they are form-encoded.
    package static let punctuated = RegisteredClient(
        id: "preflight client+1",
        name: "Preflight, with punctuation",
        secret: Secret("50%2B 50=100%&Zc2yHfB7mKd4rP/g6eAi9T:zEx1WbQ"),
        authenticationMethods: [.clientSecretBasic, .clientSecretPost],
        redirectURIs: [redirectURI],
        postLogoutRedirectURIs: [postLogoutRedirectURI]
    )

    /// A client that signs assertions with a key of its own.
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

    /// The key pair of ``keyed``, made once in a process.
    package static let keyPair: PrivateKey? = try? PrivateKey.generate(.ec(.p256))

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

/// What the provider keeps of a registration request (RFC 7591 section 3.2.1).
struct ClientRegistration: Sendable {
    var metadata: JSONObject
    /// Opens the client configuration endpoint (RFC 7592 section 1.2).
    var accessToken: String
    /// Seconds since 1970.
    var issuedAt: Double
}
