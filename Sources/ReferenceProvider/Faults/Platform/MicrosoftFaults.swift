import Conformance
import JSONTree

/// Faults of Firebase's sign-in with Microsoft.
extension Fault {
    static let microsoft: [Fault] = microsoftTokens + microsoftAccounts + microsoftTenants

    private static let otherTenant = "b7d6c5a4-1111-4222-8333-94a5b6c7d8e9"

    private static let microsoftTenants: [Fault] = [
        Fault(
            "platform.registration.provider-id-is-well-formed",
            variant: "microsoft",
            "the provider ID is not that of Microsoft",
            persona: .microsoft,
            configure: { $0.registration.providerID = "oidc.microsoft" }
        ),
        tenant("platform.microsoft.tenant.is-a-tenant", "the tenant parameter is not a valid tenant", "our tenant"),
        tenant(
            "platform.microsoft.tenant.is-that-of-the-issuer",
            "the tenant parameter differs from the issuer's tenant",
            "contoso.onmicrosoft.com"
        ),
        Fault(
            "platform.microsoft.tenant.is-stated-for-one-tenant",
            "a single-tenant application has no tenant parameter",
            persona: .microsoftTenant,
            configure: { $0.customParameters.removeAll { $0.name == "tenant" } }
        ),
        issuer("issuer contains common instead of a placeholder", .microsoft) {
            $0.replacing("{tenantid}", with: "common")
        },
        issuer(variant: "tenant", "issuer contains a placeholder instead of the tenant", .microsoftTenant) {
            $0.replacing(MicrosoftTenancy.tenantID, with: "{tenantid}")
        },
        issuer(
            variant: "consumers",
            "issuer contains another tenant instead of the consumer tenant",
            .microsoftConsumers
        ) {
            $0.replacing(MicrosoftTenancy.consumerID, with: otherTenant)
        },
    ]

    private static let microsoftTokens: [Fault] = [
        iss("iss contains an unfilled placeholder", "{tenantid}", .microsoft),
        iss(variant: "word", "iss contains common instead of the tenant", "common", .microsoft),
        iss(variant: "tenant", "iss and tid name different tenants", otherTenant, .microsoftTenant),
        claims("platform.microsoft.id-token.tid-is-a-guid", "tid is a domain name") {
            $0["tid"] = "contoso.onmicrosoft.com"
        },
        claims(
            "platform.microsoft.id-token.tid-is-the-tenant-asked-for",
            "users of another tenant can sign in",
            .microsoftTenant
        ) { claims in
            claims["tid"] = .string(otherTenant)
            claims.rewrite("iss") { $0.replacing(MicrosoftTenancy.tenantID, with: otherTenant) }
        },
        claims("platform.microsoft.id-token.ver-is-2", "ID Tokens have ver 1.0") { $0["ver"] = "1.0" },
        .provider(
            "platform.microsoft.id-token.is-enabled",
            "response_type=id_token is not enabled",
            persona: .microsoft
        ) { hooks in
            hooks.alsoRefuse("unsupported_response_type") { $0.responseType == "id_token" }
        },
    ]

    private static let microsoftAccounts: [Fault] = [
        Fault(
            "platform.microsoft.scopes.include-profile",
            "the scope profile is not requested",
            persona: .microsoft,
            configure: { $0.scopes = ["openid", "email"] }
        ),
        .provider(
            "platform.microsoft.scopes.are-granted",
            "the Graph scopes are not granted",
            also: ["discovery.target.scopes-are-offered"],
            persona: .microsoft
        ) { hooks in
            hooks.tokenResponse = { if $0["scope"] != nil { $0["scope"] = "openid profile email" } }
        },
        claims("idtoken.subject-claims.are-present", variant: "microsoft", "oid is missing") { $0["oid"] = nil },
        claims("platform.microsoft.oid.is-a-guid", "oid is not a GUID") { claims in
            claims.rewrite("oid") { String($0.suffix(12)) }
        },
        claims(
            "platform.microsoft.oid.is-padded-for-personal-accounts",
            "the oid of a personal account is not padded",
            .microsoftConsumers
        ) { claims in
            claims.rewrite("oid") { $0.replacing("00000000-0000-0000-", with: "7e1d9c3a-0000-0000-") }
        },
        claims("platform.microsoft.oid.is-in-lower-case", "oid is in upper case") { claims in
            claims.rewrite("oid") { $0.uppercased() }
        },
        claims("platform.microsoft.oid.is-the-same-for-every-client", "oid differs between clients") { claims in
            guard claims["aud"]?.stringValue == RegisteredClient.second.id else { return }
            claims.rewrite("oid") { String($0.dropLast(4)) + "0000" }
        },
        .provider(
            "platform.microsoft.user-api.id-is-the-federated-id",
            "the API returns another id than the ID Token",
            persona: .microsoft
        ) { hooks in
            hooks.dialect.userAPI = { user, _ in user["id"] = "7e1d9c3a-0000-4000-8000-000000000000" }
        },
        .provider(
            "platform.user-api.has-members",
            variant: "microsoft",
            "the API does not return id",
            persona: .microsoft
        ) { hooks in
            hooks.dialect.userAPI = { user, _ in user["id"] = nil }
        },
        .provider(
            "platform.microsoft.parameters.are-accepted",
            "a request with prompt=consent is rejected",
            persona: .microsoft
        ) {
            $0.alsoRefuse("invalid_request") { $0["prompt"] == "consent" }
        },
    ]

    private static func tenant(_ trips: CheckID, _ title: String, _ value: String) -> Fault {
        Fault(trips, title, persona: .microsoft, configure: { $0.customParameters = [Field("tenant", value)] })
    }

    /// A change to issuer in the discovery document.
    private static func issuer(
        variant: String? = nil,
        _ title: String,
        _ persona: Persona,
        _ change: @escaping @Sendable (String) -> String
    ) -> Fault {
        .provider("platform.microsoft.issuer.fits-the-tenant", variant: variant, title, persona: persona) { hooks in
            hooks.afterPersonaChanges(inDiscovery: { $0.rewrite("issuer", change) })
        }
    }

    /// A change to the tenant in `iss`.
    private static func iss(variant: String? = nil, _ title: String, _ tenant: String, _ persona: Persona) -> Fault {
        claims("platform.microsoft.id-token.iss-is-the-tenants", variant: variant, title, persona) { claims in
            claims.rewrite("iss") { $0.replacing(MicrosoftTenancy.tenantID, with: tenant) }
        }
    }

    private static func claims(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        _ persona: Persona = .microsoft,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .provider(trips, variant: variant, title, persona: persona) { $0.afterPersonaChanges(inClaims: change) }
    }
}
