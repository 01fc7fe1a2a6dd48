/// Names of flows, methods and types from IANA registries and specifications.
///
/// The names of algorithms are in `JOSERegistry`.
enum RegisteredNames {
    static let authenticationMethods: Set<String> = [
        "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "tls_client_auth",
        "self_signed_tls_client_auth",
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
