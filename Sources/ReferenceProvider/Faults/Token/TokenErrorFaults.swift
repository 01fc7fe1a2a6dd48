import Conformance
import JSONTree

/// Faults of client authentication and of error responses at the token endpoint.
extension Fault {
    static let tokenErrors: [Fault] = authentication + errors

    private static let authentication: [Fault] = [
        .provider(
            "token.client-authentication.is-accepted",
            "an unknown code is invalid_client",
            also: ["token.refresh.made-up-has-invalid-grant"]
        ) { seams in
            seams.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_client" : error }
        },
        .provider(
            "token.client-authentication.other-methods-are-accepted",
            "client_secret_post is advertised and refused"
        ) { seams in
            seams.acceptsSecret = { $0 == $1 && $2 != .clientSecretPost }
        },
        Fault(
            "token.wrong-secret.is-refused",
            "the client secret is not looked at, and no code is there to show what that leads to",
            configure: { $0.flows = ["id_token"] },
            change: { $0.acceptsSecret = { _, _, _ in true } }
        ),
        .provider("token.wrong-secret.has-invalid-client", "a wrong secret is unauthorized_client") { seams in
            seams.tokenError = { _, error in error?.code == "invalid_client" ? "unauthorized_client" : error }
        },
        .provider(
            "token.wrong-secret.has-invalid-client",
            variant: "401",
            "a wrong secret is unauthorized_client with HTTP status 401"
        ) { seams in
            seams.tokenError = { _, error in
                guard error?.code == "invalid_client" else { return error }
                var error: OAuthError = "unauthorized_client"
                error.status = 401
                return error
            }
        },
        .provider(
            "token.wrong-secret.has-basic-challenge",
            variant: "code-first",
            "codes are looked up before the client, and a wrong secret has a Bearer challenge"
        ) { seams in
            seams.looksUpCodesFirst()
            seams.onAnswer(.token, 401...401) { $0.setHeader("WWW-Authenticate", "Bearer error=\"invalid_client\"") }
        },
        .provider("token.unknown-client.has-401-and-challenge", "an unknown client has status 400") { seams in
            seams.challengesUnknownClients = false
        },
        .provider("token.wrong-secret.has-401-after-basic", "a wrong secret has status 400") { seams in
            seams.tokenError = { _, error in
                guard var error, error.code == "invalid_client" else { return error }
                error.status = 400
                return error
            }
        },
        .provider("token.wrong-secret.has-basic-challenge", "a wrong secret has a Bearer challenge") { seams in
            seams.onAnswer(.token, 401...401) { $0.setHeader("WWW-Authenticate", "Bearer error=\"invalid_client\"") }
        },
    ]

    private static let errors: [Fault] = [
        .provider("token.made-up-code.is-refused", "any code is taken") { seams in
            seams.tokenError = { _, error in error?.code == "invalid_grant" ? nil : error }
        },
        .provider(
            "token.made-up-code.is-refused",
            variant: "without-verifier",
            "any code is taken, and a verifier that comes with it refused"
        ) { seams in
            seams.tokenError = { parameters, error in
                guard parameters["grant_type"] == "authorization_code", error?.code == "invalid_grant" else {
                    return error
                }
                return parameters["code_verifier"] == nil
                    ? nil : OAuthError("invalid_request", "code_challenge required")
            }
        },
        .provider("token.made-up-code.has-invalid-grant", "an unknown code is invalid_request") { seams in
            seams.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_request" : error }
        },
        .provider("token.error.status-is-400-or-401", "errors have status 403") { seams in
            seams.onAnswer(.token, 400...400) { $0.status = 403 }
        },
        .provider("token.error.status-is-400-or-401", variant: "401", "every error has status 401") { seams in
            seams.onAnswer(.token, 400...400) { answer in
                answer.status = 401
                answer.setHeader("WWW-Authenticate", "Basic")
            }
        },
        .provider("token.error.status-is-400-or-401", variant: "200", "errors have status 200") { seams in
            seams.onAnswer(.token, 400...400) { $0.status = 200 }
        },
        .provider("token.error.status-is-400-or-401", variant: "redirect", "errors lead to a page") { seams in
            seams.onAnswer(.token, 400...400) { answer in
                answer.status = 302
                answer.setHeader("Location", "https://127.0.0.1:9/error")
                answer.setHeader("Content-Type", "text/html")
                answer.text = "<p>Something went wrong.</p>"
            }
        },
        .provider("token.error.content-type-is-json", "errors come as text/html") { seams in
            seams.onAnswer(.token, 400...499) { $0.setHeader("Content-Type", "text/html") }
        },
        .provider("token.error.has-error-member", "errors have no code") { seams in
            seams.tokenErrorResponse = { $0["error"] = nil }
        },
        .provider("token.error.has-legal-characters", "error_description has a line break") { seams in
            seams.tokenErrorResponse = { $0["error_description"] = "first line\nsecond line" }
        },
        .provider("token.error.has-no-store", "errors may be stored") { seams in
            seams.onAnswer(.token, 400...499) { $0.setHeader("Cache-Control", nil) }
        },
    ]
}

extension Seams {
    /// Says of an unknown code that it is unknown, whoever asks.
    package mutating func looksUpCodesFirst() {
        tokenError = { parameters, error in
            let isOfCode = parameters["grant_type"] == "authorization_code" && error?.code == "invalid_client"
            // Made-up codes here are hexadecimal, and 32 characters long.
            let isMadeUp = parameters["code"].map { $0.count == 32 && $0.allSatisfy(\.isHexDigit) } ?? false
            return isOfCode && isMadeUp ? "invalid_grant" : error
        }
    }
}
