import Conformance
import JSONTree

extension Fault {
    /// Faults of the algorithms that the discovery document advertises.
    static let discoveryAlgorithms: [Fault] = [
        .document(
            "discovery.id-token-signing-alg-values-supported.include-rs256",
            "RS256 is not listed for ID Tokens",
            persona: .manyKeys
        ) {
            $0["id_token_signing_alg_values_supported"] = ["ES256"]
        },
        .document("discovery.id-token-signing-alg-values-supported.exclude-none", "none is listed for ID Tokens") {
            $0.append("none", to: "id_token_signing_alg_values_supported")
        },
        .document("discovery.auth-signing-alg-values-supported.exclude-none", "none is listed for client assertions") {
            $0["token_endpoint_auth_signing_alg_values_supported"] = ["RS256", "none"]
        },
        .document("discovery.dpop-signing-alg-values-supported.are-asymmetric", "HS256 is listed for DPoP proofs") {
            $0["dpop_signing_alg_values_supported"] = ["ES256", "HS256"]
        },
        .document(
            "discovery.auth-signing-alg-values-supported.is-present",
            "private_key_jwt is listed without signing algorithms"
        ) {
            $0.append("private_key_jwt", to: "token_endpoint_auth_methods_supported")
        },
        .document(
            "discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256",
            "only ES256 is listed for client assertions"
        ) {
            $0.append("private_key_jwt", to: "token_endpoint_auth_methods_supported")
            $0["token_endpoint_auth_signing_alg_values_supported"] = ["ES256"]
        },
        .document(
            "discovery.request-object-signing-alg-values-supported.include-rs256",
            "only ES256 is listed for request objects"
        ) {
            $0["request_object_signing_alg_values_supported"] = ["ES256"]
        },
        .document("discovery.signature-algorithms.are-registered", "a signing algorithm is written in lower case") {
            $0["userinfo_signing_alg_values_supported"] = ["rs256"]
        },
        .document("discovery.encryption-algorithms.are-registered", "a key encryption algorithm is misspelt") {
            $0["id_token_encryption_alg_values_supported"] = ["RSA-OAEP-2048"]
        },
        .document(
            "discovery.content-encryption-algorithms.are-registered",
            "a content encryption algorithm is misspelt"
        ) {
            $0["id_token_encryption_enc_values_supported"] = ["A256CBC+HS512"]
        },
        .document("discovery.encryption-algorithms.exclude-rsa1-5", "RSA1_5 is listed") {
            $0["id_token_encryption_alg_values_supported"] = ["RSA-OAEP", "RSA1_5"]
        },
    ]
}
