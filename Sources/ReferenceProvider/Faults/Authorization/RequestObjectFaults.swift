import Conformance
import JSONTree

/// Faults of the claims parameter, of request objects and of pushed requests.
extension Fault {
    static let requestObjects: [Fault] = claimsParameter + objects + requestURIs + pushes + pushedUses

    private static let claimsParameter: [Fault] = [
        .provider("authorization.claims-parameter.unknown-claim-is-no-error", "essential claims must be there") {
            seams in
            seams.authorizationError = { request, error in
                request["claims"]?.contains("preflight_unknown") == true ? error ?? "invalid_request" : error
            }
        },
        Fault(
            "authorization.claims-parameter.unsupported-is-ignored",
            "the claims parameter is an error",
            persona: .codeOnly,
            change: { seams in
                seams.authorizationError = { request, error in
                    request["claims"] == nil ? error : OAuthError("invalid_request", "claims is not supported")
                }
            }
        ),
        .provider("authorization.claims-parameter.auth-time-is-returned", "auth_time cannot be asked for") { seams in
            seams.requests.claimsInIDToken = { claims, _ in claims["auth_time"] = nil }
        },
        .provider("authorization.claims-parameter.id-token-has-claim", "single claims never reach the ID Token") {
            seams in
            seams.requests.claimsInIDToken = { _, asked in asked = [:] }
        },
        .provider("authorization.claims-parameter.userinfo-has-claim", "single claims never reach UserInfo") { seams in
            seams.requests.answersClaimsAtUserInfo = false
        },
        .provider("authorization.claims-parameter.sub-is-regarded", "a request for one person gets another") { seams in
            seams.requests.regardsSubject = false
        },
    ]

    private static let objects: [Fault] = [
        .provider("authorization.request-object.is-not-ignored", "request objects are passed over") { seams in
            seams.requests.ignoresRequestObjects = true
        },
        Fault(
            "authorization.request-object.is-not-ignored",
            variant: "unsupported",
            "request objects are not supported and passed over",
            persona: .codeOnly,
            change: { $0.requests.ignoresRequestObjects = true }
        ),
        Fault(
            "authorization.request-object.unsupported-has-request-not-supported",
            "a request object is an invalid request",
            persona: .codeOnly,
            change: { seams in
                seams.authorizationError = { $1?.code == "request_not_supported" ? "invalid_request" : $1 }
            }
        ),
        Fault(
            "authorization.request-object.supported-is-taken",
            "request objects are advertised and not supported",
            persona: .codeOnly,
            change: { seams in
                seams.discovery = { document, _ in document["request_parameter_supported"] = true }
            }
        ),
        .provider("authorization.request-object.wrong-signature-is-refused", "signatures of objects are not verified") {
            seams in
            seams.requests.verifiesRequestObjects = false
        },
        .provider("authorization.request-object.redirect-uri-supersedes", "the redirect URI of objects is not read") {
            seams in
            seams.requests.readsObjectRedirectURI = false
        },
    ]

    private static let requestURIs: [Fault] = [
        .provider("authorization.request-uri.is-not-ignored", "request_uri is passed over") { seams in
            seams.requests.ignoresRequestURIs = true
        },
        .provider(
            "authorization.request-uri.unsupported-has-request-uri-not-supported",
            "a request_uri is an invalid request"
        ) { seams in
            seams.authorizationError = { $1?.code == "request_uri_not_supported" ? "invalid_request" : $1 }
        },
        .provider("authorization.request-uri.supported-is-taken", "request_uri is said to be supported") {
            seams in
            seams.discovery = { document, _ in document["request_uri_parameter_supported"] = true }
        },
    ]

    private static let pushes: [Fault] = [
        .provider("authorization.pushed-request.is-accepted", "nothing can be pushed") { seams in
            seams.requests.pushError = { $1 ?? "invalid_request" }
        },
        .provider("authorization.pushed-request.has-201", "a pushed request has status 200") { seams in
            seams.onAnswer(.pushedRequests, 201...201) { $0.status = 200 }
        },
        .provider("authorization.pushed-request.content-type-is-json", "a request URI comes as text/plain") { seams in
            seams.onAnswer(.pushedRequests, 201...201) { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider(
            "authorization.pushed-request.expires-in-is-a-positive-integer",
            "the lifetime of a request URI is missing"
        ) { seams in
            seams.requests.pushed = { $0["expires_in"] = nil }
        },
        .provider("authorization.pushed-request.no-credentials-is-refused", "anybody may push") { seams in
            seams.requests.pushError = { $1?.code == "invalid_client" ? nil : $1 }
        },
        .provider("authorization.pushed-request.request-uri-is-refused", "a request_uri may be pushed") { seams in
            seams.requests.pushError = { $0["request_uri"] == nil ? $1 : nil }
        },
        Fault(
            "authorization.pushed-request.redirect-uri-is-validated",
            "a public client may push any redirect URI",
            persona: .publicClient,
            change: { seams in
                seams.requests.pushError = { $1?.text == "redirect_uri is not registered" ? nil : $1 }
            }
        ),
    ]

    private static let pushedUses: [Fault] = [
        .provider("authorization.pushed-request.leads-to-the-client", "pushed requests are lost") { seams in
            seams.requests.findsPushed = false
        },
        .provider("authorization.pushed-request.request-uri-is-single-use", "a request URI is good for ever") { seams in
            seams.requests.forgetsPushed = false
        },
        .provider("authorization.pushed-request.unknown-request-uri-is-refused", "any request URI will do") { seams in
            seams.requests.takesUnknownURI = true
        },
        .provider(
            "authorization.pushed-request.requirement-is-honoured",
            "requests must be pushed and need not be",
            also: ["discovery.requests.need-no-extension"]
        ) { seams in
            seams.discovery = { document, _ in document["require_pushed_authorization_requests"] = true }
        },
    ]
}
