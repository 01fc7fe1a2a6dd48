package import Conformance
package import JOSE
import JSONTree

/// The configuration for a run against a provider of each kind.
extension Persona {
    /// The registration at the provider and at a relying platform, for a run against this persona.
    package func target(issuer: String) -> Target {
        var target = Target(issuer: issuer)
        target.client = client
        target.clients = clients
        if self == .standard {
            target.otherClient = Client(id: RegisteredClient.publicClient.id, authentication: .none, hasSecret: false)
        }
        if self == .assertionClient {
            target.otherClient = Client(
                id: RegisteredClient.second.id,
                authentication: .clientSecretJWT,
                hasSecret: true
            )
        }
        if self == .manyKeys {
            target.client?.idTokenSignedResponseAlg = "ES256"
            for index in target.clients.indices { target.clients[index].client.idTokenSignedResponseAlg = "ES256" }
        }
        let other = (named?.accounts ?? [.alice, .bob]).last
        if other?.claims["email_verified"]?.boolValue != true { target.otherEmailIsVerified = false }
        if self == .fapi {
            target.client?.idTokenSignedResponseAlg = "ES256"
        }
        target.redirectURI = RegisteredClient.redirectURI
        target.scopes = named?.scopes ?? ["openid", "profile", "email"]
        target.flows = flows
        if offer.hasEndSession { target.logout.postLogoutRedirectURI = RegisteredClient.postLogoutRedirectURI }
        target.registration.providerID = named?.providerID ?? "oidc.reference"
        target.registration.responseTypes = Array(flows.prefix(1))
        if offer.registration != .none {
            let hasToken = offer.registration == .withInitialToken
            target.dynamicRegistration = DynamicRegistration(isEnabled: true, hasInitialAccessToken: hasToken)
        }
        named?.configure(&target)
        return target
    }

    /// The initial access token for client registration; `nil` if registration is open or not supported.
    package var initialAccessToken: Secret? { offer.registration == .withInitialToken ? Self.initialToken : nil }

    /// It is valid only for providers that run briefly on this machine.
    static let initialToken = Secret("iaT-4nC1mXr8Zs0QyUe6WbKp")

    /// The credentials of the test user.
    package var credentials: (username: String, password: Secret) {
        (Account.alice.username, Account.alice.password)
    }

    /// The secret of the test user's one-time codes.
    package var codes: AccountCodes { Account.alice.codes }

    /// The credentials of a second test user.
    package var otherCredentials: (username: String, password: Secret) {
        (Account.bob.username, Account.bob.password)
    }

    /// The secret of a client; `nil` if it has none.
    package func clientSecret(_ clientID: String) -> Secret? {
        if let secret = named?.clientSecret, clientID == RegisteredClient.confidential.id { return secret() }
        return RegisteredClient.all.first { $0.id == clientID }?.secret
    }

    /// The signing key of a client; `nil` if it has none.
    package func clientKey(_ clientID: String) -> PrivateKey? {
        clientID == RegisteredClient.keyed.id ? RegisteredClient.keyPair(for: offer) : nil
    }

    /// The signing key in its file format.
    package func clientKeyPEM(_ clientID: String) -> String? {
        clientKey(clientID).flatMap { key in try? key.pem() }
    }

    private var keyedClient: Client {
        var client = Client(id: RegisteredClient.keyed.id, authentication: .privateKeyJWT, hasSecret: false)
        let key = RegisteredClient.keyPair(for: offer)
        client.keyThumbprint = key?.publicKey.thumbprint
        client.keyAlgorithm = key?.usualAlgorithm?.rawValue
        return client
    }

    private var flows: [ResponseType] {
        switch self {
        case .assertionClient: ["code", "code id_token"]
        case .standard: ["code", "id_token", "id_token token", "code id_token"]
        case .minimal: ["code", "id_token"]
        case .publicClient, .codeOnly, .specialClients, .fapi: ["code"]
        case .implicitOnly: ["id_token"]
        case .manyKeys: ["code", "id_token token", "code token"]
        case .pathIssuer, .pairwise: ["code", "id_token"]
        default: named?.flows ?? ["code"]
        }
    }

    /// Another client for one of the flows, so that subjects can be compared.
    private var clients: [ResponseTypeClient] {
        switch self {
        case .manyKeys: [RegisteredClient.second(for: "id_token token")]
        case .pairwise: [RegisteredClient.second(for: "id_token")]
        case .assertionClient: [RegisteredClient.second(for: "code id_token", by: .clientSecretJWT)]
        default: named?.clients ?? []
        }
    }

    private var client: Client {
        switch self {
        case .codeOnly:
            Client(id: RegisteredClient.punctuated.id, authentication: .clientSecretBasic, hasSecret: true)
        case .assertionClient, .fapi: keyedClient
        case _ where named?.isKeyed == true: keyedClient
        case .publicClient: Client(id: RegisteredClient.publicClient.id, authentication: .none, hasSecret: false)
        // Without a token endpoint, the client cannot authenticate.
        case .implicitOnly: Client(id: RegisteredClient.confidential.id, authentication: .none, hasSecret: false)
        default:
            Client(
                id: RegisteredClient.confidential.id,
                authentication: named?.authentication ?? .clientSecretBasic,
                hasSecret: true
            )
        }
    }
}
