import Conformance
import JSONTree

/// Faults of Firebase's sign-in with Yahoo.
extension Fault {
    static let yahoo: [Fault] = [
        .provider(
            "authorization.redirect-uri.sub-domain-is-refused",
            variant: "yahoo",
            "subdomains of the registered redirect URI are accepted",
            persona: .yahoo
        ) { hooks in
            let habit = hooks.acceptsRedirectURI
            hooks.acceptsRedirectURI = { asked, registered in
                habit(asked, registered)
                    || registered.contains { uri in
                        let rest = uri.dropFirst("https://".count)
                        return asked.hasPrefix("https://") && asked.hasSuffix("." + rest) && !asked.contains("@")
                    }
            }
        },
        scopes(
            "platform.yahoo.scopes.hold-one-for-contacts",
            "two scopes for contacts are requested",
            ["openid", "profile", "email", "sdct-r", "sdct-w"]
        ),
        scopes(
            "platform.yahoo.scopes.exclude-sdct-r",
            "the scope sdct-r is requested",
            ["openid", "profile", "email", "sdct-r"]
        ),
        .provider(
            "platform.yahoo.scopes.are-preconfigured",
            "a configured scope is not granted",
            also: ["token.scope.holds-what-was-asked"],
            persona: .yahoo
        ) { hooks in
            hooks.tokenResponse = { if $0["scope"] != nil { $0["scope"] = "openid profile email sdct-w" } }
        },
        .keySet("platform.yahoo.keys.are-told-apart", "the keys have no alg", persona: .yahoo) { set in
            let keys = (set["keys"]?.arrayValue ?? [])
                .map { key -> JSON in
                    var key = key.objectValue ?? JSONObject()
                    key["alg"] = nil
                    return .object(key)
                }
            set["keys"] = .array(keys)
        },
        .provider("platform.yahoo.pkce.is-accepted", "PKCE is rejected for a client with a secret", persona: .yahoo) {
            $0.alsoRefuse("unauthorized_client") { $0["code_challenge"] != nil }
        },
        Fault(
            "platform.yahoo.parameters.are-accepted",
            "a request with language is rejected",
            persona: .yahoo,
            configure: { $0.customParameters = [] },
            change: { $0.alsoRefuse("invalid_request") { $0["language"] != nil } }
        ),
    ]

    /// Configured scopes, at a provider that grants every scope it knows.
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
