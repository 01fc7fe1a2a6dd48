import Conformance
import JSONTree

/// The issuer that the discovery document states.
enum DiscoveryIssuerChecks {
    static let isPresent = Check(
        "discovery.issuer.is-present",
        "The discovery document states its issuer",
        .must,
        .signIn,
        Citation(.discovery, "3", "REQUIRED. URL using the https scheme"),
        why: "A client cannot determine which provider the document belongs to, and rejects it.",
        reads: Documents.discovery,
        finding: { metadata, facts in
            if metadata.states("issuer") { return nil }
            return Finding(
                "issuer is missing",
                at: "/issuer",
                expected: facts.target.issuer.shown(),
                found: metadata.has("issuer") ? "null" : "no such member",
                fix: facts.target.issuer.isEmpty
                    ? "Add issuer with the provider's https URL."
                    : "Add \"issuer\": \(JSON.string(facts.target.issuer).serialized().shown()) to the document."
            )
        }
    )

    static let isURL = Check(
        "discovery.issuer.is-a-url",
        "The issuer is an absolute URL",
        .must,
        .signIn,
        Citation(.discovery, "3", "REQUIRED. URL using the https scheme"),
        why: "Clients build the address of the discovery document from the issuer, and need its scheme and host.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessStated("issuer"),
        finding: { metadata, facts in
            if let text = metadata.string("issuer"), URIReference(text).isAbsolute { return nil }
            return Finding(
                "issuer is not an absolute URL",
                at: "/issuer",
                expected: "scheme, host, and optionally port and path",
                found: metadata["issuer"]?.serialized().shown(),
                fix: "Set issuer to the complete URL, as in \(facts.target.issuer.quoted)."
            )
        }
    )

    static let usesHTTPS = Check(
        "discovery.issuer.uses-https",
        "The issuer uses the https scheme",
        .must,
        .signIn,
        Citation(.discovery, "3", "URL using the https scheme with no query or fragment"),
        why: "Over http, an attacker on the network can replace the keys, and platforms reject such an issuer.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer"),
        finding: { metadata, _ in
            let issuer = metadata.string("issuer") ?? ""
            let url = URIReference(issuer)
            if url.isHTTPS { return nil }
            return Finding(
                "issuer uses the scheme \((url.scheme ?? "").quoted)",
                at: "/issuer",
                expected: "https",
                found: issuer.shown(),
                fix: "Serve the provider over https and state an issuer that begins with https://. "
                    + "Behind a TLS proxy, configure the provider to trust the proxy's X-Forwarded-Proto header."
            )
        }
    )

    static let hasNoQuery = Check(
        "discovery.issuer.has-no-query-or-fragment",
        "The issuer has no query and no fragment",
        .must,
        .signIn,
        Citation(.discovery, "3", "with no query or fragment component"),
        why:
            "Clients append a path to the issuer to get the address of the document. After a query or fragment, it is lost.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer"),
        finding: { metadata, _ in
            let issuer = metadata.string("issuer") ?? ""
            let url = URIReference(issuer)
            if url.query == nil, url.fragment == nil { return nil }
            let bare = issuer.prefix { $0 != "?" && $0 != "#" }
            return Finding(
                "issuer has a \(url.query == nil ? "fragment" : "query")",
                at: "/issuer",
                expected: String(bare).shown(),
                found: issuer.shown(),
                fix: "Set issuer to \(String(bare).quoted), in the document and in ID Tokens."
            )
        }
    )

    static let hasNoUserinfo = Check(
        "discovery.issuer.has-no-user-name",
        "The issuer contains no user name or password",
        .must,
        .signIn,
        Citation(.core, "1.2", "contains scheme, host, and optionally, port number and path components"),
        why: "Clients drop or reject credentials in URLs, and a password in the issuer is public.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer"),
        finding: { metadata, _ in
            guard let url = metadata.string("issuer").map(URIReference.init), url.userinfo != nil else { return nil }
            return Finding(
                "issuer has a user name or password before the host",
                at: "/issuer",
                expected: "no @ before the host",
                found: url.text.shown(),
                fix: "Remove everything after // up to and including @ from issuer."
            )
        }
    )

    static let isNotTemplate = Check(
        "discovery.issuer.is-not-a-template",
        "The issuer is a URL, not a template",
        .must,
        .signIn,
        Citation(.discovery, "4.3", "MUST also be identical to the iss Claim value in ID Tokens"),
        why: "ID Tokens contain the tenant's own issuer, which never equals a template.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessString("issuer"),
        finding: { metadata, _ in
            let issuer = metadata.string("issuer") ?? ""
            guard IssuerDifference.isTemplate(issuer) else { return nil }
            return Finding(
                "issuer contains a placeholder",
                at: "/issuer",
                expected: "the issuer of one tenant",
                found: issuer.shown(),
                fix: IssuerDifference.adviceForTemplate(issuer) + " The discovery document of that issuer states it."
            )
        }
    )

    static let matchesRequest = Check(
        "discovery.issuer.matches-request",
        "The discovery document states the requested issuer, byte for byte",
        .must,
        .signIn,
        // Section 4.1 removes a terminating slash from that prefix. Clients compare the registered value with its slash,
        // and the iss of ID Tokens "MUST exactly match" it (Core section 3.1.3.7, item 2).
        Citation(.discovery, "4.3", "MUST be identical to the Issuer URL that was used as the prefix"),
        why: "Clients compare the two strings exactly: if they differ by one slash, users cannot sign in.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessString("issuer"),
        finding: { metadata, facts in
            let asked = facts.target.issuer
            let stated = metadata.string("issuer") ?? ""
            let kinds = IssuerDifference.kinds(asked: asked, stated: stated)
            if kinds.isEmpty { return nil }
            return Finding(
                "The discovery document does not state the requested issuer: \(kinds.joined(separator: "; ")).",
                at: "/issuer",
                expected: asked.shown(),
                found: stated.shown(),
                fix: advice(asked: asked, stated: stated)
            )
        }
    )

    static let hasNoTerminatingSlash = Check(
        "discovery.issuer.has-no-terminating-slash",
        "The issuer does not end with a slash",
        .may,
        .conformance,
        Citation(.discovery, "4.1", "any terminating / MUST be removed"),
        why: "The slash is allowed, but some platforms remove it before they compare, and then reject the issuer.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer"),
        finding: { metadata, _ in
            guard let issuer = metadata.string("issuer"), issuer.hasSuffix("/") else { return nil }
            return Finding(
                "issuer ends with a slash",
                at: "/issuer",
                expected: String(issuer.dropLast()).shown(),
                found: issuer.shown(),
                fix:
                    "Register \(issuer.quoted) with its slash. If the platform removes the slash, remove it at the provider too."
            )
        }
    )

    static let isNormal = Check(
        "discovery.issuer.is-in-normal-form",
        "The issuer is a normalised URL",
        .risk,
        .signIn,
        Citation(.rfc3986, "6.2.2", "Implementations may use logic based on the definitions provided"),
        why: "Many client libraries normalise URLs by default, and then compare a different string.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer")
    ) { metadata, _ in
        guard let url = metadata.string("issuer").map(URIReference.init) else { return [] }
        var oddities: [String] = []
        if url.scheme != url.scheme?.lowercased() { oddities.append("upper-case letters in the scheme") }
        if url.host != url.host?.lowercased() { oddities.append("upper-case letters in the host") }
        if let port = url.port, URIReference("\(url.scheme ?? "")://x").effectivePort == Int(port) || port.isEmpty {
            oddities.append("a default or empty port")
        }
        if url.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            oddities.append("dot segments in the path")
        }
        return oddities.map { oddity in
            Finding(
                "issuer has \(oddity)",
                at: "/issuer",
                expected: "lower-case scheme and host, no default port, no dot segments",
                found: url.text.shown(),
                fix: "State the issuer without \(oddity) in the document and in ID Tokens, and register that value."
            )
        }
    }

    static let all: [Check] = [
        isPresent, isURL, usesHTTPS, hasNoQuery, hasNoUserinfo, isNotTemplate, matchesRequest, hasNoTerminatingSlash,
        isNormal,
    ]

    /// Recommends the stated issuer for registration, unless that value cannot be a valid issuer.
    private static func advice(asked: String, stated: String) -> String {
        if IssuerDifference.isTemplate(stated) { return IssuerDifference.adviceForTemplate(stated) }
        if let bare = WellKnown.issuer(of: stated) {
            return
                "Set the provider's issuer to \(bare.quoted): it currently states the address of its discovery document."
        }
        let url = URIReference(stated)
        let isSound = url.query == nil && url.fragment == nil && url.userinfo == nil && url.firstOddity == nil
        guard url.isAbsolute, isSound, url.isHTTPS || !URIReference(asked).isHTTPS else {
            return
                "Set the provider's public URL to \(asked.quoted), so that its discovery document states this issuer."
        }
        return
            "Use \(stated.quoted) as the issuer, here and at the platform, or set the provider's issuer to \(asked.quoted)."
    }
}
