import Conformance

/// The directives of `Cache-Control` (RFC 9111 section 5.2), names in lower case, quotation marks removed.
struct CacheControl: Sendable {
    let directives: [(name: String, value: String?)]

    /// `nil` without the field.
    init?(_ exchange: Exchange) {
        guard let field = exchange.response?.joinedHeader("Cache-Control") else { return nil }
        directives = field.split(separator: ",")
            .map { part in
                let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingASCIISpace }
                let value = pair.count > 1 ? String(pair[1].filter { $0 != "\"" }) : nil
                return (pair.first?.lowercased() ?? "", value)
            }
    }

    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Seconds for which a client may use the answer; `nil` when it is not said or not a number.
    var maxAge: Int? {
        guard let text = directives.first(where: { $0.name == "max-age" })?.value, !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text) ?? .max
    }

    /// A finding when nothing is said about keeping the answer, by this field or by `Expires`.
    static func absence(in exchange: Exchange, of document: String) -> [Finding] {
        if CacheControl(exchange) != nil || exchange.response?.header("Expires") != nil { return [] }
        return [
            Finding(
                "\(document) is served without Cache-Control",
                at: "Cache-Control",
                expected: "public, max-age=3600",
                found: "no such field",
                fix: "Send Cache-Control: public, max-age=3600 with \(document)."
            )
        ]
    }

    /// A finding when the answer must not be kept at all.
    static func noStore(in exchange: Exchange, of document: String) -> [Finding] {
        guard let control = CacheControl(exchange), control.has("no-store") else { return [] }
        return [
            Finding(
                "\(document) must not be stored",
                at: "Cache-Control",
                expected: "public, max-age=3600",
                found: exchange.response?.joinedHeader("Cache-Control")?.shown(),
                fix: "Send Cache-Control: public, max-age=3600 with \(document); it holds no secret."
            )
        ]
    }
}
