import Conformance
import JSONTree

/// Faults in the proof of who redeems a code.
extension Fault {
    static let clientProofs: [Fault] = [
        .provider("token.code.needs-the-right-secret", "the client secret is not looked at") { seams in
            seams.tokenError = { parameters, error in
                parameters.method == .clientSecretBasic && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider(
            "token.code.needs-the-right-secret",
            variant: "in-the-body",
            "the client secret is not looked at in the body"
        ) { seams in
            seams.acceptsSecret = { $0 == $1 || $2 == .clientSecretPost }
        },
        .provider("token.code.needs-client-authentication", "the client secret may be left out") { seams in
            seams.tokenError = { parameters, error in
                parameters.method == ClientAuthentication.none && error?.code == "invalid_client" ? nil : error
            }
        },
        Fault(
            "token.code.needs-a-client-id",
            "a public client need not say who it is",
            persona: .publicClient,
            change: { seams in
                seams.tokenError = { parameters, error in
                    parameters.method == nil && error?.code == "invalid_client" ? nil : error
                }
            }
        ),
        .provider("token.client-authentication.is-by-one-method", "the secret may come twice") { seams in
            seams.letCodePass { _, text in text == "the client authenticates in two ways" }
        },
        Fault(
            "token.basic.form-encoding-is-undone",
            "Basic credentials are taken as they are",
            persona: .codeOnly,
            change: { seams in seams.decodesBasicHalf = { $0 } }
        ),
        .document(
            "token.client-authentication.accepted-methods-are-listed",
            "client_secret_post works and is not listed"
        ) { document in
            document["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "none"]
        },
    ]
}
