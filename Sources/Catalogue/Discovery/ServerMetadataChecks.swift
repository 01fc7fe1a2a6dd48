import Conformance
import JSONTree

/// The authorization server metadata beside the discovery document (RFC 8414): AI hosts read it first, and the discovery document
/// only if it is absent.
enum ServerMetadataChecks {
    static let isAbsentOrSound = Check(
        "discovery.server-metadata.is-absent-or-a-document",
        "The authorization server metadata is absent or a JSON object",
        // No OpenID Connect client of those that were measured reads it.
        .risk,
        .signIn,
        Citation(
            .rfc8414,
            "3.2",
            "A successful response MUST use the 200 OK HTTP status code and return a JSON object"
        ),
        why:
            "MCP clients ask for it first. After a status of 500 most of them stop, and some take any page for the document.",
        reads: ServerMetadata.answer,
        finding: { exchange, _ in
            guard let response = exchange.response, !(400...499).contains(response.status) else { return nil }
            let isObject = response.body.octets.flatMap { try? JSONDocument.parse($0) }?.root.objectValue != nil
            guard response.status != 200 || !isObject else { return nil }
            return Finding(
                "The request for the authorization server metadata is answered with neither a document nor a status of 4xx.",
                at: exchange.request.url.shown(),
                expected: "a JSON object with status 200, or status 404",
                found: "HTTP status \(response.status), \(response.mediaType?.shown(limit: 80) ?? "no media type")",
                fix: "Serve the metadata at this address, or answer with 404 Not Found."
            )
        }
    )

    static let statesIssuer = Check(
        "discovery.server-metadata.states-the-issuer",
        "The authorization server metadata states the same issuer as the discovery document",
        .risk,
        .signIn,
        Citation(.rfc8414, "3.3", "MUST be identical to the authorization server's issuer identifier value"),
        why: "A client that reads the metadata first refuses it, and does not go on to the discovery document.",
        reads: ServerMetadata.pair,
        finding: { pair, _ in
            let (issuer, stated) = (pair.discovery.object["issuer"], pair.server.object["issuer"])
            guard issuer != stated else { return nil }
            return Finding(
                "The authorization server metadata states another issuer than the discovery document.",
                at: "/issuer",
                expected: issuer?.serialized().shown() ?? "no such member",
                found: stated?.serialized().shown() ?? "no such member",
                fix:
                    "State the issuer of the discovery document in both documents, or answer this address with 404 Not Found."
            )
        }
    )

    static let agrees = Check(
        "discovery.server-metadata.agrees-with-the-discovery-document",
        "The authorization server metadata names the same endpoints and PKCE methods as the discovery document",
        .risk,
        .signIn,
        Citation(.experience, "", "MCP clients read the authorization server metadata and not the discovery document"),
        why:
            "A client that reads the metadata first uses what stands there: a wrong endpoint or a missing one ends its sign-in.",
        reads: ServerMetadata.pair,
        exempt: { pair, _ in
            pair.discovery.object["issuer"] == pair.server.object["issuer"]
                ? nil : "it states another issuer, which another check reports"
        },
        rule: { pair, _ in
            Differences.between(
                pair.discovery,
                pair.server,
                "is another in the authorization server metadata",
                of: members
            )
        }
    )

    /// The members that decide whether a client of the metadata can sign in.
    private static let members: Set<String> = [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint",
        "code_challenge_methods_supported",
    ]

    static let all: [Check] = [isAbsentOrSound, statesIssuer, agrees]
}
