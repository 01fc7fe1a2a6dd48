import Conformance

/// The directives of `Cache-Control` (RFC 9111 section 5.2), names in lower case, quotation marks removed.
struct CacheControl: Sendable {
    let directives: [(name: String, value: String?)]

    /// `nil` without the field.
    init?(_ exchange: Exchange) {
        guard let response = exchange.response else { return nil }
        self.init(response)
    }

    /// `nil` without the field.
    init?(_ response: Exchange.Response) {
        guard let field = response.joinedHeader("Cache-Control") else { return nil }
        self.init(field)
    }

    /// The directives of a field's value; `Pragma` has the same grammar.
    init(_ field: String) {
        directives = field.split(separator: ",")
            .map { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { String($0).trimmingASCIISpace }
                let value = pair.count > 1 ? String(pair[1].filter { $0 != "\"" }) : nil
                return (pair.first?.lowercased() ?? "", value)
            }
    }

    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Seconds for which a client may use the response; `nil` if the value is absent or not a number.
    var maxAge: Int? {
        guard let text = directives.first(where: { $0.name == "max-age" })?.value, !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text) ?? .max
    }
}
