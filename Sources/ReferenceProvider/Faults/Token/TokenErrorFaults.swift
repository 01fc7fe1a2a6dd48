import Conformance
import JSONTree

/// Faults of client authentication and of error responses at the token endpoint.
extension Fault {
    static let tokenErrors: [Fault] = authentication + errors

    private static let authentication: [Fault] = [
        .provider(
            "token.client-authentication.is-accepted",
            "an unknown code is invalid_client",
            also: [
                "token.refresh.made-up-has-invalid-grant", "token.client-authentication.other-methods-are-accepted",
            ]
        ) { seams in
            seams.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_client" : error }
        },
        .provider(
            "token.client-authentication.other-methods-are-accepted",
            "client_secret_post is advertised and refused"
        ) { seams in
            seams.acceptsSecret = { $0 == $1 && $2 != .clientSecretPost }
        },
        .provider("token.wrong-secret.is-refused", "the client secret is not looked at in the body") { seams in
            seams.acceptsSecret = { $0 == $1 || $2 == .clientSecretPost }
        },
        .provider("token.wrong-secret.has-invalid-client", "a wrong secret is unauthorized_client") { seams in
            seams.tokenError = { _, error in error?.code == "invalid_client" ? "unauthorized_client" : error }
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
        .provider("token.made-up-code.has-invalid-grant", "an unknown code is invalid_request") { seams in
            seams.tokenError = { _, error in error?.code == "invalid_grant" ? "invalid_request" : error }
        },
        .provider("token.error.status-is-400-or-401", "errors have status 403") { seams in
            seams.onAnswer(.token, 400...400) { $0.status = 403 }
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
