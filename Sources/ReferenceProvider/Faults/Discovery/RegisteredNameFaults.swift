import Conformance
import JSONTree

extension Fault {
    /// Faults of the values that the discovery document advertises.
    static let registeredNames: [Fault] = [
        .document("discovery.response-types-supported.are-registered", "an unknown response type is listed") {
            $0.append("cookie", to: "response_types_supported")
        },
        .document(
            "discovery.response-types-supported.include-an-id-token",
            "no listed response type issues an ID Token",
            also: ["discovery.target.what-works-is-listed"]
        ) {
            $0["response_types_supported"] = ["token"]
        },
        .document("discovery.response-modes-supported.are-registered", "an unknown response mode is listed") {
            $0.append("oob", to: "response_modes_supported")
        },
        .document("discovery.response-modes-supported.fit-the-response-types", "the response mode query is not listed")
        {
            $0["response_modes_supported"] = ["fragment", "form_post"]
        },
        .document("discovery.grant-types-supported.are-registered", "an unknown grant type is listed") {
            $0.append("cookie", to: "grant_types_supported")
        },
        .document("discovery.grant-types-supported.fit-the-response-types", "the implicit grant is not listed") {
            $0["grant_types_supported"] = ["authorization_code", "refresh_token"]
        },
        .document("discovery.subject-types-supported.are-registered", "an unknown subject type is listed") {
            $0.append("Public", to: "subject_types_supported")
        },
        .document(
            "discovery.token-endpoint-auth-methods-supported.are-registered",
            "an unknown client authentication method is listed"
        ) {
            $0.append("basic", to: "token_endpoint_auth_methods_supported")
        },
        .document("discovery.claim-types-supported.are-registered", "an unknown claim type is listed") {
            $0["claim_types_supported"] = ["normal", "simple"]
        },
        .document("discovery.display-values-supported.are-registered", "an unknown display value is listed") {
            $0["display_values_supported"] = ["page", "iframe"]
        },
        .document(
            "discovery.code-challenge-methods-supported.is-present",
            "code_challenge_methods_supported is missing"
        ) {
            $0["code_challenge_methods_supported"] = nil
        },
        .document(
            "discovery.code-challenge-methods-supported.include-s256",
            "only plain is listed for PKCE",
            also: [
                "discovery.code-challenge-methods-supported.exclude-plain",
                "authorization.code-challenge.plain-is-accepted-where-offered",
            ]
        ) {
            $0["code_challenge_methods_supported"] = ["plain"]
        },
        .document(
            "discovery.code-challenge-methods-supported.exclude-plain",
            "plain is listed for PKCE beside S256",
            also: ["authorization.code-challenge.plain-is-accepted-where-offered"]
        ) {
            $0["code_challenge_methods_supported"] = ["S256", "plain"]
        },
        .document("discovery.code-challenge-methods-supported.are-registered", "an unknown PKCE method is listed") {
            $0["code_challenge_methods_supported"] = ["S256", "S512"]
        },
        .document("discovery.scopes-supported.include-openid", "the scope openid is not listed") { document in
            let others = (document["scopes_supported"]?.arrayValue ?? []).filter { $0 != "openid" }
            document["scopes_supported"] = .array(others)
        },
        .document("discovery.scopes-supported.are-scope-tokens", "one element of scopes_supported contains two scopes")
        {
            $0.append("read write", to: "scopes_supported")
        },
        .document("discovery.locales.are-language-tags", "a language tag has an underscore") {
            $0["ui_locales_supported"] = ["en_US"]
        },
        .document(
            "discovery.requests.need-no-extension",
            "pushed authorization requests are required",
            also: ["authorization.pushed-request.requirement-is-honoured"]
        ) {
            $0["require_pushed_authorization_requests"] = true
        },
        .document(
            "discovery.endpoint-auth-methods.have-an-endpoint",
            "authentication methods are listed for an endpoint that is missing"
        ) {
            $0["revocation_endpoint_auth_methods_supported"] = ["client_secret_basic"]
            $0["revocation_endpoint"] = nil
        },
    ]

    /// Faults of values that the configured registration needs.
    static let discoveryTarget: [Fault] = [
        Fault(
            "discovery.target.response-types-are-offered",
            "a response type that is enabled at the platform is not listed",
            persona: .assertionClient,
            configure: { $0.registration.responseTypes = ["code token"] },
            change: {
                $0.discovery = { document, _ in document.remove("code token", from: "response_types_supported") }
            }
        ),
        Fault(
            "discovery.target.scopes-are-offered",
            "a configured scope is not listed",
            also: ["token.scope.holds-what-was-asked"],
            configure: { $0.scopes.append("calendars.read") }
        ),
        unlisted(
            "discovery.target.client-authentication-is-offered",
            "the authentication method of an untested client is not listed",
            .clientSecretPost
        ),
        unlisted(
            "discovery.target.assertion-algorithm-is-offered",
            "the algorithm of an untested client's assertions is not listed",
            .privateKeyJWT,
            algorithm: "EdDSA"
        ),
        unlisted(
            "discovery.target.public-clients-are-listed",
            "none is not listed although a public client is configured",
            .none
        ),
        .document("discovery.target.what-works-is-listed", "only tls_client_auth is listed although other methods work")
        {
            $0["token_endpoint_auth_methods_supported"] = ["tls_client_auth"]
        },
        .document(
            "discovery.target.what-works-is-listed",
            variant: "response-types",
            "only one response type is listed although others work"
        ) {
            $0["response_types_supported"] = ["code id_token token"]
        },
        Fault(
            "discovery.target.claims-are-offered",
            "email is not in claims_supported, and the run signs in no user",
            configure: { target in
                target.flows = []
                if !target.scopes.contains("email") { target.scopes.append("email") }
            },
            change: { hooks in
                hooks.discovery = { document, _ in
                    let listed = document["claims_supported"]?.strings ?? []
                    document["claims_supported"] = .array(listed.filter { $0 != "email" }.map { .string($0) })
                }
            }
        ),
    ]
    /// Adds a client for an untested response type whose authentication method is not listed.
    ///
    /// - Parameter algorithm: That of the client's assertions, which is not listed instead of the method.
    private static func unlisted(
        _ trips: CheckID,
        _ title: String,
        _ method: ClientAuthentication,
        algorithm: String? = nil
    ) -> Fault {
        Fault(
            trips,
            title,
            persona: .assertionClient,
            configure: { target in
                var client = Client(id: "untried", authentication: method, hasSecret: method != .none)
                client.tokenEndpointAuthSigningAlg = algorithm
                target.clients.append(ResponseTypeClient(responseType: "code token", client: client))
                target.registration.responseTypes = ["code token"]
            },
            change: { hooks in
                hooks.discovery = { document, _ in
                    document.remove(method.rawValue, from: "token_endpoint_auth_methods_supported")
                    if algorithm != nil {
                        document.append(.string(method.rawValue), to: "token_endpoint_auth_methods_supported")
                        document["token_endpoint_auth_signing_alg_values_supported"] = ["RS256"]
                    }
                    document.remove("code token", from: "response_types_supported")
                    document.append("code token", to: "response_types_supported")
                }
            }
        )
    }
}

extension JSONObject {
    /// Removes every occurrence of a value from a list.
    fileprivate mutating func remove(_ value: String, from member: String) {
        self[member] = .array((self[member]?.arrayValue ?? []).filter { $0 != .string(value) })
    }
}
