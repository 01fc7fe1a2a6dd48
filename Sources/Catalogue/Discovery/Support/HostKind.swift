/// From where a host name or address can be reached.
enum HostKind: String, Sendable {
    case loopback = "a loopback address"
    case privateNetwork = "an address in a private network"
    case singleLabel = "a host name without a domain"
    case localDomain = "a host name in a local domain"
    case `public` = "a public host"

    /// - Parameter host: as in a URL, an IPv6 address in brackets.
    init(_ host: String) {
        let name = host.lowercased()
        if let bytes = Self.ipv4(name) {
            self = Self.kind(ofIPv4: bytes)
        } else if name.hasPrefix("[") {
            self = Self.kind(ofIPv6: name.dropFirst().prefix { $0 != "]" })
        } else if name == "localhost" || name.hasSuffix(".localhost") {
            self = .loopback
        } else if !name.drop(while: { $0 == "." }).contains(".") {
            self = .singleLabel
        } else {
            self = Self.localDomains.contains { name.hasSuffix($0) } ? .localDomain : .public
        }
    }

    /// Top-level domains that are never delegated, or reserved for private use.
    private static let localDomains = [
        ".local", ".internal", ".lan", ".home.arpa", ".localdomain", ".corp", ".intranet",
    ]

    private static func ipv4(_ name: String) -> [Int]? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        return parts.count == 4 && bytes.count == 4 && bytes.allSatisfy { $0 < 256 } ? bytes : nil
    }

    private static func kind(ofIPv4 bytes: [Int]) -> HostKind {
        switch (bytes[0], bytes[1]) {
        case (127, _), (0, _): .loopback
        case (10, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): .privateNetwork
        default: .public
        }
    }

    private static func kind(ofIPv6 address: Substring) -> HostKind {
        if address == "::1" || address == "::" { return .loopback }
        if address.hasPrefix("::ffff:"), let bytes = ipv4(String(address.dropFirst(7))) { return kind(ofIPv4: bytes) }
        let local = ["fc", "fd", "fe8", "fe9", "fea", "feb"]
        return local.contains { address.hasPrefix($0) } ? .privateNetwork : .public
    }
}
