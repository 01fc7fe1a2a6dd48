import Conformance
import JSONTree

extension Fault {
    /// Faults of members that are required, or whose absence implies a default.
    static let requiredMembers: [Fault] = [
        .document("discovery.authorization-endpoint.is-present", "authorization_endpoint is missing") {
            $0["authorization_endpoint"] = nil
        },
        .document("discovery.token-endpoint.is-present", "token_endpoint is missing") { $0["token_endpoint"] = nil },
        .document("discovery.jwks-uri.is-present", "jwks_uri is missing") { $0["jwks_uri"] = nil },
        .document("discovery.response-types-supported.is-present", "response_types_supported is missing") {
            $0["response_types_supported"] = nil
        },
        .document("discovery.subject-types-supported.is-present", "subject_types_supported is missing") {
            $0["subject_types_supported"] = nil
        },
        .document(
            "discovery.id-token-signing-alg-values-supported.is-present",
            "id_token_signing_alg_values_supported is missing"
        ) {
            $0["id_token_signing_alg_values_supported"] = nil
        },
        .document(
            "discovery.userinfo-endpoint.is-present",
            "userinfo_endpoint is missing",
            also: ["platform.firebase.userinfo-endpoint.is-stated-for-code"]
        ) {
            $0["userinfo_endpoint"] = nil
        },
        .document("discovery.scopes-supported.is-present", "scopes_supported is missing") {
            $0["scopes_supported"] = nil
        },
        .document("discovery.claims-supported.is-present", "claims_supported is missing") {
            $0["claims_supported"] = nil
        },
        .document(
            "discovery.token-endpoint-auth-methods-supported.is-stated",
            "token_endpoint_auth_methods_supported is missing"
        ) {
            $0["token_endpoint_auth_methods_supported"] = nil
        },
        .document(
            "discovery.grant-types-supported.is-stated",
            "grant_types_supported is missing",
            // The default lacks refresh_token, although refresh tokens are issued.
            also: ["token.refresh.grant-is-listed"]
        ) {
            $0["grant_types_supported"] = nil
        },
        .document("discovery.response-modes-supported.is-stated", "response_modes_supported is missing") {
            $0["response_modes_supported"] = nil
        },
        .document("discovery.request-uri-parameter-supported.is-stated", "request_uri_parameter_supported is missing") {
            $0["request_uri_parameter_supported"] = nil
        },
    ]

    /// Faults of the JSON types of members.
    static let memberTypes: [Fault] = [
        .document("discovery.url-members.are-strings", "a URL member is a number") { $0["service_documentation"] = 1 },
        .document("discovery.list-members.are-lists-of-strings", "a list member is a string") {
            $0["acr_values_supported"] = "urn:example:acr"
        },
        .document("discovery.newer-members.have-right-types", "a boolean member of a newer specification is a string") {
            $0["client_id_metadata_document_supported"] = "true"
        },
        .document(
            "discovery.newer-members.have-right-types",
            variant: "list",
            "a list member of a newer specification is a string"
        ) {
            $0["authorization_details_types_supported"] = "payment"
        },
        .document("discovery.boolean-members.are-booleans", "a boolean member is a string") {
            $0["claims_parameter_supported"] = "false"
        },
        .document(
            "discovery.authorization-response-iss-parameter-supported.is-a-boolean",
            "authorization_response_iss_parameter_supported is a string"
        ) {
            $0["authorization_response_iss_parameter_supported"] = "true"
        },
        .document("discovery.members.are-not-null", "a member is null") { $0["op_policy_uri"] = JSON.null },
        .document("discovery.list-members.are-not-empty", "a list member is empty") { $0["acr_values_supported"] = [] },
        .document("discovery.list-members.have-no-repetition", "claims_supported lists a claim twice") {
            $0.append("sub", to: "claims_supported")
            $0.append("sub", to: "claims_supported")
        },
    ]
}
