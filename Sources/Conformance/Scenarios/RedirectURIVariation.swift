/// A small change to a registered redirect URI, after which it is another one by Simple String Comparison
/// (RFC 3986 section 6.2.1), as Core section 3.1.2.1 has redirect URIs compared.
package enum RedirectURIVariation: String, Sendable, Hashable, Codable, CaseIterable {
    case addedPath
    case addedQuery
    case fragment
    case otherCaseOfPath
    case otherScheme
    case otherCaseOfScheme
    case otherPort
    case trailingSlash
    case userInfo
    case subdomain
    case hostSuffix
    case percentEncoded
    case blankBefore
    case tabBehind
    case emptyQuery
    case backslash
    case sibling
    case dotReplaced
    case loopback
    case customScheme

    /// The changed redirect URI; `nil` when this one cannot be changed so.
    package func changed(_ redirectURI: String) -> String? {
        guard var parts = Parts(redirectURI) else { return nil }
        switch self {
        case .addedPath: parts.path += parts.path.hasSuffix("/") ? "preflight" : "/preflight"
        case .addedQuery: parts.query += parts.query.isEmpty ? "?preflight=1" : "&preflight=1"
        case .fragment:
            guard parts.fragment.isEmpty else { return nil }
            parts.fragment = "#preflight"
        case .otherCaseOfPath:
            guard let place = parts.firstLetterOfPath else { return nil }
            let letter = String(parts.path[place])
            let other = letter.lowercased() == letter ? letter.uppercased() : letter.lowercased()
            parts.path.replaceSubrange(place...place, with: other)
        case .otherScheme:
            guard parts.isWeb else { return nil }
            parts.scheme = parts.scheme.lowercased() == "https" ? "http" : "https"
        case .otherCaseOfScheme:
            let upper = parts.scheme.uppercased()
            parts.scheme = upper == parts.scheme ? parts.scheme.lowercased() : upper
        case .otherPort:
            guard parts.isWeb else { return nil }
            parts.port = parts.port.isEmpty ? ":8443" : ":" + String((Int(parts.port.dropFirst()) ?? 8442) % 65_535 + 1)
        case .trailingSlash:
            guard !["", "/"].contains(parts.path) else { return nil }
            if parts.path.hasSuffix("/") { parts.path.removeLast() } else { parts.path += "/" }
        case .userInfo:
            guard parts.isWeb, parts.userInfo.isEmpty else { return nil }
            parts.userInfo = "preflight@"
        case .subdomain:
            guard parts.isWeb, parts.hasDomainName else { return nil }
            parts.host = "preflight." + parts.host
        case .hostSuffix:
            // A comparison that ends with the registered host accepts any domain that begins with it.
            guard parts.isWeb, parts.hasDomainName else { return nil }
            parts.host += ".preflight.invalid"
        case .percentEncoded:
            guard let place = parts.firstLetterOfPath, let byte = parts.path[place].asciiValue else { return nil }
            parts.path.replaceSubrange(place...place, with: "%" + String(byte, radix: 16, uppercase: true))
        case .blankBefore: return " " + redirectURI
        case .tabBehind: return redirectURI + "\t"
        case .emptyQuery:
            guard parts.query.isEmpty, parts.fragment.isEmpty else { return nil }
            parts.query = "?"
        case .backslash:
            // A browser reads it as a slash, so the host stays; others take what is behind the @ for the host. The name is
            // reserved and cannot belong to anyone (RFC 2606 section 2).
            guard parts.isWeb, parts.userInfo.isEmpty else { return nil }
            parts.port += "\\@preflight.invalid"
        case .sibling:
            // A pattern may have a wildcard as its first label, and anyone can have such a host at a hosting service.
            guard parts.isWeb, parts.hasDomainName else { return nil }
            let labels = parts.host.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.count > 2 else { return nil }
            parts.host = (["preflight-unregistered"] + labels.dropFirst()).joined(separator: ".")
        case .dotReplaced:
            // In a regular expression, an unescaped dot matches any character. The last dot stays: the rest is a domain name.
            guard parts.isWeb, parts.hasDomainName, let dot = parts.host.firstIndex(of: "."),
                parts.host[parts.host.index(after: dot)...].contains(".")
            else { return nil }
            parts.host.replaceSubrange(dot...dot, with: "x")
        case .loopback:
            guard parts.isWeb, parts.hasDomainName else { return nil }
            (parts.scheme, parts.host, parts.port) = ("http", "localhost", ":8443")
        case .customScheme:
            guard parts.isWeb else { return nil }
            parts.scheme = "preflight.unregistered"
        }
        return parts.text
    }

    /// Whether the changed redirect URI leads a browser to the same client as before: to the same scheme, host, port and path.
    package var keepsPlace: Bool {
        [.addedQuery, .fragment, .otherCaseOfScheme, .userInfo, .emptyQuery].contains(self)
    }
}

/// A redirect URI cut where RFC 3986 section 3 cuts, each part with the characters that set it off.
private struct Parts {
    var scheme: String
    var slashes: String
    var userInfo = ""
    var host = ""
    var port = ""
    var path: String
    var query: String
    var fragment: String

    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        scheme = String(text[..<colon])
        var rest = text[text.index(after: colon)...]
        let beforeFragment = rest.prefix { $0 != "#" }
        fragment = String(rest[beforeFragment.endIndex...])
        rest = beforeFragment.prefix { $0 != "?" }
        query = String(beforeFragment[rest.endIndex...])
        slashes = rest.hasPrefix("//") ? "//" : ""
        guard !slashes.isEmpty else {
            path = String(rest)
            return
        }
        rest = rest.dropFirst(2)
        var authority = rest.prefix { $0 != "/" }
        path = String(rest[authority.endIndex...])
        if let at = authority.lastIndex(of: "@") {
            userInfo = String(authority[...at])
            authority = authority[authority.index(after: at)...]
        }
        // The colons of an IPv6 address are in brackets.
        let address = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        let portStart = address.firstIndex(of: ":") ?? authority.endIndex
        host = String(authority[..<portStart])
        port = String(authority[portStart...])
    }

    var text: String { scheme + ":" + slashes + userInfo + host + port + path + query + fragment }

    var isWeb: Bool { ["http", "https"].contains(scheme.lowercased()) && !host.isEmpty }

    /// Not an address, and not a name that has no names below it.
    var hasDomainName: Bool {
        host.contains(".") && !host.hasPrefix("[") && !host.allSatisfy { $0.isNumber || $0 == "." }
    }

    var firstLetterOfPath: String.Index? {
        // A letter of a percent-encoded byte would change the byte.
        guard !path.contains("%") else { return nil }
        return path.firstIndex { $0.isASCII && $0.isLetter }
    }
}

extension Target {
    /// Whether the redirect URI is one of a native application on this machine, whose port may vary
    /// (RFC 8252 section 7.3).
    package var hasLoopbackRedirectURI: Bool { redirectURI.map(Self.isLoopback) ?? false }

    /// Whether a web address is on this machine by its very name or number.
    package static func isLoopback(_ address: String) -> Bool {
        guard let parts = Parts(address), parts.isWeb else { return false }
        return ["localhost", "[::1]"].contains(parts.host.lowercased()) || parts.host.hasPrefix("127.")
    }
}
