import Conformance
import JSONTree

/// Platform rules about the protected resource, from which a host learns the issuer (RFC 9728 section 5).
enum ResourceRuleChecks {
    static let requiresAToken = RuledChecks.check(
        .resourceIsProtected,
        "The protected resource responds with status 401 to a request without a token",
        .signIn,
        why: "The host starts a sign-in only after status 401.",
        reads: ProtectedResources.answer,
        rule: { exchange, _, _ in
            guard let response = exchange.response, response.status != 401 else { return [] }
            return [
                Finding(
                    "The protected resource responds with status \(response.status) to a request without a token.",
                    at: exchange.request.url.shown(),
                    expected: "HTTP status 401 (RFC 9110 section 15.5.2)",
                    found: "HTTP status \(response.status)",
                    fix: ([404, 405].contains(response.status) || (300...399).contains(response.status)
                        ? "Check the URL of the resource: hosts call it by POST, exactly as it is written. " : "")
                        + "Return 401 with WWW-Authenticate: Bearer resource_metadata=\"…\" from the protected resource "
                        + "(not the provider) to requests without a valid token."
                )
            ]
        }
    )

    static let hasMetadata = RuledChecks.check(
        .resourceHasMetadata,
        "The protected resource has metadata",
        .signIn,
        why: "The host does not learn which issuer the resource trusts.",
        reads: ProtectedResources.document,
        rule: { exchange, _, _ in
            guard let response = exchange.response else {
                return [
                    Finding(
                        "The address of the metadata that the protected resource names refuses connections.",
                        at: exchange.request.url.shown(),
                        expected: "a JSON object with status 200 (RFC 9728 section 3.2)",
                        found: "a refused connection",
                        fix:
                            "Name the public address of the metadata as resource_metadata in WWW-Authenticate, and serve it there."
                    )
                ]
            }
            let isObject = response.body.bytes.flatMap { try? JSONDocument.parse($0) }?.root.objectValue != nil
            guard response.status != 200 || !isObject else { return [] }
            return [
                Finding(
                    "The protected resource has no metadata at the address that it names, nor at a well-known one.",
                    at: exchange.request.url.shown(),
                    expected: "a JSON object with status 200 (RFC 9728 section 3.2)",
                    found: "HTTP status \(response.status), \(response.mediaType?.shown(limit: 80) ?? "no media type")",
                    fix:
                        "Serve the metadata at /.well-known/oauth-protected-resource, followed by the path of the resource, "
                        + "and name that address as resource_metadata in WWW-Authenticate."
                )
            ]
        }
    )

    static let statesTheResource = RuledChecks.check(
        .resourceIsStated,
        "The metadata of the protected resource states its URL",
        .signIn,
        why: "The host rejects metadata of another resource.",
        reads: ProtectedResources.metadata,
        rule: { metadata, _, facts in
            guard let resource = facts.target.resource, metadata["resource"]?.stringValue != resource else { return [] }
            return [
                Finding(
                    "The metadata of the protected resource states another resource.",
                    at: "/resource",
                    expected: "\(resource.shown()) (RFC 9728 section 3.3)",
                    found: metadata["resource"]?.shown ?? "missing",
                    fix:
                        "State the URL that hosts call, byte for byte: a terminating slash or another path is another resource."
                )
            ]
        }
    )

    static let namesTheIssuer = RuledChecks.check(
        .resourceNamesIssuer,
        "The metadata of the protected resource names the issuer first",
        .signIn,
        why: "The host signs users in at the first authorization server, and rejects a document with another issuer.",
        reads: ProtectedResources.metadata,
        rule: { metadata, _, facts in
            let servers = metadata["authorization_servers"]
            guard servers?.arrayValue?.first?.stringValue != facts.target.issuer else { return [] }
            return [
                Finding(
                    "The metadata of the protected resource does not name this issuer as its first authorization server.",
                    at: "/authorization_servers",
                    expected: "[\(facts.target.issuer.quoted), …] (RFC 9728 section 2)",
                    found: servers?.shown ?? "missing",
                    fix:
                        "List \(facts.target.issuer.shown()) first in authorization_servers, byte for byte as the discovery "
                        + "document states it."
                )
            ]
        }
    )

    static let all: [Check] = [requiresAToken, hasMetadata, statesTheResource, namesTheIssuer]
}
