import Conformance

/// Faults of rules about the protected resource, and about hosts that register themselves.
extension Fault {
    static let resourceRules: [Fault] = [
        resource("the protected resource returns status 403 without a token", .resourceIsProtected) {
            isMetadata,
            answer in
            if !isMetadata { answer.status = 403 }
        },
        resource("the protected resource has no metadata", .resourceHasMetadata) { isMetadata, answer in
            if isMetadata { answer.status = 404 }
        },
        resource("the protected resource names an address without its metadata", .resourceHasMetadata, variant: "dead")
        {
            _,
            answer in
            answer.headers = answer.headers.map {
                Field($0.name, $0.value.replacing("/resource\"", with: "/nowhere\""))
            }
        },
        resource("the metadata of the protected resource is a page", .resourceHasMetadata, variant: "page") {
            isMetadata,
            answer in
            if isMetadata { answer.text = "<!DOCTYPE html><title>Application</title>" }
        },
        resource("the metadata states the protected resource with a slash", .resourceIsStated) { isMetadata, answer in
            if isMetadata { answer.text = answer.text.replacing("/resource\"", with: "/resource/\"") }
        },
        resource("the metadata names the issuer with a slash", .resourceNamesIssuer) { isMetadata, answer in
            if isMetadata { answer.text = answer.text.replacing("\"]", with: "/\"]") }
        },
        resource("the metadata names no authorization server", .resourceNamesIssuer, variant: "none") {
            isMetadata,
            answer in
            if isMetadata { answer.text = answer.text.replacing("authorization_servers", with: "servers") }
        },
        resource(
            "the protected resource does not name its metadata, which has another resource",
            .resourceIsStated,
            variant: "well-known"
        ) { isMetadata, answer in
            answer.setHeader("WWW-Authenticate", "Bearer")
            if isMetadata { answer.text = answer.text.replacing("/resource\"", with: "\"") }
        },
    ]

    static let hostRules: [Fault] = [
        host("loopback redirect URIs are registered and then rejected", .hostSignsIn) { hooks in
            hooks.authorizationError = { request, error in
                request["redirect_uri"]?.hasPrefix("http://") == true ? "invalid_request" : error
            }
        },
        host("public clients cannot redeem their codes", .hostSignsIn, variant: "token") { hooks in
            hooks.tokenError = { request, error in
                request["redirect_uri"]?.hasPrefix("http://") == true ? "invalid_client" : error
            }
        },
        host("redirect URIs at localhost are rejected", .hostSignsInAtLocalhost) { hooks in
            hooks.authorizationError = { request, error in
                request["redirect_uri"]?.hasPrefix("http://localhost") == true ? "invalid_request" : error
            }
        },
        host("refresh tokens of public clients are rejected", .hostRefreshes) { hooks in
            hooks.tokenError = { request, error in
                let isHost = request["client_id"]?.hasPrefix("dynamic-") == true
                return isHost && request["grant_type"] == "refresh_token" ? error ?? "invalid_client" : error
            }
        },
        demand(
            "the configuration does not let the run register clients",
            .hostRegistrationIsTried,
            .stated,
            configure: { $0.dynamicRegistration = nil }
        ),
    ]

    private static func host(
        _ title: String,
        _ rule: Rule<NoValue>,
        variant: String? = nil,
        _ change: @escaping @Sendable (inout Hooks) -> Void
    ) -> Fault {
        demand(title, rule, .stated, variant: variant, change: change)
    }

    private static func resource(
        _ title: String,
        _ rule: Rule<NoValue>,
        variant: String? = nil,
        _ edit: @escaping @Sendable (Bool, inout HTTPAnswer) -> Void
    ) -> Fault {
        demand(
            title,
            rule,
            .stated,
            variant: variant,
            configure: { $0.resource = "https://\(Target.authority(of: $0.issuer))/resource" },
            change: { $0.protectedResource = edit }
        )
    }
}
