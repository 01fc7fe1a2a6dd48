import Conformance
import JSONTree

/// Faults of the introspection endpoint and its responses.
extension Fault {
    static let introspectionAccess: [Fault] = [
        .provider("introspection.no-credentials.is-refused", "introspection without credentials is accepted") { hooks in
            hooks.life.introspectionError = { request, error in request.method == nil ? nil : error }
        },
        .provider(
            "introspection.no-credentials.has-401",
            "introspection without credentials returns active=false instead of 401"
        ) { hooks in
            hooks.life.introspectionError = { request, error in
                guard request.method == nil else { return error }
                var error: OAuthError = "nobody"
                error.status = 200
                return error
            }
            hooks.onAnswer(.introspection, 200...200) { answer in
                if answer.text.contains("\"nobody\"") { answer.text = "{\"active\":false}" }
            }
        },
        .provider("introspection.wrong-secret.is-refused", "introspection with a wrong secret is accepted") { hooks in
            hooks.life.introspectionError = { request, error in
                request.method != nil && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider("introspection.wrong-secret.has-401", "introspection with a wrong secret returns status 400") {
            hooks in
            hooks.onAnswer(.introspection, 401...401) { $0.status = 400 }
        },
    ]

    static let introspectionAnswers: [Fault] = [
        .provider("introspection.content-type.is-json", "the introspection response is text/plain") { hooks in
            hooks.onAnswer(.introspection, 200...200) { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider("introspection.active.is-a-boolean", "active in the introspection response is a string") { hooks in
            hooks.life.introspected = { $0["active"] = "true" }
        },
        .answer(
            of: .introspection,
            "introspection.endpoint.is-there",
            "the advertised introspection endpoint returns status 404"
        ) {
            $0.status = 404
        },
        .provider("introspection.live-token.is-active", "introspection returns active=false for a valid token") {
            hooks in
            hooks.life.introspected = { $0 = ["active": false] }
        },
        .provider("introspection.members.have-right-types", "exp in the introspection response is a string") { hooks in
            hooks.life.introspected = { $0["exp"] = "1700000000" }
        },
        .provider("introspection.exp.is-in-the-future", "exp in the introspection response is an hour past") { hooks in
            hooks.life.introspected = { $0["exp"] = .integer(($0["iat"]?.integerValue ?? 0) - 3_600) }
        },
        .provider("introspection.iss.is-the-issuer", "iss in the introspection response has another host") { hooks in
            hooks.life.introspected = { $0["iss"] = "https://internal.example.com" }
        },
        .provider(
            "introspection.client-id.is-the-client",
            "client_id in the introspection response names the resource server"
        ) { hooks in
            hooks.life.introspected = { $0["client_id"] = "resource-server" }
        },
        .provider("introspection.unknown-token.is-inactive", "introspection returns active=true for an unknown token") {
            hooks in
            hooks.life.inactive = { $0 = ["active": true] }
        },
        .provider("introspection.unknown-token.says-nothing-more", "introspection returns a reason beside active=false")
        { hooks in
            hooks.life.inactive = { $0["reason"] = "unknown" }
        },
        .provider("introspection.revoked-token.is-inactive", "introspection returns active=true for a revoked token") {
            hooks in
            hooks.life.forgetsRevocation = true
        },
    ]
}
