import Conformance
import Transport

/// The URLs of discovery documents.
enum DiscoveryAddress {
    private static let oauthSuffix = Metadata.serverMetadataSuffix

    /// The address of an issuer's OAuth 2.0 authorization server metadata; `nil` where the issuer is no URL.
    ///
    /// RFC 8414 section 3.1: the well-known part goes between the host and the path, without a terminating slash.
    static func serverMetadata(of issuer: String) -> String? {
        inserted(issuer).first
    }

    /// The addresses at which a client of RFC 8414 looks before that of the discovery document, in its order.
    static func inserted(_ issuer: String) -> [String] {
        guard let url = WebURL(issuer) else { return [] }
        let path = Self.path(of: url)
        return [url.origin + oauthSuffix + path] + (path.isEmpty ? [] : [url.origin + WellKnown.suffix + path])
    }

    private static func path(of url: WebURL) -> String { url.path.split(separator: "/").map { "/" + $0 }.joined() }

    /// Other places to look when nothing is there, the likeliest first and at most eight.
    ///
    /// They only ever serve to suggest the right issuer.
    static func alternatives(to issuer: String) -> [String] {
        let asked = WellKnown.address(of: issuer)
        var issuer = issuer
        var addresses: [String] = []
        // The address of the document itself, typed instead of the issuer.
        for suffix in [WellKnown.suffix, oauthSuffix] where WellKnown.withoutSlash(issuer).hasSuffix(suffix) {
            issuer = String(issuer[..<(issuer.ranges(of: suffix).last?.lowerBound ?? issuer.endIndex)])
            addresses.append(WellKnown.address(of: issuer))
        }
        guard let url = WebURL(issuer) else { return [] }
        let segments = url.path.split(separator: "/").map(String.init)
        let path = Self.path(of: url)
        addresses.append(url.origin + oauthSuffix + path)
        if !path.isEmpty { addresses.append(url.origin + WellKnown.suffix + path) }
        for count in stride(from: segments.count - 1, through: 0, by: -1) {
            addresses.append(url.origin + segments.prefix(count).map { "/" + $0 }.joined() + WellKnown.suffix)
        }
        var distinct: [String] = []
        for address in addresses where address != asked && !distinct.contains(address) {
            distinct.append(address)
        }
        return Array(distinct.prefix(8))
    }
}
