import Conformance

/// A request as the endpoints receive it.
struct ProviderRequest: Sendable {
    var method: String
    /// The path without the query, still percent-encoded.
    var path: String
    var query: [Field]
    var headers: [Field]
    var body: [UInt8]
    /// The address of the provider that was connected to.
    var address = "127.0.0.1"
    /// Whether it was a HEAD, which the endpoints see as a GET.
    var isHead = false
    /// The client's documents fetched for this request, by URL.
    var documents: [String: [UInt8]] = [:]

    init(method: String, target: String, headers: [Field] = [], body: [UInt8] = []) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = parts.first.map(String.init) ?? ""
        self.query = parts.count > 1 ? FormEncoding.decode(parts[1]) : []
        self.headers = headers
        self.body = body
    }

    var visitor: Visitor {
        var visitor = Visitor(
            userAgent: header("User-Agent"),
            origin: header("Origin"),
            method: isHead ? "HEAD" : method,
            address: address
        )
        for field in headers where field.name.lowercased().hasPrefix("x-") {
            visitor.forwardedHosts[field.name.lowercased()] = field.value
        }
        return visitor
    }

    /// The first field of that name, case-insensitively.
    func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// The parameters of the body; `nil` if it has another content type.
    var form: [Field]? {
        let type = header("Content-Type")?.split(separator: ";").first.map { String($0).trimmingASCIISpace }
        guard type?.lowercased() == FormEncoding.mediaType else { return nil }
        return FormEncoding.decode(String(decoding: body, as: UTF8.self))
    }

    /// A cookie's value (RFC 6265 section 5.4).
    func cookie(_ name: String) -> String? {
        for line in headers where line.isNamed("Cookie") {
            for pair in line.value.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, String(parts[0]).trimmingASCIISpace == name {
                    return String(parts[1]).trimmingASCIISpace
                }
            }
        }
        return nil
    }

    /// The scheme of the `Authorization` field in lower case, and what follows it (RFC 9110 section 11.4).
    var authorization: (scheme: String, credentials: String)? {
        guard let value = header("Authorization")?.trimmingASCIISpace else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first else { return nil }
        return (scheme.lowercased(), parts.count > 1 ? String(parts[1]).trimmingASCIISpace : "")
    }
}
