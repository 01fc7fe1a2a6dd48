/// Which resolved addresses may be connected to, so that a provider's document cannot lead into the own network.
///
/// Checked for the address at the moment of connecting, so a name that changes its address does not bypass it.
package struct AddressPolicy: Sendable, Hashable {
    /// Hosts for which any address is fine: the issuer's own, and those that the target names.
    package var allowedHosts: [String]

    package init(allowedHosts: [String] = []) {
        self.allowedHosts = allowedHosts
    }

    /// Whether any address will do for this host of a URL.
    func allowsAnyAddress(for host: String) -> Bool {
        let wanted = Self.bare(host)
        return allowedHosts.contains { Self.bare($0) == wanted }
    }

    /// The rule that forbids an address of 4 or 16 bytes, or nil when it is an ordinary public one.
    package static func rule(against address: [UInt8]) -> String? {
        switch address.count {
        case 4: ruleIPv4(address)
        case 16: ruleIPv6(address)
        default: "which is not an Internet address"
        }
    }

    private static func ruleIPv4(_ address: [UInt8]) -> String? {
        if address == [169, 254, 169, 254] { return "the cloud's metadata service" }
        return switch (address[0], address[1], address[2]) {
        case (0, _, _): "an unspecified address"
        case (10, _, _), (172, 16...31, _), (192, 168, _): "a private address (RFC 1918)"
        case (100, 64...127, _): "an address shared behind a carrier's NAT (RFC 6598)"
        case (127, _, _): "a loopback address"
        case (169, 254, _): "a link-local address"
        case (192, 0, 0): "an address reserved for protocols (RFC 6890)"
        case (198, 18...19, _): "an address reserved for benchmarks (RFC 2544)"
        case (224...239, _, _): "a multicast address"
        case (240...255, _, _): "a reserved address"
        default: nil
        }
    }

    private static func ruleIPv6(_ address: [UInt8]) -> String? {
        let startsWithZeros = address.prefix(10).allSatisfy { $0 == 0 }
        if address.allSatisfy({ $0 == 0 }) { return "an unspecified address" }
        if address.dropLast().allSatisfy({ $0 == 0 }), address[15] == 1 { return "a loopback address" }
        // IPv4-mapped ::ffff:0:0/96 and the old IPv4-compatible ::/96
        if startsWithZeros, address[10] == address[11], address[10] == 0 || address[10] == 0xFF {
            return ruleIPv4(Array(address[12...]))
        }
        // NAT64 64:ff9b::/96 (RFC 6052), its local form 64:ff9b:1::/48 (RFC 8215) and 6to4 2002::/16 carry IPv4 inside
        if address.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1]) { return "a local translation address (RFC 8215)" }
        if address.starts(with: [0, 0x64, 0xFF, 0x9B]) { return ruleIPv4(Array(address[12...])) }
        if address.starts(with: [0x20, 0x02]) { return ruleIPv4(Array(address[2..<6])) }
        return switch (address[0], address[1]) {
        case (0xFC...0xFD, _): "a unique local address (RFC 4193)"
        case (0xFE, 0x80...0xBF): "a link-local address"
        case (0xFE, 0xC0...0xFF): "a site-local address"
        case (0xFF, _): "a multicast address"
        default: nil
        }
    }

    /// The host in lower case, without the brackets of an IPv6 address and without a terminating dot.
    private static func bare(_ host: String) -> String {
        var text = host.lowercased()
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.hasSuffix("."), text.count > 1 { text.removeLast() }
        return text
    }
}
