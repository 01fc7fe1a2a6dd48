import Conformance

/// The metadata members that specifications define, by JSON type.
enum MetadataMembers {
    /// Required of every provider (OpenID Connect Discovery section 3), except `token_endpoint`.
    static let required = [
        "issuer", "authorization_endpoint", "jwks_uri", "response_types_supported", "subject_types_supported",
        "id_token_signing_alg_values_supported",
    ]

    /// URLs that clients send requests to.
    static let endpoints = EndpointMembers.all

    /// The endpoints that the code and implicit flows do not use, and whose scheme no other check covers.
    static let otherEndpoints = ["device_authorization_endpoint", "backchannel_authentication_endpoint"]

    /// Pages for users.
    static let pages = ["service_documentation", "op_policy_uri", "op_tos_uri"]

    static let urls = endpoints + pages

    static let signatureAlgorithms = [
        "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported",
        "request_object_signing_alg_values_supported", "token_endpoint_auth_signing_alg_values_supported",
        "revocation_endpoint_auth_signing_alg_values_supported",
        "introspection_endpoint_auth_signing_alg_values_supported", "authorization_signing_alg_values_supported",
        "dpop_signing_alg_values_supported",
    ]

    static let keyManagementAlgorithms = [
        "id_token_encryption_alg_values_supported", "userinfo_encryption_alg_values_supported",
        "request_object_encryption_alg_values_supported", "authorization_encryption_alg_values_supported",
    ]

    static let contentEncryptionAlgorithms = [
        "id_token_encryption_enc_values_supported", "userinfo_encryption_enc_values_supported",
        "request_object_encryption_enc_values_supported", "authorization_encryption_enc_values_supported",
    ]

    static let authenticationMethods = [
        "token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported",
        "introspection_endpoint_auth_methods_supported",
    ]

    static let locales = ["claims_locales_supported", "ui_locales_supported"]

    static let lists =
        [
            "scopes_supported", "response_types_supported", "response_modes_supported", "grant_types_supported",
            "acr_values_supported", "subject_types_supported", "display_values_supported", "claim_types_supported",
            "claims_supported", "code_challenge_methods_supported", "prompt_values_supported",
            "backchannel_token_delivery_modes_supported",
        ] + signatureAlgorithms + keyManagementAlgorithms + contentEncryptionAlgorithms + authenticationMethods
        + locales

    /// From specifications that few clients support: RFC 9396 section 10, RFC 9701 section 7, RFC 9728 section 4, OpenID
    /// Federation, CIBA, Grant Management and Identity Assurance.
    static let newerLists = [
        "authorization_details_types_supported", "introspection_signing_alg_values_supported",
        "introspection_encryption_alg_values_supported", "introspection_encryption_enc_values_supported",
        "protected_resources", "client_registration_types_supported",
        "backchannel_authentication_request_signing_alg_values_supported", "grant_management_actions_supported",
        "trust_frameworks_supported", "evidence_supported", "claims_in_verified_claims_supported",
    ]
    static let newerBooleans = [
        "client_id_metadata_document_supported", "grant_management_action_required", "verified_claims_supported",
    ]
    static let newerURLs = [
        "federation_registration_endpoint", "signed_jwks_uri", "global_token_revocation_endpoint", "challenge_endpoint",
        "grant_management_endpoint",
    ]
    static let newerTexts = ["signed_metadata", "organization_name"] + newerURLs

    static let booleans = [
        "claims_parameter_supported", "request_parameter_supported", "request_uri_parameter_supported",
        "require_request_uri_registration", "backchannel_logout_supported", "backchannel_logout_session_supported",
        "frontchannel_logout_supported", "frontchannel_logout_session_supported",
        "require_pushed_authorization_requests", "require_signed_request_object",
        "tls_client_certificate_bound_access_tokens", "backchannel_user_code_parameter_supported",
    ]
}
