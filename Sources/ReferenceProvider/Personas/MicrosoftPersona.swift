import Conformance
import JOSE
import JSONTree

/// Microsoft's provider, version 2.0, for all tenants, for one tenant, and for personal accounts.
///
/// See its documentation (ID token claims reference; OpenID Connect on the Microsoft identity platform), and Firebase's
/// for `oid`.
enum MicrosoftTenancy: Sendable {
    /// Discovery states a placeholder, and ID Tokens the user's tenant.
    case common
    case tenant
    case consumers

    /// A fictitious tenant.
    static let tenantID = "3f2c9b1e-7a54-4d0b-9c6e-58a1d2e4f703"
    /// The tenant of all personal accounts.
    static let consumerID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The tenant in the requested issuer.
    var name: String {
        switch self {
        case .common: "common"
        case .tenant: Self.tenantID
        case .consumers: "consumers"
        }
    }

    /// The tenant in the issuer that discovery states.
    var stated: String {
        switch self {
        case .common: "{tenantid}"
        case .tenant: Self.tenantID
        case .consumers: Self.consumerID
        }
    }

    /// One fault each in the discovery document, in an ID Token, and in the configuration or request.
    fileprivate var demonstration: [String] {
        switch self {
        case .common:
            [
                "platform.microsoft.issuer.fits-the-tenant", "platform.microsoft.id-token.iss-is-the-tenants",
                "platform.microsoft.parameters.are-accepted",
            ]
        case .tenant:
            [
                "platform.microsoft.issuer.fits-the-tenant#tenant",
                "platform.microsoft.id-token.iss-is-the-tenants#tenant",
                "platform.microsoft.tenant.is-stated-for-one-tenant",
            ]
        case .consumers:
            [
                "platform.microsoft.issuer.fits-the-tenant#consumers",
                "platform.microsoft.oid.is-padded-for-personal-accounts",
                "platform.microsoft.tenant.is-stated-for-one-tenant",
            ]
        }
    }

    /// Users of all tenants include company and personal accounts.
    fileprivate var accounts: [Account] {
        let work = (Self.tenantID, "c1d7e5a0-22b9-4f6d-8e13-0a9b7c6d5e4f", "c1d7e5a0-22b9-4f6d-8e13-0a9b7c6d5e50")
        let home = (Self.consumerID, "00000000-0000-0000-4b2e-ab0cdef01234", "00000000-0000-0000-0b2e-ab0cdef05678")
        return switch self {
        case .common: [.microsoft(.alice, work.0, work.1), .microsoft(.bob, home.0, home.2)]
        case .tenant: [.microsoft(.alice, work.0, work.1), .microsoft(.bob, work.0, work.2)]
        case .consumers: [.microsoft(.alice, home.0, home.1), .microsoft(.bob, home.0, home.2)]
        }
    }
}

extension NamedProvider {
    static func microsoft(_ tenancy: MicrosoftTenancy) -> NamedProvider {
        var provider = NamedProvider()
        provider.profile = "firebase-microsoft"
        provider.providerID = "microsoft.com"
        provider.expectedWarnings = expectedWarnings
        provider.offer = offer(tenancy)
        // The second client is for comparing oid, which is the same for all clients, with sub, which differs.
        provider.flows = ["code", "id_token"]
        provider.clients = [RegisteredClient.second(for: "id_token", by: .clientSecretPost)]
        provider.authentication = .clientSecretPost
        provider.scopes = ["openid", "profile", "email", "mail.read", "calendars.read"]
        provider.accounts = tenancy.accounts
        provider.habits = { habits(tenancy, &$0) }
        provider.configure = { target in
            if tenancy != .common { target.customParameters = [Field("tenant", tenancy.name)] }
            target.customParameters.append(Field("login_hint", "alice@example.com"))
            let origin = target.issuer.dropLast("/\(tenancy.name)/v2.0".count)
            target.endpoints = ["user_api_endpoint": "\(origin)/v1.0/me"]
        }
        provider.demonstration = tenancy.demonstration
        return provider
    }

    private static let expectedWarnings: [CheckID] = [
        "discovery.code-challenge-methods-supported.is-present", "discovery.grant-types-supported.is-stated",
        "token.refresh.grant-is-listed",
        "discovery.endpoints.are-on-the-issuers-host",
        "platform.firebase.email-verified.is-true",
    ]

    private static func offer(_ tenancy: MicrosoftTenancy) -> Offer {
        var offer = Offer()
        offer.issuerPath = "/\(tenancy.name)/v2.0"
        offer.responseTypes = ["code", "id_token", "code id_token", "id_token token"]
        offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        offer.authenticationMethods = [.clientSecretPost, .clientSecretBasic]
        offer.scopes = ["openid", "profile", "email", "offline_access", "mail.read", "calendars.read"]
        offer.subjectTypes = ["pairwise"]
        offer.sendsIssuer = false
        offer.contextClasses = []
        offer.hasEndSession = true
        offer.paths[.userInfo] = "/oidc/userinfo"
        offer.endpointHosts[.userInfo] = "graph.microsoft.com"
        offer.userAPI = UserAPIOffer(path: "/v1.0/me", user: { account, _ in graph(account) })
        return offer
    }

    /// The identifier of a personal account is the last 16 characters of `oid`.
    private static func graph(_ account: Account) -> JSONObject {
        let oid = account.tokenClaims["profile"]?["oid"]?.stringValue ?? ""
        let padding = "00000000-0000-0000-"
        let id = oid.hasPrefix(padding) ? oid.dropFirst(padding.count).filter { $0 != "-" } : oid
        return [
            "id": .string(id), "displayName": account.claims["name"] ?? .null, "mail": account.claims["email"] ?? .null,
        ]
    }

    private static func habits(_ tenancy: MicrosoftTenancy, _ hooks: inout Hooks) {
        hooks.discovery = { document, issuer in
            document["issuer"] = .string(issuer.replacing("/\(tenancy.name)/v2.0", with: "/\(tenancy.stated)/v2.0"))
            document["grant_types_supported"] = nil
            document["code_challenge_methods_supported"] = nil
            document["scopes_supported"] = ["openid", "profile", "email", "offline_access"]
            document.append("oid", to: "claims_supported")
            document.append("tid", to: "claims_supported")
        }
        hooks.idTokenClaims = { claims, _ in
            if let tenant = claims["tid"]?.stringValue {
                claims.rewrite("iss") { $0.replacing("/\(tenancy.name)/v2.0", with: "/\(tenant)/v2.0") }
            }
        }
        // Pairwise by client, and not only by the host of its redirect URI.
        hooks.session.subject = { subject, user in
            Base64URL.encode(Hashes.sha256(Array((subject + " " + user.clientID).utf8)))
        }
    }
}

extension Account {
    /// The user as a Microsoft account: with tenant ID, object ID, and an unverified email address.
    fileprivate static func microsoft(_ user: Account, _ tenant: String, _ object: String) -> Account {
        var account = user
        account.claims["email_verified"] = nil
        account.tokenClaims = [
            "openid": ["tid": .string(tenant), "ver": "2.0"],
            // It requires this scope because it identifies the user across applications.
            "profile": ["oid": .string(object)],
        ]
        return account
    }
}
