package import Conformance

/// A provider of one kind, conformant except for its ``failures``: with its ``profile`` it passes every check except
/// these and its ``expectedWarnings``.
package enum Persona: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Code, implicit and hybrid; confidential client; RS256; all members stated.
    case standard
    /// Only the members that Discovery requires; defaults everywhere.
    case minimal
    /// A public client with PKCE and no secret.
    case publicClient = "public-client"
    /// Clients that authenticate with signed assertions: private_key_jwt and client_secret_jwt.
    case assertionClient = "assertion-client"
    /// No token endpoint and no code: only `id_token`.
    case implicitOnly = "implicit-only"
    /// Code flow only.
    case codeOnly = "code-only"
    /// Signs with ES256, and also publishes RS256 and Ed25519 keys.
    case manyKeys = "many-keys"
    /// The issuer has a path and a trailing slash.
    case pathIssuer = "path-issuer"
    /// Each sector gets its own `sub` for a user (Core section 8.1).
    case pairwise
    /// States a public host name, so that it is reachable only with `--resolve`.
    case publicName = "public-name"
    /// Dynamic registration with an initial access token, for HS256 and ES256, encryption, signed UserInfo and pairwise
    /// subjects.
    case specialClients = "special-clients"
    /// The FAPI 2.0 Security Profile: only pushed requests, PKCE, clients with keys, ES256.
    case fapi

    // Real providers, each in its own file.
    case microsoft
    case microsoftTenant = "microsoft-tenant"
    case microsoftConsumers = "microsoft-consumers"
    case yahoo, github, twitter, google, apple, line, auth0, cognito, linkedin
    case govUK = "govuk-one-login"
    case loginGov = "login-gov"
    case franceConnect = "franceconnect"
    case singpass
    case singpassFAPI = "singpass-fapi"
    case itsme, spid, tara
    case idPorten = "id-porten"
    case twitch, slack
    case nhsLogin = "nhs-login"
    case okta, adfs, salesforce, keycloak, uaa, hydra, kakao, naver, discord

    package var description: String { rawValue }

    /// The profile whose gate this persona passes.
    ///
    /// A script in a browser is a client without a secret. The Firebase platform cannot use one, requires a UserInfo
    /// endpoint for the code flow, and accepts only RS256; other providers are still conformant.
    package var profile: String {
        switch self {
        case .standard, .implicitOnly, .codeOnly, .pathIssuer: "firebase-oidc"
        case .publicClient: "spa"
        case .fapi: "fapi2-security"
        default: named?.profile ?? "openid"
        }
    }

    /// The checks that a conformant provider of this kind fails below level error.
    package var expectedWarnings: [CheckID] {
        switch self {
        case .minimal:
            [
                "discovery.userinfo-endpoint.is-present", "discovery.scopes-supported.is-present",
                "discovery.claims-supported.is-present", "discovery.code-challenge-methods-supported.is-present",
                "discovery.token-endpoint-auth-methods-supported.is-stated",
                "discovery.grant-types-supported.is-stated", "discovery.response-modes-supported.is-stated",
            ]
        // Its certificate is issued by an authority created for the process.
        case .publicName: ["transport.authority.is-public"]
        // FAPI 2.0 forbids RS256.
        case .fapi: ["discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256"]
        // It does not list none, and registers no public client.
        case .specialClients: ["registration.public-loopback.is-accepted"]
        case .pathIssuer: ["discovery.issuer.has-no-terminating-slash"]
        default: named?.expectedWarnings ?? []
        }
    }

    /// Faults for a demonstration: one in a document, one in the front channel, one in a token; none for kinds that
    /// only vary what the specifications allow.
    package var demonstration: [String] {
        guard self == .standard else { return named?.demonstration ?? [] }
        return [
            "discovery.subject-types-supported.is-present", "authorization.state.is-echoed",
            "idtoken.aud.holds-client",
        ]
    }

    /// The checks that a real provider fails at level error, so that the gate of its profile is closed.
    package var failures: [CheckID] { named?.failures ?? [] }

    /// The host name in the issuer; `nil` for the address that the provider listens on.
    package var hostName: String? { self == .publicName ? "idp.example.com" : nil }

    /// Whether it models a real provider.
    package var isNamed: Bool { named != nil }

    /// The public host name of a provider of this kind.
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
        case .govUK: "oidc.account.gov.uk"
        case .loginGov: "secure.login.gov"
        case .franceConnect: "fcp-low.integ01.dev-franceconnect.fr"
        case .singpass, .singpassFAPI: "id.singpass.gov.sg"
        case .itsme: "idp.e2e.itsme.services"
        case .spid: "spid.example.it"
        case .tara: "tara.ria.ee"
        case .idPorten: "idporten.no"
        case .twitch: "id.twitch.tv"
        case .slack: "slack.com"
        case .nhsLogin: "auth.sandpit.signin.nhs.uk"
        case .okta: "tenant.okta.com"
        case .adfs: "adfs.example.com"
        case .salesforce: "login.salesforce.com"
        case .keycloak: "keycloak.example.com"
        case .uaa: "uaa.example.com"
        case .hydra: "hydra.example.com"
        case .kakao: "kauth.kakao.com"
        case .naver: "nid.naver.com"
        case .discord: "discord.com"
        default: "idp.example.com"
        }
    }

    /// Whether a client without a secret can redeem codes.
    package var takesPublicClients: Bool { offer.authenticationMethods.contains(.none) }

    /// All host names of providers in this process.
    static let hostNames = Set(
        allCases.flatMap { [$0.publicName, $0.hostName].compactMap(\.self) + $0.offer.endpointHosts.values }
    )
    .sorted()

    /// The addresses of the host name; the second is available without configuration only on Linux.
    package var addresses: [String] {
        #if os(Linux)
        self == .publicName ? ["127.0.0.1", "127.0.0.2"] : ["127.0.0.1"]
        #else
        ["127.0.0.1"]
        #endif
    }
}
