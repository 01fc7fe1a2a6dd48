import Conformance

/// Checks of the configuration for X at Firebase: OAuth 1.0a has a key and a secret, but no scopes.
enum TwitterConfigurationChecks {
    static let clientHasKeyAndSecret = Check(
        "platform.twitter.client.has-key-and-secret",
        "The client has an API key and an API secret",
        .platform,
        .signIn,
        Citation(.firebaseTwitter, "", "API key and API secret from that provider's developer console"),
        why: "Every request is signed with the secret, so the platform cannot send a request without it.",
        reads: triedClient,
        finding: { target, _ in
            if isComplete(target.client) { return nil }
            return Finding(
                target.client == nil ? "The configuration names no client." : "The client has no secret.",
                at: target.client == nil ? "client" : "client.secret",
                expected: "API key and API secret",
                found: target.client == nil ? "no client" : "no secret",
                fix: "Set client.id to the API key and client.secret to the API secret from the developer portal."
            )
        }
    )

    static let scopesAreEmpty = Check(
        "platform.twitter.scopes.are-empty",
        "The configuration contains no scopes",
        .platform,
        .conformance,
        Citation(.rfc5849, "4.8", "this protocol does not provide any method for scoping the access rights"),
        why: "Requests of OAuth 1.0a have no scopes; the developer portal sets the app's permissions.",
        reads: Documents.target,
        // The default of a configuration without scopes.
        exempt: { target, _ in target.scopes == ["openid"] ? "the configuration names no scopes of its own" : nil },
        finding: { target, _ in
            guard !target.scopes.isEmpty else { return nil }
            return Finding(
                "The configuration requests scopes.",
                at: "scopes",
                expected: "none",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Set scopes to [], and set the app's permissions in the developer portal."
            )
        }
    )

    static let endpointsUseHTTPS = Check(
        "platform.twitter.endpoints.use-https",
        "The endpoints that return credentials use https",
        .must,
        .safety,
        Citation(.rfc5849, "2.1", "the server MUST require the use of a transport-layer mechanisms such as TLS"),
        why: "Responses contain token and secret in plain text, so anyone who reads them can act as the user.",
        reads: Documents.target
    ) { target, facts in
        KnownAddress.all(target, facts.profile.parameters)
            .filter { known in OAuth1Endpoint(rawValue: known.member) != nil }
            .filter { !$0.address.lowercased().hasPrefix("https://") }
            .map { known in
                Finding(
                    "The \(known.member) is not an https URL.",
                    at: "endpoints.\(known.member)",
                    expected: "https://…",
                    found: known.address.shown(),
                    fix: "Set endpoints.\(known.member) to the provider's https URL."
                )
            }
    }

    /// The configuration; key and secret pass only after a sign-in with them.
    private static let triedClient = Query<Target>("configured client", needs: []) { facts in
        guard isComplete(facts.target.client) else { return [Sample(.observed(facts.target))] }
        if case .notAttempted = facts.evidence.oauth1?.first.token ?? .notAttempted("") {
            let why = "no sign-in used the API key and its secret: add sign_in, and run at the full tier"
            return [Sample(.absent(why))]
        }
        return [Sample(.observed(facts.target))]
    }

    private static func isComplete(_ client: Client?) -> Bool { client.map { $0.hasSecret && !$0.id.isEmpty } ?? false }

    static let all: [Check] = [clientHasKeyAndSecret, scopesAreEmpty, endpointsUseHTTPS]
}
