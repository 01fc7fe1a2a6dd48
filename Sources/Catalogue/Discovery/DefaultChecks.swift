import Conformance
import JSONTree

/// Members whose absence has a meaning that is easily overlooked.
enum DefaultChecks {
    static let authenticationMethods = isStated(
        "token_endpoint_auth_methods_supported",
        "The client authentication methods are stated",
        "If omitted, the default is client_secret_basic",
        default: "[\"client_secret_basic\"]",
        why: "Without the list every client takes the provider to accept HTTP Basic and nothing else.",
        exempt: { metadata, _ in metadata.has("token_endpoint") ? nil : "there is no token endpoint" }
    )

    static let grantTypes = isStated(
        "grant_types_supported",
        "The grant types are stated",
        "the default value is [\"authorization_code\", \"implicit\"]",
        default: "[\"authorization_code\", \"implicit\"]",
        why: "Without the list the implicit grant counts as supported, and refresh tokens as not supported."
    )

    static let responseModes = isStated(
        "response_modes_supported",
        "The response modes are stated",
        "the default for Dynamic OpenID Providers is [\"query\", \"fragment\"]",
        default: "[\"query\", \"fragment\"]",
        why: "Without the list form_post counts as not supported."
    )

    static let requestURI = isStated(
        "request_uri_parameter_supported",
        "Support of request_uri is stated",
        "If omitted, the default value is true",
        default: "true",
        why: "Without the member the provider claims to fetch request objects from any address."
    )

    static let all: [Check] = [authenticationMethods, grantTypes, responseModes, requestURI]

    /// A member that may be left out has a default, which every client knows.
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
                    expected: "the member, spelt out",
                    found: "no such member",
                    fix: "Nothing, if \(value) is meant; else add \(member)."
                )
            }
        )
    }
}
