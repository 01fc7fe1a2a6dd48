import Conformance
import JSONTree

/// Faults of registration and request at the Firebase platform.
extension Fault {
    static let firebase: [Fault] = registrations + requests + documents + tokens

    private static let registrations: [Fault] = [
        registration("platform.firebase.provider-id.is-lower-case", "the provider ID contains a capital letter") {
            $0.registration.providerID = "oidc.myProvider"
        },
        // Nothing listens at these issuers; the configuration checks do not need a response.
        registration("platform.firebase.issuer.uses-https", "the configured issuer uses http") {
            $0.issuer = "http://localhost:9"
        },
        registration("platform.firebase.issuer.is-a-tenants-own", "the configured issuer contains a placeholder") {
            $0.issuer = "https://localhost:9/{tenantid}/v2.0"
        },
        registration(
            "platform.firebase.response-type.is-exactly-one",
            "the response types code and id_token are both enabled"
        ) {
            $0.registration.responseTypes = ["code", "id_token"]
        },
        registration("platform.firebase.custom-parameters.exclude-nonce", "nonce is configured as a custom parameter") {
            $0.customParameters = [Field("nonce", "n-0S6_WzA2Mj")]
        },
    ]

    private static let requests: [Fault] = [
        registration(
            "platform.firebase.custom-parameters.are-accepted",
            "a request with a custom parameter is rejected",
            change: { $0.rejectPlatformRequest("invalid_request") },
            configure: { $0.customParameters = [Field("audience", "https://api.example.com")] }
        ),
        .provider("platform.firebase.request.is-accepted", "the platform's request is rejected") { hooks in
            hooks.rejectPlatformRequest("unauthorized_client")
        },
    ]

    private static let documents: [Fault] = [
        registration(
            "platform.firebase.scopes-supported.is-listed",
            "email is not in scopes_supported",
            change: { hooks in
                hooks.discovery = { document, _ in document["scopes_supported"] = ["openid", "profile"] }
            },
            configure: { $0.scopes = ["openid", "profile"] }
        ),
        .provider(
            "platform.firebase.userinfo-endpoint.is-stated-for-code",
            "userinfo_endpoint is missing",
            also: ["discovery.userinfo-endpoint.is-present"]
        ) { hooks in
            hooks.discovery = { document, _ in document["userinfo_endpoint"] = nil }
        },
    ]

    private static let tokens: [Fault] = [
        registration(
            "platform.firebase.id-token.iss-is-the-registered-issuer",
            "the configured issuer has another host name than iss",
            also: ["discovery.issuer.matches-request"],
            configure: { $0.issuer = $0.issuer.replacing("127.0.0.1", with: "localhost") }
        ),
        .provider(
            "platform.firebase.id-token.is-not-from-the-future",
            "iat is an hour in the future",
            also: ["idtoken.iat.is-not-far-in-the-future"]
        ) { $0.setTime("iat", afterIssue: 3_600) },
        .provider(
            "platform.firebase.id-token.nonce-is-unchanged",
            "nonce is returned in upper case",
            also: ["idtoken.nonce.is-echoed"]
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["nonce"] = (claims["nonce"]?.stringValue?.uppercased()).map { .string($0) }
            }
        },
    ]

    /// A fault of the configuration, with the provider changes that keep it the only fault.
    private static func registration(
        _ trips: CheckID,
        _ title: String,
        also: [CheckID] = [],
        change: @escaping @Sendable (inout Hooks) -> Void = { _ in },
        configure: @escaping @Sendable (inout Target) -> Void
    ) -> Fault {
        Fault(trips, title, also: also, configure: configure, change: change)
    }
}

extension Hooks {
    /// Rejects the code flow without PKCE, which only the platform's scenario sends.
    fileprivate mutating func rejectPlatformRequest(_ refusal: OAuthError) {
        authorizationError = { request, error in
            request.responseType == "code" && request["code_challenge"] == nil ? refusal : error
        }
    }
}
