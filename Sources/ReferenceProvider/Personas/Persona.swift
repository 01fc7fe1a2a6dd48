package import Conformance

/// A provider of one kind, correct but for its ``failures``: by the rules of its ``profile`` it passes every check but
/// those and its ``remarks``.
package enum Persona: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Code, implicit and hybrid; confidential client; RS256; all members stated.
    case standard
    /// Only the members that Discovery requires; defaults everywhere.
    case minimal
    /// A public client with PKCE and no secret.
    case publicClient = "public-client"
    /// Clients that sign who they are: private_key_jwt and client_secret_jwt.
    case assertionClient = "assertion-client"
    /// No token endpoint and no code: `id_token` only.
    case implicitOnly = "implicit-only"
    /// Code flow only.
    case codeOnly = "code-only"
    /// Signs with ES256 beside RS256 keys, publishes Ed25519 too.
    case manyKeys = "many-keys"
    /// The issuer has a path and a terminating slash.
    case pathIssuer = "path-issuer"
    /// Every sector sees another `sub` of the same person (Core section 8.1).
    case pairwise
    /// States a public host name, so that it must be reached with `--resolve`.
    case publicName = "public-name"
    /// Clients register themselves with an initial token, for HS256 and ES256, encryption, signed UserInfo, pairwise
    /// subjects.
    case specialClients = "special-clients"
    /// What the FAPI 2.0 Security Profile asks for: pushed requests alone, PKCE, clients with keys, ES256.
    case fapi

    // Providers of the world, each in a file of its own.
    case microsoft
    case microsoftTenant = "microsoft-tenant"
    case microsoftConsumers = "microsoft-consumers"
    case yahoo, github, twitter, google, apple, line, auth0, cognito, linkedin

    package var description: String { rawValue }

    /// The profile that this persona opens the gate of.
    ///
    /// A script in a browser is a client without a secret. The Firebase platform cannot use one, wants a UserInfo endpoint for the code flow, and
    /// reads RS256 only; a provider that does otherwise is correct all the same.
    package var profile: String {
        switch self {
        case .standard, .implicitOnly, .codeOnly, .pathIssuer: "firebase-oidc"
        case .publicClient: "spa"
        case .fapi: "fapi2-security"
        default: named?.profile ?? "openid"
        }
    }

    /// The checks whose advice a correct provider of this kind does not follow: none of them is an error.
    package var remarks: [CheckID] {
        switch self {
        case .minimal:
            [
                "discovery.userinfo-endpoint.is-present", "discovery.scopes-supported.is-present",
                "discovery.claims-supported.is-present", "discovery.code-challenge-methods-supported.is-present",
                "discovery.token-endpoint-auth-methods-supported.is-stated",
                "discovery.grant-types-supported.is-stated", "discovery.response-modes-supported.is-stated",
            ]
        // Only the authority made on the spot vouches for its certificate.
        case .publicName: ["transport.authority.is-public"]
        // FAPI 2.0 forbids RS256.
        case .fapi: ["discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256"]
        case .pathIssuer: ["discovery.issuer.has-no-terminating-slash"]
        default: named?.remarks ?? []
        }
    }

    /// Faults that a demonstration shows: one in a document, one in the front channel, one in a token; none for a kind that
    /// only shows what the specifications allow.
    package var demonstration: [String] {
        guard self == .standard else { return named?.demonstration ?? [] }
        return [
            "discovery.subject-types-supported.is-present", "authorization.state.is-echoed",
            "idtoken.aud.holds-client",
        ]
    }

    /// The checks that a provider of the world fails at level error, so that the gate of its profile stays closed.
    package var failures: [CheckID] { named?.failures ?? [] }

    /// The host name that the issuer states; `nil` for the address that is listened on.
    package var hostName: String? { self == .publicName ? "idp.example.com" : nil }

    /// Whether it plays a provider of the world.
    package var isNamed: Bool { named != nil }

    /// The name by which the world knows a provider of this kind.
    package var publicName: String {
        switch self {
        case .microsoft, .microsoftTenant, .microsoftConsumers: "login.microsoftonline.com"
        case .yahoo: "api.login.yahoo.com"
        case .github: "github.com"
        case .twitter: "api.twitter.com"
        case .google: "accounts.google.com"
        case .apple: "appleid.apple.com"
        case .line: "access.line.me"
        case .auth0: "tenant.eu.auth0.com"
        case .cognito: "cognito-idp.eu-central-1.amazonaws.com"
        case .linkedin: "www.linkedin.com"
        default: "idp.example.com"
        }
    }

    /// Whether a client without a secret can redeem codes.
    package var takesPublicClients: Bool { offer.authenticationMethods.contains(.none) }

    /// Every name that providers here are asked by.
    static let hostNames = Set(
        allCases.flatMap { [$0.publicName, $0.hostName].compactMap(\.self) + $0.offer.endpointHosts.values }
    )
    .sorted()

    /// The addresses of the host name; the second is there by itself on Linux alone.
    package var addresses: [String] {
        #if os(Linux)
        self == .publicName ? ["127.0.0.1", "127.0.0.2"] : ["127.0.0.1"]
        #else
        ["127.0.0.1"]
        #endif
    }
}
