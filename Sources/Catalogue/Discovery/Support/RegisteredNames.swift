/// Names from the IANA registries, as of November 2026, and from the specifications that define closed lists.
enum RegisteredNames {
    static let signatureAlgorithms: Set<String> = [
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512",
        "none", "EdDSA", "ES256K", "Ed25519", "Ed448", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87",
    ]

    static let keyManagementAlgorithms: Set<String> = [
        "RSA1_5", "RSA-OAEP", "RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512", "A128KW", "A192KW", "A256KW", "dir",
        "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW", "A128GCMKW", "A192GCMKW", "A256GCMKW",
        "PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW",
    ]

    static let contentEncryptionAlgorithms: Set<String> = [
        "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM",
    ]

    static let authenticationMethods: Set<String> = [
        "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt",
        "tls_client_auth", "self_signed_tls_client_auth",
    ]

    static let grantTypes: Set<String> = [
        "authorization_code", "implicit", "password", "client_credentials", "refresh_token",
        "urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:saml2-bearer",
        "urn:ietf:params:oauth:grant-type:token-exchange", "urn:ietf:params:oauth:grant-type:device_code",
        "urn:openid:params:grant-type:ciba",
    ]

    static let responseTypes: Set<String> = ["code", "id_token", "token", "none"]

    static let responseModes: Set<String> = [
        "query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt",
    ]

    static let subjectTypes: Set<String> = ["public", "pairwise"]
    static let claimTypes: Set<String> = ["normal", "aggregated", "distributed"]
    static let displayValues: Set<String> = ["page", "popup", "touch", "wap"]
    static let challengeMethods: Set<String> = ["S256", "plain"]
}
