import Conformance
import JSONTree

/// The addresses in the discovery document.
enum EndpointURLChecks {
    static let areAbsolute = Check(
        "discovery.url-members.are-absolute",
        "Every address is an absolute URL",
        .must,
        .signIn,
        Citation(.discovery, "3", "This URL MUST use the https scheme and MAY contain port, path, and query"),
        why: "A client has nothing to resolve a relative address against, and requests a wrong one.",
        reads: Documents.discovery
    ) { metadata, facts in
        MetadataMembers.urls.compactMap { member in
            guard let text = metadata.string(member), !URIReference(text).isAbsolute else { return nil }
            return Finding(
                "\(member) is not an absolute URL",
                at: "/\(member)",
                expected: "scheme, host and path",
                found: text.shown(),
                fix: absolute(member, text, facts.target.issuer)
            )
        }
    }

    static let areURIs = Check(
        "discovery.url-members.consist-of-uri-characters",
        "Every address consists of the characters of a URI",
        .must,
        .signIn,
        Citation(.rfc3986, "2", "A URI is composed from a limited set of characters"),
        why: "Each client makes another address of it, or none: one cuts it short, one escapes, one refuses.",
        reads: Documents.discovery
    ) { metadata, _ in
        (["issuer"] + MetadataMembers.urls)
            .compactMap { member in
                guard let text = metadata.string(member), let wrong = URIReference(text).firstOddity else { return nil }
                // Braces are a template's, which has a check of its own.
                if member == "issuer", wrong == "{" || wrong == "}" { return nil }
                return Finding(
                    "\(member) holds \(wrong.quoted), which stands in no URI",
                    at: "/\(member)",
                    expected: "letters, digits, -._~:/?#[]@!$&'()*+,;= and % with two hexadecimal digits",
                    found: text.shown(),
                    fix: "Take it out of \(member), or percent-encode it if it belongs to the address."
                )
            }
    }

    static let placesArePossible = Check(
        "discovery.url-members.have-possible-hosts-and-ports",
        "Every address has a host and a port that can exist",
        .must,
        .signIn,
        Citation(.rfc3986, "3.2.3", "port = *DIGIT"),
        why: "Client libraries refuse the address when they need it, and some refuse the whole document.",
        reads: Documents.discovery
    ) { metadata, _ in
        (["issuer"] + MetadataMembers.urls)
            .compactMap { member in
                guard let text = metadata.string(member), let wrong = URIReference(text).impossiblePlace else {
                    return nil
                }
                return Finding(
                    "\(member) has a \(wrong)",
                    at: "/\(member)",
                    expected: "a host name or an address, and a port up to 65535 or none",
                    found: text.shown(),
                    fix: "Correct host and port of \(member)."
                )
            }
    }

    static let authorizationHTTPS = usesHTTPS(
        "authorization_endpoint",
        "The authorization endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http anybody on the way reads the user's password and the code."
    )

    static let tokenHTTPS = usesHTTPS(
        "token_endpoint",
        "The token endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http anybody on the way reads the client secret and all tokens."
    )

    static let userinfoHTTPS = usesHTTPS(
        "userinfo_endpoint",
        "The UserInfo endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http anybody on the way reads the access token and the user's data."
    )

    static let keysHTTPS = usesHTTPS(
        "jwks_uri",
        "The key set uses https",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Whoever can replace the keys on the way can sign in as anybody."
    )

    static let registrationHTTPS = usesHTTPS(
        "registration_endpoint",
        "The registration endpoint uses https",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Over http anybody on the way reads the client secret that is issued there."
    )

    static let revocationHTTPS = usesHTTPS(
        "revocation_endpoint",
        "The revocation endpoint uses https",
        Citation(.rfc7009, "2", "URLs for token revocation endpoints MUST be HTTPS URLs"),
        why: "Over http anybody on the way reads the client secret and the token to be revoked."
    )

    static let pushedHTTPS = usesHTTPS(
        "pushed_authorization_request_endpoint",
        "The pushed authorization request endpoint uses https",
        Citation(.rfc9126, "2", "The PAR endpoint URL MUST use the \"https\" scheme"),
        why: "Over http anybody on the way reads the client secret and the request."
    )

    static let endSessionHTTPS = usesHTTPS(
        "end_session_endpoint",
        "The logout endpoint uses https",
        Citation(.rpInitiatedLogout, "2.1", "This URL MUST use the https scheme"),
        why: "Over http anybody on the way reads the ID Token that names the user, and logs people out."
    )

    static let checkSessionHTTPS = usesHTTPS(
        "check_session_iframe",
        "The session iframe uses https",
        Citation(.sessionManagement, "3.3", "This URL MUST use the https scheme"),
        why: "Over http anybody on the way replaces the page that applications ask whether the user is signed in."
    )

    static let introspectionHTTPS = usesHTTPS(
        "introspection_endpoint",
        "The introspection endpoint uses https",
        Citation(.rfc7662, "2", "The introspection endpoint MUST be protected by a transport-layer security mechanism"),
        why: "Over http anybody on the way reads tokens and the credentials of those who ask about them."
    )

    static let othersHTTPS = Check(
        "discovery.other-endpoints.use-https",
        "The endpoints of devices, of sign-in on another device and of newer specifications use https",
        .must,
        .safety,
        // Of the other endpoint CIBA says the same in section 7: communication with it "MUST utilize TLS".
        Citation(.rfc8628, "3.1", "All requests from the device MUST use the Transport Layer Security (TLS) protocol"),
        why: "Over http anybody on the way reads the codes that stand for a person's sign-in, and credentials.",
        reads: Documents.discovery,
        excusedBy: ["discovery.issuer.uses-https"]
    ) { metadata, _ in
        metadata.absoluteURLs(MetadataMembers.otherEndpoints + MetadataMembers.newerURLs).filter { !$0.url.isHTTPS }
            .map { notHTTPS($0.member, $0.url) }
    }

    static let authorizationFragment = hasNoFragment("authorization_endpoint", .signIn, "3.1")
    static let tokenFragment = hasNoFragment("token_endpoint", .conformance, "3.2")

    static let onIssuerHost = Check(
        "discovery.endpoints.are-on-the-issuers-host",
        "The endpoints are on the issuer's host",
        .may,
        .conformance,
        Citation(.rfc8414, "6.2", "may also attempt to impersonate an authorization server"),
        why: "Large providers spread over hosts, but an unexpected host may be a leftover of another environment.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer")
    ) { metadata, _ in
        let issuer = URIReference(metadata.string("issuer") ?? "").host?.lowercased() ?? ""
        return metadata.absoluteURLs(EndpointMembers.signIn)
            .filter { $0.url.host?.lowercased() != issuer }
            .map { member, url in
                Finding(
                    "\(member) is on another host than the issuer",
                    at: "/\(member)",
                    expected: issuer.shown(),
                    found: url.host?.shown(),
                    fix: "Nothing, if \((url.host ?? "").quoted) belongs to the provider; else correct \(member)."
                )
            }
    }

    static let arePublic = Check(
        "discovery.endpoints.are-publicly-named",
        "The endpoints have names that everybody can resolve",
        .risk,
        .signIn,
        Citation(.experience, "", "front-channel and back-channel host names of containers in public metadata"),
        why: "A platform in the cloud cannot reach a container's name or a private address: sign-in ends in an error.",
        reads: Documents.discovery,
        exempt: unlessIssuerIsPublic
    ) { metadata, facts in
        metadata.absoluteURLs(MetadataMembers.endpoints)
            .compactMap { member, url in
                let host = url.host ?? ""
                let kind = HostKind(host)
                guard kind != .public else { return nil }
                return Finding(
                    "\(member) is at \(kind.rawValue)",
                    at: "/\(member)",
                    expected: "a name that the public DNS resolves",
                    found: host.shown(),
                    fix: "Set the provider's public URL, so that \(member) begins with the issuer's own host."
                )
            }
    }

    static let all: [Check] = [
        areAbsolute, areURIs, placesArePossible, authorizationHTTPS, tokenHTTPS, userinfoHTTPS, keysHTTPS,
        registrationHTTPS,
        revocationHTTPS, pushedHTTPS, introspectionHTTPS, endSessionHTTPS, checkSessionHTTPS, othersHTTPS,
        authorizationFragment,
        tokenFragment, onIssuerHost, arePublic,
    ]

    /// What to write in the place of a reference that is not absolute: where it leads from the issuer, if that is meant.
    private static func absolute(_ member: String, _ text: String, _ issuer: String) -> String {
        if MetadataMembers.required.contains(member), text.isEmpty {
            return "Write the whole address, with scheme and host, into \(member)."
        }
        if text.isEmpty { return "Leave \(member) out of the document, or write the whole address." }
        let base = URIReference(issuer)
        guard let scheme = base.scheme, let host = base.host, URIReference(text).scheme == nil else {
            return "Write \(member) with scheme and host."
        }
        let origin = "\(scheme)://\(host)" + (base.port.map { ":" + $0 } ?? "")
        if text.hasPrefix("//") { return "Write \("\(scheme):\(text)".quoted), if that is meant." }
        if text.hasPrefix("/") { return "Write \((origin + text).quoted), if that is meant." }
        // A host without its scheme looks like a path.
        if text.prefix(while: { $0 != "/" }).contains(".") {
            return "Write \("\(scheme)://\(text)".quoted), if that is meant."
        }
        return "Write \("\(issuer.hasSuffix("/") ? issuer : issuer + "/")\(text)".quoted), if that is meant."
    }

    private static let unlessIssuerIsPublic: MetadataExemption.Reason = { metadata, facts in
        let host = URIReference(metadata.string("issuer") ?? facts.target.issuer).host ?? ""
        return HostKind(host) == .public ? nil : "the issuer itself is not public"
    }

    /// An endpoint under an http issuer says nothing that the issuer's own check does not say.
    ///
    /// Each of these endpoints is sent a secret, or answers with what others must not change.
    private static func usesHTTPS(_ member: String, _ title: String, _ citation: Citation, why: String) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).uses-https"),
            title,
            .must,
            .safety,
            citation,
            why: why,
            reads: Documents.discovery,
            concerns: .ofMember(member),
            excusedBy: ["discovery.issuer.uses-https"],
            exempt: MetadataExemption.unlessURL(member)
        ) { metadata, _ in
            let url = URIReference(metadata.string(member) ?? "")
            return url.isHTTPS ? [] : [notHTTPS(member, url)]
        }
    }

    private static func notHTTPS(_ member: String, _ url: URIReference) -> Finding {
        Finding(
            "\(member) uses the scheme \((url.scheme ?? "").quoted)",
            at: "/\(member)",
            expected: "https",
            found: url.text.shown(),
            fix: "Write \(member) with https. Behind a TLS proxy, let the provider trust its X-Forwarded-Proto header."
        )
    }

    private static func hasNoFragment(
        _ member: String,
        _ consequence: Consequence,
        _ section: String
    ) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).has-no-fragment"),
            "The \(member.replacing("_", with: " ")) has no fragment",
            .must,
            consequence,
            Citation(.rfc6749, section, "The endpoint URI MUST NOT include a fragment component"),
            why: "Parameters appended behind a fragment never reach the provider.",
            reads: Documents.discovery,
            concerns: .ofMember(member),
            exempt: MetadataExemption.unlessURL(member),
            finding: { metadata, _ in
                let url = URIReference(metadata.string(member) ?? "")
                guard let fragment = url.fragment else { return nil }
                let fix = "Remove \("#\(fragment)".quoted) from \(member)."
                let message = "\(member) has a fragment"
                return Finding(message, at: "/\(member)", expected: "no #", found: url.text.shown(), fix: fix)
            }
        )
    }
}
