import Conformance
import JOSE

/// Whether clients can register themselves (RFC 7591 section 3).
enum RegistrationOffer: Sendable {
    case none
    case open
    case withInitialToken
}

/// A provider's capabilities; the discovery document advertises them, and the endpoints implement them.
struct Offer: Sendable {
    /// The issuer's path: empty, or with a leading and an optional trailing slash.
    var issuerPath = ""
    var responseTypes: [ResponseType] = ["code"]
    var grantTypes = ["authorization_code", "refresh_token"]
    var authenticationMethods: [ClientAuthentication] = [.clientSecretBasic, .clientSecretPost]
    var scopes = ["openid", "profile", "email", "address", "phone", "offline_access"]
    /// The algorithms for ID Tokens, selected by the client's registration.
    var signingAlgorithms: [JWSAlgorithm] = [.rs256]
    /// The clients' `id_token_signed_response_alg`; RS256 is its default
    /// (OpenID Connect Dynamic Client Registration section 2).
    var idTokenAlgorithm = JWSAlgorithm.rs256
    /// The algorithms that clients may register beside ``signingAlgorithms``: HMAC with the client secret.
    var symmetricAlgorithms: [JWSAlgorithm] = []
    var userInfoAlgorithms: [JWSAlgorithm] = []
    /// The encryption algorithms for ID Tokens and UserInfo.
    var keyManagement: [KeyManagementAlgorithm] = []
    var contentEncryption: [ContentEncryptionAlgorithm] = []
    var registration = RegistrationOffer.none
    /// The algorithms for client assertions (`private_key_jwt`); empty if none are accepted.
    var assertionAlgorithms: [JWSAlgorithm] = []
    /// What assertions of preregistered clients must have; `nil` for the rules of RFC 7523 alone.
    var assertion: AssertionRequirement?
    /// The registered metadata of preregistered clients.
    var wishes = RegisteredMetadata()
    var hasUserInfo = true
    /// The subject types: one subject for all clients, or one per sector (Core section 8).
    var subjectTypes = ["public"]
    /// Whether clients can revoke their tokens (RFC 7009).
    var hasRevocation = false
    /// Whether clients can introspect their tokens (RFC 7662); public ones cannot.
    var hasIntrospection = false
    /// Whether the claims parameter is supported (Core section 5.5).
    var hasClaimsParameter = false
    /// Whether request objects are accepted by value (Core section 6.1).
    var hasRequestObjects = false
    /// Whether every request must be a signed request object (RFC 9101 section 10.5).
    var requiresSignedRequests = false
    /// Whether request objects are fetched from a registered `request_uri` (Core section 6.2).
    var fetchesRequestObjects = false
    /// Whether a client's identifier may be the address of its metadata.
    var fetchesClientDocuments = false
    /// Whether authorization requests can be pushed (RFC 9126).
    var hasPushedRequests = false
    /// Whether authorization requests must be pushed.
    var requiresPushedRequests = false
    /// Whether token requests and uses of an access token must have a proof of the client's key (RFC 9449).
    var requiresProofs = false
    /// Whether authorization responses contain `iss` (RFC 9207).
    var sendsIssuer = true
    /// Whether `response_mode=form_post` is supported (OAuth 2.0 Form Post Response Mode).
    var hasFormPost = true
    /// The supported authentication context classes; not advertised if empty.
    var contextClasses = ["urn:reference-provider:password"]
    /// Whether optional members are stated in the discovery document.
    var statesOptionalMembers = true
    /// Whether the first key is published with a certificate (RFC 7517 section 4.7).
    var publishesCertificate = false

    /// Paths other than the default, relative to the issuer.
    var paths: [Provider.Route: String] = [:]
    /// Public host names of endpoints that are not on the issuer's host; their paths are from the origin.
    var endpointHosts: [Provider.Route: String] = [:]
    /// The members of the discovery document; `nil` for all.
    var statedMembers: [String]?
    /// The format of token responses.
    var tokenDialect = TokenDialect()
    /// Whether an unregistered redirect URI is reported to the client at the registered one.
    var reportsMismatchAtClient = false
    /// The provider's own API about the user who signed in; `nil` for none.
    var userAPI: UserAPIOffer?

    func path(of route: Provider.Route) -> String { paths[route] ?? route.rawValue }

    func route(at path: String) -> Provider.Route? { Provider.Route.allCases.first { self.path(of: $0) == path } }

    /// Whether there is an end-session endpoint (RP-Initiated Logout section 2.1).
    var hasEndSession = false

    /// Whether OAuth 1.0 is supported (RFC 5849).
    var hasOAuth1 = false
    /// Whether there are a discovery document and a key set.
    var publishesDocuments = true
    /// Whether every client must send a code challenge, not only public ones.
    var requiresPKCE = false
    /// Whether a code challenge may be the verifier itself (RFC 7636 section 4.2: `plain`).
    var takesPlainChallenges = false

    /// The path prefix of the endpoints, if it is not the issuer's path.
    var endpointPath: String?

    /// The path prefix of the endpoints.
    var basePath: String { endpointPath ?? issuerBasePath }
    /// The issuer's path without a trailing slash.
    var issuerBasePath: String { String(issuerPath.dropLast(issuerPath.hasSuffix("/") ? 1 : 0)) }
    var hasTokenEndpoint: Bool { responseTypes.contains(where: \.hasCode) }
    var hasRefreshTokens: Bool { grantTypes.contains("refresh_token") }
    /// The supported response modes; the fragment is the default of some response types.
    var responseModes: [String] {
        let query = responseTypes.contains { !$0.isFrontChannel } ? ["query"] : []
        return query + ["fragment"] + (hasFormPost ? ["form_post"] : [])
    }

    func offers(_ type: ResponseType) -> Bool { responseTypes.contains(type) }

    init() {}
}

extension Persona {
    var offer: Offer {
        var offer = Offer()
        switch self {
        case .standard:
            offer.responseTypes = [
                "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
            ]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
            offer.authenticationMethods.append(.none)
            offer.hasEndSession = true
            offer.hasClaimsParameter = true
            offer.hasRequestObjects = true
            offer.hasPushedRequests = true
            offer.hasRevocation = true
            offer.hasIntrospection = true
            offer.registration = .open
        case .minimal:
            // Every omitted member has a default, which the provider implements.
            offer.responseTypes = ["code", "id_token"]
            offer.grantTypes = ["authorization_code", "implicit"]
            offer.authenticationMethods = [.clientSecretBasic]
            offer.scopes = ["openid", "profile", "email"]
            offer.hasUserInfo = false
            offer.sendsIssuer = false
            offer.hasFormPost = false
            offer.contextClasses = []
            offer.statesOptionalMembers = false
        case .assertionClient:
            offer.responseTypes = ["code", "code id_token", "none"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
            offer.authenticationMethods = [.privateKeyJWT, .clientSecretJWT, .clientSecretBasic]
        case .fapi:
            offer.authenticationMethods = [.privateKeyJWT]
            offer.assertion = AssertionRequirement(audience: .issuer)
            offer.signingAlgorithms = [.es256]
            offer.idTokenAlgorithm = .es256
            offer.hasPushedRequests = true
            offer.requiresPushedRequests = true
            offer.requiresPKCE = true
        case .publicClient:
            offer.authenticationMethods = [.none]
            offer.hasPushedRequests = true
            offer.hasRequestObjects = true
            offer.hasRevocation = true
        case .implicitOnly:
            offer.responseTypes = ["id_token"]
            offer.grantTypes = ["implicit"]
            offer.authenticationMethods = []
            offer.scopes = ["openid", "profile", "email"]
            offer.hasUserInfo = false
        case .codeOnly: offer.hasEndSession = true
        case .manyKeys:
            offer.hasIntrospection = true
            offer.hasClaimsParameter = true
            offer.responseTypes = ["code", "id_token", "id_token token", "code id_token", "code token"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
            offer.signingAlgorithms = [.rs256, .es256, .ed25519]
            offer.idTokenAlgorithm = .es256
            offer.publishesCertificate = true
        case .pairwise:
            offer.responseTypes = ["code", "id_token"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
            offer.subjectTypes = ["pairwise"]
        case .specialClients:
            // Discovery section 3: a provider with dynamic registration must support these three.
            offer.responseTypes = ["code", "id_token", "id_token token"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
            offer.signingAlgorithms = [.rs256, .es256]
            offer.symmetricAlgorithms = [.hs256]
            offer.userInfoAlgorithms = [.rs256]
            offer.keyManagement = [.rsaOAEP256, .ecdhES]
            offer.contentEncryption = [.a128CBCHS256, .a256GCM]
            offer.subjectTypes = ["public", "pairwise"]
            offer.registration = .withInitialToken
            offer.assertionAlgorithms = [.rs256]
            offer.fetchesRequestObjects = true
            offer.fetchesClientDocuments = true
        case .pathIssuer:
            offer.issuerPath = "/tenant/"
            offer.responseTypes = ["code", "id_token", "id_token token"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        default: return named?.offer ?? offer
        }
        return offer
    }
}
