/// The issuers and hosts that may receive secrets (`--allow-issuer`).
package struct AllowedIssuers: Sendable, Hashable, CustomStringConvertible {
    private let patterns: [IssuerPattern]

    /// - Parameter patterns: Without any, the value is `nil`, and every issuer is allowed. An invalid one allows nothing.
    package init?(_ patterns: [String]) {
        if patterns.isEmpty { return nil }
        self.patterns = patterns.compactMap(IssuerPattern.init)
    }

    package func names(issuer: String) -> Bool { patterns.contains { $0.names(issuer: issuer) } }

    /// Whether a request to a URL may carry secrets.
    package func allows(_ url: WebURL) -> Bool { patterns.contains { $0.allows(url) } }

    /// Whether a host belongs to a pattern, whatever the port.
    package func allows(host: String) -> Bool { patterns.contains { $0.allows(host: host.lowercased()) } }

    package var description: String { patterns.map(\.text).joined(separator: ", ") }
}

/// An issuer URL, a host with an optional port, or `*.` and a domain.
package struct IssuerPattern: Sendable, Hashable {
    private enum Place: Hashable {
        case issuer(host: String, origin: String)
        case host(String, port: Int?)
        case subdomains(of: String, port: Int?)
    }

    /// As it was written.
    let text: String
    private let place: Place

    /// `nil` for any other text.
    package init?(_ text: String) {
        self.text = text
        if text.contains("://") {
            guard let url = WebURL(text), url.userInfo == nil, !text.contains(where: { $0.isWhitespace || $0 == "*" })
            else { return nil }
            place = .issuer(host: url.host, origin: url.origin)
            return
        }
        let isWildcard = text.hasPrefix("*.")
        let name = (isWildcard ? String(text.dropFirst(2)) : text).lowercased()
        guard !name.contains(where: { $0.isWhitespace || $0 == "*" }), let url = WebURL("https://\(name)"),
            url.userInfo == nil, url.text == "https://\(url.host)" || url.text == "https://\(url.host):\(url.port ?? 0)"
        else { return nil }
        guard isWildcard else {
            place = .host(url.host, port: url.port)
            return
        }
        // A single label is a top-level domain, and an address has no subdomains.
        guard url.host.contains("."), !AddressLookup.isAddress(url.host) else { return nil }
        place = .subdomains(of: url.host, port: url.port)
    }

    /// Whether a run of this issuer is allowed: a URL names one issuer, byte by byte, and a host every issuer on it.
    func names(issuer: String) -> Bool {
        if case .issuer = place { return issuer.utf8.elementsEqual(text.utf8) }
        return WebURL(issuer).map(allows) ?? false
    }

    /// Scheme and port must match; a pattern without a scheme means https, or http to loopback.
    func allows(_ url: WebURL) -> Bool {
        let isPort = { (port: Int?) in port.map { $0 == url.effectivePort } ?? (url.hostAndPort == url.host) }
        return switch place {
        case .issuer(_, let origin): url.origin == origin
        case .host(let host, let port):
            url.host == host && isPort(port) && (url.scheme == "https" || url.isLoopback)
        case .subdomains(_, let port): allows(host: url.host) && isPort(port) && url.scheme == "https"
        }
    }

    func allows(host: String) -> Bool {
        switch place {
        case .issuer(let name, _): name == host
        case .host(let name, _): name == host
        case .subdomains(let domain, _): host.utf8.count > domain.utf8.count + 1 && host.hasSuffix("." + domain)
        }
    }
}
