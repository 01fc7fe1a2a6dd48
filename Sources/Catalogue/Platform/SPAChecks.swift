import Conformance

/// Checks for applications whose pages call the provider directly (Fetch, section 3.2, CORS protocol).
enum SPAChecks {
    private static let forScripts = Citation(
        .discovery,
        "3",
        "The Token Endpoint, UserInfo Endpoint, jwks_uri endpoint, Dynamic Client Registration Endpoint, and any other endpoints directly accessed by Clients SHOULD support the use of Cross-Origin Resource Sharing (CORS)"
    )

    static let discoveryIsOpen = Check(
        "platform.spa.discovery.is-open-to-scripts",
        "The provider lets the client's scripts read the discovery document",
        .should,
        .signIn,
        Citation(
            .discovery,
            "4",
            "The openid-configuration endpoint SHOULD support the use of Cross-Origin Resource Sharing (CORS)"
        ),
        why: "The browser hides the document from the page, and the application stops before its first request.",
        reads: Refetched.script(.discovery),
        exempt: unlessSuccessful
    ) { script, _ in refusal(script, "the discovery document") }

    static let keysAreOpen = Check(
        "platform.spa.keys.is-open-to-scripts",
        "The provider lets the client's scripts read the key set",
        .should,
        .signIn,
        forScripts,
        why: "The page cannot verify the ID Token's signature, and libraries that verify it reject the sign-in.",
        reads: Refetched.script(.keys),
        exempt: unlessSuccessful
    ) { script, _ in refusal(script, "the key set") }

    static let tokenIsOpen = Check(
        "platform.spa.token.is-open-to-scripts",
        "The provider lets the client's scripts read the token response",
        .platform,
        .signIn,
        forScripts,
        why: "The code is redeemed, but the browser hides the tokens from the page, so users cannot sign in.",
        reads: Refetched.scriptTokens
    ) { script, _ in refusal(script, "the token response") }

    static let userInfoIsOpen = Check(
        "platform.spa.userinfo.is-open-to-scripts",
        "The provider lets the client's scripts read the UserInfo response",
        .should,
        .conformance,
        Citation(.core, "5.3", "SHOULD support the use of Cross-Origin Resource Sharing"),
        why: "The browser hides the claims from the page.",
        reads: Refetched.scriptUserInfo,
        supersededBy: ["platform.spa.userinfo.preflight-is-answered"]
    ) { script, _ in refusal(script, "the UserInfo response") }

    static let preflightIsAnswered = Check(
        "platform.spa.userinfo.preflight-is-answered",
        "The UserInfo endpoint lets browsers send an access token",
        .should,
        .conformance,
        Citation(.core, "5.3", "SHOULD support the use of Cross-Origin Resource Sharing"),
        why: "A browser sends a preflight before the Authorization header, and sends no request if it is not allowed.",
        reads: Refetched.script(.userInfoPreflight)
    ) { script, _ in preflightFindings(script) }

    static let all: [Check] = [discoveryIsOpen, keysAreOpen, tokenIsOpen, preflightIsAnswered, userInfoIsOpen]

    private static let unlessSuccessful: @Sendable (Refetched.Script, Facts) -> String? = { script, _ in
        let status = script.exchange.response?.status ?? 0
        return (200...299).contains(status) ? nil : "the provider returned HTTP status \(status)"
    }

    /// The findings if the browser would hide the response from the script.
    private static func refusal(_ script: Refetched.Script, _ subject: String) -> [Finding] {
        let allowed = script.exchange.response?.headers.filter { $0.name.lowercased() == allowOrigin } ?? []
        // Fetch section 4.9, CORS check: the value is one origin or "*"; several values count as none.
        if allowed.count == 1, ["*", script.origin].contains(allowed[0].value) { return [] }
        return [
            Finding(
                "The browser does not let scripts of \(script.origin.quoted) read \(subject).",
                at: "Access-Control-Allow-Origin",
                expected: "\(script.origin) or *",
                found: allowed.isEmpty
                    ? "no such header" : allowed.map { $0.value.shown(limit: 80) }.joined(separator: ", "),
                fix: "Send Access-Control-Allow-Origin: \(script.origin.shown()) with \(subject); "
                    + "most products have a list of allowed web origins for the client.",
                exchange: script.exchange.id
            )
        ]
    }

    private static let allowOrigin = "access-control-allow-origin"

    private static func preflightFindings(_ script: Refetched.Script) -> [Finding] {
        guard let response = script.exchange.response else { return [] }
        // Fetch section 4.8: anything but an ok status is a network error.
        guard (200...299).contains(response.status) else {
            return [
                Finding(
                    "For the preflight, the UserInfo endpoint returns HTTP status \(response.status).",
                    at: "status",
                    expected: "HTTP status 200 or 204",
                    found: "HTTP status \(response.status)",
                    fix:
                        "Return status 204 for OPTIONS at \(script.exchange.request.url.shown()), without requiring a token.",
                    exchange: script.exchange.id
                )
            ]
        }
        let refused = refusal(script, "the preflight response of the UserInfo endpoint")
        if !refused.isEmpty { return refused }
        let allowed = (response.joinedHeader("Access-Control-Allow-Headers") ?? "").split(separator: ",")
            .map { String($0).trimmingASCIISpace.lowercased() }
        // In the standard "*" does not cover Authorization; browsers still accept it, with a warning.
        if allowed.contains("authorization") || allowed.contains("*") { return [] }
        return [
            Finding(
                "The preflight response of the UserInfo endpoint does not allow the Authorization header.",
                at: "Access-Control-Allow-Headers",
                expected: "Authorization",
                found: allowed.isEmpty ? "no such header" : allowed.joined(separator: ", ").shown(),
                fix: "Send Access-Control-Allow-Headers: Authorization in the response to OPTIONS.",
                exchange: script.exchange.id
            )
        ]
    }
}
