package import Conformance

/// The signature base string of a request (RFC 5849 section 3.4.1).
package enum BaseString {
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: The address that the request is sent to; its query and fragment are no part of the base string URI.
    ///   - parameters: Query, protocol parameters and a form's fields, decoded; `oauth_signature` is left out.
    /// - Returns: `nil` when the address is not absolute.
    package static func text(method: String, url: String, parameters: [Field]) -> String? {
        guard let uri = uri(of: url) else { return nil }
        return [method.uppercased(), uri, normalized(parameters)].map { ParameterEncoding.encode($0) }
            .joined(separator: "&")
    }

    /// Scheme, authority and path: host in lower case, without the scheme's own port (section 3.4.1.2).
    static func uri(of url: String) -> String? {
        guard let separator = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<separator.lowerBound].lowercased()
        let rest = url[separator.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        var host = String(authority.split(separator: "@").last ?? "").lowercased()
        guard !host.isEmpty else { return nil }
        if let port = ["http": ":80", "https": ":443"][scheme], host.hasSuffix(port) { host.removeLast(port.count) }
        return "\(scheme)://\(host)\(path.isEmpty ? "/" : String(path))"
    }

    /// The parameters encoded, sorted by bytes and joined (section 3.4.1.3.2).
    static func normalized(_ parameters: [Field]) -> String {
        parameters.filter { $0.name != "oauth_signature" }
            .map { (name: ParameterEncoding.encode($0.name), value: ParameterEncoding.encode($0.value)) }
            // Encoded text is ASCII, and Swift compares that by value.
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }
            .joined(separator: "&")
    }

    /// The query's parameters, decoded as a form is: `+` is a space (section 3.4.1.3.1).
    package static func query(of url: String) -> [Field] {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&")
            .map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Field(formDecoded(parts[0]), parts.count > 1 ? formDecoded(parts[1]) : "")
            }
    }

    private static func formDecoded(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return ParameterEncoding.decode(spaced) ?? spaced
    }
}
