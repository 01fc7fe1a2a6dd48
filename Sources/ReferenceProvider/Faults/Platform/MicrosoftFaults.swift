import Conformance
import JSONTree

/// Faults that Firebase's sign-in with Microsoft meets.
extension Fault {
    static let microsoft: [Fault] = microsoftTokens + microsoftAccounts + microsoftTenants

    private static let otherTenant = "b7d6c5a4-1111-4222-8333-94a5b6c7d8e9"

    private static let microsoftTenants: [Fault] = [
        Fault(
            "platform.registration.provider-id-is-well-formed",
            variant: "microsoft",
            "Microsoft is given a name of one's own",
            persona: .microsoft,
            configure: { $0.registration.providerID = "oidc.microsoft" }
        ),
        tenant("platform.microsoft.tenant.is-a-tenant", "the tenant is no name of one", "our tenant"),
        tenant(
            "platform.microsoft.tenant.is-that-of-the-issuer",
            "the tenant is another one than the issuer's",
            "contoso.onmicrosoft.com"
        ),
        Fault(
            "platform.microsoft.tenant.is-stated-for-one-tenant",
            "an application for one tenant does not name it",
            persona: .microsoftTenant,
            configure: { $0.customParameters.removeAll { $0.name == "tenant" } }
        ),
        issuer("the document of common states common", .microsoft) { $0.replacing("{tenantid}", with: "common") },
        issuer(variant: "tenant", "the document of a tenant states the template", .microsoftTenant) {
            $0.replacing(MicrosoftTenancy.tenantID, with: "{tenantid}")
        },
        issuer(variant: "consumers", "the document of consumers states a tenant", .microsoftConsumers) {
            $0.replacing(MicrosoftTenancy.consumerID, with: otherTenant)
        },
    ]

    private static let microsoftTokens: [Fault] = [
        iss("the template stands in tokens", "{tenantid}", .microsoft),
        iss(variant: "word", "common stands in tokens", "common", .microsoft),
        iss(variant: "tenant", "tokens name another tenant in iss than in tid", otherTenant, .microsoftTenant),
        claims("platform.microsoft.id-token.tid-is-a-guid", "tid is a domain") {
            $0["tid"] = "contoso.onmicrosoft.com"
        },
        claims(
            "platform.microsoft.id-token.tid-is-the-tenant-asked-for",
            "people of another tenant are let in",
            .microsoftTenant
        ) { claims in
            claims["tid"] = .string(otherTenant)
            claims.rewrite("iss") { $0.replacing(MicrosoftTenancy.tenantID, with: otherTenant) }
        },
        claims("platform.microsoft.id-token.ver-is-2", "tokens are of version 1") { $0["ver"] = "1.0" },
        .provider(
            "platform.microsoft.id-token.is-enabled",
            "ID Tokens from the authorization endpoint are not switched on",
            persona: .microsoft
        ) { seams in
            seams.alsoRefuse("unsupported_response_type") { $0.responseType == "id_token" }
        },
    ]

    private static let microsoftAccounts: [Fault] = [
        Fault(
            "platform.microsoft.scopes.include-profile",
            "the scope profile is not asked for",
            persona: .microsoft,
            configure: { $0.scopes = ["openid", "email"] }
        ),
        .provider(
            "platform.microsoft.scopes.are-granted",
            "the permissions of Graph are not consented to",
            also: ["discovery.target.scopes-are-offered"],
            persona: .microsoft
        ) { seams in
            seams.tokenResponse = { if $0["scope"] != nil { $0["scope"] = "openid profile email" } }
        },
        claims("idtoken.subject-claims.are-present", variant: "microsoft", "oid is missing") { $0["oid"] = nil },
        claims("platform.microsoft.oid.is-a-guid", "oid is no GUID") { claims in
            claims.rewrite("oid") { String($0.suffix(12)) }
        },
        claims(
            "platform.microsoft.oid.is-padded-for-personal-accounts",
            "the oid of a personal account is not padded",
            .microsoftConsumers
        ) { claims in
            claims.rewrite("oid") { $0.replacing("00000000-0000-0000-", with: "7e1d9c3a-0000-0000-") }
        },
        claims("platform.microsoft.oid.is-in-lower-case", "oid is in capitals") { claims in
            claims.rewrite("oid") { $0.uppercased() }
        },
        claims("platform.microsoft.oid.is-the-same-for-every-client", "every application sees another oid") { claims in
            guard claims["aud"]?.stringValue == RegisteredClient.second.id else { return }
            claims.rewrite("oid") { String($0.dropLast(4)) + "0000" }
        },
        .provider(
            "platform.microsoft.user-api.id-is-the-federated-id",
            "the API has identifiers of its own",
            persona: .microsoft
        ) { seams in
            seams.dialect.userAPI = { user, _ in user["id"] = "7e1d9c3a-0000-4000-8000-000000000000" }
        },
        .provider(
            "platform.user-api.has-members",
            variant: "microsoft",
            "the API does not tell the identifier",
            persona: .microsoft
        ) { seams in
            seams.dialect.userAPI = { user, _ in user["id"] = nil }
        },
        .provider(
            "platform.microsoft.parameters.are-accepted",
            "prompt=consent is refused",
            persona: .microsoft
        ) {
            $0.alsoRefuse("invalid_request") { $0["prompt"] == "consent" }
        },
    ]

    private static func tenant(_ trips: CheckID, _ title: String, _ value: String) -> Fault {
        Fault(trips, title, persona: .microsoft, configure: { $0.customParameters = [Field("tenant", value)] })
    }

    /// A change to the issuer that discovery states.
    private static func issuer(
        variant: String? = nil,
        _ title: String,
        _ persona: Persona,
        _ change: @escaping @Sendable (String) -> String
    ) -> Fault {
        .provider("platform.microsoft.issuer.fits-the-tenant", variant: variant, title, persona: persona) { seams in
            seams.afterHabits(inDiscovery: { $0.rewrite("issuer", change) })
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
        .provider(trips, variant: variant, title, persona: persona) { $0.afterHabits(inClaims: change) }
    }
}
