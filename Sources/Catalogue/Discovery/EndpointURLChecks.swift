import Conformance

/// The URLs in the discovery document.
enum EndpointURLChecks {
    static let areAbsolute = Check(
        "discovery.url-members.are-absolute",
        "Every URL in the discovery document is absolute",
        .must,
        .signIn,
        Citation(.discovery, "3", "This URL MUST use the https scheme and MAY contain port, path, and query"),
        why: "Clients cannot resolve a relative URL, and send requests to a wrong address.",
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
        "Every URL in the discovery document contains only URI characters",
        .must,
        .signIn,
        Citation(.rfc3986, "2", "A URI is composed from a limited set of characters"),
        why:
            "Clients handle other characters differently: they truncate the URL, escape the character or reject the URL.",
        reads: Documents.discovery
    ) { metadata, _ in
        (["issuer"] + MetadataMembers.urls)
            .compactMap { member in
                guard let text = metadata.string(member), let wrong = URIReference(text).firstOddity else { return nil }
                // Another check reports templates, which contain braces.
                if member == "issuer", wrong == "{" || wrong == "}" { return nil }
                return Finding(
                    "\(member) contains \(wrong.quoted), which is not allowed in a URI",
                    at: "/\(member)",
                    expected: "letters, digits, -._~:/?#[]@!$&'()*+,;= and % with two hexadecimal digits",
                    found: text.shown(),
                    fix: "Remove \(wrong.quoted) from \(member), or percent-encode it if it belongs to the URL."
                )
            }
    }

    static let placesArePossible = Check(
        "discovery.url-members.have-possible-hosts-and-ports",
        "Every URL in the discovery document has a valid host and port",
        .must,
        .signIn,
        Citation(.rfc3986, "3.2.3", "port = *DIGIT"),
        why: "Client libraries reject the URL when they use it, and some reject the whole document.",
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
                    expected: "a host name or IP address, and no port or a port up to 65535",
                    found: text.shown(),
                    fix: "Correct the host and port of \(member)."
                )
            }
    }

    static let authorizationHTTPS = usesHTTPS(
        "authorization_endpoint",
        "The authorization endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http, an attacker on the network can read the user's password and the code."
    )

    static let tokenHTTPS = usesHTTPS(
        "token_endpoint",
        "The token endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http, an attacker on the network can read the client secret and all tokens."
    )

    static let userinfoHTTPS = usesHTTPS(
        "userinfo_endpoint",
        "The UserInfo endpoint uses https",
        Citation(.discovery, "3", "This URL MUST use the https scheme"),
        why: "Over http, an attacker on the network can read the access token and the user's data."
    )

    static let keysHTTPS = usesHTTPS(
        "jwks_uri",
        "The URL of the key set uses https",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Over http, an attacker on the network can replace the keys, and sign in as any user."
    )

    static let registrationHTTPS = usesHTTPS(
        "registration_endpoint",
        "The registration endpoint uses https",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Over http, an attacker on the network can read the client secret that the endpoint issues."
    )

    static let revocationHTTPS = usesHTTPS(
        "revocation_endpoint",
        "The revocation endpoint uses https",
        Citation(.rfc7009, "2", "URLs for token revocation endpoints MUST be HTTPS URLs"),
        why: "Over http, an attacker on the network can read the client secret and the token to be revoked."
    )

    static let pushedHTTPS = usesHTTPS(
        "pushed_authorization_request_endpoint",
        "The pushed authorization request endpoint uses https",
        Citation(.rfc9126, "2", "The PAR endpoint URL MUST use the \"https\" scheme"),
        why: "Over http, an attacker on the network can read the client secret and the authorization request."
    )

    static let endSessionHTTPS = usesHTTPS(
        "end_session_endpoint",
        "The logout endpoint uses https",
        Citation(.rpInitiatedLogout, "2.1", "This URL MUST use the https scheme"),
        why: "Over http, an attacker on the network can read the ID Token that names the user, and sign users out."
    )

    static let checkSessionHTTPS = usesHTTPS(
        "check_session_iframe",
        "The session iframe uses https",
        Citation(.sessionManagement, "3.3", "This URL MUST use the https scheme"),
        why:
            "Over http, an attacker on the network can replace the page that reports the session state to applications."
    )

    static let introspectionHTTPS = usesHTTPS(
        "introspection_endpoint",
        "The introspection endpoint uses https",
        Citation(.rfc7662, "2", "The introspection endpoint MUST be protected by a transport-layer security mechanism"),
        why:
            "Over http, an attacker on the network can read the tokens and the credentials of the clients that introspect them."
    )

    static let othersHTTPS = Check(
        "discovery.other-endpoints.use-https",
        "The device authorization endpoint, the CIBA endpoint and the endpoints of newer specifications use https",
        .must,
        .safety,
        // CIBA section 7 says the same of its endpoint: communication with it "MUST utilize TLS".
        Citation(.rfc8628, "3.1", "All requests from the device MUST use the Transport Layer Security (TLS) protocol"),
        why: "Over http, an attacker on the network can read client credentials and the codes of pending sign-ins.",
        reads: Documents.discovery,
        supersededBy: ["discovery.issuer.uses-https"]
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
        why: "Large providers use several hosts, but an unexpected host may be left over from another environment.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessURL("issuer")
    ) { metadata, _ in
        let issuer = URIReference(metadata.string("issuer") ?? "").host?.lowercased() ?? ""
        return metadata.absoluteURLs(EndpointMembers.signIn).filter { $0.url.host?.lowercased() != issuer }
            .map { member, url in
                Finding(
                    "\(member) is not on the issuer's host",
                    at: "/\(member)",
                    expected: issuer.shown(),
                    found: url.host?.shown(),
                    fix: "Correct \(member), unless \((url.host ?? "").quoted) belongs to the provider."
                )
            }
    }

    static let arePublic = Check(
        "discovery.endpoints.are-publicly-named",
        "The endpoints have public hosts",
        .risk,
        .signIn,
        Citation(.experience, "", "front-channel and back-channel host names of containers in public metadata"),
        why: "A platform in the cloud cannot reach a container name or a private address, and sign-in fails.",
        reads: Documents.discovery,
        exempt: unlessIssuerIsPublic
    ) { metadata, facts in
        metadata.absoluteURLs(MetadataMembers.endpoints)
            .compactMap { member, url in
                let host = url.host ?? ""
                let kind = HostKind(host)
                guard kind != .public else { return nil }
                return Finding(
                    "\(member) uses \(kind.rawValue)",
                    at: "/\(member)",
                    expected: "a host name in the public DNS",
                    found: host.shown(),
                    fix: "Set the provider's public URL, so that \(member) uses the issuer's host."
                )
            }
    }

    static let all: [Check] = [
        areAbsolute, areURIs, placesArePossible, authorizationHTTPS, tokenHTTPS, userinfoHTTPS, keysHTTPS,
        registrationHTTPS, revocationHTTPS, pushedHTTPS, introspectionHTTPS, endSessionHTTPS, checkSessionHTTPS,
        othersHTTPS, authorizationFragment, tokenFragment, onIssuerHost, arePublic,
    ]

    /// The fix for a URL that is not absolute: the value resolved against the issuer, if possible.
    private static func absolute(_ member: String, _ text: String, _ issuer: String) -> String {
        if MetadataMembers.required.contains(member), text.isEmpty {
            return "Set \(member) to the complete URL, with scheme and host."
        }
        if text.isEmpty { return "Leave \(member) out of the document, or set it to the complete URL." }
        let base = URIReference(issuer)
        guard let scheme = base.scheme, let host = base.host, URIReference(text).scheme == nil else {
            return "Set \(member) to a URL with scheme and host."
        }
        let origin = "\(scheme)://\(host)" + (base.port.map { ":" + $0 } ?? "")
        if text.hasPrefix("//") {
            return "Set \(member) to \("\(scheme):\(text)".quoted), if that is the intended URL."
        }
        if text.hasPrefix("/") { return "Set \(member) to \((origin + text).quoted), if that is the intended URL." }
        // A host without its scheme looks like a path.
        if text.prefix(while: { $0 != "/" }).contains(".") {
            return "Set \(member) to \("\(scheme)://\(text)".quoted), if that is the intended URL."
        }
        let resolved = "\(issuer.hasSuffix("/") ? issuer : issuer + "/")\(text)"
        return "Set \(member) to \(resolved.quoted), if that is the intended URL."
    }

    private static let unlessIssuerIsPublic: MetadataExemption.Reason = { metadata, facts in
        let host = URIReference(metadata.string("issuer") ?? facts.target.issuer).host ?? ""
        return HostKind(host) == .public ? nil : "the host of the issuer is not public"
    }

    /// An http issuer explains an http endpoint, so the issuer's check supersedes these.
    ///
    /// Each of these endpoints receives a secret, or returns data that an attacker must not change.
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
            supersededBy: ["discovery.issuer.uses-https"],
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
            fix: "Use https in \(member). Behind a TLS proxy, configure the provider to trust the proxy's "
                + "X-Forwarded-Proto header."
        )
    }

    private static func hasNoFragment(_ member: String, _ consequence: Consequence, _ section: String) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).has-no-fragment"),
            "The \(member.replacing("_", with: " ")) has no fragment",
            .must,
            consequence,
            Citation(.rfc6749, section, "The endpoint URI MUST NOT include a fragment component"),
            why: "Parameters that a client appends after a fragment never reach the provider.",
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
