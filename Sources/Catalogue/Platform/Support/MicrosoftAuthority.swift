/// The issuer of Microsoft's provider, taken apart: `https://login.microsoftonline.com/TENANT/v2.0`.
package struct MicrosoftAuthority: Sendable, Hashable {
    /// Whom the tenant's name stands for.
    package enum Tenancy: Sendable, Hashable {
        /// Accounts of every tenant, and personal ones.
        case common
        /// Accounts of every tenant.
        case organizations
        /// Personal accounts.
        case consumers
        /// One tenant, by its identifier in lower case.
        case tenant(String)
        /// One tenant, by one of its domains.
        case domain(String)

        /// Whether the two are known to be different: a tenant has several domains, and an identifier beside them.
        package func differs(from other: Tenancy) -> Bool {
            switch (self, other) {
            case (.domain, .domain), (.domain, .tenant), (.tenant, .domain): false
            default: self != other
            }
        }
    }

    /// Scheme and host with a terminating slash.
    private let origin: String
    /// As it is written.
    package let tenant: String
    /// What follows the tenant, beginning with a slash.
    private let rest: String

    /// What discovery states in place of a tenant.
    package static let placeholder = "{tenantid}"

    /// `nil` when there is no path, so no tenant.
    package init?(_ issuer: String) {
        guard let scheme = issuer.firstRange(of: "://") else { return nil }
        let afterScheme = issuer[scheme.upperBound...]
        guard let slash = afterScheme.firstIndex(of: "/") else { return nil }
        let path = afterScheme[afterScheme.index(after: slash)...]
        let name = path.prefix { $0 != "/" }
        guard !name.isEmpty else { return nil }
        self.origin = String(issuer[...slash])
        self.tenant = String(name)
        self.rest = String(path.dropFirst(name.count))
    }

    /// `nil` when the name is none that Microsoft takes.
    package static func tenancy(_ name: String) -> Tenancy? {
        switch name.lowercased() {
        case "common": return .common
        case "organizations": return .organizations
        case "consumers": return .consumers
        case let name where MicrosoftObjectID.isGUID(name):
            return name == MicrosoftObjectID.consumerTenant ? .consumers : .tenant(name)
        case let name:
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            let isDomain =
                labels.count > 1
                && labels.allSatisfy {
                    !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                }
            return isDomain ? .domain(name) : nil
        }
    }

    package var tenancy: Tenancy? { Self.tenancy(tenant) }

    /// The issuer with another tenant in it.
    package func issuer(of tenant: String) -> String { origin + tenant + rest }

    /// What discovery may state as issuer, for the document of this authority.
    package func allowsInDiscovery(_ stated: String) -> Bool {
        guard let other = MicrosoftAuthority(stated), stated == issuer(of: other.tenant) else { return false }
        let isPlaceholder = other.tenant == Self.placeholder
        switch tenancy {
        case .common, .organizations: return isPlaceholder
        case .consumers: return isPlaceholder || other.tenant.lowercased() == MicrosoftObjectID.consumerTenant
        case .tenant: return other.tenant == tenant
        case .domain: return MicrosoftObjectID.isGUID(other.tenant)
        case nil: return other.tenant == tenant
        }
    }

    /// What discovery should state, in words.
    package var expectedInDiscovery: String {
        switch tenancy {
        case .common, .organizations: issuer(of: Self.placeholder)
        case .consumers: "\(issuer(of: Self.placeholder)) or \(issuer(of: MicrosoftObjectID.consumerTenant))"
        case .domain: issuer(of: "GUID-OF-THE-TENANT")
        case .tenant, nil: issuer(of: tenant)
        }
    }
}
