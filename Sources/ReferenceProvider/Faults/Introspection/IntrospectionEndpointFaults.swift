import Conformance
import JSONTree

/// Faults of the introspection endpoint and of what it tells.
extension Fault {
    static let introspectionAccess: [Fault] = [
        .provider("introspection.no-credentials.is-refused", "anybody may introspect") { seams in
            seams.life.introspectionError = { request, error in request.method == nil ? nil : error }
        },
        .provider("introspection.no-credentials.has-401", "to nobody every token is a bad one") { seams in
            seams.life.introspectionError = { request, error in
                guard request.method == nil else { return error }
                var error: OAuthError = "nobody"
                error.status = 200
                return error
            }
            seams.onAnswer(.introspection, 200...200) { answer in
                if answer.text.contains("\"nobody\"") { answer.text = "{\"active\":false}" }
            }
        },
        .provider("introspection.wrong-secret.is-refused", "any secret will do to introspect") { seams in
            seams.life.introspectionError = { request, error in
                request.method != nil && error?.code == "invalid_client" ? nil : error
            }
        },
        .provider("introspection.wrong-secret.has-401", "a wrong secret is a bad request") { seams in
            seams.onAnswer(.introspection, 401...401) { $0.status = 400 }
        },
    ]

    static let introspectionAnswers: [Fault] = [
        .provider("introspection.content-type.is-json", "introspection comes as text/plain") { seams in
            seams.onAnswer(.introspection, 200...200) { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider("introspection.active.is-a-boolean", "active is a string") { seams in
            seams.life.introspected = { $0["active"] = "true" }
        },
        .answer(of: .introspection, "introspection.endpoint.is-there", "the endpoint is advertised, and not there") {
            $0.status = 404
        },
        .provider("introspection.live-token.is-active", "no token is ever active") { seams in
            seams.life.introspected = { $0 = ["active": false] }
        },
        .provider("introspection.members.have-right-types", "exp is a string") { seams in
            seams.life.introspected = { $0["exp"] = "1700000000" }
        },
        .provider("introspection.iss.is-the-issuer", "iss has another host") { seams in
            seams.life.introspected = { $0["iss"] = "https://internal.example.com" }
        },
        .provider("introspection.client-id.is-the-client", "client_id is the resource server") { seams in
            seams.life.introspected = { $0["client_id"] = "resource-server" }
        },
        .provider("introspection.unknown-token.is-inactive", "every token is active") { seams in
            seams.life.inactive = { $0 = ["active": true] }
        },
        .provider("introspection.unknown-token.says-nothing-more", "it is told why a token is not active") { seams in
            seams.life.inactive = { $0["reason"] = "unknown" }
        },
        .provider("introspection.revoked-token.is-inactive", "introspection hears nothing of revocations") { seams in
            seams.life.forgetsRevocation = true
        },
    ]
}
