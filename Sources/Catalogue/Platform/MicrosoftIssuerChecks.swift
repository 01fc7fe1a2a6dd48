package import Conformance
import JSONTree

/// Checks of the tenant of Microsoft's provider and of its issuer.
package enum MicrosoftIssuerChecks {
    private static let noTenant = "the issuer has no path, so it names no tenant"

    static let tenantIsKnown = Check(
        "platform.microsoft.tenant.is-a-tenant",
        "The parameter tenant is a GUID, a domain or a name that Microsoft defines",
        .platform,
        .signIn,
        Citation(
            .firebaseMicrosoft,
            "",
            "either the friendly domain name of the Azure AD tenant or the tenant's GUID identifier can be used"
        ),
        why: "Microsoft shows an error page before the user can sign in.",
        reads: Documents.target,
        exempt: { target, _ in custom(target) == nil ? "there is no custom parameter tenant" : nil },
        finding: { target, _ in
            guard let tenant = custom(target), MicrosoftAuthority.tenancy(tenant) == nil else { return nil }
            return Finding(
                "The parameter tenant is \(tenant.quoted), which is not the name of a tenant.",
                at: "custom_parameters.tenant",
                expected: "a GUID, a domain such as contoso.onmicrosoft.com, common, organizations or consumers",
                found: tenant.shown(),
                fix: "Set tenant to the identifier from the overview page of the directory."
            )
        }
    )

    static let tenantIsTheIssuers = Check(
        "platform.microsoft.tenant.is-that-of-the-issuer",
        "The parameter tenant names the tenant of the configured issuer",
        .platform,
        .signIn,
        Citation(
            .firebaseMicrosoft,
            "",
            "either the friendly domain name of the Azure AD tenant or the tenant's GUID identifier can be used"
        ),
        why: "The platform uses the tenant of the parameter, so users sign in at another provider than the tested one.",
        reads: Documents.target,
        supersededBy: ["platform.microsoft.tenant.is-a-tenant"],
        exempt: { target, _ in
            if custom(target) == nil { return "there is no custom parameter tenant" }
            return MicrosoftAuthority(target.issuer) == nil ? noTenant : nil
        },
        finding: { target, facts in
            guard let tenant = custom(target), let authority = MicrosoftAuthority(target.issuer),
                let asked = MicrosoftAuthority.tenancy(tenant), let judged = resolved(authority, facts),
                asked.differs(from: judged)
            else { return nil }
            return Finding(
                "The application uses the tenant \(tenant.quoted), but the issuer is that of \(authority.tenant.quoted).",
                at: "custom_parameters.tenant",
                expected: authority.tenant.shown(),
                found: tenant.shown(),
                fix: "Set issuer to \(authority.issuer(of: tenant).quoted), or tenant to \(authority.tenant.quoted)."
            )
        }
    )

    static let tenantIsStated = Check(
        "platform.microsoft.tenant.is-stated-for-one-tenant",
        "An application for a single tenant names it in the parameter tenant",
        .risk,
        .signIn,
        Citation(.firebaseMicrosoft, "", "The default value is \"common\"."),
        why: "Without the parameter the platform uses common, which rejects an application for a single tenant.",
        reads: Documents.target,
        exempt: { target, _ in
            guard let authority = MicrosoftAuthority(target.issuer) else { return noTenant }
            return authority.tenancy == .common ? "the issuer is that of common, the default tenant" : nil
        },
        finding: { target, _ in
            guard custom(target) == nil, let authority = MicrosoftAuthority(target.issuer) else { return nil }
            return Finding(
                "The issuer is that of \(authority.tenant.quoted), but the custom parameters do not contain tenant.",
                at: "custom_parameters.tenant",
                expected: authority.tenant.shown(),
                found: "missing, which means common",
                fix: "Set the custom parameter tenant to \(authority.tenant.quoted) in the application."
            )
        }
    )

    static let issuerFits = Check(
        "platform.microsoft.issuer.fits-the-tenant",
        "The discovery document states the issuer of the requested tenant, or Microsoft's template",
        .platform,
        .signIn,
        Citation(
            .microsoftIssuers,
            "",
            "This endpoint returns an issuer value https://login.microsoftonline.com/{tenantid}/v2.0."
        ),
        why: "Clients compare ID Tokens with this issuer, and reject all of them if it is wrong or of version 1.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata.string("issuer") == nil ? "the document states no issuer, which another check reports" : nil
        },
        finding: { metadata, facts in
            let stated = metadata.string("issuer") ?? ""
            let authority = MicrosoftAuthority(facts.target.issuer)
            guard authority?.allowsInDiscovery(stated) != true, authority != nil || stated != facts.target.issuer else {
                return nil
            }
            let expected = authority?.expectedInDiscovery ?? facts.target.issuer
            return Finding(
                "The discovery document of \(facts.target.issuer.quoted) states the issuer \(stated.quoted).",
                at: "/issuer",
                expected: expected.shown(),
                found: stated.shown(),
                fix: "Set issuer to the tenant's version 2.0 endpoint: https://login.microsoftonline.com/TENANT/v2.0."
            )
        }
    )

    static let issIsTheTenants = Check(
        "platform.microsoft.id-token.iss-is-the-tenants",
        "iss is the issuer of the tenant in tid",
        .platform,
        .signIn,
        Citation(.microsoftIssuers, "", "the application should replace the {tenantid} value in the issuer metadata"),
        why: "Clients reject a token whose iss is the template or names another tenant, because its origin is unclear.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.id-token.tid-is-a-guid"],
        finding: { token, facts in
            let iss = token.claims["iss"]?.stringValue
            // Without tid, which another check reports, iss may contain any tenant.
            let own = iss.flatMap { MicrosoftAuthority($0)?.tenant }.flatMap { MicrosoftObjectID.isGUID($0) ? $0 : nil }
            let tid = token.claims["tid"]?.stringValue ?? own ?? "GUID-OF-THE-TENANT"
            let expected = MicrosoftAuthority(facts.target.issuer)?.issuer(of: tid) ?? facts.target.issuer
            if let iss, iss.hasSameBytes(as: expected) { return nil }
            let isTemplate = iss?.contains("{") == true
            return .claim(
                "iss",
                isTemplate
                    ? "iss is the template itself, without a tenant." : "iss is not the issuer of the tenant in tid.",
                expected: expected.shown(),
                found: token.claims["iss"],
                fix:
                    "Set iss to the issuer of the tenant in tid; the placeholder belongs only in the discovery document."
            )
        }
    )

    static let tidIsAGUID = Check(
        "platform.microsoft.id-token.tid-is-a-guid",
        "tid is a GUID",
        .platform,
        .conformance,
        Citation(.microsoftClaims, "", "the GUID is the immutable tenant ID of the organization"),
        why: "Applications accept or reject whole tenants by tid, and compare GUIDs.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.claims.has("tid") ? nil : "the token has no tid, which another check reports" },
        finding: { token, _ in
            if let tid = token.claims["tid"]?.stringValue, MicrosoftObjectID.isGUID(tid) { return nil }
            return .claim(
                "tid",
                "tid is not a GUID.",
                expected: "32 hexadecimal digits in five groups",
                found: token.claims["tid"],
                fix: "Return the tenant's identifier in tid, not its name or domain."
            )
        }
    )

    static let tidIsTheTenants = Check(
        "platform.microsoft.id-token.tid-is-the-tenant-asked-for",
        "tid is a tenant that the issuer covers",
        .platform,
        .safety,
        Citation(.microsoftClaims, "", "Represents the tenant that the user is signing in to."),
        why: "Anyone in a tenant that the application excludes can sign in, or Microsoft ignores the parameter tenant.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.id-token.tid-is-a-guid", "platform.microsoft.id-token.iss-is-the-tenants"],
        exempt: { token, facts in
            if !token.claims.has("tid") { return "the token has no tid, which another check reports" }
            switch MicrosoftAuthority(facts.target.issuer)?.tenancy {
            case nil: return noTenant
            case .common: return "the issuer covers all tenants"
            default: return nil
            }
        },
        finding: { token, facts in
            guard let tid = token.claims["tid"]?.stringValue?.lowercased(), let wanted = wanted(facts, not: tid) else {
                return nil
            }
            return .claim(
                "tid",
                "tid is a tenant that the issuer does not cover.",
                expected: wanted,
                found: token.claims["tid"],
                fix:
                    "Issue tokens only for the tenant in the path of the request, or register the issuer of the intended "
                    + "tenant."
            )
        }
    )

    package static let all: [Check] = [
        tenantIsKnown, tenantIsTheIssuers, tenantIsStated, issuerFits, issIsTheTenants, tidIsAGUID, tidIsTheTenants,
    ]

    private static func custom(_ target: Target) -> String? {
        target.customParameters.first { $0.name == "tenant" }?.value
    }

    /// The accounts that the issuer covers; a domain is resolved to its tenant if the discovery document names it.
    private static func resolved(_ authority: MicrosoftAuthority, _ facts: Facts) -> MicrosoftAuthority.Tenancy? {
        guard case .domain = authority.tenancy,
            let stated = facts.metadata.value?.string("issuer").flatMap({ MicrosoftAuthority($0)?.tenant }),
            MicrosoftObjectID.isGUID(stated)
        else { return authority.tenancy }
        return .tenant(stated.lowercased())
    }

    /// The tenants that the issuer covers, if `tid` is not among them; `nil` if it is.
    private static func wanted(_ facts: Facts, not tid: String) -> String? {
        let consumers = MicrosoftObjectID.consumerTenant
        switch MicrosoftAuthority(facts.target.issuer)?.tenancy {
        case .tenant(let tenant): return tid == tenant ? nil : tenant
        case .consumers: return tid == consumers ? nil : consumers
        case .organizations: return tid == consumers ? "any tenant except \(consumers)" : nil
        case .domain:
            // The discovery document of a domain states the GUID of its tenant.
            let stated = facts.metadata.value?.string("issuer").flatMap { MicrosoftAuthority($0)?.tenant.lowercased() }
            return stated == nil || stated == tid ? nil : stated
        case .common, nil: return nil
        }
    }
}
