package import Transport

/// The cookies of one sign-in, kept and sent by the rules of RFC 6265, section 5, and of browsers for `SameSite` and prefixes of names
/// (draft-ietf-httpbis-rfc6265bis, sections 5.7 and 5.8).
///
/// There is no public suffix list: a cookie for a whole top-level name is rejected because of its single label. Cookies marked
/// Secure also work over http with a loopback host, as in browsers. The caller passes times, in seconds since 1970.
package struct CookieJar: Sendable {
    struct Cookie: Sendable, Hashable {
        var name: String
        var value: String
        var domain: String
        var isHostOnly: Bool
        var path: String
        var isSecure: Bool
        /// Whether it is sent only to requests that come from the site itself.
        var isStrict = false
        /// Whether it is sent to requests of other sites only by GET and HEAD.
        ///
        /// A cookie without SameSite is not: Firefox sends it, and Chrome for its first two minutes.
        var isLax = false
        /// When it ends, or nil for the end of the session.
        var expiry: Double?
        /// The order in which cookies were made, for the order in which they are sent.
        var serial: Int
    }

    /// More than a browser keeps for a site; a server that sets more loses its oldest.
    private static let mostCookies = 300
    /// Bytes of name and value, and of an attribute's value: the limit of browsers (RFC 6265 section 6.1 requires as much).
    private static let longestCookie = 4_096
    private static let longestAttribute = 1_024
    /// Bytes of all cookies of a request; servers reject more.
    private static let mostBytes = 32_768

    private(set) var cookies: [Cookie] = []
    private var nextSerial = 0

    package init() {}

    /// Copies cookies from another jar.
    init(cookies: [Cookie]) {
        self.cookies = Array(cookies.suffix(Self.mostCookies))
        nextSerial = (cookies.map(\.serial).max() ?? -1) + 1
    }

    /// A jar with the cookies of a session that was saved.
    init(_ session: SavedSession) {
        self.init(cookies: session.cookies)
    }

    /// The number of cookies kept.
    package var count: Int { cookies.count }

    /// Stores the cookies of a response's Set-Cookie headers; returns the cookies that browsers reject.
    @discardableResult
    package mutating func store(_ response: HTTPResponse, from url: WebURL, now: Double) -> [RefusedCookie] {
        response.headers(named: "Set-Cookie").compactMap { store(setCookie: $0, from: url, now: now) }
    }

    /// Takes over one Set-Cookie header (RFC 6265, sections 5.2 and 5.3); the cookie, if browsers throw it away.
    @discardableResult
    package mutating func store(setCookie header: String, from url: WebURL, now: Double) -> RefusedCookie? {
        guard header.utf8.count <= 4 * Self.longestCookie, var cookie = Self.parse(header, from: url, now: now),
            cookie.name.utf8.count + cookie.value.utf8.count <= Self.longestCookie,
            max(cookie.path.utf8.count, cookie.domain.utf8.count) <= Self.longestAttribute
        else { return nil }
        if cookie.isSecure, url.scheme != "https", !url.isLoopback { return nil }
        if let flaw = Self.flaw(of: cookie, header) { return RefusedCookie(name: cookie.name, flaw: flaw) }
        cookie.serial = nextSerial
        nextSerial += 1
        let same = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        if let same { cookie.serial = cookies.remove(at: same).serial }
        if let expiry = cookie.expiry, expiry <= now { return nil }
        cookies.append(cookie)
        if cookies.count > Self.mostCookies { cookies.removeFirst() }
        return nil
    }

    /// Why browsers throw a cookie away (draft-ietf-httpbis-rfc6265bis, section 5.7); `nil` where they keep it.
    private static func flaw(of cookie: Cookie, _ header: String) -> RefusedCookie.CookieProblem? {
        let attributes = header.split(separator: ";").dropFirst()
            .map { attribute in
                let halves = attribute.split(separator: "=", maxSplits: 1).map { trimmed($0).lowercased() }
                return (name: halves.first ?? "", value: halves.count > 1 ? halves[1] : "")
            }
        func has(_ name: String, _ value: String? = nil) -> Bool {
            attributes.last { $0.name == name }.map { value == nil || $0.value == value } ?? false
        }
        if has("samesite", "none"), !cookie.isSecure { return .noneWithoutSecure }
        let name = cookie.name.lowercased()
        if name.hasPrefix("__secure-"), !cookie.isSecure { return .prefixWithoutSecure }
        let isOfHost = cookie.isSecure && has("path", "/") && !attributes.contains { $0.name == "domain" }
        if name.hasPrefix("__host-"), !isOfHost { return .hostPrefix }
        return nil
    }

    /// The names of the cookies that a request does not carry because a page of another site has led to it.
    func withheld(for url: WebURL, now: Double) -> [String] {
        let ordinary = sent(to: url, now: now)
        return ordinary.filter(\.isStrict).map(\.name)
    }

    /// The value of the Cookie header for a request, or nil when there is none to send (section 5.4).
    ///
    /// - Parameters:
    ///   - isCrossSite: Whether a page of another site, most often the client's, has led to the request.
    ///   - isSafe: Whether its method is GET or HEAD.
    package func header(for url: WebURL, now: Double, isCrossSite: Bool = false, isSafe: Bool = true) -> String? {
        let sent = sent(to: url, now: now).filter { !isCrossSite || !($0.isStrict || $0.isLax && !isSafe) }
        let ordered = sent.sorted {
            ($1.path.utf8.count, $0.serial) < ($0.path.utf8.count, $1.serial)
        }
        var bytes = 0
        let kept = ordered.map { "\($0.name)=\($0.value)" }
            .filter { pair in
                guard bytes + pair.utf8.count + 2 <= Self.mostBytes else { return false }
                bytes += pair.utf8.count + 2
                return true
            }
        return kept.isEmpty ? nil : kept.joined(separator: "; ")
    }

    /// The cookies of a request that comes from the site itself.
    private func sent(to url: WebURL, now: Double) -> [Cookie] {
        cookies.filter { cookie in
            if let expiry = cookie.expiry, expiry <= now { return false }
            if cookie.isSecure, url.scheme != "https", !url.isLoopback { return false }
            let isForHost =
                cookie.isHostOnly ? url.host == cookie.domain : Self.host(url.host, matches: cookie.domain)
            return isForHost && Self.path(url.path, matches: cookie.path)
        }
    }

    private static func parse(_ header: String, from url: WebURL, now: Double) -> Cookie? {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let name = trimmed(pair[..<equals])
        guard !name.isEmpty else { return nil }
        var cookie = Cookie(
            name: name,
            value: trimmed(pair[pair.index(after: equals)...]),
            domain: url.host,
            isHostOnly: true,
            path: defaultPath(url.path),
            isSecure: false,
            expiry: nil,
            serial: 0
        )
        var hasMaximumAge = false
        for attribute in parts.dropFirst() {
            let halves = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count > 1 ? trimmed(halves[1]) : ""
            switch trimmed(halves[0]).lowercased() {
            case "secure": cookie.isSecure = true
            case "samesite":
                cookie.isStrict = value.lowercased() == "strict"
                cookie.isLax = value.lowercased() == "lax"
            case "path": cookie.path = value.hasPrefix("/") ? value : defaultPath(url.path)
            case "max-age":
                guard let seconds = Int(value) else { continue }
                hasMaximumAge = true
                cookie.expiry = seconds <= 0 ? 0 : now + Double(seconds)
            case "expires" where !hasMaximumAge:
                cookie.expiry = CookieDate.parse(value) ?? cookie.expiry
            case "domain":
                let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                if domain.isEmpty || domain == url.host { continue }
                guard domain.contains("."), host(url.host, matches: domain) else { return nil }
                cookie.domain = domain
                cookie.isHostOnly = false
            default: continue
            }
        }
        // "Domain" that is the host itself still opens the cookie to its subdomains.
        if declaresOwnDomain(parts, host: url.host) { cookie.isHostOnly = false }
        return cookie
    }

    private static func declaresOwnDomain(_ parts: [Substring], host: String) -> Bool {
        guard host.contains("."), !isAddress(host) else { return false }
        return parts.dropFirst()
            .contains { attribute in
                let halves = attribute.split(separator: "=", maxSplits: 1).map { trimmed($0).lowercased() }
                return halves.count == 2 && halves[0] == "domain" && (halves[1] == host || halves[1] == "." + host)
            }
    }

    /// Domain-match (section 5.1.3): equal, or a subdomain of it and not an address.
    private static func host(_ host: String, matches domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !isAddress(host))
    }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
    }

    /// Path-match (section 5.1.4).
    private static func path(_ path: String, matches cookiePath: String) -> Bool {
        guard path.hasPrefix(cookiePath) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
            || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }

    private static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
