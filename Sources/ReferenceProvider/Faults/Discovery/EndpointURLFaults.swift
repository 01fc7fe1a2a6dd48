import Conformance
import JSONTree

extension Fault {
    private static let overHTTP: @Sendable (String) -> String = { $0.replacing("https://", with: "http://") }

    /// Faults of the URLs in the discovery document.
    static let endpointURLs: [Fault] = [
        .document("discovery.url-members.are-absolute", "a URL is relative") { $0["op_tos_uri"] = "/terms" },
        .document("discovery.url-members.consist-of-uri-characters", "a URL contains a space") {
            $0["op_tos_uri"] = "https://op.example/terms of service"
        },
        .document("discovery.url-members.consist-of-uri-characters", variant: "nul", "a URL contains U+0000") {
            $0["service_documentation"] = "https://op.example/documentation\u{0}.example"
        },
        .document(
            "discovery.url-members.consist-of-uri-characters",
            variant: "percent",
            "a URL contains a % without two hexadecimal digits"
        ) {
            $0["op_policy_uri"] = "https://op.example/policy%zz"
        },
        .document("discovery.url-members.have-possible-hosts-and-ports", "a URL has a port above 65535") {
            $0["op_tos_uri"] = "https://op.example:99999/terms"
        },
        .document(
            "discovery.url-members.have-possible-hosts-and-ports",
            variant: "word",
            "a URL has a word as its port"
        ) {
            $0["op_policy_uri"] = "https://op.example:undefined/policy"
        },
        .document(
            "discovery.url-members.have-possible-hosts-and-ports",
            variant: "name",
            "a URL has a host name in brackets"
        ) {
            $0["service_documentation"] = "https://[op.example]/documentation"
        },
        .document("discovery.authorization-endpoint.uses-https", "authorization_endpoint uses http") {
            $0.rewrite("authorization_endpoint", overHTTP)
        },
        .document("discovery.token-endpoint.uses-https", "token_endpoint uses http") {
            $0.rewrite("token_endpoint", overHTTP)
        },
        .document("discovery.userinfo-endpoint.uses-https", "userinfo_endpoint uses http") {
            $0.rewrite("userinfo_endpoint", overHTTP)
        },
        .document("discovery.jwks-uri.uses-https", "jwks_uri uses http") { $0.rewrite("jwks_uri", overHTTP) },
        .document("discovery.registration-endpoint.uses-https", "registration_endpoint uses http") {
            $0["registration_endpoint"] = "http://op.example/register"
        },
        .document("discovery.revocation-endpoint.uses-https", "revocation_endpoint uses http") {
            $0["revocation_endpoint"] = "http://op.example/revoke"
        },
        .document(
            "discovery.pushed-authorization-request-endpoint.uses-https",
            "pushed_authorization_request_endpoint uses http"
        ) {
            $0["pushed_authorization_request_endpoint"] = "http://op.example/par"
        },
        .document("discovery.introspection-endpoint.uses-https", "introspection_endpoint uses http") {
            $0["introspection_endpoint"] = "http://op.example/introspect"
        },
        .document("discovery.other-endpoints.use-https", "device_authorization_endpoint uses http") {
            $0["device_authorization_endpoint"] = "http://op.example/device"
        },
        .document(
            "discovery.other-endpoints.use-https",
            variant: "ciba",
            "backchannel_authentication_endpoint uses http"
        ) {
            $0["backchannel_authentication_endpoint"] = "http://op.example/ciba"
        },
        .document("discovery.check-session-iframe.uses-https", "check_session_iframe uses http") {
            $0["check_session_iframe"] = "http://op.example/session"
        },
        .document("discovery.end-session-endpoint.uses-https", "end_session_endpoint uses http") {
            $0["end_session_endpoint"] = "http://op.example/logout"
        },
        .document("discovery.authorization-endpoint.has-no-fragment", "authorization_endpoint has a fragment") {
            $0.rewrite("authorization_endpoint") { $0 + "#sign-in" }
        },
        .document("discovery.token-endpoint.has-no-fragment", "token_endpoint has a fragment") {
            $0.rewrite("token_endpoint") { $0 + "#token" }
        },
        .document("discovery.endpoints.are-on-the-issuers-host", "userinfo_endpoint is on another host") {
            $0["userinfo_endpoint"] = "https://userinfo.invalid/userinfo"
        },
        .document(
            "discovery.endpoints.are-publicly-named",
            "an endpoint has an internal host name",
            also: ["discovery.issuer.matches-request", "discovery.endpoints.are-on-the-issuers-host"]
        ) {
            $0["issuer"] = "https://op.example"
            $0["introspection_endpoint"] = "https://keycloak:8443/introspect"
        },
    ]
}
