import Conformance
import JSONTree

/// The authorization server metadata (RFC 8414): MCP clients read it first, and the discovery document only if it is
/// absent.
enum ServerMetadataChecks {
    static let isAbsentOrSound = Check(
        "discovery.server-metadata.is-absent-or-a-document",
        "The authorization server metadata is absent or a JSON object",
        // None of the measured OpenID Connect clients reads it.
        .risk,
        .signIn,
        Citation(
            .rfc8414,
            "3.2",
            "A successful response MUST use the 200 OK HTTP status code and return a JSON object"
        ),
        why:
            "MCP clients request it first. After status 500 most of them stop, and some treat any page as the document.",
        reads: ServerMetadata.answer,
        finding: { exchange, _ in
            guard let response = exchange.response, !(400...499).contains(response.status) else { return nil }
            let isObject = response.body.bytes.flatMap { try? JSONDocument.parse($0) }?.root.objectValue != nil
            guard response.status != 200 || !isObject else { return nil }
            return Finding(
                "The provider returns neither a JSON object with status 200 nor status 4xx for the authorization "
                    + "server metadata.",
                at: exchange.request.url.shown(),
                expected: "a JSON object with status 200, or status 404",
                found: "HTTP status \(response.status), \(response.mediaType?.shown(limit: 80) ?? "no media type")",
                fix:
                    "Serve the authorization server metadata at \(exchange.request.url.shown()), or return 404 Not Found there."
            )
        }
    )

    static let statesIssuer = Check(
        "discovery.server-metadata.states-the-issuer",
        "The authorization server metadata states the same issuer as the discovery document",
        .risk,
        .signIn,
        Citation(.rfc8414, "3.3", "MUST be identical to the authorization server's issuer identifier value"),
        why: "A client that reads the metadata first rejects it, and does not read the discovery document.",
        reads: ServerMetadata.pair,
        finding: { pair, _ in
            let (issuer, stated) = (pair.discovery.object["issuer"], pair.server.object["issuer"])
            guard issuer != stated else { return nil }
            return Finding(
                "The authorization server metadata does not state the issuer of the discovery document.",
                at: "/issuer",
                expected: issuer?.serialized().shown() ?? "no such member",
                found: stated?.serialized().shown() ?? "no such member",
                fix: "State the issuer of the discovery document in both documents, or return 404 Not Found at this "
                    + "address."
            )
        }
    )

    static let agrees = Check(
        "discovery.server-metadata.agrees-with-the-discovery-document",
        "The authorization server metadata names the same endpoints and PKCE methods as the discovery document",
        .risk,
        .signIn,
        Citation(.experience, "", "MCP clients read the authorization server metadata and not the discovery document"),
        why: "A client that reads the metadata first uses its values: a wrong or missing endpoint breaks sign-in.",
        reads: ServerMetadata.pair,
        exempt: { pair, _ in
            pair.discovery.object["issuer"] == pair.server.object["issuer"]
                ? nil : "the metadata states a different issuer, which another check reports"
        },
        rule: { pair, _ in
            Differences.between(
                pair.discovery,
                pair.server,
                "differs in the authorization server metadata",
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
