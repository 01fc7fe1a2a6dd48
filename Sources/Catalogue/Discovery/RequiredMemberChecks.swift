import Conformance
import JSONTree

/// Members that Discovery section 3 requires or recommends.
enum RequiredMemberChecks {
    static let authorizationEndpoint = isPresent(
        "authorization_endpoint",
        "The authorization endpoint is stated",
        .must,
        .signIn,
        "REQUIRED. URL of the OP's OAuth 2.0 Authorization Endpoint",
        why: "No sign-in can begin without it.",
        fix: "Add authorization_endpoint with the https address at which users sign in."
    )

    static let tokenEndpoint = isPresent(
        "token_endpoint",
        "The token endpoint is stated",
        .must,
        .signIn,
        "This is REQUIRED unless only the Implicit Flow is used",
        why: "A code cannot be exchanged for tokens without it.",
        fix: "Add token_endpoint with the https address at which codes are exchanged.",
        exempt: MetadataExemption.unlessCodeIsOffered
    )

    static let jwksURI = isPresent(
        "jwks_uri",
        "The address of the key set is stated",
        .must,
        .signIn,
        "REQUIRED. URL of the OP's JWK Set",
        why: "Without keys no signature of an ID Token can be verified.",
        fix: "Add jwks_uri with the https address of the provider's JWK Set."
    )

    static let responseTypes = isPresent(
        "response_types_supported",
        "The response types are listed",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the OAuth 2.0 response_type values",
        why: "Strict client libraries refuse the whole document, and nobody can tell which flows work.",
        fix: "Add response_types_supported, for example [\"code\"]."
    )

    static let subjectTypes = isPresent(
        "subject_types_supported",
        "The subject types are listed",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the Subject Identifier types",
        why: "Strict client libraries, AppAuth among them, refuse the whole document.",
        fix: "Add subject_types_supported: [\"public\"], or [\"pairwise\"] if each client sees another sub."
    )

    static let signingAlgorithms = isPresent(
        "id_token_signing_alg_values_supported",
        "The signature algorithms of ID Tokens are listed",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the JWS signing algorithms",
        why: "Strict client libraries refuse the whole document, and others guess the algorithm.",
        fix: "Add id_token_signing_alg_values_supported, for example [\"RS256\"]."
    )

    static let userinfoEndpoint = isPresent(
        "userinfo_endpoint",
        "The UserInfo endpoint is stated",
        .should,
        .signIn,
        "RECOMMENDED. URL of the OP's UserInfo Endpoint",
        why: "Platforms that use the code flow read the user's claims there; some refuse a provider without it.",
        fix: "Add userinfo_endpoint with the https address that returns claims for an access token.",
        exempt: MetadataExemption.unlessAccessTokensAreIssued
    )

    static let scopes = isPresent(
        "scopes_supported",
        "The scopes are listed",
        .should,
        .conformance,
        "RECOMMENDED. JSON array containing a list of the OAuth 2.0",
        why: "A platform that asks only for listed scopes then asks for openid alone, and users arrive without e-mail.",
        fix: "Add scopes_supported, for example [\"openid\", \"profile\", \"email\"]."
    )

    static let claims = isPresent(
        "claims_supported",
        "The claims are listed",
        .should,
        .conformance,
        "RECOMMENDED. JSON array containing a list of the Claim Names",
        why: "Platforms build the list of mappable user attributes from it.",
        fix: "Add claims_supported with the names of the claims that the provider can return."
    )

    static let all: [Check] = [
        authorizationEndpoint, tokenEndpoint, jwksURI, responseTypes, subjectTypes, signingAlgorithms,
        userinfoEndpoint, scopes, claims,
    ]

    /// A rule that a member is there and not null; its type and value are other checks' business.
    private static func isPresent(
        _ member: String,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ words: String,
        why: String,
        fix: String,
        exempt: MetadataExemption.Reason? = nil
    ) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).is-present"),
            title,
            requirement,
            consequence,
            Citation(.discovery, "3", words),
            why: why,
            reads: Documents.discovery,
            concerns: .ofMember(member),
            exempt: exempt,
            finding: { metadata, _ in
                if metadata.states(member) { return nil }
                let found = metadata.has(member) ? "null" : "no such member"
                return Finding("\(member) is missing", at: "/\(member)", expected: member, found: found, fix: fix)
            }
        )
    }
}
