import Conformance

/// Optional members with a default value that is easily overlooked.
enum DefaultChecks {
    static let authenticationMethods = isStated(
        "token_endpoint_auth_methods_supported",
        "The discovery document states the client authentication methods",
        "If omitted, the default is client_secret_basic",
        default: "[\"client_secret_basic\"]",
        why: "Without the list, clients assume that the provider accepts only client_secret_basic.",
        exempt: { metadata, _ in metadata.has("token_endpoint") ? nil : "there is no token endpoint" }
    )

    static let grantTypes = isStated(
        "grant_types_supported",
        "The discovery document states the grant types",
        "the default value is [\"authorization_code\", \"implicit\"]",
        default: "[\"authorization_code\", \"implicit\"]",
        why: "Without the list, clients assume that the implicit grant is supported and refresh tokens are not."
    )

    static let responseModes = isStated(
        "response_modes_supported",
        "The discovery document states the response modes",
        "the default for Dynamic OpenID Providers is [\"query\", \"fragment\"]",
        default: "[\"query\", \"fragment\"]",
        why: "Without the list, clients assume that form_post is not supported."
    )

    static let requestURI = isStated(
        "request_uri_parameter_supported",
        "The discovery document states whether request_uri is supported",
        "If omitted, the default value is true",
        default: "true",
        why: "Without the member, the provider claims to fetch request objects from any URL."
    )

    static let all: [Check] = [authenticationMethods, grantTypes, responseModes, requestURI]

    /// Reports an absent member, and the default that clients then use.
    private static func isStated(
        _ member: String,
        _ title: String,
        _ words: String,
        default value: String,
        why: String,
        exempt: MetadataExemption.Reason? = nil
    ) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).is-stated"),
            title,
            .may,
            .conformance,
            Citation(.discovery, "3", words),
            why: why,
            reads: Documents.discovery,
            concerns: .ofMember(member),
            exempt: exempt,
            finding: { metadata, _ in
                if metadata.has(member) { return nil }
                return Finding(
                    "\(member) is missing, which means \(value)",
                    at: "/\(member)",
                    expected: "the member with an explicit value",
                    found: "no such member",
                    fix: "Add \(member), unless its default \(value) is correct."
                )
            }
        )
    }
}
