/// The parsed issuer of Microsoft's provider: `https://login.microsoftonline.com/TENANT/v2.0`.
package struct MicrosoftAuthority: Sendable, Hashable {
    /// The accounts that a tenant name covers.
    package enum Tenancy: Sendable, Hashable {
        /// Accounts of every tenant, and personal accounts.
        case common
        /// Accounts of every tenant.
        case organizations
        /// Personal accounts.
        case consumers
        /// One tenant, by its identifier in lower case.
        case tenant(String)
        /// One tenant, by one of its domains.
        case domain(String)

        /// Whether the two are known to be different: a tenant has an identifier and may have several domains.
        package func differs(from other: Tenancy) -> Bool {
            switch (self, other) {
            case (.domain, .domain), (.domain, .tenant), (.tenant, .domain): false
            default: self != other
            }
        }
    }

    /// Scheme and host with a terminating slash.
    private let origin: String
    /// The tenant as written in the issuer.
    package let tenant: String
    /// The path after the tenant, with its leading slash.
    private let rest: String

    /// The placeholder for the tenant in the discovery document.
    static let placeholder = "{tenantid}"

    /// `nil` if the issuer has no path and therefore no tenant.
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

    /// `nil` if Microsoft accepts no such tenant name.
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

    var tenancy: Tenancy? { Self.tenancy(tenant) }

    /// This issuer with another tenant.
    func issuer(of tenant: String) -> String { origin + tenant + rest }

    /// Whether the discovery document of this authority may state this issuer.
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

    /// The issuer that the discovery document should state, as a report shows it.
    var expectedInDiscovery: String {
        switch tenancy {
        case .common, .organizations: issuer(of: Self.placeholder)
        case .consumers: "\(issuer(of: Self.placeholder)) or \(issuer(of: MicrosoftObjectID.consumerTenant))"
        case .domain: issuer(of: "GUID-OF-THE-TENANT")
        case .tenant, nil: issuer(of: tenant)
        }
    }
}
