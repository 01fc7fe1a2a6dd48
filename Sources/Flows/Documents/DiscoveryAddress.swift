import Transport

/// Where discovery documents lie.
enum DiscoveryAddress {
    static let suffix = "/.well-known/openid-configuration"
    private static let oauthSuffix = "/.well-known/oauth-authorization-server"

    /// The address of an issuer's discovery document.
    ///
    /// OpenID Connect Discovery section 4: "If the Issuer value contains a path component, any terminating
    /// / MUST be removed before appending /.well-known/openid-configuration."
    static func discovery(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + suffix
    }

    /// Other places to look when nothing is there, the likeliest first and at most eight.
    ///
    /// They only ever serve to suggest the right issuer.
    static func alternatives(to issuer: String) -> [String] {
        let asked = discovery(of: issuer)
        var issuer = issuer
        var addresses: [String] = []
        // The address of the document itself, typed in the issuer's place.
        for suffix in [suffix, oauthSuffix] where issuer.hasSuffix(suffix) || issuer.hasSuffix(suffix + "/") {
            issuer = String(issuer[..<(issuer.ranges(of: suffix).last?.lowerBound ?? issuer.endIndex)])
            addresses.append(discovery(of: issuer))
        }
        guard let url = WebURL(issuer) else { return [] }
        let segments = url.path.split(separator: "/").map(String.init)
        let path = segments.map { "/" + $0 }.joined()
        // RFC 8414 section 3.1 puts the well-known part before the issuer's path.
        addresses.append(url.origin + oauthSuffix + path)
        if !path.isEmpty { addresses.append(url.origin + suffix + path) }
        for count in stride(from: segments.count - 1, through: 0, by: -1) {
            addresses.append(url.origin + segments.prefix(count).map { "/" + $0 }.joined() + suffix)
        }
        var distinct: [String] = []
        for address in addresses where address != asked && !distinct.contains(address) {
            distinct.append(address)
        }
        return Array(distinct.prefix(8))
    }
}
