/// The bounds and the trust of a client.
///
/// There is no switch that turns certificate verification off.
package struct TransportConfiguration: Sendable, Hashable {
    /// The most bytes of a body that are kept, after decompression; more is a failure.
    package var bodyLimit: Int
    /// The most bytes of all headers of an answer; more is a failure.
    package var headerLimit: Int
    /// Seconds for the name, the connection and TLS together.
    package var connectTimeout: Double
    /// Seconds for the whole exchange.
    package var totalTimeout: Double
    /// Seconds between the end of one exchange and the start of the next; above 0 there is one exchange at a time.
    package var pause: Double
    /// Whether there is one exchange at a time without a pause either: some providers lose parallel requests.
    package var isSerial = false
    /// Whole seconds, 2 or more, after which a connection on which nothing happened is not used again.
    ///
    /// Servers close such connections without a word, many after 5 seconds, and a request that is on its way at that
    /// moment is lost.
    package var longestRest: Int
    /// Those that are trusted without being named.
    var systemAuthorities: SystemAuthorities
    /// A PEM file with authorities that are trusted in addition to these.
    package var certificateAuthorityFile: String?
    /// Addresses that replace what the name service says.
    package var resolve: [HostOverride]
    package var addressPolicy: AddressPolicy
    /// The only hosts that receive other requests than those for public documents; `nil` for any host.
    package var allowedIssuers: AllowedIssuers?
    var userAgent: String
    package var proxy: ProxySettings
    /// The total limits of the client; `nil` for none, not even for an endpoint that does not respond.
    package var limits: RunLimits?

    package init(
        bodyLimit: Int = 2 << 20,
        headerLimit: Int = 256 << 10,
        connectTimeout: Double = 10,
        totalTimeout: Double = 30,
        pause: Double = 0,
        longestRest: Int = 2,
        systemAuthorities: SystemAuthorities = .fromEnvironment,
        certificateAuthorityFile: String? = nil,
        resolve: [HostOverride] = [],
        addressPolicy: AddressPolicy = AddressPolicy(),
        userAgent: String = "oidc-preflight",
        proxy: ProxySettings = .fromEnvironment,
        limits: RunLimits? = nil
    ) {
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.pause = pause
        self.longestRest = longestRest
        self.systemAuthorities = systemAuthorities
        self.certificateAuthorityFile = certificateAuthorityFile
        self.resolve = resolve
        self.addressPolicy = addressPolicy
        self.userAgent = userAgent
        self.proxy = proxy
        self.limits = limits
    }
}

/// A name and port with the address to use for them, as curl's `--resolve HOST:PORT:ADDR` has it.
package struct HostOverride: Sendable, Hashable {
    package var host: String
    package var port: Int
    /// One address, or several separated by commas.
    package var address: String
    /// Another port to connect to; `nil` for the same.
    package var actualPort: Int?

    package init(host: String, port: Int, address: String, actualPort: Int? = nil) {
        self.host = host
        self.port = port
        self.address = address
        self.actualPort = actualPort
    }

    /// Reads `HOST:PORT:ADDRESS:PORT`, as curl's `--connect-to` has it.
    ///
    /// So a provider is asked by the name that it will have, wherever it runs now.
    /// Nil when a part is missing, a port is no number, or an IPv6 address stands without brackets.
    package init?(connectTo text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), let entry = HostOverride(String(text[..<colon])),
            !entry.address.contains(","), text[..<colon].hasSuffix("]") || !entry.address.contains(":")
        else { return nil }
        self = entry
        actualPort = port
    }

    /// Reads `HOST:PORT:ADDR` or `HOST:PORT:ADDR,ADDR`, where an IPv6 address may be in brackets; as the host it is.
    ///
    /// Nil when a part is missing or the port is no number.
    package init?(_ text: String) {
        let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
        let hostEnd = bracket.map(text.index(after:)) ?? text.firstIndex(of: ":") ?? text.endIndex
        let host = text[..<hostEnd]
        let parts = text[hostEnd...].split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, !host.isEmpty, !parts[2].isEmpty else { return nil }
        guard let port = Int(parts[1]), (1...65_535).contains(port) else { return nil }
        let addresses = parts[2].split(separator: ",", omittingEmptySubsequences: false)
            .map { address in
                let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
                return isBracketed ? address.dropFirst().dropLast() : address
            }
        if addresses.contains(where: \.isEmpty) { return nil }
        self.init(host: String(host), port: port, address: addresses.joined(separator: ","))
    }

    /// Whether it redirects the connection, not the name: libcurl looks up no name for a host that is an address.
    private var isMoved: Bool { actualPort != nil || host.hasPrefix("[") }

    var addresses: [String] { address.split(separator: ",").map(String.init) }

    /// The entries in the form that libcurl reads, one for each host and port, because a later one would replace an
    /// earlier one.
    static func entries(_ overrides: [HostOverride]) -> [String] {
        var places: [String] = []
        var addresses: [String: [String]] = [:]
        for override in overrides where !override.isMoved {
            let place = "\(override.host):\(override.port)"
            if addresses[place] == nil { places.append(place) }
            addresses[place, default: []] += override.addresses.map(bracketed)
        }
        return places.map { "\($0):\(addresses[$0, default: []].joined(separator: ","))" }
    }

    /// The libcurl setting for places that are reached at another port.
    ///
    /// - Parameters:
    ///   - address: The address that a transfer is bound to; `nil` when it is not.
    ///   - host: Host and port of the transfer.
    static func connections(_ overrides: [HostOverride], boundTo address: String?, host: String, port: Int) -> [String]
    {
        let moved = overrides.filter(\.isMoved)
        guard let address else {
            return moved.map {
                "\($0.host):\($0.port):\(bracketed($0.addresses.first ?? "")):\($0.actualPort ?? $0.port)"
            }
        }
        let own = moved.first { $0.host.lowercased() == host.lowercased() && $0.port == port }
        return ["::\(bracketed(address)):\(own?.actualPort.map(String.init) ?? "")"]
    }

    static func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
