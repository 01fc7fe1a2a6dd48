import Conformance
import JSONTree

/// Faults in the authentication of the client that redeems a code.
extension Fault {
    static let clientProofs: [Fault] = [
        .provider("token.code.needs-the-right-secret", "a wrong client secret is accepted") { hooks in
            hooks.tokenError = { parameters, error in
                parameters.method == .clientSecretBasic && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider(
            "token.code.needs-the-right-secret",
            variant: "in-the-body",
            "a wrong client secret in the body is accepted"
        ) { hooks in
            hooks.acceptsSecret = { $0 == $1 || $2 == .clientSecretPost }
        },
        .provider(
            "token.code.needs-client-authentication",
            "a confidential client can redeem a code without its secret"
        ) { hooks in
            hooks.tokenError = { parameters, error in
                parameters.method == ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
        Fault(
            "token.code.needs-a-client-id",
            "a public client can redeem a code without client_id",
            persona: .publicClient,
            change: { hooks in
                hooks.tokenError = { parameters, error in
                    parameters.method == nil && error?.code == "invalid_client" ? nil : error
                }
            }
        ),
        .provider(
            "token.client-authentication.is-by-one-method",
            "two client authentication methods in one request are accepted"
        ) { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .twoAuthentications }
        },
        Fault(
            "token.basic.form-encoding-is-undone",
            "Basic credentials are not form-decoded",
            persona: .codeOnly,
            change: { hooks in hooks.decodesBasicHalf = { $0 } }
        ),
        .document(
            "token.client-authentication.accepted-methods-are-listed",
            "client_secret_post works but is not listed"
        ) { document in
            document["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "none"]
        },
    ]
}
