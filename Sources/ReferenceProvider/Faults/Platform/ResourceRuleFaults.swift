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
        demand(
            "loopback redirect URIs are registered and then rejected",
            .hostSignsIn,
            .stated,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["redirect_uri"]?.hasPrefix("http://") == true ? "invalid_request" : error
                }
            }
        ),
        demand(
            "public clients cannot redeem their codes",
            .hostSignsIn,
            .stated,
            variant: "token",
            change: { hooks in
                hooks.tokenError = { request, error in
                    request["redirect_uri"]?.hasPrefix("http://") == true ? "invalid_client" : error
                }
            }
        ),
        demand(
            "redirect URIs at localhost are rejected",
            .hostSignsInAtLocalhost,
            .stated,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["redirect_uri"]?.hasPrefix("http://localhost") == true ? "invalid_request" : error
                }
            }
        ),
        demand(
            "refresh tokens of public clients are rejected",
            .hostRefreshes,
            .stated,
            change: { hooks in
                hooks.tokenError = { request, error in
                    let isHost = request["client_id"]?.hasPrefix("dynamic-") == true
                    return isHost && request["grant_type"] == "refresh_token" ? error ?? "invalid_client" : error
                }
            }
        ),
    ]

    private static func resource(
        _ title: String,
        _ rule: Rule<Stated>,
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
