import Conformance

/// What is entered at Firebase for X, and configured here: OAuth 1.0a has a key and a secret, and no scopes.
enum TwitterConfigurationChecks {
    static let clientHasKeyAndSecret = Check(
        "platform.twitter.client.has-key-and-secret",
        "The client is an API key with its API secret",
        .platform,
        .signIn,
        Citation(.firebaseTwitter, "", "API key and API secret from that provider's developer console"),
        why: "Every request is signed with the secret: without it nothing can be asked.",
        reads: triedClient,
        finding: { target, _ in
            if isComplete(target.client) { return nil }
            return Finding(
                target.client == nil ? "The configuration names no client." : "The client has no secret.",
                at: target.client == nil ? "client" : "client.secret",
                expected: "API key and API secret",
                found: target.client == nil ? "no client" : "no secret",
                fix:
                    "Configure the API key as client.id and the API secret as client.secret, from the developer portal."
            )
        }
    )

    static let scopesAreEmpty = Check(
        "platform.twitter.scopes.are-empty",
        "No scopes are configured",
        .platform,
        .conformance,
        Citation(.rfc5849, "4.8", "this protocol does not provide any method for scoping the access rights"),
        why: "A scope has no place in any request; what an app may do is set in the developer portal.",
        reads: Documents.target,
        // What a configuration that says nothing of scopes has.
        exempt: { target, _ in target.scopes == ["openid"] ? "the configuration names no scopes of its own" : nil },
        finding: { target, _ in
            guard !target.scopes.isEmpty else { return nil }
            return Finding(
                "The configuration asks for scopes.",
                at: "scopes",
                expected: "none",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Write scopes: [], and set what the app may do in the developer portal."
            )
        }
    )

    static let endpointsUseHTTPS = Check(
        "platform.twitter.endpoints.use-https",
        "Credentials travel over https",
        .must,
        .safety,
        Citation(.rfc5849, "2.1", "the server MUST require the use of a transport-layer mechanisms such as TLS"),
        why: "Token and secret are in the answer in plain text: whoever listens on the way can act as the user.",
        reads: Documents.target
    ) { target, facts in
        KnownAddress.all(target, facts.profile.parameters)
            .filter { known in OAuth1Endpoint(rawValue: known.member) != nil }
            .filter { !$0.address.lowercased().hasPrefix("https://") }
            .map { known in
                Finding(
                    "The \(known.member) is no https address.",
                    at: "endpoints.\(known.member)",
                    expected: "https://…",
                    found: known.address.shown(),
                    fix: "Configure the provider's https address."
                )
            }
    }

    /// The configuration; a key and a secret that nobody has signed in with are no pass.
    private static let triedClient = Slot<Target>("configured client", needs: []) { facts in
        guard isComplete(facts.target.client) else { return [Sample(.observed(facts.target))] }
        if case .notAttempted = facts.evidence.oauth1?.first.token ?? .notAttempted("") {
            let why = "nobody signed in with the API key and its secret: add sign_in, and run at the full tier"
            return [Sample(.absent(why))]
        }
        return [Sample(.observed(facts.target))]
    }

    private static func isComplete(_ client: Client?) -> Bool {
        client.map { $0.hasSecret && !$0.id.isEmpty } ?? false
    }

    static let all: [Check] = [clientHasKeyAndSecret, scopesAreEmpty, endpointsUseHTTPS]
}
