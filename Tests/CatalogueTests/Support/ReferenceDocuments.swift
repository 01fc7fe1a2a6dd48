import FoundationEssentials
import JOSE
import JSONTree

extension DocumentProvider {
    /// A discovery document without faults, with every member that a check reads.
    static let reference: JSONObject = [
        "issuer": .string(issuer),
        "authorization_endpoint": .string(issuer + "/authorize"),
        "token_endpoint": .string(issuer + "/token"),
        "userinfo_endpoint": .string(issuer + "/userinfo"),
        "jwks_uri": .string(issuer + "/keys"),
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "response_types_supported": [
            "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
        ],
        "response_modes_supported": ["query", "fragment"],
        "grant_types_supported": ["authorization_code", "implicit", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "code_challenge_methods_supported": ["S256"],
        "claim_types_supported": ["normal"],
        "claims_supported": ["iss", "sub", "aud", "exp", "iat", "nonce", "name", "email", "email_verified"],
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "ui_locales_supported": ["en", "pt-BR"],
        "authorization_response_iss_parameter_supported": true,
    ]

    /// The members that Discovery section 3 requires of a provider with the code flow, and no others.
    static let minimal: JSONObject = [
        "issuer": .string(issuer),
        "authorization_endpoint": .string(issuer + "/authorize"),
        "token_endpoint": .string(issuer + "/token"),
        "jwks_uri": .string(issuer + "/keys"),
        "response_types_supported": ["code", "id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    ]

    static let rsaKey = key(.rsa(bits: 2_048), "RS256")
    static let ecKey = key(.ec(.p256), "ES256")

    static func machineTime() -> Double { Date().timeIntervalSince1970 }

    private static func key(_ kind: PrivateKey.Kind, _ alg: String) -> JSON {
        guard let key = try? PrivateKey.generate(kind) else { return .null }
        return .object(key.publicKey.jwk(kid: key.publicKey.thumbprint, alg: alg, use: "sig").object)
    }
}

extension JSONObject {
    mutating func append(_ value: JSON, to member: String) {
        self[member] = .array((self[member]?.arrayValue ?? []) + [value])
    }
}
