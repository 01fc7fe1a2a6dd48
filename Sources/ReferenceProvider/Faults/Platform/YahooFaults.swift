import Conformance
import JSONTree

/// Faults that Firebase's sign-in with Yahoo meets.
extension Fault {
    static let yahoo: [Fault] = [
        .provider(
            "authorization.redirect-uri.sub-domain-is-refused",
            variant: "yahoo",
            "the domains below the registered one are taken as well",
            persona: .yahoo
        ) { seams in
            let habit = seams.acceptsRedirectURI
            seams.acceptsRedirectURI = { asked, registered in
                habit(asked, registered)
                    || registered.contains { uri in
                        let rest = uri.dropFirst("https://".count)
                        return asked.hasPrefix("https://") && asked.hasSuffix("." + rest) && !asked.contains("@")
                    }
            }
        },
        scopes(
            "platform.yahoo.scopes.hold-one-for-contacts",
            "contacts are asked for twice",
            ["openid", "profile", "email", "sdct-r", "sdct-w"]
        ),
        scopes(
            "platform.yahoo.scopes.exclude-sdct-r",
            "contacts are asked for to be read",
            ["openid", "profile", "email", "sdct-r"]
        ),
        .provider(
            "platform.yahoo.scopes.are-preconfigured",
            "the application has no permission to read mail",
            also: ["token.scope.holds-what-was-asked"],
            persona: .yahoo
        ) { seams in
            seams.tokenResponse = { if $0["scope"] != nil { $0["scope"] = "openid profile email sdct-w" } }
        },
        .keySet("platform.yahoo.keys.are-told-apart", "the keys do not say what they are for", persona: .yahoo) { set in
            let keys = (set["keys"]?.arrayValue ?? [])
                .map { key -> JSON in
                    var key = key.objectValue ?? JSONObject()
                    key["alg"] = nil
                    return .object(key)
                }
            set["keys"] = .array(keys)
        },
        .provider("platform.yahoo.pkce.is-accepted", "PKCE of a client with a secret is refused", persona: .yahoo) {
            $0.alsoRefuse("unauthorized_client") { $0["code_challenge"] != nil }
        },
        Fault(
            "platform.yahoo.parameters.are-accepted",
            "the parameter language is refused",
            persona: .yahoo,
            configure: { $0.customParameters = [] },
            change: { $0.alsoRefuse("invalid_request") { $0["language"] != nil } }
        ),
    ]

    /// Scopes that the configuration asks for, at a provider that grants whatever it knows.
    private static func scopes(_ trips: CheckID, _ title: String, _ scopes: [String]) -> Fault {
        Fault(
            trips,
            title,
            persona: .yahoo,
            configure: { $0.scopes = scopes },
            change: { $0.authorizationError = { _, error in error } }
        )
    }
}
