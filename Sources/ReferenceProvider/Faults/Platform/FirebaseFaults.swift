import Conformance
import JSONTree

/// Faults of registration and request at the Firebase platform.
extension Fault {
    static let firebase: [Fault] = registrations + requests + documents + tokens

    private static let registrations: [Fault] = [
        registration("platform.firebase.provider-id.is-well-formed", "the provider ID lacks oidc.") {
            $0.registration.providerID = "acme"
        },
        registration("platform.firebase.provider-id.is-lower-case", "the provider ID has a capital") {
            $0.registration.providerID = "oidc.myProvider"
        },
        // Nothing answers at these issuers: the checks of the configuration speak all the same.
        registration("platform.firebase.issuer.uses-https", "the issuer is to be registered with http") {
            $0.issuer = "http://localhost:9"
        },
        registration("platform.firebase.issuer.is-a-tenants-own", "the issuer is a template") {
            $0.issuer = "https://localhost:9/{tenantid}/v2.0"
        },
        registration("platform.firebase.response-type.is-exactly-one", "code and id_token are both switched on") {
            $0.registration.responseTypes = ["code", "id_token"]
        },
        registration("platform.firebase.response-type.is-supported", "id_token token is switched on") {
            $0.registration.responseTypes = ["id_token token"]
        },
        registration(
            "platform.firebase.client.has-a-secret-for-code",
            "the code flow is registered with a public client",
            change: { seams in
                seams.authorizationError = { _, error in error?.text == "code challenge required" ? nil : error }
            },
            configure: { target in
                let client = Client(id: RegisteredClient.publicClient.id, authentication: .none, hasSecret: false)
                target.clients = [ResponseTypeClient(responseType: "code", client: client)]
            }
        ),
        registration(
            "platform.firebase.redirect-uri.is-the-handler",
            "the redirect URI is not the handler",
            change: { seams in
                seams.acceptsRedirectURI = { asked, registered in
                    registered.contains(asked) || asked == "https://app.example.com/callback"
                }
            },
            configure: { $0.redirectURI = "https://app.example.com/callback" }
        ),
        registration("platform.firebase.custom-parameters.exclude-reserved", "state is a custom parameter") {
            $0.customParameters = [Field("state", "n-0S6_WzA2Mj")]
        },
        registration("platform.firebase.custom-parameters.exclude-nonce", "nonce is a custom parameter") {
            $0.customParameters = [Field("nonce", "n-0S6_WzA2Mj")]
        },
    ]

    private static let requests: [Fault] = [
        registration(
            "platform.firebase.custom-parameters.are-accepted",
            "a custom parameter is refused",
            change: { $0.refuseThePlatform("invalid_request") },
            configure: { $0.customParameters = [Field("audience", "https://api.example.com")] }
        ),
        .provider("platform.firebase.pkce.is-not-required", "PKCE is demanded") { seams in
            seams.refuseThePlatform(OAuthError("invalid_request", "Code challenge required."))
        },
        .provider("platform.firebase.request.is-accepted", "the platform's request is refused") { seams in
            seams.refuseThePlatform("unauthorized_client")
        },
    ]

    private static let documents: [Fault] = [
        registration(
            "platform.firebase.scopes-supported.is-listed",
            "email is not among the listed scopes",
            change: { seams in
                seams.discovery = { document, _ in document["scopes_supported"] = ["openid", "profile"] }
            },
            configure: { $0.scopes = ["openid", "profile"] }
        ),
        .provider(
            "platform.firebase.userinfo-endpoint.is-stated-for-code",
            "the UserInfo endpoint is not stated",
            also: ["discovery.userinfo-endpoint.is-present"]
        ) { seams in
            seams.discovery = { document, _ in document["userinfo_endpoint"] = nil }
        },
        .provider("platform.firebase.keys.have-kid", "neither key nor header has a kid") { seams in
            seams.keySet = { set in
                set["keys"] = .array(
                    (set["keys"]?.arrayValue ?? [])
                        .map { key in
                            var key = key.objectValue ?? JSONObject()
                            key["kid"] = nil
                            return .object(key)
                        }
                )
            }
            seams.setHeader("kid", nil)
        },
    ]

    private static let tokens: [Fault] = [
        registration(
            "platform.firebase.id-token.iss-is-the-registered-issuer",
            "the issuer is to be registered by another name of its host",
            also: ["discovery.issuer.matches-request"],
            configure: { $0.issuer = $0.issuer.replacing("127.0.0.1", with: "localhost") }
        ),
        .provider(
            "platform.firebase.id-token.aud-holds-client",
            "aud is an API of the provider",
            also: ["idtoken.aud.holds-client"]
        ) { $0.setClaim("aud", ["https://api.example.com"]) },
        .provider(
            "platform.firebase.id-token.sub-is-present",
            "sub is empty",
            also: ["idtoken.sub.is-present"]
        ) { $0.setClaim("sub", "") },
        .provider(
            "platform.firebase.id-token.is-not-from-the-future",
            "the clock runs more than an hour ahead",
            also: ["idtoken.iat.is-not-in-the-future"]
        ) { $0.setTime("iat", afterIssue: 3_700) },
        Fault(
            "platform.firebase.id-token.alg-is-rs256",
            "the platform reads ES256, and the ID Token is signed with RS256",
            demand: { $0.idTokenAlgorithms = ["ES256"] }
        ),
        .provider(
            "platform.firebase.id-token.nonce-is-unchanged",
            "the nonce comes back in capitals",
            also: ["idtoken.nonce.is-echoed"]
        ) { seams in
            seams.idTokenClaims = { claims, _ in
                claims["nonce"] = (claims["nonce"]?.stringValue?.uppercased()).map { .string($0) }
            }
        },
    ]

    /// A fault of the configuration, with what the provider must be like for it to be the only one.
    private static func registration(
        _ trips: CheckID,
        _ title: String,
        also: [CheckID] = [],
        change: @escaping @Sendable (inout Seams) -> Void = { _ in },
        configure: @escaping @Sendable (inout Target) -> Void
    ) -> Fault {
        Fault(trips, title, also: also, configure: configure, change: change)
    }
}

extension Seams {
    /// Refuses the code flow without PKCE, which is what the platform sends and no other scenario does.
    fileprivate mutating func refuseThePlatform(_ refusal: OAuthError) {
        authorizationError = { request, error in
            request.responseType == "code" && request["code_challenge"] == nil ? refusal : error
        }
    }
}
