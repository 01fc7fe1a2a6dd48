import Conformance
import JOSE
import JSONTree

/// The discovery document (OpenID Connect Discovery section 3).
extension Provider {
    func discoveryDocument() -> JSONObject {
        var document: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(address(.authorization)),
        ]
        if offer.hasTokenEndpoint { document["token_endpoint"] = .string(address(.token)) }
        if offer.hasUserInfo { document["userinfo_endpoint"] = .string(address(.userInfo)) }
        if offer.hasEndSession {
            document["end_session_endpoint"] = .string(address(.endSession))
            document["backchannel_logout_supported"] = true
            document["backchannel_logout_session_supported"] = true
        }
        document["jwks_uri"] = .string(address(.keys))
        if offer.statesOptionalMembers { document["scopes_supported"] = list(offer.scopes) }
        document["response_types_supported"] = list(offer.responseTypes.map(\.text))
        if offer.statesOptionalMembers {
            document["response_modes_supported"] = list(offer.responseModes)
            document["grant_types_supported"] = list(offer.grantTypes)
        }
        if offer.registration != .none { document["registration_endpoint"] = .string(address(.registration)) }
        document["subject_types_supported"] = list(offer.subjectTypes)
        document["id_token_signing_alg_values_supported"] = list(
            (offer.signingAlgorithms + offer.symmetricAlgorithms).map(\.rawValue)
        )
        if offer.statesOptionalMembers { document = document.merging(optionalMembers) }
        // The default is true, which would be wrong for a provider that fetches nothing.
        document["request_uri_parameter_supported"] = .bool(offer.fetchesRequestObjects)
        if offer.fetchesRequestObjects { document["require_request_uri_registration"] = true }
        if offer.fetchesClientDocuments { document["client_id_metadata_document_supported"] = true }
        if let stated = offer.statedMembers {
            document = JSONObject(document.members.filter { stated.contains($0.name) })
        }
        hooks.discovery(&document, issuer)
        return document
    }

    private var optionalMembers: JSONObject {
        var members = JSONObject()
        if offer.hasTokenEndpoint {
            let takesAssertions = !offer.assertionAlgorithms.isEmpty
            members["token_endpoint_auth_methods_supported"] = list(
                offer.authenticationMethods.map(\.rawValue) + (takesAssertions ? ["private_key_jwt"] : [])
            )
            if takesAssertions {
                let algorithms = offer.assertionAlgorithms.map(\.rawValue)
                members["token_endpoint_auth_signing_alg_values_supported"] = list(algorithms)
            } else if offer.authenticationMethods.contains(where: \.usesAssertion) {
                let isSymmetric = offer.authenticationMethods.contains(.clientSecretJWT)
                members["token_endpoint_auth_signing_alg_values_supported"] =
                    isSymmetric ? ["RS256", "ES256", "HS256"] : ["PS256", "ES256"]
            }
            members["code_challenge_methods_supported"] = ["S256"]
        }
        members = members.merging(tokenLifeMembers)
        if !offer.contextClasses.isEmpty { members["acr_values_supported"] = list(offer.contextClasses) }
        if !offer.userInfoAlgorithms.isEmpty {
            members["userinfo_signing_alg_values_supported"] = list(offer.userInfoAlgorithms.map(\.rawValue))
        }
        for what in ["id_token", "userinfo"] where !offer.keyManagement.isEmpty {
            members["\(what)_encryption_alg_values_supported"] = list(offer.keyManagement.map(\.rawValue))
            members["\(what)_encryption_enc_values_supported"] = list(offer.contentEncryption.map(\.rawValue))
        }
        members["claim_types_supported"] = ["normal"]
        members["claims_supported"] = list(
            ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce"] + Account.allClaimNames
        )
        members = members.merging(requestMembers)
        members["ui_locales_supported"] = ["en"]
        members["authorization_response_iss_parameter_supported"] = .bool(offer.sendsIssuer)
        return members
    }

    /// Request objects and pushed requests (Discovery section 3, RFC 9126 section 5).
    private var requestMembers: JSONObject {
        var members: JSONObject = [
            "claims_parameter_supported": .bool(offer.hasClaimsParameter),
            "request_parameter_supported": .bool(offer.hasRequestObjects),
        ]
        if offer.requiresSignedRequests {
            members["require_signed_request_object"] = true
            members["request_object_signing_alg_values_supported"] = ["RS256", "ES256", "PS256"]
        } else if offer.hasRequestObjects || offer.fetchesRequestObjects {
            members["request_object_signing_alg_values_supported"] = ["none", "RS256", "HS256"]
        }
        if offer.requiresProofs { members["dpop_signing_alg_values_supported"] = ["ES256", "RS256"] }
        if offer.hasPushedRequests {
            members["pushed_authorization_request_endpoint"] = .string(address(.pushedRequests))
            members["require_pushed_authorization_requests"] = .bool(offer.requiresPushedRequests)
        }
        return members
    }

    /// RFC 8414 section 2; the methods are stated because their default is only HTTP Basic.
    private var tokenLifeMembers: JSONObject {
        var members = JSONObject()
        if offer.hasRevocation {
            members["revocation_endpoint"] = .string(address(.revocation))
            members["revocation_endpoint_auth_methods_supported"] = list(offer.authenticationMethods.map(\.rawValue))
        }
        if offer.hasIntrospection {
            let methods = offer.authenticationMethods.filter { $0 != .none }
            members["introspection_endpoint"] = .string(address(.introspection))
            members["introspection_endpoint_auth_methods_supported"] = list(methods.map(\.rawValue))
        }
        return members
    }

    private func list(_ strings: [String]) -> JSON { .array(strings.map(JSON.string)) }
}
