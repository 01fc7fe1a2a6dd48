import Conformance
import JSONTree
import ReferenceProvider
import Testing

/// A configuration key that a provider requires of its clients and that the configuration lacks, or has with another value.
struct ForgottenKey: Sendable, CustomTestStringConvertible {
    /// The endpoint that rejects the request.
    enum Place: Sendable {
        case authorization
        case pushedRequests
        case token

        var endpoint: Endpoint {
            switch self {
            case .authorization: .authorization
            case .pushedRequests: .pushedRequests
            case .token: .token
            }
        }

        /// A redirect with an error is an answer of the authorization endpoint alone.
        var forms: [Rejection] { Rejection.allCases.filter { self == .authorization || $0 != .error } }
    }

    /// The key, as the advice must contain it.
    var key: String
    /// A part of the provider's message that the first line must contain.
    var named: String
    /// The provider's message.
    var words: String
    var place = Place.authorization
    var persona = Persona.codeOnly
    var error = "invalid_request"
    /// Makes the mistake.
    var forget: @Sendable (inout Target) -> Void = { _ in }
    /// Whether a request with these parameters meets the requirement; no token request does.
    var isMet: @Sendable (_ parameter: (String) -> String?) -> Bool = { _ in false }
    var prepare: @Sendable (inout Hooks) -> Void = { _ in }

    var testDescription: String { "\(key), “\(words)”, \(place)" }

    /// A parameter of the authorization request.
    static func parameter(
        _ key: String,
        _ name: String,
        _ words: String,
        _ isMet: @escaping @Sendable (String?) -> Bool = { $0 != nil }
    ) -> Self {
        Self(key: key, named: name, words: words, isMet: { isMet($0(name)) })
    }

    /// Makes the provider reject requests in a form.
    func reject(as form: Rejection, _ hooks: inout Hooks) {
        prepare(&hooks)
        let (isMet, error) = (isMet, OAuthError(error, words))
        switch place {
        case .authorization:
            hooks.authorizationError = { request, own in own ?? (isMet { request[$0] } ? nil : error) }
        case .pushedRequests:
            hooks.requests.pushError = { request, own in own ?? (isMet { request[$0] } ? nil : error) }
        case .token: hooks.tokenError = { _, _ in error }
        }
        hooks.write(words, as: form, at: place.endpoint)
    }
}

extension ForgottenKey {
    static let all = ofAuthorization + ofPushedRequests + ofToken

    private static let ofAuthorization: [Self] = [
        .parameter("custom_parameters: { acr_values: ", "acr_values", "Please fill in this field: Acr values"),
        .parameter("custom_parameters: { vtr: ", "vtr", "Request is missing vtr"),
        .parameter("custom_parameters: { prompt: ", "prompt", "The parameter prompt is required") {
            $0?.contains("consent") == true
        },
        .parameter("custom_parameters: { response_mode: ", "response_mode", "response_mode must be form_post") {
            $0 == "form_post"
        },
        .parameter("custom_parameters: { audience: ", "audience", "Missing required parameter: audience"),
        .parameter("custom_parameters: { tenant: ", "tenant", "Missing required parameter: tenant"),
        .parameter("custom_parameters: { service_code: ", "service_code", "The parameter 'service_code' is required"),
        .parameter("resource: ", "resource", "Missing required parameter: resource"),
        .parameter("Compare scopes with", "scope", "service code is missing in scope") {
            $0?.split(separator: " ").contains("service:ACME") == true
        },
        Self(
            key: "pkce",
            named: "code_challenge",
            words: "PKCE is required",
            forget: { $0.client?.sendsPKCE = false },
            isMet: { $0("code_challenge") != nil }
        ),
        Self(
            key: "redirect_uri",
            named: "redirect_uri",
            words: "The redirect_uri is not registered for this client",
            forget: { $0.redirectURI = "https://other.example.com/cb" },
            isMet: { $0("redirect_uri") == RegisteredClient.redirectURI },
            prepare: { $0.acceptsRedirectURI = { _, _ in true } }
        ),
        Self(
            key: "client.require_pushed_authorization_requests: true",
            named: "pushed requests",
            words: "the request was not pushed",
            persona: .fapi,
            isMet: { _ in true },
            prepare: { hooks in
                hooks.discovery = { document, _ in document["require_pushed_authorization_requests"] = nil }
            }
        ),
        Self(
            key: "client.request_object_signing_alg: ",
            named: "request objects",
            words: "a signed request object is required",
            persona: .spid,
            forget: { $0.client?.requestObjectSigningAlg = nil },
            isMet: { _ in true }
        ),
    ]

    private static let ofPushedRequests: [Self] = [
        .parameter("custom_parameters: { vtr: ", "vtr", "Missing required parameter: vtr"),
        .parameter("custom_parameters: { acr_values: ", "acr_values", "acr_values is required"),
        .parameter("resource: ", "resource", "The resource parameter is missing"),
        Self(key: "client.dpop_bound_access_tokens: true", named: "DPoP", words: "DPoP proof is required"),
        Self(
            key: "client.token_endpoint_auth_signing_alg",
            named: "alg",
            words: "alg ES256 is not PS256",
            error: "invalid_client"
        ),
        Self(
            key: "client.private_key",
            named: "kid",
            words: "kid is required in the header of the assertion",
            error: "invalid_client"
        ),
        Self(
            key: "client.assertion_audience: issuer",
            named: "aud",
            words: "the assertion's aud is another server",
            forget: { $0.client?.assertionAudience = nil },
            isMet: { _ in true }
        ),
    ]
    .map { key in
        var key = key
        key.place = .pushedRequests
        key.persona = .fapi
        return key
    }

    private static let ofToken: [Self] = [
        Self(
            key: "client.authentication: client_secret_post",
            named: "client authentication",
            words: "Use client_secret_post instead of client_secret_basic"
        ),
        Self(key: "client's secret", named: "secret", words: "invalid client secret", error: "invalid_client"),
        Self(key: "client.dpop_bound_access_tokens: true", named: "DPoP", words: "DPoP proof is required"),
        Self(
            key: "token_parameters: { id_token_key_type: ",
            named: "id_token_key_type",
            words: "Missing parameter id_token_key_type"
        ),
        Self(key: "resource: ", named: "resource", words: "The parameter resource is required"),
        Self(
            key: "client.assertion_audience: issuer",
            named: "aud",
            words: "The aud of the client assertion must be the issuer",
            persona: .assertionClient,
            error: "invalid_client"
        ),
        Self(
            key: "client.token_endpoint_auth_signing_alg",
            named: "alg",
            words: "alg RS256 is not one of ES256, PS256",
            persona: .assertionClient,
            error: "invalid_client"
        ),
        Self(
            key: "client.private_key",
            named: "kid",
            words: "kid is required in the header of the assertion",
            persona: .assertionClient,
            error: "invalid_client"
        ),
    ]
    .map { key in
        var key = key
        key.place = .token
        return key
    }
}
