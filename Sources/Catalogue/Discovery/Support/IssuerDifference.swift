import Conformance

/// In what way the issuer that a document states differs from the one that was asked for.
enum IssuerDifference {
    static let wellKnownSuffix = "/.well-known/openid-configuration"

    /// The kinds of difference, in words; empty when both are the same octets.
    static func kinds(asked: String, stated: String) -> [String] {
        if asked.isSameOctets(as: stated) { return [] }
        if stated.contains("{") { return ["the document states a template, not an issuer"] }
        if let bare = withoutWellKnownSuffix(asked), withoutSlash(bare) == withoutSlash(stated) {
            return ["the well-known suffix was typed into the issuer"]
        }
        if asked + "/" == stated { return ["the document's issuer ends with a slash, the registered one does not"] }
        if asked == stated + "/" { return ["the registered issuer ends with a slash, the document's does not"] }
        return parts(URIReference(asked), URIReference(stated))
    }

    /// The issuer without the suffix that belongs to the document's address; `nil` when it has none.
    static func withoutWellKnownSuffix(_ issuer: String) -> String? {
        let text = withoutSlash(issuer)
        return text.hasSuffix(wellKnownSuffix) ? String(text.dropLast(wellKnownSuffix.count)) : nil
    }

    private static func parts(_ asked: URIReference, _ stated: URIReference) -> [String] {
        var kinds: [String] = []
        if asked.scheme?.lowercased() != stated.scheme?.lowercased() {
            kinds.append("another scheme (\(word(stated.scheme)) instead of \(word(asked.scheme)))")
        } else if asked.scheme != stated.scheme {
            kinds.append("the letter case of the scheme")
        }
        if asked.host?.lowercased() != stated.host?.lowercased() {
            kinds.append("another host (\(word(stated.host)) instead of \(word(asked.host)))")
        } else if asked.host != stated.host {
            kinds.append("the letter case of the host")
        }
        if asked.port != stated.port { kinds.append(port(asked, stated)) }
        if withoutSlash(asked.path).lowercased() != withoutSlash(stated.path).lowercased() {
            kinds.append("another path (\(stated.path.quoted) instead of \(asked.path.quoted))")
        } else if withoutSlash(asked.path) != withoutSlash(stated.path) {
            kinds.append("the letter case of the path")
        } else if asked.path != stated.path {
            kinds.append("a terminating slash")
        }
        if asked.query != stated.query || asked.fragment != stated.fragment { kinds.append("a query or fragment") }
        return kinds.isEmpty ? ["characters that look the same and are encoded differently"] : kinds
    }

    private static func port(_ asked: URIReference, _ stated: URIReference) -> String {
        if asked.effectivePort == stated.effectivePort { return "a default port written out in one of them" }
        return "another port (\(word(stated.port)) instead of \(word(asked.port)))"
    }

    private static func word(_ part: String?) -> String { part.map(\.quoted) ?? "none" }

    private static func withoutSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
