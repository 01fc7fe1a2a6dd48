import Conformance

/// How the issuer that a document states differs from the requested issuer.
enum IssuerDifference {
    /// The kinds of difference, in words; empty if both have the same bytes.
    static func kinds(asked: String, stated: String) -> [String] {
        if asked.isSameBytes(as: stated) { return [] }
        if isTemplate(stated) { return ["it states a template, not an issuer"] }
        if let bare = WellKnown.issuer(of: asked), WellKnown.withoutSlash(bare) == WellKnown.withoutSlash(stated) {
            return ["the requested issuer contains the well-known suffix"]
        }
        if asked + "/" == stated { return ["the stated issuer ends with a slash, the requested one does not"] }
        if asked == stated + "/" { return ["the requested issuer ends with a slash, the stated one does not"] }
        return parts(URIReference(asked), URIReference(stated))
    }

    /// Whether an issuer has a placeholder, such as `{tenantid}`.
    static func isTemplate(_ issuer: String) -> Bool { issuer.contains { "{}".contains($0) } }

    static func adviceForTemplate(_ issuer: String) -> String {
        "Register the tenant's own issuer: replace the placeholder in \(issuer.quoted) with the tenant's identifier."
    }

    private static func parts(_ asked: URIReference, _ stated: URIReference) -> [String] {
        var kinds: [String] = []
        if asked.scheme?.lowercased() != stated.scheme?.lowercased() {
            kinds.append("a different scheme (\(word(stated.scheme)) instead of \(word(asked.scheme)))")
        } else if asked.scheme != stated.scheme {
            kinds.append("different letter case in the scheme")
        }
        if asked.host?.lowercased() != stated.host?.lowercased() {
            kinds.append("a different host (\(word(stated.host)) instead of \(word(asked.host)))")
        } else if asked.host != stated.host {
            kinds.append("different letter case in the host")
        }
        if asked.port != stated.port { kinds.append(port(asked, stated)) }
        if WellKnown.withoutSlash(asked.path).lowercased() != WellKnown.withoutSlash(stated.path).lowercased() {
            kinds.append("a different path (\(stated.path.quoted) instead of \(asked.path.quoted))")
        } else if WellKnown.withoutSlash(asked.path) != WellKnown.withoutSlash(stated.path) {
            kinds.append("different letter case in the path")
        } else if asked.path != stated.path {
            kinds.append("a terminating slash in only one of them")
        }
        if asked.query != stated.query || asked.fragment != stated.fragment {
            kinds.append("a different query or fragment")
        }
        return kinds.isEmpty ? ["characters that look the same but are encoded differently"] : kinds
    }

    private static func port(_ asked: URIReference, _ stated: URIReference) -> String {
        if asked.effectivePort == stated.effectivePort { return "a default port in only one of them" }
        return "a different port (\(word(stated.port)) instead of \(word(asked.port)))"
    }

    private static func word(_ part: String?) -> String { part.map(\.quoted) ?? "none" }
}
