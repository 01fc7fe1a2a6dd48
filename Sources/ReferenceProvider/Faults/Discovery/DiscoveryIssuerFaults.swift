import Conformance
import JSONTree

extension Fault {
    private static let other: CheckID = "discovery.issuer.matches-request"

    /// Faults of issuer in the discovery document.
    static let discoveryIssuer: [Fault] = [
        .document("discovery.issuer.is-present", "issuer is missing") { $0["issuer"] = nil },
        .document("discovery.issuer.is-a-url", "issuer is not a URL", also: [other]) { $0["issuer"] = "op" },
        .document("discovery.issuer.uses-https", "issuer uses http", also: [other]) { document in
            document.rewrite("issuer") { $0.replacing("https://", with: "http://") }
        },
        .document("discovery.issuer.has-no-query-or-fragment", "issuer has a query", also: [other]) { document in
            document.rewrite("issuer") { $0 + "?tenant=1" }
        },
        .document(
            "discovery.issuer.has-no-query-or-fragment",
            variant: "fragment",
            "issuer has a fragment",
            also: [other]
        ) { document in
            document.rewrite("issuer") { $0 + "#op" }
        },
        .document("discovery.issuer.has-no-user-name", "issuer contains a user name and password", also: [other]) {
            document in
            document.rewrite("issuer") { $0.replacing("://", with: "://user:password@") }
        },
        .document("discovery.issuer.is-not-a-template", "issuer contains a placeholder", also: [other]) { document in
            document.rewrite("issuer") { $0 + "/{tenantid}" }
        },
        .document(other, variant: "path", "issuer has another path") { document in
            document.rewrite("issuer") { $0 + "/other" }
        },
        .document(other, variant: "port", "issuer has another port") { document in
            document.rewrite("issuer") { issuer in
                let hasPort = issuer.dropFirst("https://".count).contains(":")
                return hasPort
                    ? String(issuer.prefix(upTo: issuer.lastIndex(of: ":") ?? issuer.endIndex)) : issuer + ":8443"
            }
        },
        .document(
            other,
            variant: "host",
            "issuer is on another host",
            also: ["discovery.endpoints.are-on-the-issuers-host", "discovery.endpoints.are-publicly-named"]
        ) { $0["issuer"] = "https://old.op.example" },
        Fault(
            "discovery.response.status-is-200",
            variant: "well-known",
            "the configured issuer includes the well-known path",
            configure: { $0.issuer += "/.well-known/openid-configuration" }
        ),
        .document(
            other,
            variant: "slash",
            "issuer differs by a trailing slash",
            also: ["discovery.issuer.has-no-terminating-slash"]
        ) { document in
            document.rewrite("issuer") { $0 + "/" }
        },
        .provider(
            other,
            variant: "everywhere",
            "document, responses and tokens state another issuer",
            also: [
                "discovery.endpoints.are-on-the-issuers-host", "discovery.endpoints.are-publicly-named",
                "platform.firebase.id-token.iss-is-the-registered-issuer",
            ]
        ) { hooks in
            hooks.discovery = { document, _ in document["issuer"] = "https://old.op.example" }
            hooks.setClaim("iss", "https://old.op.example")
            hooks.onSuccess { response in
                if response["iss"] != nil { response["iss"] = "https://old.op.example" }
            }
        },
        .document("discovery.issuer.has-no-terminating-slash", "issuer has a trailing slash", also: [other]) {
            document in
            document.rewrite("issuer") { $0 + "/" }
        },
        .document("discovery.issuer.is-in-normal-form", "issuer has its scheme in upper case", also: [other]) {
            document in
            document.rewrite("issuer") { $0.replacing("https://", with: "HTTPS://") }
        },
    ]
}
