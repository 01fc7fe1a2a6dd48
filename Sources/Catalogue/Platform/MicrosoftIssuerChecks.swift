package import Conformance
import JSONTree

/// Which tenant of Microsoft's provider is asked, and what that means for the issuer.
package enum MicrosoftIssuerChecks {
    private static let noTenant = "the issuer has no path, so it names no tenant"

    package static let tenantIsKnown = Check(
        "platform.microsoft.tenant.is-a-tenant",
        "The parameter tenant is a GUID, a domain, or one of Microsoft's words",
        .platform,
        .signIn,
        Citation(
            .firebaseMicrosoft,
            "",
            "either the friendly domain name of the Azure AD tenant or the tenant's GUID identifier can be used"
        ),
        why: "Microsoft answers with an error page before anybody can sign in.",
        reads: Documents.target,
        exempt: { target, _ in custom(target) == nil ? "there is no custom parameter tenant" : nil },
        finding: { target, _ in
            guard let tenant = custom(target), MicrosoftAuthority.tenancy(tenant) == nil else { return nil }
            return Finding(
                "\(tenant.quoted) is no tenant.",
                at: "custom_parameters.tenant",
                expected: "a GUID, a domain as in contoso.onmicrosoft.com, common, organizations or consumers",
                found: tenant.shown(),
                fix: "Copy the tenant's identifier from the overview page of its directory."
            )
        }
    )

    package static let tenantIsTheIssuers = Check(
        "platform.microsoft.tenant.is-that-of-the-issuer",
        "The parameter tenant names the tenant whose issuer is judged",
        .platform,
        .signIn,
        Citation(
            .firebaseMicrosoft,
            "",
            "either the friendly domain name of the Azure AD tenant or the tenant's GUID identifier can be used"
        ),
        why: "The platform asks the tenant of the parameter, so another provider than this one would sign users in.",
        reads: Documents.target,
        excusedBy: ["platform.microsoft.tenant.is-a-tenant"],
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
                "The application asks the tenant \(tenant.quoted), and the issuer is that of \(authority.tenant.quoted).",
                at: "custom_parameters.tenant",
                expected: authority.tenant.shown(),
                found: tenant.shown(),
                fix:
                    "Judge \(authority.issuer(of: tenant).quoted), or set the parameter to \(authority.tenant.quoted)."
            )
        }
    )

    package static let tenantIsStated = Check(
        "platform.microsoft.tenant.is-stated-for-one-tenant",
        "An application for one tenant names it in the parameter tenant",
        .risk,
        .signIn,
        Citation(.firebaseMicrosoft, "", "The default value is \"common\"."),
        why: "Without the parameter the platform asks common, which refuses an application that is for one tenant.",
        reads: Documents.target,
        exempt: { target, _ in
            guard let authority = MicrosoftAuthority(target.issuer) else { return noTenant }
            return authority.tenancy == .common ? "the issuer is that of common, which is the default" : nil
        },
        finding: { target, _ in
            guard custom(target) == nil, let authority = MicrosoftAuthority(target.issuer) else { return nil }
            return Finding(
                "The issuer is that of \(authority.tenant.quoted), and no parameter tenant says so.",
                at: "custom_parameters.tenant",
                expected: authority.tenant.shown(),
                found: "missing, which means common",
                fix: "Set the custom parameter tenant to \(authority.tenant.quoted) in the application."
            )
        }
    )

    package static let issuerFits = Check(
        "platform.microsoft.issuer.fits-the-tenant",
        "Discovery states the issuer of the tenant that is asked, or the template for all",
        .platform,
        .signIn,
        Citation(
            .microsoftIssuers,
            "",
            "This endpoint returns an issuer value https://login.microsoftonline.com/{tenantid}/v2.0."
        ),
        why:
            "ID Tokens are compared with this issuer; by another one, or that of the version 1 endpoint, all are refused.",
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
                "The document at \(facts.target.issuer.quoted) states the issuer \(stated.quoted).",
                at: "/issuer",
                expected: expected.shown(),
                found: stated.shown(),
                fix: "Judge the version 2.0 endpoint of the tenant: https://login.microsoftonline.com/TENANT/v2.0."
            )
        }
    )

    package static let issIsTheTenants = Check(
        "platform.microsoft.id-token.iss-is-the-tenants",
        "iss is the issuer with the token's own tenant in it",
        .platform,
        .signIn,
        Citation(
            .microsoftIssuers,
            "",
            "the application should replace the {tenantid} value in the issuer metadata"
        ),
        why: "A token whose iss is a template, or another tenant's, could be anybody's; it is refused.",
        reads: Conversations.idTokens,
        excusedBy: ["platform.microsoft.id-token.tid-is-a-guid"],
        finding: { token, facts in
            let iss = token.claims["iss"]?.stringValue
            // Without tid, which another check reports, the tenant may be any.
            let own = iss.flatMap { MicrosoftAuthority($0)?.tenant }.flatMap { MicrosoftObjectID.isGUID($0) ? $0 : nil }
            let tid = token.claims["tid"]?.stringValue ?? own ?? "GUID-OF-THE-TENANT"
            let expected = MicrosoftAuthority(facts.target.issuer)?.issuer(of: tid) ?? facts.target.issuer
            if let iss, iss.hasSameOctets(as: expected) { return nil }
            let isTemplate = iss?.contains("{") == true
            return .claim(
                "iss",
                isTemplate ? "iss is the template itself, with no tenant in it." : "iss and tid name two tenants.",
                expected: expected.shown(),
                found: token.claims["iss"],
                fix: "Issue tokens with the tenant of tid in iss: the placeholder is for the discovery document alone."
            )
        }
    )

    package static let tidIsAGUID = Check(
        "platform.microsoft.id-token.tid-is-a-guid",
        "tid is the GUID of a tenant",
        .platform,
        .conformance,
        Citation(.microsoftClaims, "", "the GUID is the immutable tenant ID of the organization"),
        why: "Applications allow or refuse whole tenants by it, and compare GUIDs.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.claims.has("tid") ? nil : "the token has no tid, which another check reports" },
        finding: { token, _ in
            if let tid = token.claims["tid"]?.stringValue, MicrosoftObjectID.isGUID(tid) { return nil }
            return .claim(
                "tid",
                "tid is no GUID.",
                expected: "32 hexadecimal digits in five groups",
                found: token.claims["tid"],
                fix: "Return the tenant's identifier in tid, not its name or domain."
            )
        }
    )

    package static let tidIsTheTenants = Check(
        "platform.microsoft.id-token.tid-is-the-tenant-asked-for",
        "tid is a tenant that the issuer stands for",
        .platform,
        .safety,
        Citation(.microsoftClaims, "", "Represents the tenant that the user is signing in to."),
        why: "Users of another tenant than the application is for sign in, or the tenant parameter is not honoured.",
        reads: Conversations.idTokens,
        excusedBy: ["platform.microsoft.id-token.tid-is-a-guid", "platform.microsoft.id-token.iss-is-the-tenants"],
        exempt: { token, facts in
            if !token.claims.has("tid") { return "the token has no tid, which another check reports" }
            switch MicrosoftAuthority(facts.target.issuer)?.tenancy {
            case nil: return noTenant
            case .common: return "the issuer stands for all tenants"
            default: return nil
            }
        },
        finding: { token, facts in
            guard let tid = token.claims["tid"]?.stringValue?.lowercased(), let wanted = wanted(facts, not: tid) else {
                return nil
            }
            return .claim(
                "tid",
                "The token is of a tenant that the issuer does not stand for.",
                expected: wanted,
                found: token.claims["tid"],
                fix:
                    "Issue tokens for the tenant of the request's path only; register the issuer of the tenant that "
                    + "is meant."
            )
        }
    )

    package static let all: [Check] = [
        tenantIsKnown, tenantIsTheIssuers, tenantIsStated, issuerFits, issIsTheTenants, tidIsAGUID, tidIsTheTenants,
    ]

    private static func custom(_ target: Target) -> String? {
        target.customParameters.first { $0.name == "tenant" }?.value
    }

    /// Whom the issuer stands for; a domain, as far as discovery tells which tenant it belongs to.
    private static func resolved(_ authority: MicrosoftAuthority, _ facts: Facts) -> MicrosoftAuthority.Tenancy? {
        guard case .domain = authority.tenancy,
            let stated = facts.metadata.value?.string("issuer").flatMap({ MicrosoftAuthority($0)?.tenant }),
            MicrosoftObjectID.isGUID(stated)
        else { return authority.tenancy }
        return .tenant(stated.lowercased())
    }

    /// The tenants that the issuer stands for, when the one given is not among them; `nil` when it is.
    private static func wanted(_ facts: Facts, not tid: String) -> String? {
        let consumers = MicrosoftObjectID.consumerTenant
        switch MicrosoftAuthority(facts.target.issuer)?.tenancy {
        case .tenant(let tenant): return tid == tenant ? nil : tenant
        case .consumers: return tid == consumers ? nil : consumers
        case .organizations: return tid == consumers ? "any tenant but \(consumers)" : nil
        case .domain:
            // The document of a domain states the GUID that the domain stands for.
            let stated = facts.metadata.value?.string("issuer").flatMap { MicrosoftAuthority($0)?.tenant.lowercased() }
            return stated == nil || stated == tid ? nil : stated
        case .common, nil: return nil
        }
    }
}
