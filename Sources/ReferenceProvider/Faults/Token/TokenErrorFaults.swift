import Conformance
import JSONTree

/// Faults of client authentication and of error responses at the token endpoint.
extension Fault {
    static let tokenErrors: [Fault] = authentication + errors

    private static let authentication: [Fault] = [
        .provider(
            "token.client-authentication.is-accepted",
            "an unknown code returns invalid_client",
            also: ["token.refresh.made-up-has-invalid-grant"]
        ) { hooks in
            hooks.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_client" : error }
        },
        .provider(
            "token.client-authentication.other-methods-are-accepted",
            "client_secret_post is advertised but rejected"
        ) { hooks in
            hooks.acceptsSecret = { $0 == $1 && $2 != .clientSecretPost }
        },
        .provider(
            "token.client-authentication.other-methods-are-accepted",
            variant: "code-first",
            "codes are looked up before the client, and client_secret_post is advertised but rejected"
        ) { hooks in
            hooks.acceptsSecret = { $0 == $1 && $2 != .clientSecretPost }
            hooks.looksUpCodesFirst()
        },
        Fault(
            "token.wrong-secret.is-refused",
            "a wrong client secret is accepted, and the run has no code to redeem",
            configure: { $0.flows = ["id_token"] },
            change: { $0.acceptsSecret = { _, _, _ in true } }
        ),
        .provider("token.wrong-secret.has-invalid-client", "a wrong secret returns unauthorized_client") { hooks in
            hooks.tokenError = { _, error in error?.code == "invalid_client" ? "unauthorized_client" : error }
        },
        .provider(
            "token.wrong-secret.has-invalid-client",
            variant: "401",
            "a wrong secret returns unauthorized_client with status 401"
        ) { hooks in
            hooks.tokenError = { _, error in
                guard error?.code == "invalid_client" else { return error }
                var error: OAuthError = "unauthorized_client"
                error.status = 401
                return error
            }
        },
        .provider(
            "token.wrong-secret.has-basic-challenge",
            variant: "code-first",
            "codes are looked up before the client, and a wrong secret returns a Bearer challenge"
        ) { hooks in
            hooks.looksUpCodesFirst()
            hooks.onAnswer(.token, 401...401) { $0.setHeader("WWW-Authenticate", "Bearer error=\"invalid_client\"") }
        },
        .provider("token.unknown-client.has-401-and-challenge", "an unknown client returns status 400") { hooks in
            hooks.challengesUnknownClients = false
        },
        .provider("token.wrong-secret.has-401-after-basic", "a wrong secret returns status 400") { hooks in
            hooks.tokenError = { _, error in
                guard var error, error.code == "invalid_client" else { return error }
                error.status = 400
                return error
            }
        },
        .provider("token.wrong-secret.has-basic-challenge", "a wrong secret returns a Bearer challenge") { hooks in
            hooks.onAnswer(.token, 401...401) { $0.setHeader("WWW-Authenticate", "Bearer error=\"invalid_client\"") }
        },
    ]

    private static let errors: [Fault] = [
        .provider("token.made-up-code.is-refused", "a bogus code is accepted") { hooks in
            hooks.tokenError = { _, error in error?.code == "invalid_grant" ? nil : error }
        },
        .provider(
            "token.made-up-code.is-refused",
            variant: "without-verifier",
            "a bogus code is accepted, unless code_verifier is sent"
        ) { hooks in
            hooks.tokenError = { parameters, error in
                guard parameters["grant_type"] == "authorization_code", error?.code == "invalid_grant" else {
                    return error
                }
                return parameters["code_verifier"] == nil
                    ? nil : OAuthError("invalid_request", "code_challenge required")
            }
        },
        .provider("token.made-up-code.has-invalid-grant", "an unknown code returns invalid_request") { hooks in
            hooks.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_request" : error }
        },
        .provider("token.error.status-is-400-or-401", "token errors have status 403") { hooks in
            hooks.onAnswer(.token, 400...400) { $0.status = 403 }
        },
        .provider("token.error.status-is-400-or-401", variant: "401", "all token errors have status 401") { hooks in
            hooks.onAnswer(.token, 400...400) { answer in
                answer.status = 401
                answer.setHeader("WWW-Authenticate", "Basic")
            }
        },
        .provider("token.error.status-is-400-or-401", variant: "200", "token errors have status 200") { hooks in
            hooks.onAnswer(.token, 400...400) { $0.status = 200 }
        },
        .provider("token.error.status-is-400-or-401", variant: "redirect", "token errors redirect to a page") { hooks in
            hooks.onAnswer(.token, 400...400) { answer in
                answer.status = 302
                answer.setHeader("Location", "https://127.0.0.1:9/error")
                answer.setHeader("Content-Type", "text/html")
                answer.text = "<p>Something went wrong.</p>"
            }
        },
        .provider("token.error.content-type-is-json", "token errors are text/html") { hooks in
            hooks.onAnswer(.token, 400...499) { $0.setHeader("Content-Type", "text/html") }
        },
        .provider("token.error.has-error-member", "token errors have no error member") { hooks in
            hooks.tokenErrorResponse = { $0["error"] = nil }
        },
        .provider("token.error.has-legal-characters", "error_description contains a line break") { hooks in
            hooks.tokenErrorResponse = { $0["error_description"] = "first line\nsecond line" }
        },
        .provider("token.error.has-no-store", "token errors have no Cache-Control: no-store") { hooks in
            hooks.onAnswer(.token, 400...499) { $0.setHeader("Cache-Control", nil) }
        },
    ]
}

extension Hooks {
    /// Rejects an unknown code with `invalid_grant` before client authentication.
    package mutating func looksUpCodesFirst() {
        tokenError = { parameters, error in
            let isOfCode = parameters["grant_type"] == "authorization_code" && error?.code == "invalid_client"
            // Bogus codes are hexadecimal here, and 32 characters long.
            let isBogus = parameters["code"].map { $0.count == 32 && $0.allSatisfy(\.isHexDigit) } ?? false
            return isOfCode && isBogus ? "invalid_grant" : error
        }
    }
}
