import Conformance
import JOSE

/// Whether clients can register themselves (RFC 7591 section 3).
enum RegistrationOffer: Sendable {
    case none
    case open
    case withInitialToken
}

/// What a provider offers; the discovery document says so, and the endpoints do so.
struct Offer: Sendable {
    /// The issuer's path: empty, or with a slash at its beginning and perhaps one at its end.
    var issuerPath = ""
    var responseTypes: [ResponseType] = ["code"]
    var grantTypes = ["authorization_code", "refresh_token"]
    var authenticationMethods: [ClientAuthentication] = [.clientSecretBasic, .clientSecretPost]
    var scopes = ["openid", "profile", "email", "address", "phone", "offline_access"]
    /// What ID Tokens can be signed with, by the client's registration.
    var signingAlgorithms: [JWSAlgorithm] = [.rs256]
    /// What the clients here registered as `id_token_signed_response_alg`; RS256 is its default
    /// (OpenID Connect Dynamic Client Registration section 2).
    var idTokenAlgorithm = JWSAlgorithm.rs256
    /// What clients may register for ID Tokens beside ``signingAlgorithms``: HMAC with the client secret.
    var symmetricAlgorithms: [JWSAlgorithm] = []
    var userInfoAlgorithms: [JWSAlgorithm] = []
    /// What ID Tokens and UserInfo can be encrypted with.
    var keyManagement: [KeyManagementAlgorithm] = []
    var contentEncryption: [ContentEncryptionAlgorithm] = []
    var registration = RegistrationOffer.none
    /// What clients may sign assertions with (`private_key_jwt`); empty when none are taken.
    var assertionAlgorithms: [JWSAlgorithm] = []
    var hasUserInfo = true
    /// What subjects are: one for all clients, or one for each sector (Core section 8).
    var subjectTypes = ["public"]
    /// Whether clients can revoke their tokens (RFC 7009).
    var hasRevocation = false
    /// Whether clients can ask what their tokens are worth (RFC 7662); public ones cannot.
    var hasIntrospection = false
    /// Whether single claims can be asked for (Core section 5.5).
    var hasClaimsParameter = false
    /// Whether request objects are taken by value (Core section 6.1).
    var hasRequestObjects = false
    /// Whether request objects are fetched from registered addresses (Core section 6.2).
    var fetchesRequestObjects = false
    /// Whether authorization requests can be pushed (RFC 9126).
    var hasPushedRequests = false
    /// Whether they must be.
    var requiresPushedRequests = false
    /// Whether authorization responses carry `iss` (RFC 9207).
    var sendsIssuer = true
    /// Whether responses can be asked for as a form that is posted (OAuth 2.0 Form Post Response Mode).
    var hasFormPost = true
    /// The authentication context classes that can be asked for; none is stated when empty.
    var contextClasses = ["urn:reference-provider:password"]
    /// Whether optional members are stated in the discovery document.
    var statesOptionalMembers = true
    /// Whether the first key is published with a certificate (RFC 7517 section 4.7).
    var publishesCertificate = false

    /// Paths of its own, relative to the issuer.
    var paths: [Provider.Route: String] = [:]
    /// Hosts of endpoints that are not at the issuer's, by the names that the world knows; paths are from their origin.
    var endpointHosts: [Provider.Route: String] = [:]
    /// The members of the discovery document; `nil` for all that there are.
    var statedMembers: [String]?
    /// How token answers are written.
    var tokenDialect = TokenDialect()
    /// Whether a redirect URI that does not match is told to the client, at the one that is registered.
    var tellsMismatchAtClient = false
    /// The provider's own API about the person who signed in; `nil` for none.
    var userAPI: UserAPIOffer?

    func path(of route: Provider.Route) -> String { paths[route] ?? route.rawValue }

    func route(at path: String) -> Provider.Route? { Provider.Route.allCases.first { self.path(of: $0) == path } }

    /// Whether there is an end-session endpoint (RP-Initiated Logout section 2.1).
    var hasEndSession = false

    /// Whether clients can sign in by OAuth 1.0 (RFC 5849).
    var hasOAuth1 = false
    /// Whether there are a discovery document and a key set.
    var publishesDocuments = true
    /// Whether every client must send a code challenge, and not a public one alone.
    var requiresPKCE = false
    /// Whether a code challenge may be the verifier itself (RFC 7636 section 4.2: `plain`).
    var takesPlainChallenges = false

    /// The path before the endpoints' own.
    var basePath: String { String(issuerPath.dropLast(issuerPath.hasSuffix("/") ? 1 : 0)) }
    var hasTokenEndpoint: Bool { responseTypes.contains(where: \.hasCode) }
    var hasRefreshTokens: Bool { grantTypes.contains("refresh_token") }
    /// The responses that can be asked for; the fragment is the default of some types.
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
            // Everything that is not stated has a default, and the provider does as the default says.
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
            // Discovery section 3: where clients register, these three are expected.
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
        case .pathIssuer:
            offer.issuerPath = "/tenant/"
            offer.responseTypes = ["code", "id_token", "id_token token"]
            offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        default: return named?.offer ?? offer
        }
        return offer
    }
}
