import Conformance
import JSONTree

/// Faults of sign-in with OAuth 1.0, as at X.
extension Fault {
    static let twitter: [Fault] =
        twitterConfigurations + twitterRequestTokens + twitterVerifiers + twitterAccessTokens + twitterUsers

    private static let twitterConfigurations: [Fault] = [
        configured(
            "platform.twitter.client.has-key-and-secret",
            "the client has no API secret",
            configure: { $0.client?.hasSecret = false }
        ),
        configured(
            "platform.twitter.scopes.are-empty",
            "a scope is configured",
            configure: { $0.scopes = ["twitterUsers.read"] }
        ),
        configured(
            "platform.registration.provider-id-is-well-formed",
            variant: "oauth1",
            "the provider ID is that of an OpenID Connect provider",
            configure: { $0.registration.providerID = "oidc.twitter" }
        ),
        // Nothing listens there; the configuration checks do not need a response.
        configured(
            "platform.twitter.endpoints.use-https",
            "the configured access_token_endpoint uses http",
            configure: { $0.endpoints = ["access_token_endpoint": "http://localhost:9/oauth/access_token"] }
        ),
        configured(
            "platform.registration.redirect-uri-is-the-platforms",
            variant: "oauth1",
            "the callback is not the platform's redirect URI",
            configure: { $0.redirectURI = "https://app.example.com/callback" },
            change: { $0.acceptsCallback = { asked, _ in asked == "https://app.example.com/callback" } }
        ),
        configured(
            "platform.request.reserved-parameters-are-left-out",
            variant: "oauth1",
            "oauth_nonce is configured as a custom parameter",
            configure: { $0.customParameters = [Field("oauth_nonce", "n-0S6_WzA2Mj")] }
        ),
        configured(
            "platform.request.reserved-parameters-are-left-out",
            variant: "oauth1-verifier",
            "oauth_verifier is configured as a custom parameter",
            configure: { $0.customParameters = [Field("oauth_verifier", "n-0S6_WzA2Mj")] }
        ),
    ]

    private static let twitterRequestTokens: [Fault] = [
        oauth1("platform.twitter.request-token.is-issued", "the request token endpoint rejects the API secret") {
            hooks in
            hooks.acceptsSignature = { place, isRight in isRight && place != .requestToken }
        },
        oauth1("platform.twitter.request-token.is-issued", variant: "callback", "the callback is not registered") {
            hooks in
            hooks.acceptsCallback = { _, _ in false }
        },
        oauth1("platform.twitter.request-token.has-secret", "temporary credentials have no secret") { hooks in
            // The client then signs with an empty secret.
            hooks.temporaryCredentials = { fields in fields.removeAll { $0.name == "oauth_token_secret" } }
            hooks.acceptsSignature = { place, isRight in isRight || place == .accessToken }
        },
        oauth1("platform.twitter.request-token.callback-is-confirmed", "oauth_callback_confirmed is missing") { hooks in
            hooks.temporaryCredentials = { fields in fields.removeAll { $0.name == "oauth_callback_confirmed" } }
        },
        oauth1(
            "platform.twitter.request-token.callback-is-confirmed",
            variant: "false",
            "oauth_callback_confirmed is false"
        ) { hooks in
            hooks.temporaryCredentials = { fields in
                fields = fields.map { $0.name == "oauth_callback_confirmed" ? Field($0.name, "false") : $0 }
            }
        },
        oauth1(
            "platform.twitter.request-token.bad-signature-is-refused",
            "the request token endpoint does not verify signatures"
        ) { hooks in
            hooks.acceptsSignature = { place, isRight in isRight || place == .requestToken }
        },
        oauth1("platform.twitter.request-token.bad-signature-answers-401", "a wrong signature returns status 400") {
            hooks in
            hooks.refusalStatus = { _ in 400 }
        },
        oauth1("platform.twitter.request-token.replay-is-refused", "a replayed request is accepted") { hooks in
            hooks.remembersRequests = false
        },
        oauth1("platform.twitter.request-token.foreign-callback-is-refused", "any callback is accepted") { hooks in
            hooks.acceptsCallback = { _, _ in true }
        },
        oauth1("platform.twitter.answers.are-form-encoded", "credentials are returned as text/html") { hooks in
            hooks.mediaType = "text/html; charset=utf-8"
        },
    ]

    private static let twitterVerifiers: [Fault] = [
        oauth1(
            "platform.twitter.authorization.leads-to-the-callback",
            "the authorization page rejects every request token"
        ) { hooks in
            hooks.authorizationProblem = { _ in "The request token for this page is invalid." }
        },
        oauth1("platform.twitter.authorization.returns-the-token", "the callback has no oauth_token") { hooks in
            hooks.callback = { fields in fields.removeAll { $0.name == "oauth_token" } }
        },
        oauth1(
            "platform.twitter.authorization.returns-the-token",
            variant: "other",
            "the callback has another oauth_token"
        ) { hooks in
            hooks.callback = { fields in
                fields = fields.map { $0.name == "oauth_token" ? Field($0.name, String($0.value.reversed())) : $0 }
            }
        },
        oauth1("platform.twitter.authorization.returns-a-verifier", "the callback has no oauth_verifier") { hooks in
            hooks.callback = { fields in fields.removeAll { $0.name == "oauth_verifier" } }
        },
        oauth1("platform.twitter.verifier.is-varied", "oauth_verifier has only seven digits") { hooks in
            hooks.makeVerifier = { String(Int.random(in: 1_000_000...9_999_999)) }
        },
        oauth1("platform.twitter.custom-parameters.are-accepted", "the authorization page rejects custom parameters") {
            hooks in
            hooks.authorizationProblem = { parameters in
                parameters.count > 1 ? "This page takes no such parameter." : nil
            }
        },
    ]

    private static let twitterAccessTokens: [Fault] = [
        oauth1("platform.twitter.access-token.is-issued", "every oauth_verifier is rejected") { hooks in
            hooks.acceptsVerifier = { _ in false }
        },
        oauth1("platform.twitter.access-token.has-secret", "token credentials have no secret") { hooks in
            hooks.tokenCredentials = { fields in fields.removeAll { $0.name == "oauth_token_secret" } }
        },
        oauth1("platform.twitter.access-token.names-the-user", "token credentials have no user_id") { hooks in
            hooks.tokenCredentials = { fields in fields.removeAll { $0.name == "user_id" } }
        },
        oauth1(
            "platform.twitter.user-id.is-stable",
            "user_id changes with every sign-in",
            also: ["platform.twitter.user.is-the-person-of-the-token"]
        ) { hooks in
            hooks.tokenCredentials = { fields in
                fields = fields.map { $0.name == "user_id" ? Field($0.name, Store.random()) : $0 }
            }
        },
        oauth1("platform.twitter.access-token.wrong-verifier-is-refused", "any oauth_verifier is accepted") { hooks in
            hooks.acceptsVerifier = { _ in true }
        },
        oauth1(
            "platform.twitter.access-token.temporary-credentials-work-once",
            "temporary credentials can be used more than once"
        ) { hooks in
            hooks.usesUpTemporaryCredentials = false
        },
    ]

    private static let twitterUsers: [Fault] = [
        oauth1("platform.twitter.user.is-returned", "the API rejects every request") { hooks in
            hooks.acceptsSignature = { place, isRight in isRight && place != .user }
        },
        oauth1("platform.twitter.user.is-returned", variant: "id", "the user object has no id_str") { hooks in
            hooks.user = { $0["id_str"] = nil }
        },
        oauth1("platform.twitter.user.is-the-person-of-the-token", "the API returns another user") { hooks in
            hooks.user = { $0["id_str"] = "12" }
        },
        oauth1("platform.twitter.user.has-email", "the API does not return email") { hooks in
            hooks.user = { $0["email"] = nil }
        },
        oauth1("platform.twitter.user.needs-the-token-secret", "the API does not verify signatures") { hooks in
            hooks.acceptsSignature = { place, isRight in isRight || place == .user }
        },
    ]

    private static func oauth1(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        change: @escaping @Sendable (inout OAuth1Hooks) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, persona: .twitter, change: { change(&$0.oauth1) })
    }

    /// A fault of the configuration, with the provider changes that keep it the only fault.
    private static func configured(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        configure: @escaping @Sendable (inout Target) -> Void,
        change: @escaping @Sendable (inout OAuth1Hooks) -> Void = { _ in }
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            persona: .twitter,
            configure: configure,
            change: { change(&$0.oauth1) }
        )
    }
}
