import Conformance
import JSONTree

/// Faults of the claims parameter, of request objects and of pushed requests.
extension Fault {
    static let requestObjects: [Fault] = claimsParameter + objects + requestURIs + pushes + pushedUses

    private static let claimsParameter: [Fault] = [
        .provider(
            "authorization.claims-parameter.unknown-claim-is-no-error",
            "a request for an unknown claim is rejected"
        ) {
            hooks in
            hooks.authorizationError = { request, error in
                request["claims"]?.contains("preflight_unknown") == true ? error ?? "invalid_request" : error
            }
        },
        Fault(
            "authorization.claims-parameter.unsupported-is-ignored",
            "a request with the claims parameter is rejected",
            persona: .codeOnly,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["claims"] == nil ? error : OAuthError("invalid_request", "claims is not supported")
                }
            }
        ),
        .provider(
            "authorization.claims-parameter.auth-time-is-returned",
            "auth_time is not returned although the claims parameter requests it"
        ) { hooks in
            hooks.requests.claimsInIDToken = { claims, _ in claims["auth_time"] = nil }
        },
        .provider(
            "authorization.claims-parameter.id-token-has-claim",
            "the ID Token lacks claims requested with the claims parameter"
        ) {
            hooks in
            hooks.requests.claimsInIDToken = { _, asked in asked = [:] }
        },
        .provider(
            "authorization.claims-parameter.userinfo-has-claim",
            "UserInfo lacks claims requested with the claims parameter"
        ) { hooks in
            hooks.requests.answersClaimsAtUserInfo = false
        },
        .provider("authorization.claims-parameter.sub-is-regarded", "a sub value in the claims parameter is ignored") {
            hooks in
            hooks.requests.regardsSubject = false
        },
    ]

    private static let objects: [Fault] = [
        .provider("authorization.request-object.is-not-ignored", "request objects are ignored") { hooks in
            hooks.requests.ignoresRequestObjects = true
        },
        Fault(
            "authorization.request-object.is-not-ignored",
            variant: "unsupported",
            "unsupported request objects are ignored instead of rejected",
            persona: .codeOnly,
            change: { $0.requests.ignoresRequestObjects = true }
        ),
        .provider("authorization.request-object.unreadable-is-refused", "an unreadable request object is ignored") {
            $0.requests.ignoresUnreadableObjects = true
        },
        Fault(
            "authorization.request-object.unsupported-has-request-not-supported",
            "an unsupported request object returns invalid_request",
            persona: .codeOnly,
            change: { hooks in
                hooks.authorizationError = { $1?.code == "request_not_supported" ? "invalid_request" : $1 }
            }
        ),
        Fault(
            "authorization.request-object.supported-is-taken",
            "request objects are advertised but not supported",
            persona: .codeOnly,
            change: { hooks in
                hooks.discovery = { document, _ in document["request_parameter_supported"] = true }
            }
        ),
        .provider(
            "authorization.request-object.wrong-signature-is-refused",
            "signatures of request objects are not verified"
        ) {
            hooks in
            hooks.requests.verifiesRequestObjects = false
        },
        Fault(
            "authorization.request-object.unsigned-is-refused",
            "an unsigned request object of a client with request_object_signing_alg is accepted",
            configure: { $0.client?.requestObjectSigningAlg = "HS256" },
            change: { _ in }
        ),
        .provider("authorization.request-object.redirect-uri-supersedes", "redirect_uri in a request object is ignored")
        {
            hooks in
            hooks.requests.readsObjectRedirectURI = false
        },
        Fault(
            "authorization.request-object.redirect-uri-is-compared",
            "an unannounced request object is obeyed, and its redirect_uri is not compared",
            persona: .codeOnly,
            change: { $0.requests.obeysUnannouncedObjects = true }
        ),
    ]

    private static let requestURIs: [Fault] = [
        .provider("authorization.request-uri.is-not-ignored", "request_uri is ignored") { hooks in
            hooks.requests.ignoresRequestURIs = true
        },
        .provider(
            "authorization.request-uri.unsupported-has-request-uri-not-supported",
            "an unsupported request_uri returns invalid_request"
        ) { hooks in
            hooks.authorizationError = { $1?.code == "request_uri_not_supported" ? "invalid_request" : $1 }
        },
        .provider("authorization.request-uri.supported-is-taken", "request_uri is advertised but not supported") {
            hooks in
            hooks.discovery = { document, _ in document["request_uri_parameter_supported"] = true }
        },
    ]

    private static let pushes: [Fault] = [
        .provider("authorization.pushed-request.is-accepted", "every pushed request is rejected") { hooks in
            hooks.requests.pushError = { $1 ?? "invalid_request" }
        },
        .provider("authorization.pushed-request.has-201", "a pushed request returns status 200") { hooks in
            hooks.onAnswer(.pushedRequests, 201...201) { $0.status = 200 }
        },
        .provider("authorization.pushed-request.content-type-is-json", "the pushed request response is text/plain") {
            hooks in
            hooks.onAnswer(.pushedRequests, 201...201) { $0.setHeader("Content-Type", "text/plain") }
        },
        .provider(
            "authorization.pushed-request.expires-in-is-a-positive-integer",
            "the pushed request response has no expires_in"
        ) { hooks in
            hooks.requests.pushed = { $0["expires_in"] = nil }
        },
        .provider(
            "authorization.pushed-request.no-credentials-is-refused",
            "pushed requests without credentials are accepted"
        ) { hooks in
            hooks.requests.pushError = { $1?.code == "invalid_client" ? nil : $1 }
        },
        .provider(
            "authorization.pushed-request.wrong-secret-is-refused",
            "pushed requests with a wrong secret are accepted"
        ) {
            hooks in
            hooks.requests.pushError = {
                $0.method != ClientAuthentication.none && $1?.code == "invalid_client" ? nil : $1
            }
        },
        .provider(
            "authorization.pushed-request.request-uri-is-refused",
            "a pushed request that contains request_uri is accepted"
        ) { hooks in
            hooks.requests.pushError = { $0["request_uri"] == nil ? $1 : nil }
        },
        Fault(
            "authorization.pushed-request.redirect-uri-is-validated",
            "a pushed request with an unregistered redirect_uri is accepted",
            persona: .publicClient,
            change: { hooks in
                hooks.requests.pushError = { $1?.rejection == .unregisteredRedirectURI ? nil : $1 }
            }
        ),
    ]

    private static let pushedUses: [Fault] = [
        .provider("authorization.pushed-request.leads-to-the-client", "an issued request_uri is not found") { hooks in
            hooks.requests.findsPushed = false
        },
        .provider("authorization.pushed-request.request-uri-is-single-use", "a request_uri can be used more than once")
        { hooks in
            hooks.requests.forgetsPushed = false
        },
        .provider(
            "authorization.pushed-request.unknown-request-uri-is-refused",
            "a request_uri that was never issued is accepted"
        ) { hooks in
            hooks.requests.takesUnknownURI = true
        },
        .provider(
            "authorization.plain-request.is-accepted",
            "requests must be pushed",
            also: ["discovery.requests.need-no-extension"]
        ) { hooks in
            hooks.requests.requiresPush = true
            hooks.discovery = { document, _ in document["require_pushed_authorization_requests"] = true }
        },
        .provider(
            "authorization.pushed-request.requirement-is-honoured",
            "pushed requests are required by discovery but not enforced",
            also: ["discovery.requests.need-no-extension"]
        ) { hooks in
            hooks.discovery = { document, _ in document["require_pushed_authorization_requests"] = true }
        },
    ]
}
